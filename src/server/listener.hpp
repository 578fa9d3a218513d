#pragma once

#include "server/context.hpp"
#include "server/descriptor.hpp"
#include "server/listening_socket.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace server {

/// Accepts connections on the first shard's thread and deals them out to all shards in turn. Whom
/// it cannot serve it tells so.
class Listener {
public:
    /// `socket` runs on the first shard.
    Listener(
        Context& context,
        std::vector<std::unique_ptr<Shard>>& shards,
        net::TaskGroup& tasks,
        ListeningSocket socket
    );

    /// Thread: the first shard's.
    void start();
    /// Removes the file of a Unix domain socket as well. Thread: the first shard's.
    void close();

    [[nodiscard]] std::uint16_t port() const noexcept { return socket_.port; }
    [[nodiscard]] const std::string& url() const noexcept { return socket_.url; }

private:
    void wait();
    void accept_waiting();
    void deal(Descriptor connection);
    [[nodiscard]] bool refuse_without_descriptors();
    void pause();
    [[nodiscard]] Descriptor accept_one();
    [[nodiscard]] bool is_full();
    void say_once(bool& said, const std::string& text);

    Context& context_;
    std::vector<std::unique_ptr<Shard>>& shards_;
    net::TaskGroup& tasks_;
    ListeningSocket socket_;
    const ListeningSocket::Protocol protocol_;
    net::IoTimer retry_;
    /// Kept open to be closed when no other is left: in its place a peer can be told why it is
    /// refused.
    Descriptor spare_;
    net::TimePoint refusing_since_{};
    int refused_since_ = 0;
    const std::string too_many_;  // the answer where max_connections are open
    std::size_t next_shard_ = 0;
    // Logged, until it is over.
    bool said_full_ = false;
    bool said_starved_ = false;
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
