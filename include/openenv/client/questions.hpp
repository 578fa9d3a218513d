#pragma once

#include <openenv/client/answer.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace client {

/// What one call asks many sessions: their numbers, and a JSON object for each, all in one text.
class Questions {
public:
    explicit Questions(Ask asked) : what(asked) {}

    /// Adds one; `write` appends its object to the text it is given.
    template <class Write>
    void add(std::size_t session, Write write) {
        sessions_.push_back(session);
        write(text_);
        ends_.push_back(text_.size());
    }

    [[nodiscard]] std::size_t size() const noexcept { return sessions_.size(); }
    [[nodiscard]] std::size_t session(std::size_t i) const { return sessions_[i]; }
    [[nodiscard]] const std::vector<std::size_t>& sessions() const noexcept { return sessions_; }
    [[nodiscard]] std::string_view text(std::size_t i) const {
        const std::size_t from = i == 0 ? 0 : ends_[i - 1];
        return std::string_view(text_).substr(from, ends_[i] - from);
    }

    Ask what;

private:
    std::vector<std::size_t> sessions_;
    std::string text_;
    std::vector<std::size_t> ends_;  // of the objects in the text
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
