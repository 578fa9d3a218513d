#pragma once

#include <openenv/base/error.hpp>
#include <openenv/base/json.hpp>
#include <openenv/client/vector_answers.hpp>
#include <openenv/env/reward.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {

/// What a reset or a step gave in one session of a VectorEnv.
template <class ObservationT>
class VectorResult {
public:
    VectorResult() = default;

    std::size_t session = 0;
    /// What is seen now: after an automatic reset the beginning of the next episode.
    ObservationT observation{};
    Reward reward;            ///< of the step; null when nothing was graded
    bool terminated = false;  ///< the step has ended the episode ...
    bool truncated = false;   ///< ... or something else has, such as a limit of steps
    Json metadata;            ///< of the observation; null when the server sent none
    /// Where an automatic reset came after the step: what the step itself gave.
    std::optional<ObservationT> final_observation;
    Json final_metadata;
    /// Why there is no result: the other members then say nothing. But where only the automatic
    /// reset has failed, all but the observation tell of the step.
    std::optional<Error> error;

    [[nodiscard]] bool done() const noexcept { return terminated || truncated; }
};

/// What a call on a VectorEnv gave: a result for each session it asked, in that order; receive()
/// gives those that were ready.
template <class ObservationT>
class StepBatch {
public:
    StepBatch() = default;

    std::vector<VectorResult<ObservationT>> results;

    [[nodiscard]] std::size_t size() const noexcept { return results.size(); }
    [[nodiscard]] VectorResult<ObservationT>& operator[](std::size_t i) { return results[i]; }
    [[nodiscard]] const VectorResult<ObservationT>& operator[](std::size_t i) const {
        return results[i];
    }
    [[nodiscard]] auto begin() const noexcept { return results.begin(); }
    [[nodiscard]] auto end() const noexcept { return results.end(); }

    /// How many sessions have failed.
    [[nodiscard]] std::size_t failed() const {
        return static_cast<std::size_t>(std::count_if(begin(), end(), [](const auto& result) {
            return result.error.has_value();
        }));
    }
};

namespace client {

/// Turns an answer that does not fit into the error of its session.
template <class Read>
void read_or_fail(std::optional<Error>& error, Read read) {
    try {
        read();
    } catch (const Exception& failure) {
        error = failure.error();
    }
}

template <class ObservationT>
void read_vector_result(
    SessionOutcome& outcome, VectorResult<ObservationT>& result, Warned& warned
) {
    result.session = outcome.session;
    result.error = std::move(outcome.error);
    // The step's own answer comes first: an automatic reset adds to it.
    const SessionAnswer& of_step = outcome.last ? *outcome.last : outcome.answer;
    if (of_step.frame) {
        StepResult<ObservationT> step = read_result<ObservationT>(of_step.parts, warned);
        result.reward = step.reward;
        if (tells_end(of_step.parts)) {
            const EpisodeEnd end = end_of(of_step.parts);
            result.terminated = end.terminated;
            result.truncated = end.truncated;
        }
        if (outcome.last) {
            result.final_observation = std::move(step.observation);
            result.final_metadata = std::move(step.metadata);
        } else {
            result.observation = std::move(step.observation);
            result.metadata = std::move(step.metadata);
        }
    }
    if (outcome.last && outcome.answer.frame) {
        StepResult<ObservationT> begun = read_result<ObservationT>(outcome.answer.parts, warned);
        result.observation = std::move(begun.observation);
        result.metadata = std::move(begun.metadata);
    }
}

template <class ObservationT>
StepBatch<ObservationT> read_batch(SessionOutcomes outcomes, Warned& warned) {
    StepBatch<ObservationT> batch;
    batch.results.resize(outcomes.size());
    for (std::size_t i = 0; i != outcomes.size(); ++i) {
        VectorResult<ObservationT>& result = batch.results[i];
        read_or_fail(result.error, [&] {
            read_vector_result<ObservationT>(outcomes[i], result, warned);
        });
    }
    return batch;
}

}  // namespace client

}  // namespace v0
}  // namespace openenv
