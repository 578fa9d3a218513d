#include "net/metered_socket.hpp"
#include "net/product.hpp"
#include "net/ws_conn.hpp"

#include <openenv/net/connection.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include <array>
#include <optional>
#include <sys/socket.h>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using std::chrono::steady_clock;

namespace {

constexpr auto kAwait = asio::as_tuple(io_token);

std::string text(beast::string_view view) {
    return std::string(view.data(), view.size());
}

/// What the buffer holds at most: a header, or what is between two parts of a body. Chunk
/// extensions and trailers, which no limit of Beast's parser covers, have to fit into it.
constexpr std::size_t kBufferBeyondHeader = 64 * 1024;

HttpRequest to_values(const http::request<http::string_body>& message) {
    HttpRequest request;
    request.method = text(message.method_string());
    const std::string target = text(message.target());
    const std::size_t question = target.find('?');
    request.path = target.substr(0, question);
    if (question != std::string::npos) {
        request.query = target.substr(question + 1);
    }
    for (const auto& field : message) {
        request.headers.emplace_back(text(field.name_string()), text(field.value()));
    }
    return request;
}

/// Whether the peer sent what is no HTTP, as opposed to having left.
bool is_malformed(beast::error_code error) {
    return error.category() == http::make_error_code(http::error::bad_method).category() &&
           error != http::error::end_of_stream && error != http::error::partial_message;
}

unsigned status_for(beast::error_code error) {
    if (error == http::error::header_limit) {
        return 431;
    }
    if (error == http::error::body_limit) {
        return 413;
    }
    return 400;
}

}  // namespace

std::string_view HttpRequest::header(std::string_view name) const noexcept {
    for (const auto& [key, value] : headers) {
        if (beast::iequals(
                beast::string_view(key.data(), key.size()),
                beast::string_view(name.data(), name.size())
            )) {
            return value;
        }
    }
    return {};
}

class HttpConnection::Impl final : public Sweeper::Watched {
public:
    Impl(StreamSocket tcp, const ConnectionLimits& wanted, Sweeper& clock)
        : socket(std::move(tcp)),
          limits(wanted),
          sweeper(clock),
          buffer(wanted.header_bytes + kBufferBeyondHeader) {
        sweeper.add(*this);
    }

    void allow(std::chrono::milliseconds time) { deadline_ = steady_clock::now() + time; }
    /// Beside the deadline: the peer is dropped when nothing has moved for so long.
    void allow_stalls_of(std::chrono::milliseconds time) {
        stall_limit_ = time;
        seen_operations_ = socket.operations();
        moved_ = steady_clock::now();
    }
    void no_limit() {
        deadline_.reset();
        stall_limit_.reset();
    }

    void abort() noexcept {
        beast::error_code ignored;
        socket.close(ignored);
    }

    void on_sweep(TimePoint now) override {
        if (stall_limit_) {
            socket.look_at_queue();
        }
        if (socket.operations() != seen_operations_) {
            seen_operations_ = socket.operations();
            moved_ = now;
        }
        const bool stalls = stall_limit_ && now - moved_ >= *stall_limit_;
        if (stalls || (deadline_ && now >= *deadline_)) {
            no_limit();
            abort();
        }
        if (on_peer_gone && peer_has_ended()) {
            std::exchange(on_peer_gone, nullptr)();
        }
    }

    MeteredSocket socket;
    const ConnectionLimits& limits;
    Sweeper& sweeper;
    beast::flat_buffer buffer;
    std::optional<http::request_parser<http::string_body>> parser;  // of the request under way
    std::function<void()> on_peer_gone;
    bool first_request = true;
    bool keep_alive = false;
    bool head_request = false;
    unsigned http_version = 11;

private:
    [[nodiscard]] bool peer_has_ended() {
        char byte = 0;
        return ::recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
    }

    std::optional<TimePoint> deadline_;
    std::optional<std::chrono::milliseconds> stall_limit_;
    std::uint64_t seen_operations_ = 0;
    TimePoint moved_;
};

HttpConnection::HttpConnection(
    StreamSocket socket, const ConnectionLimits& limits, Sweeper& sweeper
)
    : impl_(std::make_unique<Impl>(std::move(socket), limits, sweeper)) {}

HttpConnection::~HttpConnection() = default;

bool HttpConnection::keeps_alive() const noexcept {
    return impl_->keep_alive;
}

Peer HttpConnection::peer() const {
    return peer_of(impl_->socket.native_handle());
}

void HttpConnection::abort() noexcept {
    impl_->abort();
}

void HttpConnection::on_peer_gone(std::function<void()> handler) {
    impl_->on_peer_gone = std::move(handler);
}

