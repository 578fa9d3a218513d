#include "bench/http_head.hpp"

#include "bench/trouble.hpp"

#include <openenv/base/ascii.hpp>

#include <charconv>
#include <string>

namespace openenv::bench {

std::optional<HttpHead> HttpHead::find_in(std::string_view bytes) {
    constexpr std::string_view kEnd = "\r\n\r\n";
    const std::size_t end = bytes.substr(0, kLargestHead).find(kEnd);
    if (end != std::string_view::npos) {
        return HttpHead(bytes.substr(0, end + kEnd.size()));
    }
    if (bytes.size() >= kLargestHead) {
        throw Trouble(Reason::upgrade_refused, "the head of the answer has no end");
    }
    return std::nullopt;
}

unsigned HttpHead::status() const {
    const std::string_view line = status_line();
    const std::size_t blank = line.find(' ');
    unsigned status = 0;
    if (line.starts_with("HTTP/1.") && blank != std::string_view::npos) {
        std::from_chars(line.data() + blank + 1, line.data() + line.size(), status);
    }
    return status;
}

std::optional<std::string_view> HttpHead::value_of(std::string_view name) const {
    constexpr std::string_view kBlanks = " \t";
    const std::string wanted = ascii_lower(name);
    std::string_view rest = text_;
    while (true) {
        rest.remove_prefix(rest.find("\r\n") + 2);
        const std::string_view line = rest.substr(0, rest.find("\r\n"));
        if (line.empty()) {
            return std::nullopt;
        }
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || ascii_lower(line.substr(0, colon)) != wanted) {
            continue;
        }
        const std::size_t begin = line.find_first_not_of(kBlanks, colon + 1);
        if (begin == std::string_view::npos) {
            return std::string_view();
        }
        return line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
    }
}

}  // namespace openenv::bench
