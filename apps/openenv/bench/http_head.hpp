#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace openenv::bench {

/// The most that a server may send before the body of an answer.
inline constexpr std::size_t kLargestHead = 16U << 10U;

/// The first lines of an HTTP answer.  Lifetime: a view into what was received.
class HttpHead {
public:
    /// The head at the beginning of `bytes`; nothing until all of it is there.
    /// Errors: Trouble, upgrade_refused, when it has no end within kLargestHead.
    [[nodiscard]] static std::optional<HttpHead> find_in(std::string_view bytes);

    /// "HTTP/1.1 200 OK", without control characters only if the server sent none.
    [[nodiscard]] std::string_view status_line() const { return text_.substr(0, text_.find('\r')); }
    /// 0 when it has none.
    [[nodiscard]] unsigned status() const;
    /// The value of a header, in any letter case, or nothing.
    [[nodiscard]] std::optional<std::string_view> value_of(std::string_view name) const;
    /// In bytes, the empty line included.
    [[nodiscard]] std::size_t size() const noexcept { return text_.size(); }

private:
    explicit HttpHead(std::string_view text) noexcept : text_(text) {}

    std::string_view text_;  // ends with an empty line
};

}  // namespace openenv::bench
