#pragma once

#include <openenv/base/json.hpp>
#include <openenv/base/json_writer.hpp>
#include <openenv/client/errors.hpp>
#include <openenv/client/seed.hpp>
#include <openenv/client/step_batch.hpp>
#include <openenv/client/vector_base.hpp>
#include <openenv/client/vector_options.hpp>
#include <openenv/env/types.hpp>
#include <openenv/model/model.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {

/// The blocking face of a VectorEnv; see VectorEnv::sync(). Every function waits for its answer.
/// Errors and Thread: as the VectorEnv's; not on its own loop.  Lifetime: part of its VectorEnv.
template <class Vector>
class SyncVectorEnv {
public:
    explicit SyncVectorEnv(Vector& owner) noexcept : vector_(owner) {}
    SyncVectorEnv(const SyncVectorEnv&) = delete;
    SyncVectorEnv& operator=(const SyncVectorEnv&) = delete;

    void connect(CallOptions options = {}) { vector_.connect(std::move(options)).get(); }
    auto reset() { return vector_.reset().get(); }
    auto reset(std::int64_t seed, CallOptions options = {}) {
        return vector_.reset(seed, std::move(options)).get();
    }
    auto reset(std::span<const std::int64_t> seeds, CallOptions options = {}) {
        return vector_.reset(seeds, std::move(options)).get();
    }
    auto reset(std::span<const Json> arguments, CallOptions options = {}) {
        return vector_.reset(arguments, std::move(options)).get();
    }
    auto reset_some(std::span<const std::size_t> sessions, CallOptions options = {}) {
        return vector_.reset_some(sessions, std::move(options)).get();
    }
    auto reset_some(
        std::span<const std::size_t> sessions,
        std::span<const Json> arguments,
        CallOptions options = {}
    ) {
        return vector_.reset_some(sessions, arguments, std::move(options)).get();
    }
    auto step(std::span<const typename Vector::Action> actions, CallOptions options = {}) {
        return vector_.step(actions, std::move(options)).get();
    }
    void send(std::span<const typename Vector::Action> actions, CallOptions options = {}) {
        vector_.send(actions, std::move(options)).get();
    }
    void send(
        std::span<const std::size_t> sessions,
        std::span<const typename Vector::Action> actions,
        CallOptions options = {}
    ) {
        vector_.send(sessions, actions, std::move(options)).get();
    }
    void send_resets(std::span<const std::size_t> sessions, CallOptions options = {}) {
        vector_.send_resets(sessions, std::move(options)).get();
    }
    auto receive(std::size_t min = 1, CallOptions options = {}) {
        return vector_.receive(min, std::move(options)).get();
    }
    auto states(CallOptions options = {}) { return vector_.states(std::move(options)).get(); }
    Json schema(CallOptions options = {}) { return vector_.schema(std::move(options)).get(); }
    void close() { vector_.close().get(); }

private:
    Vector& vector_;
};

/// Many sessions of one environment as one object: over a single connection where the server grants
/// that, otherwise over one for each. With described structs it checks what it reads; with Json
/// everything passes (GenericVectorEnv).
///
///   openenv::VectorEnv<Push, Pole> envs("http://127.0.0.1:8000", 64);
///   auto first = co_await envs.reset(7);             // seeds 7, 8, 9, ...
///   auto batch = co_await envs.step(actions);        // one action for each session
///
/// A session whose step has ended its episode is reset at once, unless AutoReset::none is set:
/// VectorResult tells of both. A session that fails does so alone: its result has an error, and the
/// others go on; what fails for a reason of its own may be stepped or reset again, and after a
/// lost connection, or a call given up, a reset begins anew.
///
/// In turn with others or not: step() sends to all and waits for all. send() only sends, and
/// receive() gives the results that are there, so that fast sessions need not wait for slow ones.
/// A session is asked one thing at a time.
///
/// Errors: see openenv/client/errors.hpp. Thrown is what concerns the call as a whole:
/// ConnectFailed where no session could be reached, Exception for cancelled and for usage. What a
/// session failed with, such as CapacityReached, Timeout or SessionLost, stands in its result as an
/// Error. Thread: any; after a fork, only in the process that made it.
template <class ActionT, class ObservationT, class StateT = State>
class VectorEnv : public VectorBase {
public:
    using Action = ActionT;
    using Observation = ObservationT;
    using State = StateT;
    using Batch = StepBatch<ObservationT>;
    using States = std::vector<openenv::Result<StateT>>;

    /// Nothing is connected yet.  Errors: ConfigError.
    VectorEnv(std::string base_url, VectorOptions options)
        : VectorBase(std::move(base_url), options) {}
    /// With a provider that starts the server at the first call, or a connector.
    explicit VectorEnv(VectorOptions options) : VectorBase("", options) {}

