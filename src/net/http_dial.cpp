#include "net/dial.hpp"
#include "net/product.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

namespace {

constexpr auto kAwait = asio::as_tuple(io_token);

using Request = http::request<http::string_body>;

Request make_request(
    const Url& url,
    const std::string& method,
    const std::string& target,
    std::string body,
    const DialOptions& options
) {
    Request request;
    request.version(11);
    request.method_string(method);
    request.target(target);
    request.set(http::field::host, url.authority());
    request.set(http::field::user_agent, product_text());
    request.set(http::field::accept, "*/*");
    add_headers(request, options);
    if (!body.empty()) {
        request.set(http::field::content_type, "application/json");
    }
    request.keep_alive(false);
    request.body() = std::move(body);
    request.prepare_payload();
    return request;
}

std::string reading_failure(const boost::system::error_code& error, std::size_t most) {
    if (error == http::error::body_limit) {
        return "it is larger than " + std::to_string(most) + " bytes";
    }
    if (error == http::error::end_of_stream) {
        return "the server closed the connection without one";
    }
    if (error == http::error::partial_message) {
        return "the server closed the connection in the middle of it";
    }
    return error.message();
}

/// One exchange over a connected stream.
template <class Stream>
io_awaitable<Result<HttpResponse>> exchange(Dial::Impl& dial, Stream& stream, Request request) {
    const Step exchanging(dial, "waiting for the answer", [&stream] {
        boost::system::error_code ignored;
        bottom(stream).close(ignored);
    });
    const auto [write_error, written] = co_await http::async_write(stream, request, kAwait);
    if (dial.aborted) {
        co_return given_up();
    }
    if (write_error) {
        co_return dial_error("sending the request", write_error.message());
    }
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.header_limit(static_cast<std::uint32_t>(dial.limits->header_bytes));
    parser.body_limit(dial.limits->body_bytes);
    const auto [read_error, read] = co_await http::async_read(stream, buffer, parser, kAwait);
    if (dial.aborted) {
        co_return given_up();
    }
    if (read_error) {
        co_return dial_error(
            "reading the answer", reading_failure(read_error, dial.limits->body_bytes)
        );
    }
    http::response<http::string_body> message = parser.release();
    HttpResponse response;
    response.status = message.result_int();
    const beast::string_view type = message[http::field::content_type];
    response.content_type = std::string(type.data(), type.size());
    response.body = std::move(message.body());
    co_return response;
}

}  // namespace

io_awaitable<Result<HttpResponse>> Dial::request(
    Url url, std::string method, std::string target, std::string body
) {
    Impl& self = *impl_;
    Result<StreamSocket> tcp = co_await self.connect(url);
    if (!tcp) {
        co_return std::move(tcp).error();
    }
    Request request = make_request(url, method, target, std::move(body), self.options);
    if (!url.tls) {
        MeteredSocket socket(std::move(*tcp));
        self.connected = true;
        co_return co_await exchange(self, socket, std::move(request));
    }
    Result<std::unique_ptr<TlsSocket>> tls = co_await self.secure(url, std::move(*tcp));
    if (!tls) {
        co_return std::move(tls).error();
    }
    self.connected = true;
    co_return co_await exchange(self, **tls, std::move(request));
}

bool Dial::is_connected() const noexcept {
    return impl_->connected;
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
