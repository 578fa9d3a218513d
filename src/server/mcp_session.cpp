#include "server/mcp_session.hpp"

#include "server/routes/mcp.hpp"

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

/// An answer that grew larger is given back after it was sent.
constexpr std::size_t kKeptReplyBytes = 64 * 1024;

class LiveMcp final : public LiveConnection {
public:
    LiveMcp(Context& context, Shard& shard, net::MessageStream& socket)
        : LiveConnection(context, shard), socket_(socket) {}
    void drain() override { socket_.close(net::CloseCode::going_away, "the server is stopping"); }
    void hurry() override { drain(); }
    void abort() override { socket_.abort(); }

private:
    net::MessageStream& socket_;
};

}  // namespace

net::io_awaitable<void> serve_mcp(
    Context& context, Shard& shard, std::unique_ptr<net::MessageStream> socket
) {
    LiveMcp live(context, shard, *socket);
    if (context.draining) {
        live.drain();  // made after all others were told
    }
    Traffic& traffic = shard.counters.traffic_of(Transport::mcp);
    std::string request;
    std::string reply;
    for (;;) {
        const bool received = co_await socket->read(request);
        if (!received) {
            co_return;
        }
        traffic.received(request.size());
        reply.clear();
        routes::append_mcp_answer(reply, request);
        traffic.sent(reply.size());
        const bool written = co_await socket->write(reply);
        if (!written) {
            co_return;
        }
        if (reply.capacity() > kKeptReplyBytes) {
            reply = std::string();
        }
    }
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
