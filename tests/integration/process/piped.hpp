#pragma once

#include "integration/support/child_process.hpp"

#include <string>
#include <vector>

namespace openenv {
namespace test {

/// Runs a program to its end that reads `input` from a pipe.
[[nodiscard]] inline Outcome run_with_input(
    const std::vector<std::string>& command,
    const std::string& input,
    const ChildProcess::Variables& variables = {}
) {
    std::vector<std::string> words{
        "/bin/sh", "-c", "input=$1; shift; printf %s \"$input\" | \"$@\"", "sh", input};
    words.insert(words.end(), command.begin(), command.end());
    return run_program(words, variables);
}

/// The lines of a text.
[[nodiscard]] inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos;
         end = text.find('\n', begin)) {
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

}  // namespace test
}  // namespace openenv
