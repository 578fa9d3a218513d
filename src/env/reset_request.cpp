#include <openenv/base/error.hpp>
#include <openenv/base/json_members.hpp>
#include <openenv/base/json_reader.hpp>
#include <openenv/env/reset_request.hpp>
#include <openenv/model/model.hpp>

#include <algorithm>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace detail {

namespace {

/// Seed and episode_id as they are published; what they may be is checked by whoever takes a
/// request.
struct PublishedBasics {
    std::optional<std::int64_t> seed;
    std::optional<std::string> episode_id;

    static constexpr auto fields = openenv::fields(
        field("seed", &PublishedBasics::seed)
            .ge(0)
            .describe("The same seed gives the same episode"),
        field("episode_id", &PublishedBasics::episode_id)
            .max_length(255)
            .describe("The name of the episode; made up when absent")
    );
};

std::optional<std::int64_t> read_seed(std::string_view raw) {
    model::ValidationErrors ignored;
    std::optional<std::int64_t> value;
    if (model::read(raw, value, ignored)) {
        return value;
    }
    std::uint64_t large = 0;
    ignored.clear();
    if (model::read(raw, large, ignored)) {
        return static_cast<std::int64_t>(large);
    }
    throw UserError("seed must be an integer of at most 64 bits");
}

/// The part of a schema that tells the properties: of a struct that mentions itself the root only
/// refers to its definition.
const Json& described_by(const Json& schema) {
    const Json* const reference = schema.find("$ref");
    if (reference == nullptr) {
        return schema;
    }
    const std::string& path = reference->as_string();
    return schema["$defs"][path.substr(path.rfind('/') + 1)];
}

}  // namespace

ResetBasics read_reset_basics(std::string_view arguments, model::ValidationErrors& errors) {
    const std::string_view seed = raw_member(arguments, "seed");
    const std::string_view episode_id = raw_member(arguments, "episode_id");
    ResetBasics basics;
    if (!seed.empty()) {
        basics.seed = read_seed(seed);
    }
    if (!episode_id.empty()) {
        model::ValidationErrors found;
        if (!model::read(episode_id, basics.episode_id, found)) {
            for (model::ValidationError error : found) {
                error.loc.insert(error.loc.begin(), model::LocPart("episode_id"));
                errors.add(std::move(error));
            }
        }
    }
    return basics;
}

Json other_arguments(std::string_view arguments, std::span<const model::FieldInfo> described) {
    Json extra = Json::object();
    JsonReader reader(arguments);
    reader.enter_object();
    while (const std::optional<std::string_view> key = reader.next_key()) {
        const bool known =
            *key == "seed" || *key == "episode_id" ||
            std::any_of(described.begin(), described.end(), [&](const model::FieldInfo& field) {
                return field.name == *key;
            });
        if (known) {
            reader.skip();
        } else {
            const std::string name(*key);
            extra[name] = Json::read(reader);
        }
    }
    return extra;
}

std::string reset_schema(Json own, bool accepts_any) {
    Json schema = model::schema<PublishedBasics>();
    const Json& arguments = described_by(own);
    for (const Json::Member& property : arguments["properties"].items()) {
        schema["properties"][property.key] = property.value;
    }
    if (const Json* required = arguments.find("required")) {
        schema["required"] = *required;
    }
    if (const Json* definitions = own.find("$defs")) {
        schema["$defs"] = *definitions;
    }
    schema["additionalProperties"] = accepts_any;
    schema["title"] = "ResetArguments";
    return schema.dump();
}

}  // namespace detail
}  // namespace v0
}  // namespace openenv
