#include "net/ws_conn.hpp"

#include "net/product.hpp"
#include "net/ws_stream.hpp"

namespace openenv {
inline namespace v0 {
namespace net {

namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;

WebSocket::WebSocket(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

WebSocket::~WebSocket() {
    impl_->abort();
}

io_awaitable<bool> WebSocket::read(std::string& message) {
    return impl_->read(message);
}

io_awaitable<bool> WebSocket::write(std::string_view text) {
    return impl_->write(text);
}

void WebSocket::close(CloseCode code, std::string_view reason) {
    impl_->close(code, reason);
}

void WebSocket::close_later(
    std::chrono::milliseconds delay, CloseCode code, std::string_view reason
) {
    impl_->close_later(delay, code, reason);
}

void WebSocket::on_peer_close(std::function<void()> handler) {
    impl_->on_peer_close = std::move(handler);
}

const WebSocketEnd& WebSocket::end() const noexcept {
    return impl_->end;
}

void WebSocket::abort() noexcept {
    impl_->abort();
}

io_awaitable<std::unique_ptr<WebSocket>> accept_websocket(
    MeteredSocket socket, UpgradeRequest request, const ConnectionLimits& limits, Sweeper& sweeper
) {
    // The limits are the server's and outlive it: nothing to own.
    std::shared_ptr<const ConnectionLimits> borrowed(std::shared_ptr<void>(), &limits);
    auto impl = std::make_shared<WsStream<MeteredSocket>>(std::move(socket), std::move(borrowed));
    sweeper.add(*impl);
    impl->stream.set_option(websocket::stream_base::decorator([](websocket::response_type& response
                                                              ) {
        response.set(beast::http::field::server, product_text());
    }));
    const auto [error] =
        co_await impl->stream.async_accept(request, boost::asio::as_tuple(io_token));
    if (error) {
        impl->abort();
        co_return nullptr;
    }
    co_return std::make_unique<WebSocket>(std::move(impl));
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
