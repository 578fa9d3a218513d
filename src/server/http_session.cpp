#include "server/http_session.hpp"

#include "server/authorization.hpp"
#include "server/caller.hpp"
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
    LiveHttp(Context& context, Shard& shard, net::HttpConnection& connection, Caller& caller)
        : LiveConnection(context, shard), connection_(connection), caller_(caller) {}
    void drain() override {
        if (waiting) {
            connection_.abort();
        }
    }
    void hurry() override { abort(); }
    void abort() override {
        connection_.abort();
        caller_.give_up();
    }

    bool waiting = true;  // for a request, as opposed to answering one

private:
    net::HttpConnection& connection_;
    Caller& caller_;
};

/// Why an upgrade is refused, or nothing.
std::optional<net::HttpResponse> refuse_upgrade(
    const Context& context, const net::HttpRequest& request
) {
    if (request.path != "/ws" && request.path != "/mcp") {
        return net::HttpResponse{403, "text/plain; charset=utf-8", ""};
    }
    if (context.draining) {
        return net::HttpResponse{503, "text/plain; charset=utf-8", "the server is stopping\n"};
    }
    return std::nullopt;
}

/// The extensions that hold for a peer which asks for some, by header or by query.
std::string granted_features(const net::HttpRequest& request) {
    std::string list(request.header(wire::kAcceptHeader));
    if (list.empty()) {
        list = query_value(request.query, wire::kAcceptQuery);
    }
    return wire::to_text(wire::parse_features(list) & WsSession::kOffered);
}

/// A request that may be answered, the answer of one that may not, or the end of the connection.
using Incoming = std::variant<net::HttpRequest, net::HttpResponse, net::HttpConnection::Closed>;

net::io_awaitable<Incoming> receive(
    const Context& context, Shard& shard, net::HttpConnection& connection
) {
    net::HttpConnection::Read read = co_await connection.read_head();
    if (auto* head = std::get_if<net::HttpRequest>(&read)) {
        // Before the body: who may not ask need not be listened to.
        if (std::optional<net::HttpResponse> refusal = refuse_unauthorized(context.config, *head)) {
            shard.counters.refused[Refusal::unauthorized].add();
            co_return std::move(*refusal);
        }
        if (!head->wants_websocket) {
            net::HttpRequest without_body = std::move(*head);
            read = co_await connection.read_body(std::move(without_body));
        }
    }
    if (const auto* malformed = std::get_if<net::HttpConnection::Malformed>(&read)) {
        co_return malformed_response(malformed->status);
    }
    if (auto* request = std::get_if<net::HttpRequest>(&read)) {
        if (!request->wants_websocket) {
            shard.counters.traffic_of(Transport::http).received(request->body.size());
        }
        co_return std::move(*request);
    }
    co_return net::HttpConnection::Closed{};
}

/// Makes a WebSocket of the connection, and a task of what it is for.
net::io_awaitable<void> upgrade(
    Context& context,
    Shard& shard,
    net::TaskGroup& tasks,
    net::HttpConnection& connection,
    const net::HttpRequest& request
) {
    if (std::optional<net::HttpResponse> refusal = refuse_upgrade(context, request)) {
        if (refusal->status == 503) {
            shard.counters.refused[Refusal::draining].add();
        }
        co_await connection.write_last(std::move(*refusal));
        co_return;
    }
    std::string granted = request.path == "/ws" ? granted_features(request) : std::string();
    std::unique_ptr<net::MessageStream> socket =
        co_await connection.accept_websocket(std::move(granted));
    if (!socket) {
        co_return;
    }
    if (request.path == "/mcp") {
        tasks.spawn(shard.io, serve_mcp(context, shard, std::move(socket)));
    } else {
        std::string attach_to = query_value(request.query, "session_id");
        tasks.spawn(
            shard.io,
            WsSession::serve(context, shard, tasks, std::move(socket), std::move(attach_to))
        );
    }
}

}  // namespace

net::io_awaitable<void> serve_connection(
    Context& context, Shard& shard, net::TaskGroup& tasks, net::StreamSocket socket, Arrival arrival
) {
    net::HttpConnection connection(std::move(socket), context.limits, shard.sweeper);
    Caller caller(shard.io, shard, connection.peer());
    LiveHttp live(context, shard, connection, caller);
    arrival.ended();
    while (!context.draining) {
        live.waiting = true;
        Incoming incoming = co_await receive(context, shard, connection);
        live.waiting = false;
        if (auto* refusal = std::get_if<net::HttpResponse>(&incoming)) {
            co_await connection.write_last(std::move(*refusal));
            co_return;
        }
        auto* request = std::get_if<net::HttpRequest>(&incoming);
        if (request == nullptr) {
            co_return;
        }
        if (request->wants_websocket) {
            co_await upgrade(context, shard, tasks, connection, *request);
            co_return;
        }
        connection.on_peer_gone([&caller] { caller.gone(); });
        net::HttpResponse response = co_await answer(context, caller, std::move(*request));
        shard.counters.traffic_of(Transport::http).sent(response.body.size());
        if (!connection.keeps_alive() || context.draining) {
            co_await connection.write_last(std::move(response));
            co_return;
        }
        const bool written = co_await connection.write(std::move(response));
        if (!written) {
            co_return;
        }
    }
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
