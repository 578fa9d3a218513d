#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace cli {

/// Questions and answers: with somebody at a terminal, or with a script, whose lines answer
/// questions that nobody sees.
/// Blocking: ask().
class Dialogue {
public:
    /// `name` is what the lines are called in messages about them, such as "moves.txt".
    /// Lifetime: the streams outlive it.
    Dialogue(std::istream& in, std::ostream& out, bool interactive, std::string name)
        : in_(in), out_(out), interactive_(interactive), name_(std::move(name)) {}

    [[nodiscard]] bool is_interactive() const noexcept { return interactive_; }

    /// The next line, without what ends it; nothing when there are no more.
    /// Errors: WrongUsage when the input cannot be read, OutputFailed.
    [[nodiscard]] std::optional<std::string> ask(std::string_view question);
    /// Shows a text at a terminal; a script does not see it. Errors: OutputFailed.
    void say(std::string_view text);
    /// Where the last answer stood, such as "line 3 of moves.txt".
    [[nodiscard]] std::string place() const;
    /// Where the lines ended, once there are no more: "moves.txt ends after line 3".
    [[nodiscard]] std::string end() const;

private:
    std::istream& in_;
    std::ostream& out_;
    const bool interactive_;
    const std::string name_;
    std::size_t line_ = 0;
};

}  // namespace cli
