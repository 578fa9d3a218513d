// What a client does with its provider.
#include "client/call_errors.hpp"
#include "client/core.hpp"

#include <openenv/base/log.hpp>

#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

net::io_awaitable<Result<void>> Core::need_address(CallState& call, std::string_view what) {
    if (url_ || options_.connector) {
        co_return Result<void>();
    }
    const std::size_t closes = closes_;
    Turns::Place place(turns_);
    Result<void> ready = co_await take_turn(place, call, what);
    if (ready && !url_) {
        ready = co_await start_provider(call, closes, what);
    }
    co_return ready;
}

net::io_awaitable<Result<void>> Core::start_provider(
    CallState& call, std::size_t closes, std::string_view what
) {
    const std::shared_ptr<ProviderRun::Job> job = provider_->start();
    Result<void> going;
    while (going && !job->done) {
        co_await job->changed.wait(call.deadline, &call);
        going = may_go_on(call, closes, what, kStarting);
    }
    if (!going) {
        co_return going;
    }
    if (job->failure) {
        call.thrown = job->failure;
        co_return Error{
            Errc::network, "the provider could not start the server: " + what_of(job->failure)};
    }
    const std::string& address = provider_->address();
    try {
        const net::Url url = net::parse_url(address);
        if (url.tls && !dial_options_.trust) {
            dial_options_.trust = net::trust_in(options_.ca_file);
        }
        const std::scoped_lock lock(url_mutex_);
        url_ = url;
        url_text_ = net::without_trailing_slashes(address);
    } catch (const ConfigError& error) {
        going = error.error();
    }
    if (!going) {
        co_await give_up_provider(call);
    }
    co_return going;
}

net::io_awaitable<Result<void>> Core::stop_provider(CallState& call, bool to_the_end) {
    if (!provider_) {
        co_return Result<void>();
    }
    if (!own_address_) {
        const std::scoped_lock lock(url_mutex_);
        url_.reset();
        url_text_.reset();
    }
    reached_ = false;
    const std::shared_ptr<ProviderRun::Job> job = provider_->stop();
    // It goes on to its end, whoever waits for it.
    const std::size_t closes = closes_;
    while (!job->done && !abandoned_ && (to_the_end || may_go_on(call, closes, "", kStarting))) {
        const net::TimePoint until = to_the_end ? net::TimePoint::max() : call.deadline;
        co_await job->changed.wait(until, to_the_end ? nullptr : &call);
    }
    if (job->done && job->failure) {
        call.thrown = job->failure;
        co_return Error{
            Errc::network, "the provider could not stop the server: " + what_of(job->failure)};
    }
    co_return Result<void>();
}

/// After a failure that is told to the caller: nothing is told of this one.
net::io_awaitable<void> Core::give_up_provider(CallState& call) {
    const Result<void> stopped = co_await stop_provider(call, false);
    if (!stopped) {
        log(LogLevel::warning, stopped.error().message);
        call.thrown = nullptr;
    }
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
