#include "server/polite_refusal.hpp"

#include <openenv/base/json_writer.hpp>

#include <array>
#include <sys/socket.h>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

/// Takes what the peer has sent so far: a socket that is closed with something unread is reset,
/// and on some systems that costs the peer the answer. Bounded, so that nobody can keep us here.
void take_what_came(int socket) {
    constexpr int kMostReads = 4;
    std::array<char, 8192> dropped;
    for (int i = 0; i != kMostReads; ++i) {
        if (::recv(socket, dropped.data(), dropped.size(), MSG_DONTWAIT) <= 0) {
            return;
        }
    }
}

}  // namespace

std::string refusal_text(std::string_view detail) {
    std::string body;
    JsonWriter writer(body);
    writer.begin_object();
    writer.key("detail");
    writer.string(detail);
    writer.end_object();
    return "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n"
           "Content-Length: " +
           std::to_string(body.size()) + "\r\nRetry-After: 1\r\nConnection: close\r\n\r\n" + body;
}

void refuse_politely(Descriptor connection, std::string_view answer) {
    const int socket = connection.get();
    take_what_came(socket);
    (void)::send(socket, answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    ::shutdown(socket, SHUT_WR);
    take_what_came(socket);
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
