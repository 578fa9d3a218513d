/// Any bytes as a JSON-RPC request: reading must end with a request that can be answered, or with
/// an error that can be sent.

#include <openenv/base/json_reader.hpp>
#include <openenv/base/utf8.hpp>
#include <openenv/mcp/json_rpc.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

namespace {

using openenv::Json;
using openenv::JsonReader;
using openenv::mcp::RpcCode;
using openenv::mcp::RpcError;
using openenv::mcp::RpcRequest;

void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "%s\n", what);
        std::abort();
    }
}

bool is_json(std::string_view text) {
    JsonReader reader(text);
    reader.skip();
    return reader.finish();
}

void require_id(const Json& id) {
    require(id.is_null() || id.is_string() || id.is_integer(), "an id is of another type");
}

void require_sendable(const RpcError& error) {
    std::string out;
    openenv::mcp::append_error(out, error);
    require(openenv::is_utf8(out), "an error is not UTF-8");
    require(is_json(out), "an error is not JSON");
}

void check(const RpcRequest& request, std::string_view text) {
    require(is_json(text), "a request was read from what is not JSON");
    require_id(request.id);
    require(request.params.is_object(), "the parameters are no object");
    require_sendable({RpcCode::method_not_found, "no " + request.method, request.id});
}

void check(const RpcError& error, std::string_view text) {
    require(
        is_json(text) == (error.code != RpcCode::parse_error),
        "the code does not tell whether it is JSON"
    );
    require_id(error.id);
    require_sendable(error);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // A copy of its exact size, so that reading past the end is noticed.
    const std::string text(data, data + size);
    const auto parsed = openenv::mcp::parse_request(text);
    std::visit([&text](const auto& part) { check(part, text); }, parsed);
    return 0;
}
