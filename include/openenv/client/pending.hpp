#pragma once

#include <openenv/base/json.hpp>
#include <openenv/client/answer.hpp>
#include <openenv/client/loop.hpp>
#include <openenv/client/options.hpp>
#include <openenv/client/questions.hpp>
#include <openenv/client/vector_answers.hpp>
#include <openenv/env/task.hpp>
#include <openenv/net/executors.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associator.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace openenv {
inline namespace v0 {

namespace client {

class Core;
struct CallState;
class Self;

/// One call of a client, before and while it is made. Knows no types; Pending does.
/// Thread: any, but for what says so.
class PendingCall {
public:
    /// `message` is what ask() sends.
    PendingCall(std::shared_ptr<Self> self, CallOptions options, std::string message = {});
    ~PendingCall();
    PendingCall(const PendingCall&) = delete;
    PendingCall& operator=(const PendingCall&) = delete;

    /// Takes the call's one use.  Errors: Exception (usage) for a second one, for the other style
    /// than the client's, after a fork, and for a blocking call on the loop's own thread.
    void claim(bool blocking);
    void cancel() noexcept;
    [[nodiscard]] net::IoExecutor executor() const noexcept;

    // Thread: the loop's. Errors: the client's exceptions.
    [[nodiscard]] net::io_awaitable<void> connect();
    [[nodiscard]] net::io_awaitable<void> disconnect();
    [[nodiscard]] net::io_awaitable<void> close();
    [[nodiscard]] net::io_awaitable<Answer> ask(Ask what);
    [[nodiscard]] net::io_awaitable<std::shared_ptr<Self>> new_session();
    [[nodiscard]] net::io_awaitable<Json> schema();
    // The same, of a VectorEnv.
    [[nodiscard]] net::io_awaitable<SessionOutcomes> ask_all(
        std::shared_ptr<const Questions> questions
    );
    [[nodiscard]] net::io_awaitable<void> send_all(std::shared_ptr<const Questions> questions);
    [[nodiscard]] net::io_awaitable<SessionOutcomes> receive(std::size_t min);

private:
    void begin();
    void take_extra();
    void check_extra(Ask what) const;

    std::shared_ptr<Self> self_;  // shared with the client: either may go first
    const CallOptions options_;
    std::string message_;
    std::shared_ptr<CallState> state_;  // also held by what cancels it on the loop
    std::atomic<bool> used_{false};
};

/// A handler as it was given, but for its cancellation slot.
template <class Handler>
struct WithoutSlot {
    using cancellation_slot_type = boost::asio::cancellation_slot;

    Handler handler;

    [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept { return {}; }
    template <class... Results>
    void operator()(Results&&... results) {
        std::move(handler)(std::forward<Results>(results)...);
    }
};

}  // namespace client

/// Cancels a call from any thread, at any time; a call that has ended is left alone. The call then
/// throws Exception (Errc::cancelled); if its message was sent, what it costs is that of a call
/// that ran out of time (EnvClient).
class Canceller {
public:
    explicit Canceller(std::weak_ptr<client::PendingCall> call) : call_(std::move(call)) {}
    void operator()() const noexcept {
        if (const std::shared_ptr<client::PendingCall> call = call_.lock()) {
            call->cancel();
        }
    }

private:
    std::weak_ptr<client::PendingCall> call_;
};

/// A call that is made when it is used, once, in one of three ways: `co_await` it in a coroutine,
/// `.get()` it and block, or `.async(token)` it with any completion token of Asio. The first use
/// decides the style of its client, and with it of all later calls.
/// The coroutine is a Task, or another `boost::asio::awaitable<T>`; in one with an executor type of
/// its own, `co_await call.async(boost::asio::use_awaitable_t<Executor>())`.
/// Errors: what the call throws; Exception (usage) for a wrong use.
/// Cancellation: by canceller(), or by Asio's own: `||` and the cancellation slots of tokens.
/// Lifetime: the client may be destroyed before; the call then fails with `cancelled`. The
/// io_context of the coroutine or token outlives the call: close or destroy the client first.
template <class T>
class [[nodiscard]] Pending : public boost::asio::awaitable<T> {
public:
    using Work = std::function<net::io_awaitable<T>()>;

    /// For clients' own use: `work` makes the call. It is cheap to copy: what is large is in
    /// `call`.
    Pending(std::shared_ptr<client::PendingCall> call, Work work)
        : boost::asio::awaitable<T>(awaited(call, work)),
          call_(std::move(call)),
          work_(std::move(work)) {}
    Pending(Pending&&) noexcept = default;
    Pending& operator=(Pending&&) = delete;  // Asio's forgets to destroy what it replaces

    /// Blocking: makes the call and waits for its end.
    T get() {
        call_->claim(true);
        std::promise<T> promise;
        std::future<T> future = promise.get_future();
        boost::asio::co_spawn(
            call_->executor(),
            work_(),
            [promise = std::move(promise)](std::exception_ptr failure, auto... value) mutable {
                failure ? promise.set_exception(failure) : promise.set_value(std::move(value)...);
            }
        );
        return future.get();
    }

    /// Makes the call and completes `token` with (std::exception_ptr, T), or (std::exception_ptr)
    /// where T is void; on the loop's thread unless the token names an executor.
    template <class Token>
    auto async(Token&& token) {
        call_->claim(false);
        return start(call_, work_, std::forward<Token>(token));
    }

    [[nodiscard]] Canceller canceller() const { return Canceller(call_); }

private:
    static boost::asio::awaitable<T> awaited(std::shared_ptr<client::PendingCall> call, Work work) {
        call->claim(false);
        co_return co_await start(std::move(call), std::move(work), boost::asio::use_awaitable);
    }

    /// The cancellation slot of the handler belongs to the caller's thread, and so does what lies
    /// in it: it is told which call to cancel, and the loop's coroutine knows nothing of it.
    struct Initiate {
        template <class Handler>
        void operator()(Handler&& handler, std::shared_ptr<client::PendingCall> call, Work work)
            const {
            auto slot = boost::asio::get_associated_cancellation_slot(handler);
            if (slot.is_connected()) {
                slot.assign([cancel = Canceller(call)](boost::asio::cancellation_type) { cancel(); }
                );
            }
            boost::asio::co_spawn(
                call->executor(),
                work(),
                client::WithoutSlot<std::decay_t<Handler>>{std::forward<Handler>(handler)}
            );
        }
    };

    template <class Token>
    static auto start(std::shared_ptr<client::PendingCall> call, Work work, Token&& token) {
        if constexpr (std::is_void_v<T>) {
            return boost::asio::async_initiate<Token, void(std::exception_ptr)>(
                Initiate(), token, std::move(call), std::move(work)
            );
        } else {
            return boost::asio::async_initiate<Token, void(std::exception_ptr, T)>(
                Initiate(), token, std::move(call), std::move(work)
            );
        }
    }

    std::shared_ptr<client::PendingCall> call_;  // shared with the coroutine that makes it
    Work work_;
};

}  // namespace v0
}  // namespace openenv

/// Executor and allocator are those of the handler within.
template <template <class, class> class Associator, class Handler, class Default>
struct boost::asio::associator<Associator, openenv::client::WithoutSlot<Handler>, Default>
    : Associator<Handler, Default> {
    static typename Associator<Handler, Default>::type get(
        const openenv::client::WithoutSlot<Handler>& outer, const Default& otherwise = Default()
    ) noexcept {
        return Associator<Handler, Default>::get(outer.handler, otherwise);
    }
};
