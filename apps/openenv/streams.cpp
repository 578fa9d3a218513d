#include "streams.hpp"

#include "wrong_usage.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace cli {

namespace {

/// `what`, and why, as the system says it; not all streams leave a reason there.
std::string with_reason(std::string what, int reason) {
    return reason == 0 ? std::move(what) : what + ": " + std::strerror(reason);
}

}  // namespace

std::optional<std::string> read_line(std::istream& in, const std::string& name) {
    std::string line;
    errno = 0;
    if (std::getline(in, line)) {
        return line;
    }
    if (in.bad()) {
        throw WrongUsage(with_reason(name + " cannot be read", errno));
    }
    return std::nullopt;
}

void print(std::ostream& out, std::string_view text) {
    errno = 0;
    if (!(out << text << std::flush)) {
        throw OutputFailed(with_reason("the output cannot be written", errno));
    }
}

}  // namespace cli
