#include "dialogue.hpp"

#include "streams.hpp"

namespace cli {

std::optional<std::string> Dialogue::ask(std::string_view question) {
    say(question);
    std::optional<std::string> line = read_line(in_, name_);
    if (!line) {
        say("\n");
        return std::nullopt;
    }
    ++line_;
    if (!line->empty() && line->back() == '\r') {
        line->pop_back();
    }
    return line;
}

void Dialogue::say(std::string_view text) {
    if (interactive_) {
        print(out_, text);
    }
}

std::string Dialogue::place() const {
    return (line_ == 0 ? "before the first line of " : "line " + std::to_string(line_) + " of ") +
           name_;
}

std::string Dialogue::end() const {
    return name_ + " ends after line " + std::to_string(line_);
}

}  // namespace cli
