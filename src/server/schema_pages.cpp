#include "server/schema_pages.hpp"

#include "server/openapi_text.hpp"

#include <openenv/base/json.hpp>
#include <openenv/base/json_writer.hpp>

#include <string_view>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

void add_all(Json& target, std::string_view text) {
    const Json more = Json::parse(text);
    for (const Json::Member& member : more.items()) {
        target[member.key] = member.value;
    }
}

/// A schema of the entry, fit to stand among the components: its own definitions move beside it.
void add_component(Json& components, std::string_view name, std::string_view text) {
    std::string moved(text);
    constexpr std::string_view kLocal = "\"#/$defs/";
    constexpr std::string_view kShared = "\"#/components/schemas/";
    std::size_t at = moved.find(kLocal);
    while (at != std::string::npos) {
        moved.replace(at, kLocal.size(), kShared);
        at = moved.find(kLocal, at);
    }
    Json schema = Json::parse(moved);
    if (const Json* definitions = schema.find("$defs")) {
        for (const Json::Member& definition : definitions->items()) {
            components[definition.key] = definition.value;
        }
        schema.erase("$defs");
    }
    components[name] = std::move(schema);
}

void add_control(Json& paths, Json& components, const EnvironmentSchemas& schemas) {
    add_all(paths, kControlPaths);
    add_all(components, kControlComponents);
    add_component(components, "Action", schemas.action);
    add_component(components, "Observation", schemas.observation);
    add_component(components, "State", schemas.state);
    add_component(components, "ResetRequest", schemas.reset);
    components["ResetRequest"]["additionalProperties"] =
        true;  // unknown keys are dropped, not refused
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
    Json paths = Json::object();
    Json components = Json::object();
    if (mode == ServerMode::simulation) {
        add_control(paths, components, entry.schemas);
    }
    add_all(paths, kInfoPaths);
    add_all(components, kInfoComponents);
    const Json info = Json::object(
        {{"title", "OpenEnv Environment HTTP API"},
         {"version", "1.0.0"},
         {"description", "HTTP side of the environment '" + entry.name + "'."}}
    );
    const Json page = Json::object(
        {{"openapi", "3.1.0"},
         {"info", info},
         {"paths", std::move(paths)},
         {"components", Json::object({{"schemas", std::move(components)}})}}
    );
    return page.dump();
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
