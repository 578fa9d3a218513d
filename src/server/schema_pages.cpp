#include "server/schema_pages.hpp"

#include <openenv/base/json.hpp>
#include <openenv/base/json_writer.hpp>

#include <initializer_list>
#include <string_view>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

Json object(std::initializer_list<Json::Entry> entries) {
    return Json::object(entries);
}

Json ref(std::string_view name) {
    return object({{"$ref", "#/components/schemas/" + std::string(name)}});
}

Json json_content(Json schema) {
    return object({{"application/json", object({{"schema", std::move(schema)}})}});
}

Json response(std::string_view description, Json schema) {
    return object({{"description", description}, {"content", json_content(std::move(schema))}});
}

Json nullable(std::string_view type) {
    return object({{"anyOf", Json::array({object({{"type", type}}), object({{"type", "null"}})})}});
}

/// One route of the page. `responses` starts with the one of 200.
Json operation(
    std::string_view tag,
    std::string_view summary,
    std::string_view description,
    std::string_view id,
    Json responses
) {
    return object(
        {{"tags", Json::array({tag})},
         {"summary", summary},
         {"description", description},
         {"operationId", id},
         {"responses", std::move(responses)}}
    );
}

Json with_body(Json described, std::string_view schema, bool required) {
    Json body = object({{"content", json_content(ref(schema))}});
    if (required) {
        body["required"] = true;
    }
    described["requestBody"] = std::move(body);
    return described;
}

constexpr std::string_view kStateless =
    "Stateless: builds a fresh environment, uses it once and throws it away. Episodes are played "
    "over the WebSocket at /ws.";

Json control_paths(Json& paths) {
    Json reset = operation(
        "Environment Control",
        "Reset a fresh environment",
        kStateless,
        "reset_reset_post",
        object(
            {{"200", response("What the agent sees first", ref("ResetResponse"))},
             {"422", response("The request is wrong", ref("HTTPValidationError"))}}
        )
    );
    Json step = operation(
        "Environment Control",
        "Step a fresh environment",
        kStateless,
        "step_step_post",
        object(
            {{"200", response("What the action led to", ref("StepResponse"))},
             {"422", response("The request or the action is wrong", ref("HTTPValidationError"))},
             {"500", object({{"description", "The environment failed"}})}}
        )
    );
    Json state = operation(
        "State Management",
        "State of a fresh environment",
        kStateless,
        "endpoint_state_get",
        object({{"200", response("The initial state", ref("State"))}})
    );
    paths["/reset"] = object({{"post", with_body(std::move(reset), "ResetRequest", false)}});
    paths["/step"] = object({{"post", with_body(std::move(step), "StepRequest", true)}});
    paths["/state"] = object({{"get", std::move(state)}});
    return paths;
}

void info_path(
    Json& paths,
    std::string_view path,
    std::string_view tag,
    std::string_view summary,
    std::string_view id,
    std::string_view schema
) {
    Json responses = object({{"200", response(summary, ref(schema))}});
    paths[path] = object({{"get", operation(tag, summary, "", id, std::move(responses))}});
}

/// A schema of the entry, fit to stand among the components: its own definitions move beside it.
void add_component(Json& components, std::string_view name, std::string_view text) {
    std::string moved(text);
    constexpr std::string_view kLocal = "\"#/$defs/";
    constexpr std::string_view kShared = "\"#/components/schemas/";
    for (std::size_t at = moved.find(kLocal); at != std::string::npos;
         at = moved.find(kLocal, at)) {
        moved.replace(at, kLocal.size(), kShared);
    }
    Json schema = Json::parse(moved);
    if (Json* definitions = schema.find("$defs")) {
        for (const Json::Member& definition : definitions->items()) {
            components[definition.key] = definition.value;
        }
        schema.erase("$defs");
    }
    components[name] = std::move(schema);
}

Json result_schema(std::string_view title) {
    return object(
        {{"additionalProperties", false},
         {"properties",
          object(
              {{"observation", ref("Observation")},
               {"reward", nullable("number")},
               {"done", object({{"type", "boolean"}, {"default", false}})},
               {"metadata", nullable("object")}}
          )},
         {"required", Json::array({"observation"})},
         {"title", title},
         {"type", "object"}}
    );
}

Json step_request() {
    return object(
        {{"additionalProperties", true},
         {"properties",
          object(
              {{"action", ref("Action")},
               {"timeout_s",
                object(
                    {{"anyOf",
                      Json::array(
                          {object({{"type", "number"}, {"exclusiveMinimum", 0}}),
                           object({{"type", "null"}})}
                      )}}
                )},
               {"request_id",
                object(
                    {{"anyOf",
                      Json::array(
                          {object({{"type", "string"}, {"maxLength", 255}}),
                           object({{"type", "null"}})}
                      )}}
                )}}
          )},
         {"required", Json::array({"action"})},
         {"title", "StepRequest"},
         {"type", "object"}}
    );
}

