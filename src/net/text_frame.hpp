#pragma once

#include <boost/asio/buffer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace net {

/// A text message as a server sends it: one final frame, not masked (RFC 6455 section 5.2).
/// Lifetime: the text outlives it.
class TextFrame {
public:
    explicit TextFrame(std::string_view text) noexcept : text_(text) {
        header_[0] = kFinalText;
        const std::size_t size = text.size();
        if (size < kTwoBytes) {
            header_[1] = static_cast<std::uint8_t>(size);
            header_size_ = 2;
        } else if (size <= 0xFFFF) {
            header_[1] = kTwoBytes;
            append_size(2);
        } else {
            header_[1] = kEightBytes;
            append_size(8);
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return header_size_ + text_.size(); }
    [[nodiscard]] std::array<boost::asio::const_buffer, 2> parts() const noexcept {
        return {
            boost::asio::const_buffer(header_.data(), header_size_),
            boost::asio::const_buffer(text_.data(), text_.size())};
    }

private:
    static constexpr std::uint8_t kFinalText = 0x81;
    // In the place of a size: so many bytes follow that hold it.
    static constexpr std::uint8_t kTwoBytes = 126;
    static constexpr std::uint8_t kEightBytes = 127;

    void append_size(std::size_t bytes) noexcept {
        for (std::size_t i = 0; i != bytes; ++i) {
            const std::size_t shift = 8 * (bytes - 1 - i);
            header_[2 + i] = static_cast<std::uint8_t>(std::uint64_t{text_.size()} >> shift);
        }
        header_size_ = 2 + bytes;
    }

    std::array<std::uint8_t, 10> header_;
    std::size_t header_size_ = 0;
    std::string_view text_;
};

}  // namespace net
}  // namespace v0
}  // namespace openenv
