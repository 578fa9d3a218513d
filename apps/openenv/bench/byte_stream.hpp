#pragma once

#include "bench/descriptor.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace openenv::bench {

/// The bytes of one connection. Nothing here waits; every call does what the socket allows now.
/// Errors: Trouble.
class ByteStream {
public:
    virtual ~ByteStream() = default;
    ByteStream(const ByteStream&) = delete;
    ByteStream& operator=(const ByteStream&) = delete;

    /// Goes on with what comes before the first byte. True once that is done.
    [[nodiscard]] virtual bool secure() = 0;
    /// Sends from the beginning of `bytes`. Returns how many were taken.
    [[nodiscard]] virtual std::size_t send(std::string_view bytes) = 0;
    /// Reads into `room`. Returns how many bytes came, 0 at the end of the stream, nothing when
    /// none are there now.
    [[nodiscard]] virtual std::optional<std::size_t> receive(std::span<char> room) = 0;
    /// Whether it waits for the socket to take something.
    [[nodiscard]] virtual bool wants_to_send() const noexcept = 0;
    /// Whether it keeps bytes that the socket will not tell of.
    [[nodiscard]] virtual bool has_buffered() const noexcept = 0;

protected:
    ByteStream() = default;
};

/// A socket as it is.
class PlainStream final : public ByteStream {
public:
    /// Lifetime: the socket outlives the stream.
    explicit PlainStream(int socket) noexcept : socket_(socket) {}

    [[nodiscard]] bool secure() override { return true; }
    [[nodiscard]] std::size_t send(std::string_view bytes) override;
    [[nodiscard]] std::optional<std::size_t> receive(std::span<char> room) override;
    [[nodiscard]] bool wants_to_send() const noexcept override { return false; }
    [[nodiscard]] bool has_buffered() const noexcept override { return false; }

private:
    int socket_;
};

}  // namespace openenv::bench
