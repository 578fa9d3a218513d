#include <openenv/base/error.hpp>
#include <openenv/base/json_writer.hpp>
#include <openenv/mcp/json_rpc.hpp>

#include <optional>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace mcp {

namespace {

RpcError invalid(const Json& id, std::string_view why) {
    return RpcError{RpcCode::invalid_request, "Invalid request: " + std::string(why), id};
}

/// The id as it is echoed: 1.0 counts as 1, anything that is no id as null.
std::optional<Json> readable_id(const Json& id) {
    if (id.is_null() || id.is_string() || id.is_integer()) {
        return id;
    }
    if (id.is_bool()) {
        return Json(id.as_bool() ? 1 : 0);
    }
    constexpr double kExact = 9007199254740992.0;  // beyond it a double is no exact integer
    if (id.is_number() && id.as_double() >= -kExact && id.as_double() <= kExact) {
        const auto whole = static_cast<std::int64_t>(id.as_double());
        if (static_cast<double>(whole) == id.as_double()) {
            return Json(whole);
        }
    }
    return std::nullopt;
}

}  // namespace

std::variant<RpcRequest, RpcError> parse_request(std::string_view text) {
    Json body;
    try {
        body = Json::parse(text);
    } catch (const Exception&) {
        return RpcError{RpcCode::parse_error, "Parse error"};
    }
    if (!body.is_object()) {
        return invalid(Json(), "a JSON object is expected");
    }
    RpcRequest request;
    if (const Json* id = body.find("id")) {
        const std::optional<Json> readable = readable_id(*id);
        if (!readable) {
            return invalid(Json(), "id must be a string, an integer or null");
        }
        request.id = *readable;
    }
    const Json* version = body.find("jsonrpc");
    if (version == nullptr || !version->is_string() || version->as_string() != "2.0") {
        return invalid(request.id, "jsonrpc must be \"2.0\"");
    }
    const Json* method = body.find("method");
    if (method == nullptr || !method->is_string()) {
        return invalid(request.id, "method must be a string");
    }
    request.method = method->as_string();
    if (const Json* params = body.find("params")) {
        if (!params->is_object()) {
            return invalid(request.id, "params must be an object");
        }
        request.params = *params;
    }
    for (const Json::Member& member : body.items()) {
        if (member.key != "jsonrpc" && member.key != "method" && member.key != "params" &&
            member.key != "id") {
            return invalid(request.id, "unknown key '" + member.key.substr(0, 100) + "'");
        }
    }
    return request;
}

void append_error(std::string& out, const RpcError& error) {
    JsonWriter writer(out);
    writer.begin_object();
    writer.key("jsonrpc");
    writer.string("2.0");
    writer.key("id");
    writer.json(error.id);
    writer.key("error");
    writer.begin_object();
    writer.key("code");
    writer.integer(static_cast<std::int64_t>(error.code));
    writer.key("message");
    writer.string(error.message);
    writer.key("data");
    writer.json(error.data);
    writer.end_object();
    writer.end_object();
}

}  // namespace mcp
}  // namespace v0
}  // namespace openenv
