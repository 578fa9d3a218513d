#include "server/mcp_session.hpp"

#include "server/routes/mcp.hpp"

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

class LiveMcp final : public LiveConnection {
public:
    LiveMcp(Shard& shard, net::WebSocket& socket) : socket_(socket) { shard.live.push_back(*this); }
    void drain() override { socket_.close(net::CloseCode::going_away, "the server is stopping"); }
    void abort() override { socket_.abort(); }

private:
    net::WebSocket& socket_;
};

}  // namespace

net::io_awaitable<void> serve_mcp(
    Context& context, Shard& shard, std::unique_ptr<net::WebSocket> socket
) {
    LiveMcp live(shard, *socket);
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
    }
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
