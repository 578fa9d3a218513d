#include "net/ws_conn.hpp"

#include "net/frame_socket.hpp"
#include "net/product.hpp"
#include "net/ws_stream.hpp"

namespace openenv {
inline namespace v0 {
namespace net {

namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;

io_awaitable<std::unique_ptr<MessageStream>> accept_websocket(
    MeteredSocket socket,
    UpgradeRequest request,
    const ConnectionLimits& limits,
    Sweeper& sweeper,
    std::string features
) {
    Peer peer = peer_of(socket.native_handle());
    // The limits are the server's and outlive it: nothing to own.
    std::shared_ptr<const ConnectionLimits> borrowed(std::shared_ptr<void>(), &limits);
    auto impl = std::make_shared<WsStream<FrameSocket>>(
        FrameSocket(std::move(socket)), std::move(borrowed)
    );
    sweeper.add(*impl);
    impl->features = std::move(features);
    impl->peer = std::move(peer);
    const auto decorate = [&granted = impl->features](websocket::response_type& response) {
        response.set(beast::http::field::server, product_text());
        if (!granted.empty()) {
            response.set("OpenEnv-Features", granted);
        }
    };
    impl->stream.set_option(websocket::stream_base::decorator(decorate));
    const auto [error] =
        co_await impl->stream.async_accept(request, boost::asio::as_tuple(io_token));
    if (error) {
        impl->abort();
        co_return nullptr;
    }
    co_return std::make_unique<MessageStream>(std::move(impl));
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
