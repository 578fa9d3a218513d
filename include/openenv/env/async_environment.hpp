#pragma once

#include <openenv/env/environment_base.hpp>
#include <openenv/env/task.hpp>
#include <openenv/env/typed_async_environment.hpp>
#include <openenv/env/typed_environment.hpp>

#include <concepts>

namespace openenv {
inline namespace v0 {

/// An environment that waits: for a timer, a socket, another server. Its reset and step are
/// coroutines; while one waits it holds no thread, so thousands of sessions can wait at once.
///
/// It is built, called and destroyed on the io thread of its connection, which many sessions share:
/// between two `co_await` it may compute for microseconds, never block. A call that keeps the
/// thread for longer than the budget (1 ms) is told to the log. Timers and sockets are made with
/// the executor of the coroutine, `co_await boost::asio::this_coro::executor`, or stay on that
/// thread by other means.
///
/// The declarations of Environment hold, but for `execution`, which is `awaitable`. Errors too.
/// When nobody waits for a call any more (the peer is gone, the time is up, the server ends) its
/// stop token is triggered and then its coroutine is cancelled (total, then terminal cancellation
/// of Asio): what it awaits ends with `operation_aborted`, and so does every later `co_await` of
/// that call. A call that goes on all the same keeps its session's place until it ends.
/// Thread: one call at a time, the connection's io thread.
template <class ActionT, class ObservationT, class ResetArgsT = NoResetArgs>
class AsyncEnvironment : public detail::EnvironmentBase<ActionT, ObservationT, ResetArgsT> {
public:
    static constexpr Execution execution = Execution::awaitable;

    AsyncEnvironment() = default;

    // Everything by value: a coroutine's parameters must live as long as it does.

    /// Starts an episode and returns what the agent sees first. Reward and done may be left alone.
    virtual Task<ObservationT> reset(ResetOptions<ResetArgsT> options) = 0;

    /// Applies one valid action. May be called before any reset, and after `done`.
    virtual Task<ObservationT> step(ActionT action, StepOptions options) = 0;

protected:
    AsyncEnvironment(const AsyncEnvironment&) = default;
    AsyncEnvironment& operator=(const AsyncEnvironment&) = default;
};

namespace detail {

template <class E>
concept Asynchronous = std::derived_from<
    E,
    AsyncEnvironment<typename E::Action, typename E::Observation, typename E::ResetArgs>>;

template <Asynchronous E>
struct AdapterOf<E> {
    using type = TypedAsyncEnvironment<E>;
    static constexpr bool asynchronous = true;
};

}  // namespace detail
}  // namespace v0
}  // namespace openenv
