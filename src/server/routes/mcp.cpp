#include "server/routes/mcp.hpp"

#include "server/responses.hpp"

#include <openenv/mcp/json_rpc.hpp>

#include <utility>
#include <variant>

namespace openenv {
inline namespace v0 {
namespace server {
namespace routes {

namespace {

using openenv::mcp::RpcCode;
using openenv::mcp::RpcError;
using openenv::mcp::RpcRequest;

/// What of a peer's own text is sent back in a message.
constexpr std::size_t kEchoed = 200;

const std::string* text_param(const RpcRequest& request, std::string_view name) {
    const Json* value = request.params.find(name);
    const bool given = value != nullptr && value->is_string() && !value->as_string().empty();
    return given ? &value->as_string() : nullptr;
}

RpcError refuse(const RpcRequest& request) {
    const auto error = [&](RpcCode code, std::string message) {
        return RpcError{code, std::move(message), request.id};
    };
    if (request.method == "tools/call" && text_param(request, "name") == nullptr) {
        return error(RpcCode::invalid_params, "Missing 'name' in params");
    }
    if (request.method == "openenv/session/close") {
        const std::string* id = text_param(request, "session_id");
        return error(
            RpcCode::invalid_params,
            id != nullptr ? "Unknown session_id: " + id->substr(0, kEchoed)
                          : "Invalid params - 'session_id' is required"
        );
    }
    if (request.method == "tools/list" || request.method == "tools/call" ||
        request.method == "openenv/session/create") {
        return error(RpcCode::internal_error, "Environment does not support MCP");
    }
    return error(
        RpcCode::method_not_found, "Method not found: " + request.method.substr(0, kEchoed)
    );
}

}  // namespace

void append_mcp_answer(std::string& out, std::string_view request) {
    const std::variant<RpcRequest, RpcError> parsed = openenv::mcp::parse_request(request);
    if (const auto* invalid = std::get_if<RpcError>(&parsed)) {
        openenv::mcp::append_error(out, *invalid);
    } else {
        openenv::mcp::append_error(out, refuse(std::get<RpcRequest>(parsed)));
    }
}

net::io_awaitable<net::HttpResponse> mcp(Context&, Caller&, net::HttpRequest request) {
    std::string body;
    append_mcp_answer(body, request.body);
    co_return json_response(std::move(body));
}

}  // namespace routes
}  // namespace server
}  // namespace v0
}  // namespace openenv