Json components(const EnvironmentEntry& entry) {
    Json all = object({});
    add_component(all, "Action", entry.schemas.action);
    add_component(all, "Observation", entry.schemas.observation);
    add_component(all, "State", entry.schemas.state);
    add_component(all, "ResetRequest", entry.schemas.reset);
    all["ResetRequest"]["additionalProperties"] = true;
    all["StepRequest"] = step_request();
    all["ResetResponse"] = result_schema("ResetResponse");
    all["StepResponse"] = result_schema("StepResponse");
    const auto text = [] { return object({{"type", "string"}}); };
    all["HealthStatus"] = object(
        {{"enum", Json::array({"healthy", "unhealthy", "degraded"})},
         {"title", "HealthStatus"},
         {"type", "string"}}
    );
    all["HealthResponse"] = object(
        {{"properties", object({{"status", ref("HealthStatus")}})},
         {"required", Json::array({"status"})},
         {"title", "HealthResponse"},
         {"type", "object"}}
    );
    all["EnvironmentMetadata"] = object(
        {{"additionalProperties", false},
         {"properties",
          object(
              {{"name", text()},
               {"description", text()},
               {"readme_content", nullable("string")},
               {"version", nullable("string")},
               {"author", nullable("string")},
               {"documentation_url", nullable("string")}}
          )},
         {"required", Json::array({"name", "description"})},
         {"title", "EnvironmentMetadata"},
         {"type", "object"}}
    );
    const Json free_object = object({{"type", "object"}, {"additionalProperties", true}});
    all["SchemaResponse"] = object(
        {{"properties",
          object(
              {{"action", free_object},
               {"observation", free_object},
               {"reset_observation", free_object},
               {"state", free_object}}
          )},
         {"required", Json::array({"action", "observation", "state"})},
         {"title", "SchemaResponse"},
         {"type", "object"}}
    );
    all["ValidationError"] = object(
        {{"properties",
          object(
              {{"loc", object({{"type", "array"}, {"items", object({})}})},
               {"msg", text()},
               {"type", text()},
               {"input", object({})},
               {"ctx", object({{"type", "object"}})}}
          )},
         {"required", Json::array({"loc", "msg", "type"})},
         {"title", "ValidationError"},
         {"type", "object"}}
    );
    all["HTTPValidationError"] = object(
        {{"properties",
          object({{"detail", object({{"type", "array"}, {"items", ref("ValidationError")}})}})},
         {"title", "HTTPValidationError"},
         {"type", "object"}}
    );
    return all;
}

}  // namespace

std::string make_schema_page(const EnvironmentEntry& entry) {
    std::string page;
    JsonWriter writer(page);
    const auto part = [&writer](std::string_view name, std::string_view schema) {
        writer.key(name);
        writer.raw(schema);
    };
    writer.begin_object();
    part("action", entry.schemas.action);
    part("observation", entry.schemas.observation);
    part("reset_observation", entry.schemas.observation);
    part("state", entry.schemas.state);
    part("reset", entry.schemas.reset);
    writer.end_object();
    return page;
}

std::string make_openapi_page(const EnvironmentEntry& entry, ServerMode mode) {
    Json paths = object({});
    if (mode == ServerMode::simulation) {
        control_paths(paths);
    }
    info_path(
        paths,
        "/metadata",
        "Environment Info",
        "What the environment is",
        "endpoint_metadata_get",
        "EnvironmentMetadata"
    );
    info_path(
        paths,
        "/health",
        "Health",
        "Whether the server answers",
        "endpoint_health_get",
        "HealthResponse"
    );
    info_path(
        paths,
        "/schema",
        "Schema",
        "JSON Schemas of action, observation and state",
        "get_schemas_schema_get",
        "SchemaResponse"
    );
    Json mcp = operation(
        "MCP",
        "JSON-RPC",
        "One JSON-RPC request; always answered with 200.",
        "mcp_endpoint_mcp_post",
        object({{"200", response("The JSON-RPC answer", object({{"type", "object"}}))}})
    );
    paths["/mcp"] = object({{"post", std::move(mcp)}});
    const Json page = object(
        {{"openapi", "3.1.0"},
         {"info",
          object(
              {{"title", "OpenEnv Environment HTTP API"},
               {"version", "1.0.0"},
               {"description", "HTTP side of the environment '" + entry.name + "'."}}
          )},
         {"paths", std::move(paths)},
         {"components", object({{"schemas", components(entry)}})}}
    );
    return page.dump();
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
