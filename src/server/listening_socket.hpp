#pragma once

#include "server/socket_file.hpp"

#include <openenv/net/executors.hpp>
#include <openenv/server/config.hpp>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace openenv {
inline namespace v0 {
namespace server {

/// Listens, at an address of the machine or at a file. It never blocks, and neither does what it
/// accepts.  Thread: its executor's, once it is in use.
struct ListeningSocket {
    using Protocol = boost::asio::generic::stream_protocol;
    using Acceptor = boost::asio::basic_socket_acceptor<Protocol, net::IoExecutor>;

    Acceptor acceptor;
    std::string url;                   ///< "http://127.0.0.1:8000", "unix:/run/env.sock"
    std::uint16_t port = 0;            ///< 0 at a file
    std::unique_ptr<SocketFile> file;  ///< null at an address
};

/// Errors of both: Exception (network) naming the place and the reason, ConfigError for a host that
/// is no address.
[[nodiscard]] ListeningSocket listen_on_address(const ServerConfig& config, net::IoExecutor io);
/// As `config.uds` says, which must be set.
[[nodiscard]] ListeningSocket listen_on_file(const ServerConfig& config, net::IoExecutor io);

}  // namespace server
}  // namespace v0
}  // namespace openenv
