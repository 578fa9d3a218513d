#include "net/dial.hpp"

#include "net/product.hpp"

#include <openenv/net/socket_options.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <sys/socket.h>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;

namespace {

constexpr auto kAwait = asio::as_tuple(io_token);

std::string name_of(const Proxy& proxy) {
    return "proxy " + proxy.host + ":" + std::to_string(proxy.port);
}

/// Between two attempts at a Unix domain socket whose server is behind with accepting.
constexpr std::chrono::milliseconds kFullQueuePause{5};

socklen_t socklen(const asio::local::stream_protocol::endpoint& endpoint) {
    return static_cast<socklen_t>(endpoint.size());
}

std::string file_hint(const boost::system::error_code& error) {
    if (error == asio::error::connection_refused) {
        return " (the server that made the file has ended)";
    }
    if (error == boost::system::errc::no_such_file_or_directory) {
        return " (openenv serve --uds makes it)";
    }
    return {};
}

bool is_address(const std::string& host) {
    boost::system::error_code error;
    asio::ip::make_address(host, error);
    return !error;
}

}  // namespace

TlsTrust::TlsTrust(const std::string& ca_file) : context_(asio::ssl::context::tls_client) {
    boost::system::error_code error;
    if (ca_file.empty()) {
        context_.set_default_verify_paths(error);
    } else {
        context_.load_verify_file(ca_file, error);
    }
    if (error) {
        throw ConfigError(
            ca_file.empty()
                ? "the system's certificates cannot be used: " + error.message() +
                      "; name a file with ca_file"
                : "the certificates of '" + ca_file + "' cannot be used: " + error.message()
        );
    }
    ::SSL_CTX_set_min_proto_version(context_.native_handle(), TLS1_2_VERSION);
}

std::shared_ptr<TlsTrust> trust_in(const std::string& ca_file) {
    return std::make_shared<TlsTrust>(ca_file);
}

std::string status_hint(unsigned status) {
    switch (status) {
        case 401:
        case 403:
            return " (is a token needed, or the path wrong?)";
        case 200:  // in the place of an upgrade
        case 404:
        case 426:
            return " (no OpenEnv server at this address?)";
        default:
            return {};
    }
}

Dial::Impl::Impl(
    IoExecutor executor,
    DialOptions wanted,
    std::shared_ptr<const ConnectionLimits> all_limits,
    Sweeper& clock
)
    : io(executor), options(std::move(wanted)), limits(std::move(all_limits)), sweeper(clock) {}

io_awaitable<Result<std::vector<tcp::endpoint>>> Dial::Impl::resolve(
    std::string host, std::uint16_t port
) {
    std::vector<tcp::endpoint> endpoints;
    boost::system::error_code error;
    const asio::ip::address address = asio::ip::make_address(host, error);
    if (!error) {
        endpoints.emplace_back(address, port);
        co_return std::move(endpoints);
    }
    Resolver resolver(io);
    const Step resolving(*this, "resolving", [&resolver] { resolver.cancel(); });
    const auto [failure, found] =
        co_await resolver.async_resolve(host, std::to_string(port), kAwait);
    if (aborted) {
        co_return given_up();
    }
    if (failure) {
        co_return dial_error("resolving " + host, failure.message());
    }
    for (const auto& entry : found) {
        endpoints.push_back(entry.endpoint());
    }
    co_return std::move(endpoints);
}

io_awaitable<Result<StreamSocket>> Dial::Impl::connect_to(std::string host, std::uint16_t port) {
    const Result<std::vector<tcp::endpoint>> endpoints = co_await resolve(std::move(host), port);
    if (!endpoints) {
        co_return endpoints.error();
    }
    const std::vector<StreamSocket::endpoint_type> candidates(endpoints->begin(), endpoints->end());
    StreamSocket socket(io);
    // Where this fails async_connect() would only say that it was cancelled.
    boost::system::error_code opened;
    socket.open(candidates.front().protocol(), opened);
    if (opened) {
        co_return dial_error("connecting", opened.message());
    }
    const Step connecting(*this, "connecting", [&socket] {
        boost::system::error_code ignored;
        socket.close(ignored);
    });
    const auto [error, endpoint] = co_await asio::async_connect(socket, candidates, kAwait);
    if (aborted) {
        co_return given_up();
    }
    if (error) {
        co_return dial_error("connecting", error.message());
    }
    tune_tcp(socket.native_handle());
    close_on_exec(socket.native_handle());
    co_return std::move(socket);
}

/// By hand: Asio takes the EAGAIN of a listener whose queue is full for a connection on its way.
io_awaitable<Result<StreamSocket>> Dial::Impl::connect_to_file(std::string file) {
    StreamSocket socket(io);
    IoTimer pause(io);
    const Step connecting(*this, "connecting", [&pause] { pause.cancel(); });
    const asio::local::stream_protocol::endpoint endpoint(file);
    boost::system::error_code error;
    socket.open(endpoint.protocol(), error);
    if (!error) {
        close_on_exec(socket.native_handle());
        socket.non_blocking(true, error);
    }
    while (!error) {
        if (::connect(socket.native_handle(), endpoint.data(), socklen(endpoint)) == 0) {
            co_return std::move(socket);
        }
        error.assign(errno, boost::system::system_category());
        if (error == asio::error::try_again) {
            pause.expires_after(kFullQueuePause);
            co_await pause.async_wait(kAwait);
            if (aborted) {
                co_return given_up();
            }
            error.clear();
        }
    }
    co_return dial_error("connecting", error.message() + file_hint(error));
}

