#include "bench/byte_stream.hpp"

#include "bench/trouble.hpp"

#include <cerrno>
#include <string>
#include <sys/socket.h>
#include <system_error>

namespace openenv::bench {
namespace {

[[noreturn]] void throw_closed(const char* what) {
    throw Trouble(
        Reason::closed, std::string(what) + ": " + std::generic_category().message(errno)
    );
}

}  // namespace

std::size_t PlainStream::send(std::string_view bytes) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        throw_closed("sending");
    }
    return sent < 0 ? 0 : static_cast<std::size_t>(sent);
}

std::optional<std::size_t> PlainStream::receive(std::span<char> room) {
    const ssize_t got = ::recv(socket_, room.data(), room.size(), 0);
    if (got < 0) {
        if (errno == EAGAIN || errno == EINTR) {
            return std::nullopt;
        }
        throw_closed("receiving");
    }
    return static_cast<std::size_t>(got);
}

}  // namespace openenv::bench
