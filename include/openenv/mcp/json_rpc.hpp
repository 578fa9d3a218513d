#pragma once

#include <openenv/base/json.hpp>

#include <string>
#include <string_view>
#include <variant>

namespace openenv {
inline namespace v0 {
namespace mcp {

/// Error codes of JSON-RPC 2.0 section 5.1.
enum class RpcCode : int {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    internal_error = -32603,
};

/// A valid request.
struct RpcRequest {
    std::string method;
    Json params = Json::object();
    Json id;  ///< a string, an integer or null
};

/// Why a request was not served; `id` is that of the request where it could be read.
struct RpcError {
    RpcCode code = RpcCode::internal_error;
    std::string message;
    Json id = {};
    Json data = {};
};

/// Reads one request. OpenEnv's dialect: no batches, a request without id is answered with id null,
/// unknown keys beside the four are refused.
[[nodiscard]] std::variant<RpcRequest, RpcError> parse_request(std::string_view text);

/// Appends `{"jsonrpc":"2.0","id":...,"error":{"code","message","data"}}`.
void append_error(std::string& out, const RpcError& error);

}  // namespace mcp
}  // namespace v0
}  // namespace openenv
