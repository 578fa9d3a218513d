#include "server/listening_socket.hpp"

#include <openenv/base/error.hpp>
#include <openenv/base/log.hpp>
#include <openenv/net/socket_options.hpp>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <algorithm>
#include <fstream>
#include <sys/socket.h>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

/// Fewer places for connections that wait to be accepted are worth a word in the log.
constexpr int kSmallBacklog = 1024;

/// How many connections may wait to be accepted: what the system allows.
int backlog() {
    std::ifstream file("/proc/sys/net/core/somaxconn");
    int allowed = 0;
    if (!(file >> allowed) || allowed <= 0) {
        return asio::socket_base::max_listen_connections;
    }
    if (allowed < kSmallBacklog) {
        log(LogLevel::info,
            "at most " + std::to_string(allowed) +
                " connections can wait to be accepted; sysctl net.core.somaxconn allows more");
    }
    return allowed;
}

tcp::endpoint resolve(const ServerConfig& config) {
    boost::system::error_code error;
    const std::string host = config.host == "localhost" ? "127.0.0.1" : config.host;
    const asio::ip::address address = asio::ip::make_address(host, error);
    if (error) {
        throw ConfigError(
            "host is '" + config.host +
            "'; it takes an IP address such as 127.0.0.1, ::1 or 0.0.0.0"
        );
    }
    return {address, config.port};
}

[[noreturn]] void cannot_listen(
    const ServerConfig& config, const boost::system::error_code& error
) {
    throw Exception(Error{
        Errc::network,
        "cannot listen on " + config.host + ":" + std::to_string(config.port) + ": " +
            error.message() +
            (error == asio::error::address_in_use
                 ? " (--port 0 lets the system choose a free port)"
                 : " (--host takes an address of this machine, such as 127.0.0.1 or 0.0.0.0)")});
}

std::string url_of(const std::string& host, std::uint16_t port) {
    const bool v6 = host.find(':') != std::string::npos;
    return "http://" + (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace

ListeningSocket listen_on_address(const ServerConfig& config, net::IoExecutor io) {
    const tcp::endpoint endpoint = resolve(config);
    ListeningSocket::Acceptor acceptor(io);
    boost::system::error_code error;
    acceptor.open(endpoint.protocol(), error);
    if (!error) {
        net::close_on_exec(acceptor.native_handle());
        acceptor.set_option(asio::socket_base::reuse_address(true), error);
    }
    if (!error) {
        acceptor.bind(endpoint, error);
    }
    if (!error) {
        net::tune_tcp(acceptor.native_handle());
        acceptor.listen(backlog(), error);
    }
    if (!error) {
        acceptor.native_non_blocking(true, error);
    }
    tcp::endpoint bound;
    if (!error) {
        const ListeningSocket::Protocol::endpoint own = acceptor.local_endpoint(error);
        bound.resize(own.size());
        std::copy_n(
            reinterpret_cast<const char*>(own.data()),
            own.size(),
            reinterpret_cast<char*>(bound.data())
        );
    }
    if (error) {
        cannot_listen(config, error);
    }
    const std::uint16_t port = bound.port();
    return {std::move(acceptor), url_of(config.host, port), port, nullptr};
}

ListeningSocket listen_on_file(const ServerConfig& config, net::IoExecutor io) {
    const std::string& path = *config.uds;
    ListeningSocket::Acceptor acceptor(io);
    boost::system::error_code error;
    acceptor.open(asio::local::stream_protocol(), error);
    if (!error) {
        net::close_on_exec(acceptor.native_handle());
        acceptor.native_non_blocking(true, error);
    }
    if (error) {
        throw Exception(Error{
            Errc::network, "cannot listen on unix:" + path + ": " + error.message()});
    }
    auto file =
        std::make_unique<SocketFile>(path, config.uds_mode, acceptor.native_handle(), backlog());
    return {std::move(acceptor), "unix:" + path, 0, std::move(file)};
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
