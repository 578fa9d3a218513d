#pragma once

#include <openenv/client/client_base.hpp>
#include <openenv/client/errors.hpp>
#include <openenv/client/seed.hpp>
#include <openenv/client/step_result.hpp>
#include <openenv/client/sync_client.hpp>
#include <openenv/env/types.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace openenv {
inline namespace v0 {

namespace client {

/// The frames of a client, as text; each argument is the text of a JSON object.
[[nodiscard]] std::string reset_frame(std::string_view arguments);
[[nodiscard]] std::string step_frame(std::string_view action);
[[nodiscard]] std::string state_frame();

template <class T>
std::string text_of(const T& value) {
    if constexpr (std::same_as<T, Json>) {
        return value.dump();
    } else {
        return model::to_json(value);
    }
}

}  // namespace client

/// A session with an environment server: one WebSocket, opened on demand. With described structs it
/// checks what it reads; with Json everything passes (GenericEnvClient).
///
///   openenv::EnvClient<GuessAction, GuessObservation> env("http://127.0.0.1:8000");
///   auto first = co_await env.reset();              // in a coroutine
///   auto first = env.sync().reset();                // or blocking
///
/// Calls are made one after the other, in the order in which they were begun; several may be
/// begun at once, from any thread. No answer is ever taken for another's: where the server grants
/// `ids`, that of a call which ran out of time or was cancelled is dropped when it comes, and the
/// next call waits behind it, but for a reset; elsewhere such a call costs the connection. What
/// follows then is told by ClientOptions::reconnect. A step is never sent twice.
///
/// For an environment of one's own: derive, take over the constructors, and add functions that
/// return what step() returns; they work in both styles.
///
///   class WordleClient : public openenv::EnvClient<GuessAction, GuessObservation> {
///   public:
///       using EnvClient::EnvClient;
///       auto guess(std::string word) { GuessAction a; a.word = std::move(word); return step(a); }
///   };
///
/// Errors: see openenv/client/errors.hpp; every call throws these.
/// Thread: any; after a fork, only in the process that made it.
template <class ActionT, class ObservationT, class StateT = State>
class EnvClient : public ClientBase {
public:
    using Action = ActionT;
    using Observation = ObservationT;
    using State = StateT;
    using Result = StepResult<ObservationT>;

    /// `base_url` as in "http://host:8000/prefix", with http, https, ws, wss, or no scheme.
    /// Nothing is connected yet.  Errors: ConfigError.
    explicit EnvClient(std::string base_url, ClientOptions options = {})
        : ClientBase(std::move(base_url), std::move(options)) {}
    /// With a provider that starts the server at the first call.
    explicit EnvClient(ClientOptions options) : ClientBase("", std::move(options)) {}
    /// What new_session() has opened; taken over by `using EnvClient::EnvClient`.
    explicit EnvClient(client::OpenedSession opened) : ClientBase(std::move(opened)) {}

    /// Begins an episode. `arguments` is an object: seed, episode_id, and the environment's own.
    [[nodiscard]] Pending<Result> reset(const Json& arguments, CallOptions options = {}) {
        return result_of(client::Ask::reset, client::reset_frame(arguments.dump()), options);
    }
    [[nodiscard]] Pending<Result> reset() { return reset(Json::object()); }
    /// The same with a described struct of arguments.
    template <model::Described Arguments>
    [[nodiscard]] Pending<Result> reset(const Arguments& arguments, CallOptions options = {}) {
        return result_of(
            client::Ask::reset, client::reset_frame(client::text_of(arguments)), options
        );
    }

    template <model::Described Arguments>
    requires std::is_aggregate_v<Arguments> Pending<Result> reset(Arguments&&, CallOptions = {}) {
        static_assert(
            !std::is_aggregate_v<Arguments>,
            "name the arguments first: `MyArguments arguments; ...; co_await "
            "client.reset(arguments);`, because some compilers destroy temporary ones twice; "
            "client.sync().reset() takes both"
        );
    }

    /// Takes a step. The action is written down before this returns.
    [[nodiscard]] Pending<Result> step(const ActionT& action, CallOptions options = {}) {
        return result_of(client::Ask::step, client::step_frame(client::text_of(action)), options);
    }
    /// gcc 12 destroys a temporary aggregate in a co_await expression twice.
    Pending<Result> step(ActionT&&, CallOptions = {}) requires std::is_aggregate_v<ActionT> {
        static_assert(
            !std::is_aggregate_v<ActionT>,
            "name the action first: `MyAction action; ...; co_await client.step(action);`, because "
            "some compilers destroy a temporary one twice; client.sync().step() takes both"
        );
    }

    /// Where the episode stands.
    [[nodiscard]] Pending<StateT> state(CallOptions options = {}) {
        std::function<StateT(const client::Answer&)> read = [](const client::Answer& answer) {
            return client::read_state<StateT>(answer.data());
        };
        return ask<StateT>(client::Ask::state, client::state_frame(), options, std::move(read));
    }

    /// A further session on the same server, with the same settings but without the provider,
    /// connected, and closed with this client. Client may be the derived class.
    /// Errors: as connect().
    template <std::derived_from<EnvClient> Client = EnvClient>
    [[nodiscard]] Pending<std::unique_ptr<Client>> new_session(CallOptions options = {}) {
        static_assert(
            std::is_constructible_v<Client, client::OpenedSession>,
            "a client class takes over the constructors: `using EnvClient::EnvClient;`"
        );
        std::shared_ptr<client::PendingCall> call = make_call(options);
        typename Pending<std::unique_ptr<Client>>::Work work = [call] {
            return open_session<Client>(call);
        };
        return Pending<std::unique_ptr<Client>>(std::move(call), std::move(work));
    }

    /// The blocking face of this client, over the same connection; always the same object.
    [[nodiscard]] SyncClient<EnvClient>& sync() noexcept { return sync_; }

private:
    Pending<Result> result_of(client::Ask what, std::string message, CallOptions options) {
        std::function<Result(const client::Answer&)> read =
            [warned = warned_](const client::Answer& answer) {
                return client::read_result<ObservationT>(answer.data(), *warned);
            };
        return ask<Result>(what, std::move(message), options, std::move(read));
    }

    template <class Client>
    static net::io_awaitable<std::unique_ptr<Client>> open_session(
        std::shared_ptr<client::PendingCall> call
    ) {
        std::shared_ptr<client::Self> self = co_await call->new_session();
        client::OpenedSession opened(std::move(self));
        co_return std::make_unique<Client>(std::move(opened));
    }

    std::shared_ptr<client::Warned> warned_ = std::make_shared<client::Warned>();  // with the calls
    SyncClient<EnvClient> sync_{*this};
};

/// A client of any environment: actions, observations and states are JSON.
class GenericEnvClient : public EnvClient<Json, Json, Json> {
public:
    using EnvClient::EnvClient;
};

}  // namespace v0
}  // namespace openenv