io_awaitable<Result<void>> Dial::Impl::tunnel(StreamSocket& socket, Proxy proxy, Url url) {
    const Step tunnelling(*this, "asking the proxy", [&socket] {
        boost::system::error_code ignored;
        socket.close(ignored);
    });
    const std::string who = name_of(proxy);
    Url target = url;
    target.port = url.port_or_default();
    http::request<http::empty_body> request(http::verb::connect, target.authority(), 11);
    request.set(http::field::host, target.authority());
    request.set(http::field::user_agent, product_text());
    if (!proxy.authorization.empty()) {
        request.set(http::field::proxy_authorization, proxy.authorization);
    }
    const auto [write_error, written] = co_await http::async_write(socket, request, kAwait);
    if (write_error) {
        co_return dial_error(who, write_error.message());
    }
    beast::flat_buffer buffer(limits->header_bytes);
    http::response_parser<http::empty_body> parser;
    parser.skip(true);  // whatever it says: what follows the header is the tunnel
    const auto [read_error, read] =
        co_await http::async_read_header(socket, buffer, parser, kAwait);
    if (read_error) {
        co_return dial_error(who, read_error.message());
    }
    const unsigned status = parser.get().result_int();
    if (status / 100 != 2) {
        const bool asks_for_login = status == 407;
        co_return dial_error(
            who,
            "it answered " + std::to_string(status) +
                (asks_for_login ? " (name it as http://user:password@host:port)" : "")
        );
    }
    co_return Result<void>();
}

io_awaitable<Result<StreamSocket>> Dial::Impl::connect(Url url) {
    if (aborted) {
        co_return given_up();
    }
    if (!url.socket_file.empty()) {
        co_return co_await connect_to_file(url.socket_file);
    }
    std::optional<Proxy> proxy;
    try {
        proxy = proxy_for(url, [](const char* name) -> const char* { return std::getenv(name); });
    } catch (const ConfigError& error) {
        co_return error.error();
    }
    if (!proxy) {
        co_return co_await connect_to(url.host, url.port_or_default());
    }
    Result<StreamSocket> socket = co_await connect_to(proxy->host, proxy->port);
    if (!socket) {
        Error error = std::move(socket).error();
        error.message = name_of(*proxy) + ": " + error.message;
        co_return error;
    }
    Result<void> open = co_await tunnel(*socket, *proxy, std::move(url));
    if (aborted) {
        co_return given_up();
    }
    if (!open) {
        co_return std::move(open).error();
    }
    co_return std::move(socket);
}

io_awaitable<Result<std::unique_ptr<TlsSocket>>> Dial::Impl::secure(Url url, StreamSocket tcp) {
    if (!options.trust) {
        co_return Error{
            Errc::configuration,
            "the server's certificate cannot be checked: no certificates to trust were given"};
    }
    auto stream =
        std::make_unique<TlsSocket>(MeteredSocket(std::move(tcp)), options.trust->context());
    const Step securing(*this, "securing", [raw = stream.get()] {
        boost::system::error_code ignored;
        bottom(*raw).close(ignored);
    });
    stream->set_verify_mode(asio::ssl::verify_peer);
    X509_VERIFY_PARAM* wanted = ::SSL_get0_param(stream->native_handle());
    const int named = is_address(url.host)
                          ? ::X509_VERIFY_PARAM_set1_ip_asc(wanted, url.host.c_str())
                          : ::X509_VERIFY_PARAM_set1_host(wanted, url.host.c_str(), 0);
    if (named != 1) {
        co_return dial_error("TLS", "no certificate can be for '" + url.host + "'");
    }
    if (!is_address(url.host)) {
        // SSL_set_tlsext_host_name, whose macro is an old-style cast.
        ::SSL_ctrl(
            stream->native_handle(),
            SSL_CTRL_SET_TLSEXT_HOSTNAME,
            TLSEXT_NAMETYPE_host_name,
            url.host.data()
        );
    }
    const auto [error] = co_await stream->async_handshake(asio::ssl::stream_base::client, kAwait);
    if (aborted) {
        co_return given_up();
    }
    if (error) {
        const long verdict = ::SSL_get_verify_result(stream->native_handle());
        const bool no_tls =
            error.category() == asio::error::get_ssl_category() &&
            ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_WRONG_VERSION_NUMBER;
        const std::string why = verdict != X509_V_OK ? ::X509_verify_cert_error_string(verdict)
                                : no_tls ? "the server does not speak TLS (http instead of https?)"
                                         : error.message();
        co_return dial_error("TLS", why);
    }
    co_return std::move(stream);
}

Dial::Dial(
    IoExecutor io,
    DialOptions options,
    std::shared_ptr<const ConnectionLimits> limits,
    Sweeper& sweeper
)
    : impl_(std::make_unique<Impl>(io, std::move(options), std::move(limits), sweeper)) {}

Dial::~Dial() = default;

void Dial::abort() noexcept {
    impl_->abort();
}

std::string_view Dial::step() const noexcept {
    return impl_->step;
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
