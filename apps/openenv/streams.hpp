#pragma once

#include <istream>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cli {

/// What the command has to say can be written nowhere: the disk is full, say.
class OutputFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What standard input is called in messages.
inline constexpr const char* kStandardInput = "standard input";

/// The next line, without its line break; nothing when there are no more.
/// `name` is what the stream is called in a message about it, such as "moves.txt".
/// Errors: WrongUsage when it cannot be read.  Blocking.
[[nodiscard]] std::optional<std::string> read_line(std::istream& in, const std::string& name);

/// Writes a text and flushes it, so that nothing further is done for an output that takes nothing.
/// Errors: OutputFailed.
void print(std::ostream& out, std::string_view text);

}  // namespace cli
