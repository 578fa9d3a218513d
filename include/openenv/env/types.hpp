#pragma once

#include <openenv/base/json.hpp>
#include <openenv/env/reward.hpp>
#include <openenv/model/field.hpp>
#include <openenv/model/struct_traits.hpp>
#include <openenv/model/value_traits.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

namespace openenv {
inline namespace v0 {

namespace model {

/// Reads null, a bool, an integer or a number; writes the one that is held.
template <>
struct ValueTraits<Reward> {
    static constexpr Shape shape = Shape::any;
    static constexpr bool titled = true;
    static bool read(ReadContext& context, Reward& out, const Constraints&);
    static void write(JsonWriter& writer, const Reward& value);
    static Json describe(SchemaBuilder& builder, const Constraints& limits);
    static std::string label() { return "reward"; }
};

}  // namespace model

/// What an agent does. Derive and add fields; keys that are not described are refused.
struct Action {
    Json metadata = Json::object();

    static constexpr ExtraFields extra_fields = ExtraFields::forbid;
    static constexpr auto fields =
        openenv::fields(field("metadata", &Action::metadata)
                            .object()
                            .or_hidden_default()
                            .describe("Whatever the sender wants to note about the action"));
};

/// What an agent sees. Derive and add fields.
struct Observation {
    bool done = false;
    Reward reward;
    Json metadata = Json::object();

    static constexpr ExtraFields extra_fields = ExtraFields::forbid;
    static constexpr auto fields = openenv::fields(
        field("done", &Observation::done).or_default().describe("Whether the episode is over"),
        field("reward", &Observation::reward)
            .or_default()
            .describe("What the last action was worth; null when nothing was graded"),
        field("metadata", &Observation::metadata)
            .object()
            .or_hidden_default()
            .describe("Whatever the environment notes about the observation")
    );
};

/// Where an episode stands. Derive and add fields, or put keys that vary into `extra`.
struct State {
    std::optional<std::string> episode_id;
    std::int64_t step_count = 0;
    Json extra = Json::object();

    static constexpr auto extra_member = &State::extra;
    static constexpr auto fields = openenv::fields(
        field("episode_id", &State::episode_id).describe("The name of the episode"),
        field("step_count", &State::step_count)
            .ge(0)
            .or_default()
            .describe("Steps taken since the last reset")
    );
};

namespace model {

template <std::derived_from<Action> T>
requires(!std::same_as<T, Action>) struct base_of<T> {
    using type = Action;
};
template <std::derived_from<Observation> T>
requires(!std::same_as<T, Observation>) struct base_of<T> {
    using type = Observation;
};
template <std::derived_from<State> T>
requires(!std::same_as<T, State>) struct base_of<T> {
    using type = State;
};

}  // namespace model

}  // namespace v0
}  // namespace openenv
