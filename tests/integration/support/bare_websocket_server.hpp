#pragma once

#include "support/test_certificate.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace openenv {
namespace test {

/// A WebSocket server on bare sockets, for the ways to a server that others do not have: a Unix
/// domain socket, TLS without a client of ours, headers of one's own in the answer to the upgrade.
/// Each connection has a thread. At its end the server drops what is left.
class BareWebSocketServer {
public:
    /// What to answer to a message; nothing when the text is empty.
    /// Thread: that of the connection.
    using Script = std::function<std::string(const std::string& message)>;

    struct Options {
        std::string unix_path = {};                    ///< listens there, not on a port
        std::optional<TestCertificate> identity = {};  ///< speaks TLS
        std::string headers = {};                      ///< "Name: value\r\n" of the upgrade
    };

    BareWebSocketServer(Options options, Script script);
    ~BareWebSocketServer();
    BareWebSocketServer(const BareWebSocketServer&) = delete;
    BareWebSocketServer& operator=(const BareWebSocketServer&) = delete;

    /// "http://127.0.0.1:PORT", "https://127.0.0.1:PORT" or "unix:PATH".
    [[nodiscard]] std::string url() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace test
}  // namespace openenv
