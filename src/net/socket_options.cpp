#include <openenv/net/socket_options.hpp>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace openenv {
inline namespace v0 {
namespace net {

void tune_tcp(int descriptor) noexcept {
    const int on = 1;
    const int seconds = 30;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof seconds);
}

void close_on_exec(int descriptor) noexcept {
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
