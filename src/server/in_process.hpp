#pragma once

#include "server/context.hpp"

#include <openenv/net/message_stream.hpp>
#include <openenv/net/task_group.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace server {

/// The way into a server from within its process, dealt out to its shards in turn.
/// Lifetime: shared with clients, which may outlive the server.
class InProcess final : public net::Connector {
public:
    using Shards = std::vector<std::unique_ptr<Shard>>;

    /// Takes sessions from now on; all three outlive the next close().
    void open(Context& context, Shards& shards, net::TaskGroup& tasks);
    /// Takes no more. What was taken is counted in the group.
    void close();

    [[nodiscard]] net::io_awaitable<Result<std::unique_ptr<net::MessageStream>>> connect(
        net::IoExecutor io, std::string wanted
    ) override;
    [[nodiscard]] Result<std::string> schema() override;

private:
    struct Running {
        Context& context;
        Shards& shards;
        net::TaskGroup& tasks;
        std::size_t next_shard = 0;
    };

    [[nodiscard]] Result<std::unique_ptr<net::MessageStream>> begin_session(
        net::IoExecutor io, const std::string& wanted
    );

    std::mutex mutex_;
    std::optional<Running> server_;  // while it takes sessions
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
