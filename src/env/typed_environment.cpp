#include <openenv/env/typed_environment.hpp>

#include <cmath>

namespace openenv {
inline namespace v0 {

const char* name_of(Execution policy) noexcept {
    switch (policy) {
        case Execution::pooled:
            return "pooled";
        case Execution::pinned:
            return "pinned";
        case Execution::single_thread:
            return "single_thread";
        case Execution::inline_fast:
            return "inline_fast";
        case Execution::awaitable:
            return "awaitable";
    }
    return "unknown";
}

namespace detail {

CallOutcome failed(std::string& out, std::size_t start, std::string_view text) {
    out.resize(start);
    out += text;
    return CallOutcome::failed;
}

void begin_result(JsonWriter& writer, const Observation& observation) {
    writer.begin_object();
    writer.key("observation");
    writer.begin_object();
    writer.key("metadata");
    writer.json(observation.metadata);
}

void end_result(JsonWriter& writer, const Observation& observation, ResultForm form) {
    writer.end_object();
    writer.key("reward");
    if (form == ResultForm::http && !observation.reward.is_null()) {
        writer.number(observation.reward.as_number());
    } else {
        model::write(writer, observation.reward);
    }
    writer.key("done");
    writer.boolean(observation.done);
    if (!observation.metadata.empty()) {
        writer.key("metadata");
        writer.json(observation.metadata);
    } else if (form == ResultForm::http) {
        writer.key("metadata");
        writer.null();
    }
    writer.end_object();
}

bool is_non_finite(const Reward& reward) noexcept {
    return !std::isfinite(reward.as_number());
}

}  // namespace detail
}  // namespace v0
}  // namespace openenv
