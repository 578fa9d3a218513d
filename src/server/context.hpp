#pragma once

#include "server/live_session.hpp"
#include "server/loop_watch.hpp"
#include "server/metadata_cache.hpp"
#include "server/peer_limit.hpp"
#include "server/rare_lines.hpp"
#include "server/shard_counters.hpp"

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
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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
    /// Say goodbye now; a call that is still running is given up.
    virtual void hurry() = 0;
    /// End now, without a word.
    virtual void abort() = 0;

protected:
    ~LiveConnection();

private:
    Context& context_;
};

/// What belongs to one io thread.
struct Shard {
    Shard(std::size_t position, boost::asio::io_context& context, std::chrono::milliseconds tick)
        : index(position),
          io(context.get_executor()),
          sweeper(io, tick),
          loop_watch(sweeper, tick, counters) {}

    const std::size_t index;
    net::IoExecutor io;
    net::Sweeper sweeper;
    boost::intrusive::list<LiveConnection, boost::intrusive::constant_time_size<false>> live;
    boost::intrusive::list<LiveSession, boost::intrusive::constant_time_size<false>> sessions;
    std::uint64_t session_numbers = 0;
    ShardCounters counters;
    RareLines refusal_lines;
    LoopWatch loop_watch;
};

/// What all connections of a server share. Lives as long as the server; members are declared in the
/// reverse order of their end.
struct Context {
    Context(EnvironmentEntry entry, ServerConfig wanted);

    const ServerConfig config;
    const net::ConnectionLimits limits;
    const std::string server_id;  // a few random digits, so that ids of another run match nothing
    session::Capacity capacity;
    PeerLimit peers;
    net::ThreadRegistry threads;
    session::EnvironmentHost host;
    MetadataCache metadata;
    const std::string schema_page;   // the body of GET /schema
    const std::string openapi_page;  // the body of GET /openapi.json
    std::atomic<bool> draining{false};
    std::atomic<std::size_t> stateless_calls{0};
    std::atomic<std::size_t> connections{0};  // live ones
    std::atomic<std::size_t> arriving{0};     // see Arrival
    std::vector<Shard*> shards;               // unchanged while the server runs
};

/// A connection that was accepted and is not live yet: it counts all the same. Thread: any.
class Arrival {
public:
    explicit Arrival(Context& context) noexcept : context_(&context) { ++context.arriving; }
    Arrival(Arrival&& other) noexcept : context_(std::exchange(other.context_, nullptr)) {}
    Arrival& operator=(Arrival&&) = delete;
    ~Arrival() { ended(); }

    /// It is live now.
    void ended() noexcept {
        if (context_ != nullptr) {
            --std::exchange(context_, nullptr)->arriving;
        }
    }

private:
    Context* context_;
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
