#include "server/in_process.hpp"

#include "server/ws_session.hpp"

#include <openenv/net/memory_stream.hpp>

#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

Error not_running() {
    return Error{Errc::network, "the server in this process does not run"};
}

/// Makes the session on its own thread, to which this coroutine brings it.
net::io_awaitable<void> serve(
    Context& context,
    Shard& shard,
    net::TaskGroup& tasks,
    std::unique_ptr<net::MessageStream> stream,
    Arrival arrival
) {
    std::string attach_to;
    net::io_awaitable<void> served =
        WsSession::serve(context, shard, tasks, std::move(stream), std::move(attach_to));
    arrival.ended();
    co_await std::move(served);
}

}  // namespace

void InProcess::open(Context& context, Shards& shards, net::TaskGroup& tasks) {
    const std::scoped_lock lock(mutex_);
    server_.emplace(Running{context, shards, tasks});
}

void InProcess::close() {
    const std::scoped_lock lock(mutex_);
    server_.reset();
}

net::io_awaitable<Result<std::unique_ptr<net::MessageStream>>> InProcess::connect(
    net::IoExecutor io, std::string wanted
) {
    co_return begin_session(io, wanted);
}

Result<std::unique_ptr<net::MessageStream>> InProcess::begin_session(
    net::IoExecutor io, const std::string& wanted
) {
    // Held to the end, so that the server cannot stop in the midst of it.
    const std::scoped_lock lock(mutex_);
    if (!server_) {
        return not_running();
    }
    Context& context = server_->context;
    const std::size_t limit = context.config.max_connections;
    if (context.connections + context.arriving >= limit) {
        return Error{
            Errc::network,
            "all " + std::to_string(limit) +
                " connections that the server's max_connections allows are open"};
    }
    Shard& shard = *server_->shards[server_->next_shard];
    server_->next_shard = (server_->next_shard + 1) % server_->shards.size();
    const auto close_timeout = context.config.close_timeout;
    net::MemoryStreams streams = net::memory_streams(
        {.io = io, .close_timeout = close_timeout},
        {.io = shard.io,
         .message_bytes = context.config.max_message_bytes,
         .close_timeout = close_timeout},
        wire::to_text(WsSession::kOffered & wire::parse_features(wanted))
    );
    server_->tasks.spawn(
        shard.io, serve(context, shard, server_->tasks, std::move(streams.second), Arrival(context))
    );
    return std::move(streams.first);
}

Result<std::string> InProcess::schema() {
    const std::scoped_lock lock(mutex_);
    if (!server_) {
        return not_running();
    }
    return server_->context.schema_page;
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
