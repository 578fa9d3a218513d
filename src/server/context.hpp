#pragma once

#include "server/metadata_cache.hpp"

#include <openenv/net/connection.hpp>
#include <openenv/net/executors.hpp>
#include <openenv/net/sweeper.hpp>
#include <openenv/net/task_group.hpp>
#include <openenv/net/thread_registry.hpp>
#include <openenv/server/config.hpp>
#include <openenv/session/capacity.hpp>
#include <openenv/session/execution.hpp>

#include <boost/intrusive/list.hpp>

#include <atomic>
#include <cstddef>
#include <string>

namespace openenv {
inline namespace v0 {
namespace server {

struct Context;
struct Shard;

/// A connection that can be told to end. In its shard's list, and counted, while it lives.
/// Thread: its io thread.
class LiveConnection : public boost::intrusive::list_base_hook<
                           boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
public:
    LiveConnection(Context& context, Shard& shard);
    LiveConnection(const LiveConnection&) = delete;
    LiveConnection& operator=(const LiveConnection&) = delete;

    /// Finish what is under way, then say goodbye.
    virtual void drain() = 0;
    /// End now; a call that is still running is given up.
    virtual void abort() = 0;

protected:
    ~LiveConnection();

private:
    Context& context_;
};

/// What belongs to one io thread.
struct Shard {
    Shard(boost::asio::io_context& context, std::chrono::milliseconds tick)
        : io(context.get_executor()), sweeper(io, tick) {}

    net::IoExecutor io;
    net::Sweeper sweeper;
    boost::intrusive::list<LiveConnection, boost::intrusive::constant_time_size<false>> live;
};

/// What all connections of a server share. Lives as long as the server; members are declared in the
/// reverse order of their end.
struct Context {
    Context(EnvironmentEntry entry, ServerConfig wanted);

    const ServerConfig config;
    const net::ConnectionLimits limits;
    session::Capacity capacity;
    net::ThreadRegistry threads;
    session::EnvironmentHost host;
    MetadataCache metadata;
    const std::string schema_page;   // the body of GET /schema
    const std::string openapi_page;  // the body of GET /openapi.json
    std::atomic<bool> draining{false};
    std::atomic<std::size_t> stateless_calls{0};
    std::atomic<std::size_t> connections{0};
};

inline LiveConnection::LiveConnection(Context& context, Shard& shard) : context_(context) {
    ++context_.connections;
    shard.live.push_back(*this);
}

inline LiveConnection::~LiveConnection() {
    --context_.connections;
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
