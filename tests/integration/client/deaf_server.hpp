#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace openenv {
namespace test {

/// Accepts TCP connections and never says a word.
/// Blocking: every wait, at most for the hang bound; then it throws.
class DeafServer {
public:
    DeafServer();

    [[nodiscard]] std::uint16_t port() const;
    /// "ws://127.0.0.1:PORT", for "ws".
    [[nodiscard]] std::string url(std::string_view scheme = "ws") const;

    /// Waits for the next connection and takes it in place of the one before.
    void accept();
    /// Returns once the client has sent something on it; nothing of that is read.
    void wait_for_words();
    /// Returns once the client has ended it, and drops what came before.
    void wait_for_end();
    /// True when a client has connected that was not accepted yet.
    [[nodiscard]] bool has_another();

private:
    boost::asio::io_context unused_;
    boost::asio::ip::tcp::acceptor acceptor_;
    boost::asio::ip::tcp::socket connection_;
};

}  // namespace test
}  // namespace openenv
