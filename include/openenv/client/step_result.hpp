#pragma once

#include <openenv/base/error.hpp>
#include <openenv/base/json.hpp>
#include <openenv/base/json_reader.hpp>
#include <openenv/base/log.hpp>
#include <openenv/env/reward.hpp>
#include <openenv/env/types.hpp>
#include <openenv/model/model.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {

/// What a reset or a step gave. With an observation type derived from openenv::Observation the
/// observation tells reward, done and metadata as well, wherever the server put them.
template <class ObservationT>
class StepResult {
public:
    StepResult() = default;

    ObservationT observation{};
    Reward reward;      ///< null when nothing was graded
    bool done = false;  ///< whether the episode is over
    Json metadata;      ///< null when the server sent none
};

namespace client {

/// The parts of an answer to reset or step, as texts; empty where there was none.
struct ResultParts {
    std::string_view observation;
    std::string_view reward;
    std::string_view done;
    std::string_view metadata;
};

/// Reads the object that comes next, which is the data of an answer.  Lifetime: views into what is
/// read.
[[nodiscard]] ResultParts read_parts(JsonReader& reader);

/// Takes the data of an answer apart.  Lifetime: views into `data`.
[[nodiscard]] ResultParts split_result(std::string_view data);

/// The keys of the JSON object `text` that are none of `known`, with commas between; shortened.
[[nodiscard]] std::string unknown_keys(
    std::string_view text, const std::vector<std::string_view>& known
);

[[noreturn]] void throw_unreadable(const char* what, const std::string& why);

/// Reads what a server sent, leniently: unknown keys are passed over.
/// Errors: ValidationFailed when a value does not fit, or a needed one is missing.
template <model::Describable T>
void read_answer(std::string_view text, T& out, const char* what) {
    model::ValidationErrors errors;
    model::ReadOptions options;
    options.ignore_extra = true;
    if (!model::read(text, out, errors, options)) {
        throw_unreadable(what, errors.summary());
    }
}

/// An answer's value that may be absent or null.
[[nodiscard]] inline bool is_given(std::string_view text) {
    return !text.empty() && text != "null";
}

template <model::Described T>
void warn_of_unknown_keys(std::string_view text, const char* what) {
    std::vector<std::string_view> known;
    for (const model::FieldInfo& field : model::struct_info<T>.fields) {
        known.push_back(field.name);
    }
    const std::string keys = unknown_keys(text, known);
    if (!keys.empty()) {
        log(LogLevel::warning,
            std::string("the server's ") + what + " has keys that " +
                std::string(model::type_title<T>()) + " does not know; passing over them: " + keys);
    }
}

/// What a client has warned of, so that it does so once.
/// Thread: the one that reads the client's answers. Lifetime: shared with the calls.
struct Warned {
    bool keys_checked = false;
    bool reward = false;
    bool done = false;
};

/// Warns, once, that `what` stands in the observation and beside it, with different values.
void warn_of_two(const char* what, bool& warned);

/// Whether the JSON object `text` says what `done` is.
[[nodiscard]] bool tells_done(std::string_view text);

/// Gives an observation that has reward, done and metadata of its own, and the result around it,
/// the same ones: those beside the observation where they were sent.
template <std::derived_from<Observation> ObservationT>
void reconcile(const ResultParts& parts, StepResult<ObservationT>& result, Warned& warned) {
    Observation& seen = result.observation;
    if (is_given(parts.reward)) {
        if (!seen.reward.is_null() && seen.reward.as_number() != result.reward.as_number()) {
            warn_of_two("reward", warned.reward);
        }
        seen.reward = result.reward;
    } else {
        result.reward = seen.reward;
    }
    if (is_given(parts.done)) {
        if (seen.done != result.done && !warned.done && tells_done(parts.observation)) {
            warn_of_two("done", warned.done);
        }
        seen.done = result.done;
    } else {
        result.done = seen.done;
    }
    if (result.metadata.is_object() && !result.metadata.empty()) {
        seen.metadata = result.metadata;
    } else if (!seen.metadata.empty()) {
        result.metadata = seen.metadata;
    }
}

/// Reads the parts of an answer's data.
template <class ObservationT>
StepResult<ObservationT> read_result(const ResultParts& parts, Warned& warned) {
    StepResult<ObservationT> result;
    if (is_given(parts.reward)) {
        read_answer(parts.reward, result.reward, "reward");
    }
    if (is_given(parts.done)) {
        read_answer(parts.done, result.done, "done");
    }
    if (is_given(parts.metadata)) {
        result.metadata = Json::parse(parts.metadata);
    }
    const std::string_view observation = is_given(parts.observation) ? parts.observation : "{}";
    if constexpr (std::same_as<ObservationT, Json>) {
        result.observation = Json::parse(observation);
    } else {
        read_answer(observation, result.observation, "observation");
        if (!std::exchange(warned.keys_checked, true)) {
            warn_of_unknown_keys<ObservationT>(observation, "observation");
        }
    }
    if constexpr (std::derived_from<ObservationT, Observation>) {
        reconcile<ObservationT>(parts, result, warned);
    }
    return result;
}

/// Reads the data of an answer.
template <class ObservationT>
StepResult<ObservationT> read_result(std::string_view data, Warned& warned) {
    return read_result<ObservationT>(split_result(data), warned);
}

template <class StateT>
StateT read_state(std::string_view data) {
    StateT state{};
    if constexpr (std::same_as<StateT, Json>) {
        state = Json::parse(data);
    } else {
        read_answer(data, state, "state");  // it is open: what is not described lands in `extra`
    }
    return state;
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
