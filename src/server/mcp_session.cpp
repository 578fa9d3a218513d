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
    LiveMcp(Context& context, Shard& shard, net::WebSocket& socket)
        : LiveConnection(context, shard), socket_(socket) {}
    void drain() override { socket_.close(net::CloseCode::going_away, "the server is stopping"); }
    void abort() override { socket_.abort(); }

private:
    net::WebSocket& socket_;
};

}  // namespace

net::io_awaitable<void> serve_mcp(
    Context& context, Shard& shard, std::unique_ptr<net::WebSocket> socket
) {
    LiveMcp live(context, shard, *socket);
    if (context.draining) {
        live.drain();  // made after all others were told
    }
    std::string request;
    std::string reply;
    for (;;) {
        const bool received = co_await socket->read(request);
        if (!received) {
            co_return;
        }
        reply.clear();
        routes::append_mcp_answer(reply, request);
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