    /// Begins an episode in every session.
    [[nodiscard]] Pending<Batch> reset() {
        return batch_of(same_question(client::Ask::reset, "{}"), {});
    }
    /// With `seed` in the first session, one more in the second, and so on.
    [[nodiscard]] Pending<Batch> reset(std::int64_t seed, CallOptions options = {}) {
        return batch_of(seeded(seed), std::move(options));
    }
    [[nodiscard]] Pending<Batch> reset(
        std::span<const std::int64_t> seeds, CallOptions options = {}
    ) {
        return batch_of(seeded(seeds), std::move(options));
    }
    /// With arguments for each: objects of seed, episode_id, and the environment's own.
    [[nodiscard]] Pending<Batch> reset(std::span<const Json> arguments, CallOptions options = {}) {
        return batch_of(resets(arguments), std::move(options));
    }
    /// In some of them only, such as those that have failed.
    [[nodiscard]] Pending<Batch> reset_some(
        std::span<const std::size_t> sessions, CallOptions options = {}
    ) {
        return batch_of(same_question(client::Ask::reset, sessions, "{}"), std::move(options));
    }
    [[nodiscard]] Pending<Batch> reset_some(
        std::span<const std::size_t> sessions,
        std::span<const Json> arguments,
        CallOptions options = {}
    ) {
        return batch_of(resets(sessions, arguments), std::move(options));
    }

    /// Takes a step in every session. The actions are written down before this returns.
    [[nodiscard]] Pending<Batch> step(std::span<const ActionT> actions, CallOptions options = {}) {
        return batch_of(steps(actions), std::move(options));
    }

    /// Begins a step in every session, or in some; receive() gives what comes of it.
    [[nodiscard]] Pending<void> send(std::span<const ActionT> actions, CallOptions options = {}) {
        return send_all(steps(actions), std::move(options));
    }
    [[nodiscard]] Pending<void> send(
        std::span<const std::size_t> sessions,
        std::span<const ActionT> actions,
        CallOptions options = {}
    ) {
        return send_all(
            questions(client::Ask::step, sessions, actions, write_action), std::move(options)
        );
    }
    /// Begins an episode in some of them, likewise.
    [[nodiscard]] Pending<void> send_resets(
        std::span<const std::size_t> sessions, CallOptions options = {}
    ) {
        return send_all(same_question(client::Ask::reset, sessions, "{}"), std::move(options));
    }
    /// The results that are there, as soon as these are at least `min`; VectorResult::session says
    /// of whom.  Errors: Exception (usage) when fewer were sent for; Timeout, after which the
    /// results can still be received.
    [[nodiscard]] Pending<Batch> receive(std::size_t min = 1, CallOptions options = {}) {
        return receive_all<Batch>(min, std::move(options), reader());
    }

    /// The state of every session, or why there is none.
    [[nodiscard]] Pending<States> states(CallOptions options = {}) {
        std::function<States(client::SessionOutcomes)> read = read_states;
        return ask_all<States>(
            same_question(client::Ask::state, ""), std::move(options), std::move(read)
        );
    }

    /// The blocking face, over the same connections; always the same object.
    [[nodiscard]] SyncVectorEnv<VectorEnv>& sync() noexcept { return sync_; }

private:
    static void write_action(std::string& text, const ActionT& action) {
        JsonWriter writer(text);
        if constexpr (std::same_as<ActionT, Json>) {
            writer.json(action);
        } else {
            model::write(writer, action);
        }
    }

    static States read_states(client::SessionOutcomes outcomes) {
        States states;
        states.reserve(outcomes.size());
        for (client::SessionOutcome& outcome : outcomes) {
            StateT state{};
            if (!outcome.error) {
                client::read_or_fail(outcome.error, [&] {
                    state = client::read_state<StateT>(outcome.answer.data);
                });
            }
            if (outcome.error) {
                states.emplace_back(std::move(*outcome.error));
            } else {
                states.emplace_back(std::move(state));
            }
        }
        return states;
    }

    [[nodiscard]] client::Questions steps(std::span<const ActionT> actions) const {
        return questions(client::Ask::step, actions, write_action);
    }
    [[nodiscard]] std::function<Batch(client::SessionOutcomes)> reader() const {
        return [warned = warned_](client::SessionOutcomes outcomes) {
            return client::read_batch<ObservationT>(std::move(outcomes), *warned);
        };
    }
    Pending<Batch> batch_of(client::Questions questions, CallOptions options) {
        return ask_all<Batch>(std::move(questions), std::move(options), reader());
    }

    std::shared_ptr<client::Warned> warned_ = std::make_shared<client::Warned>();  // with the calls
    SyncVectorEnv<VectorEnv> sync_{*this};
};

/// A VectorEnv of any environment: actions, observations and states are JSON.
class GenericVectorEnv : public VectorEnv<Json, Json, Json> {
public:
    using VectorEnv::VectorEnv;
};

}  // namespace v0
}  // namespace openenv