io_awaitable<HttpConnection::Read> HttpConnection::read_head() {
    Impl& self = *impl_;
    self.on_peer_gone = nullptr;
    self.keep_alive = false;
    self.head_request = false;
    self.http_version = 11;
    auto& parser = self.parser.emplace();
    parser.header_limit(static_cast<std::uint32_t>(self.limits.header_bytes));
    parser.body_limit(self.limits.body_bytes);

    if (!self.first_request && self.buffer.size() == 0) {
        // Between two requests a peer may rest longer than in the middle of one.
        self.allow(self.limits.keep_alive);
        const auto [error] = co_await self.socket.async_wait(StreamSocket::wait_read, kAwait);
        if (error) {
            co_return Closed{};
        }
    }
    self.first_request = false;
    self.allow(self.limits.request_timeout);
    const auto [error, size] =
        co_await http::async_read_header(self.socket, self.buffer, parser, kAwait);
    self.no_limit();
    if (error) {
        if (is_malformed(error)) {
            co_return Malformed{status_for(error)};
        }
        co_return Closed{};
    }
    self.http_version = parser.get().version();
    self.head_request = parser.get().method() == http::verb::head;
    HttpRequest request = to_values(parser.get());
    request.wants_websocket = beast::websocket::is_upgrade(parser.get());
    co_return request;
}

io_awaitable<HttpConnection::Read> HttpConnection::read_body(HttpRequest head) {
    Impl& self = *impl_;
    auto& parser = *self.parser;
    self.allow(self.limits.body_timeout);
    self.allow_stalls_of(self.limits.request_timeout);
    if (http::token_list(parser.get()[http::field::expect]).exists("100-continue")) {
        static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
        const asio::const_buffer go_on(kContinue.data(), kContinue.size());
        const auto [error, size] = co_await asio::async_write(self.socket, go_on, kAwait);
        if (error) {
            co_return Closed{};
        }
    }
    const auto [error, size] = co_await http::async_read(self.socket, self.buffer, parser, kAwait);
    self.no_limit();
    if (error) {
        if (is_malformed(error)) {
            co_return Malformed{status_for(error)};
        }
        co_return Closed{};
    }
    self.keep_alive = parser.get().keep_alive();
    head.body = std::move(parser.get().body());
    co_return head;
}

io_awaitable<bool> HttpConnection::write(HttpResponse response) {
    Impl& self = *impl_;
    self.on_peer_gone = nullptr;
    http::response<http::string_body> message(
        static_cast<http::status>(response.status), self.http_version
    );
    message.set(http::field::server, product_text());
    if (!response.body.empty()) {
        message.set(http::field::content_type, response.content_type);
    }
    for (const auto& [name, value] : response.headers) {
        message.set(name, value);
    }
    message.keep_alive(self.keep_alive);
    message.body() = std::move(response.body);
    message.prepare_payload();
    if (self.head_request) {
        message.body().clear();  // the length stays that of the answer to a GET
    }
    self.allow_stalls_of(self.limits.stall_timeout);
    const auto [error, size] = co_await http::async_write(self.socket, message, kAwait);
    self.no_limit();
    co_return !error && !self.socket.peer_gone();
}

io_awaitable<void> HttpConnection::write_last(HttpResponse response) {
    Impl& self = *impl_;
    self.keep_alive = false;
    const bool written = co_await write(std::move(response));
    if (!written) {
        co_return;
    }
    // Closing with unread bytes in the buffer would reset the connection and lose the response.
    beast::error_code ignored;
    self.socket.shutdown(StreamSocket::shutdown_send, ignored);
    self.allow(self.limits.close_timeout);
    std::array<char, 4096> rest;
    for (;;) {
        const auto [error, size] = co_await self.socket.async_read_some(asio::buffer(rest), kAwait);
        if (error) {
            break;
        }
    }
    self.no_limit();
}

io_awaitable<std::unique_ptr<MessageStream>> HttpConnection::accept_websocket(std::string features
) {
    Impl& self = *impl_;
    if (!self.parser || !beast::websocket::is_upgrade(self.parser->get()) ||
        self.buffer.size() != 0) {
        // RFC 6455 section 4.1: nothing may follow the request before our answer.
        HttpResponse refusal{
            400, "text/plain; charset=utf-8", "no data before the upgrade is answered\n"};
        co_await write_last(std::move(refusal));
        co_return nullptr;
    }
    co_return co_await net::accept_websocket(
        std::move(self.socket),
        self.parser->release(),
        self.limits,
        self.sweeper,
        std::move(features)
    );
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
