#include "client/call_errors.hpp"
#include "client/self.hpp"

#include <openenv/client/pending.hpp>

#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <unistd.h>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

namespace {

[[noreturn]] void wrong_use(std::string why) {
    throw Exception(Error{Errc::usage, std::move(why)});
}

template <class T>
T value_or_throw(Result<T> result, const CallState& call) {
    if (!result) {
        if (call.thrown) {
            std::rethrow_exception(call.thrown);  // by the provider, in its own class
        }
        throw_client_error(std::move(result).error());
    }
    if constexpr (!std::is_void_v<T>) {
        return std::move(*result);
    }
}

}  // namespace

Self::Self(
    std::shared_ptr<ClientLoop> loop, std::shared_ptr<Core> core, std::shared_ptr<VectorCore> vector
)
    : loop_(std::move(loop)),
      core_(std::move(core)),
      vector_(std::move(vector)),
      process_(::getpid()) {}

Self::~Self() {
    if (is_forked()) {
        // Nothing of the parent's threads is here: what belongs to them is left as it is.
        new std::shared_ptr<VectorCore>(std::move(vector_));
        new std::shared_ptr<Core>(std::move(core_));
        new std::shared_ptr<ClientLoop>(std::move(loop_));
    }
}

bool Self::is_forked() const noexcept {
    return ::getpid() != process_;
}

void Self::enter(Style style) {
    if (is_forked()) {
        wrong_use(
            "this client was made before the process was forked, and its connection belongs to the "
            "parent; make a new client in the child"
        );
    }
    Style seen = Style::undecided;
    if (!style_.compare_exchange_strong(seen, style) && seen != style) {
        wrong_use(
            std::string("EnvClient is already being used in ") +
            (seen == Style::async ? "async" : "sync") +
            " mode. Create a separate client instance when mixing sync and async code."
        );
    }
}

void Self::abandon() noexcept {
    if (is_forked()) {
        return;
    }
    if (loop_->has_thread()) {
        last_work_.emplace();
    }
    boost::asio::post(loop_->get_executor(), [core = core_, vector = vector_] {
        vector ? vector->abandon() : core->abandon();
    });
}

PendingCall::PendingCall(std::shared_ptr<Self> self, CallOptions options, std::string message)
    : self_(std::move(self)),
      options_(options),
      message_(std::move(message)),
      state_(std::make_shared<CallState>()) {}

PendingCall::~PendingCall() = default;

void PendingCall::claim(bool blocking) {
    if (blocking && !self_->is_forked() && self_->loop().is_current_thread()) {
        wrong_use(
            "get() would wait for the thread it is called on, which does the client's work; "
            "co_await the call here, or use async()"
        );
    }
    self_->enter(blocking ? Self::Style::blocking : Self::Style::async);
    if (used_.exchange(true)) {
        wrong_use("a call is made once: call the client's function again for another");
    }
}

void PendingCall::cancel() noexcept {
    if (self_->is_forked()) {
        return;
    }
    boost::asio::post(self_->loop().get_executor(), [state = state_] {
        state->cancelled = true;
        if (state->wake) {
            state->wake();
        }
    });
}

net::IoExecutor PendingCall::executor() const noexcept {
    return self_->loop().get_executor();
}

void PendingCall::begin() {
    const std::chrono::milliseconds usual = self_->core().options().message_timeout;
    const std::chrono::milliseconds limit =
        std::min<std::chrono::milliseconds>(options_.timeout.value_or(usual), kLongestTime);
    state_->deadline = std::chrono::steady_clock::now() + limit;
    state_->limited = options_.timeout && limit < kLongestTime;
    if (!options_.extra.is_null()) {
        take_extra();
    }
}

void PendingCall::check_extra(Ask what) const {
    if (what != Ask::step && !state_->extra.empty()) {
        wrong_use("CallOptions::extra belongs to a step; a reset has its arguments");
    }
}

void PendingCall::take_extra() {
    if (!options_.extra.is_object()) {
        wrong_use("CallOptions::extra is an object, or null for none");
    }
    state_->extra = options_.extra.dump();
}

net::io_awaitable<void> PendingCall::connect() {
    begin();
    VectorCore* const vector = self_->vector();
    Result<void> result;
    if (vector != nullptr) {
        result = co_await vector->connect(state_);
    } else {
        result = co_await self_->core().connect(state_);
    }
    value_or_throw(std::move(result), *state_);
}

net::io_awaitable<void> PendingCall::disconnect() {
    Result<void> result = co_await self_->core().disconnect(state_);
    value_or_throw(std::move(result), *state_);
}

net::io_awaitable<void> PendingCall::close() {
    VectorCore* const vector = self_->vector();
    Result<void> result;
    if (vector != nullptr) {
        result = co_await vector->close(state_);
    } else {
        result = co_await self_->core().close(state_);
    }
    value_or_throw(std::move(result), *state_);
}

net::io_awaitable<Answer> PendingCall::ask(Ask what) {
    begin();
    check_extra(what);
    Result<Answer> result = co_await self_->core().ask(what, std::move(message_), state_);
    co_return value_or_throw(std::move(result), *state_);
}

net::io_awaitable<SessionOutcomes> PendingCall::ask_all(std::shared_ptr<const Questions> questions
) {
    begin();
    check_extra(questions->what);
    Result<SessionOutcomes> result = co_await self_->vector()->ask(std::move(questions), state_);
    co_return value_or_throw(std::move(result), *state_);
}

net::io_awaitable<void> PendingCall::send_all(std::shared_ptr<const Questions> questions) {
    begin();
    check_extra(questions->what);
    Result<void> result = co_await self_->vector()->send(std::move(questions), state_);
    value_or_throw(std::move(result), *state_);
}

net::io_awaitable<SessionOutcomes> PendingCall::receive(std::size_t min) {
    begin();
    Result<SessionOutcomes> result = co_await self_->vector()->receive(min, state_);
    co_return value_or_throw(std::move(result), *state_);
}

net::io_awaitable<Json> PendingCall::schema() {
    begin();
    Result<Json> result = co_await self_->core().schema(state_);
    co_return value_or_throw(std::move(result), *state_);
}

net::io_awaitable<std::shared_ptr<Self>> PendingCall::new_session() {
    begin();
    Result<std::shared_ptr<Core>> result = co_await self_->core().new_session(state_);
    std::shared_ptr<Core> core = value_or_throw(std::move(result), *state_);
    co_return std::make_shared<Self>(self_->shared_loop(), std::move(core));
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
