#pragma once

#include <openenv/net/connection.hpp>

#include <boost/beast/websocket/teardown.hpp>

#include <cstdint>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

/// A socket that counts how often it was asked to read or write. A read or write of many parts asks
/// again only after a part has arrived or left, so a changed count means that the peer is alive.
class MeteredSocket : public TcpSocket {
public:
    explicit MeteredSocket(TcpSocket socket) : TcpSocket(std::move(socket)) {}

    [[nodiscard]] std::uint64_t operations() const noexcept { return operations_; }

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token) {
        ++operations_;
        return TcpSocket::async_read_some(buffers, std::forward<Token>(token));
    }

    template <class Buffers, class Token>
    auto async_write_some(const Buffers& buffers, Token&& token) {
        ++operations_;
        return TcpSocket::async_write_some(buffers, std::forward<Token>(token));
    }

private:
    std::uint64_t operations_ = 0;
};

/// Beast ends a WebSocket by these two; found by argument-dependent lookup.
inline void teardown(
    boost::beast::role_type role, MeteredSocket& socket, boost::beast::error_code& error
) {
    boost::beast::websocket::teardown(role, static_cast<TcpSocket&>(socket), error);
}
template <class Handler>
void async_teardown(boost::beast::role_type role, MeteredSocket& socket, Handler&& handler) {
    boost::beast::websocket::async_teardown(
        role, static_cast<TcpSocket&>(socket), std::forward<Handler>(handler)
    );
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
