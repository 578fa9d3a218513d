#include "net/dial.hpp"
#include "net/product.hpp"
#include "net/ws_stream.hpp"

#include <boost/beast/websocket/ssl.hpp>

#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;

namespace {

/// What a server means that answers an upgrade with something else than 101.
std::string refusal_text(const websocket::response_type& response) {
    const unsigned status = response.result_int();
    std::string text = "the server answered " + std::to_string(status);
    const beast::string_view reason = response.reason();
    if (!reason.empty()) {
        text += " " + std::string(reason.data(), reason.size());
    }
    return text + status_hint(status);
}

/// Why an upgrade came to nothing.
std::string failure_text(
    const boost::system::error_code& error, const websocket::response_type& response
) {
    if (error == websocket::error::upgrade_declined) {
        return refusal_text(response);
    }
    if (error == http::error::end_of_stream || error == http::error::partial_message) {
        return "the server closed the connection without an answer";
    }
    if (error.category() == http::make_error_code(http::error::bad_version).category()) {
        return "the answer is not HTTP (" + error.message() + ")";
    }
    return error.message();
}

template <class NextLayer>
io_awaitable<Result<std::unique_ptr<MessageStream>>> shake_hands(
    Dial::Impl& dial, NextLayer layer, Url url
) {
    auto impl = std::make_shared<WsStream<NextLayer>>(std::move(layer), dial.limits);
    const Step upgrading(dial, "upgrading", [raw = impl.get()] { raw->abort(); });
    impl->stream.set_option(
        websocket::stream_base::decorator([&dial](websocket::request_type& request) {
            request.set(http::field::user_agent, product_text());
            add_headers(request, dial.options);
        })
    );
    websocket::response_type response;
    const auto [error] = co_await impl->stream.async_handshake(
        response, url.authority(), url.target("ws"), asio::as_tuple(io_token)
    );
    if (dial.aborted) {
        impl->abort();
        co_return given_up();
    }
    if (error) {
        impl->abort();
        co_return dial_error("upgrading", failure_text(error, response));
    }
    const beast::string_view granted = response["OpenEnv-Features"];
    impl->features = std::string(granted.data(), granted.size());
    dial.sweeper.add(*impl);
    co_return std::make_unique<MessageStream>(std::move(impl));
}

}  // namespace

io_awaitable<Result<std::unique_ptr<MessageStream>>> Dial::websocket(Url url) {
    Impl& self = *impl_;
    Result<StreamSocket> tcp = co_await self.connect(url);
    if (!tcp) {
        co_return std::move(tcp).error();
    }
    if (!url.tls) {
        MeteredSocket socket(std::move(*tcp));
        co_return co_await shake_hands(self, std::move(socket), std::move(url));
    }
    Result<std::unique_ptr<TlsSocket>> tls = co_await self.secure(url, std::move(*tcp));
    if (!tls) {
        co_return std::move(tls).error();
    }
    TlsSocket socket = std::move(**tls);
    co_return co_await shake_hands(self, std::move(socket), std::move(url));
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
