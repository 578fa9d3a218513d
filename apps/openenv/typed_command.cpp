#include "typed_command.hpp"

#include <algorithm>
#include <cstddef>

namespace cli {

Command read_command(std::string_view line) {
    line.remove_prefix(1);
    const std::size_t end = std::min(line.find(' '), line.size());
    Command command{std::string(line.substr(0, end)), {}};
    const std::size_t rest = line.find_first_not_of(' ', end);
    if (rest != std::string_view::npos) {
        command.rest = std::string(line.substr(rest));
    }
    return command;
}

}  // namespace cli
