#include "server/http_session.hpp"

#include "server/authorization.hpp"
#include "server/mcp_session.hpp"
#include "server/router.hpp"
#include "server/ws_session.hpp"

#include <utility>
#include <variant>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

/// Lets the end of the server reach a connection that still speaks HTTP.
class LiveHttp final : public LiveConnection {
public:
    LiveHttp(Shard& shard, net::HttpConnection& connection) : connection_(connection) {
        shard.live.push_back(*this);
    }
    void drain() override {
        if (waiting) {
            connection_.abort();
        }
    }
    void abort() override { connection_.abort(); }

    bool waiting = true;  // for a request, as opposed to answering one

private:
    net::HttpConnection& connection_;
};

/// Why an upgrade is refused, or nothing.
std::optional<net::HttpResponse> refuse_upgrade(
    const Context& context, const net::HttpRequest& request
) {
    if (std::optional<net::HttpResponse> refusal = refuse_unauthorized(context.config, request)) {
        return refusal;
    }
    if (request.path != "/ws" && request.path != "/mcp") {
        return net::HttpResponse{403, "text/plain; charset=utf-8", ""};
    }
    if (context.draining) {
        return net::HttpResponse{503, "text/plain; charset=utf-8", "the server is stopping\n"};
    }
    return std::nullopt;
}

}  // namespace

net::io_awaitable<void> serve_connection(
    Context& context, Shard& shard, net::TaskGroup& tasks, net::TcpSocket socket
) {
    net::HttpConnection connection(std::move(socket), context.limits, shard.sweeper);
    LiveHttp live(shard, connection);
    while (!context.draining) {
        live.waiting = true;
        net::HttpConnection::Read read = co_await connection.read();
        live.waiting = false;
        if (std::holds_alternative<net::HttpConnection::Closed>(read)) {
            co_return;
        }
        if (const auto* malformed = std::get_if<net::HttpConnection::Malformed>(&read)) {
            net::HttpResponse refusal = malformed_response(malformed->status);
            co_await connection.write_last(std::move(refusal));
            co_return;
        }
        auto& request = std::get<net::HttpRequest>(read);
        if (!request.wants_websocket) {
            net::HttpResponse response = co_await answer(context, shard.io, std::move(request));
            if (!connection.keeps_alive() || context.draining) {
                co_await connection.write_last(std::move(response));
                co_return;
            }
            const bool written = co_await connection.write(std::move(response));
            if (!written) {
                co_return;
            }
            continue;
        }
        if (std::optional<net::HttpResponse> refusal = refuse_upgrade(context, request)) {
            co_await connection.write_last(std::move(*refusal));
            co_return;
        }
        std::unique_ptr<net::WebSocket> websocket = co_await connection.accept_websocket();
        if (websocket) {
            const bool tools = request.path == "/mcp";
            tasks.spawn(
                shard.io,
                tools ? serve_mcp(context, shard, std::move(websocket))
                      : WsSession::serve(
                            context,
                            shard,
                            tasks,
                            std::move(websocket),
                            query_value(request.query, "session_id")
                        )
            );
        }
        co_return;
    }
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
