#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace openenv {
namespace test {

/// Stands between clients and a server on this machine, and can fall silent as a network does whose
/// cable is cut: connections stay open on both sides, nothing passes, nobody is told.
/// Thread: one of its own; the functions may be called from any.
class TcpProxy {
public:
    explicit TcpProxy(std::uint16_t server_port);
    ~TcpProxy();  ///< closes every connection
    TcpProxy(const TcpProxy&) = delete;
    TcpProxy& operator=(const TcpProxy&) = delete;

    [[nodiscard]] std::uint16_t port() const;
    /// "http://127.0.0.1:PORT".
    [[nodiscard]] std::string url() const;
    /// Nothing passes any more through the connections that exist. New ones pass.
    void cut();
    /// Closes the connections that were cut, on both sides.
    void forget_cut_connections();
    /// From now on closes, on both sides, every connection on which nothing passes for so long.
    void close_idle_after(std::chrono::milliseconds time);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace test
}  // namespace openenv
