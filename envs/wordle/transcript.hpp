#pragma once

#include <string>
#include <utility>
#include <vector>

namespace wordle {

/// All that was said in a game, in order. Grows by appending only, so a client that remembers the
/// length of what it has seen can slice off what is new.
class Transcript {
public:
    void add(std::string entry) { entries_.push_back(std::move(entry)); }

    /// The whole as one text: every entry on a new line behind the tag `[GAME] `.
    [[nodiscard]] std::string text() const;

    [[nodiscard]] const std::vector<std::string>& entries() const noexcept { return entries_; }

private:
    std::vector<std::string> entries_;
};

}  // namespace wordle
