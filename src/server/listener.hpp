#pragma once

#include "server/context.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace server {

/// Accepts connections on the first shard's thread and deals them out to all shards in turn.
class Listener {
public:
    /// Binds and listens. Errors: Exception (network) naming the address and the reason.
    Listener(Context& context, std::vector<std::unique_ptr<Shard>>& shards, net::TaskGroup& tasks);

    /// Thread: the first shard's.
    void start();
    /// Thread: the first shard's.
    void close();

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

private:
    using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, net::IoExecutor>;

    void accept();
    void pause();
    [[nodiscard]] bool is_full();

    Context& context_;
    std::vector<std::unique_ptr<Shard>>& shards_;
    net::TaskGroup& tasks_;
    Acceptor acceptor_;
    net::IoTimer retry_;
    std::size_t next_shard_ = 0;
    bool was_full_ = false;
    bool starved_ = false;  // of descriptors; logged once
    std::uint16_t port_ = 0;
    boost::asio::ip::tcp protocol_ = boost::asio::ip::tcp::v4();
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
