#pragma once

#include "client/event.hpp"
#include "client/loop_state.hpp"

#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <string>

namespace openenv {
inline namespace v0 {

class Provider;

namespace client {

/// What an exception says, for a log or another error.
[[nodiscard]] std::string what_of(const std::exception_ptr& failure);

/// Starts and stops the server of a client's provider: one thing after the other, on worker
/// threads. What was begun goes on to its end, also when the call that wanted it is given up.
/// Thread: the loop's.
class ProviderRun : public std::enable_shared_from_this<ProviderRun> {
public:
    /// Something asked for, and what came of it.
    struct Job {
        Job(net::IoExecutor io, bool starts) : to_start(starts), changed(io) {}
        const bool to_start;
        bool done = false;
        std::exception_ptr failure;  // what the provider threw
        Event changed;
    };

    /// `runs`: it is running already.
    ProviderRun(
        std::shared_ptr<LoopState> loop,
        std::shared_ptr<Provider> provider,
        bool runs,
        std::chrono::milliseconds patience
    );

    /// The provider is let go of on a worker thread: what it ends with may take its time.
    ~ProviderRun();
    ProviderRun(const ProviderRun&) = delete;
    ProviderRun& operator=(const ProviderRun&) = delete;

    /// Lets it run, or not, once everything before is done; harmless when that is so already.
    [[nodiscard]] std::shared_ptr<Job> start() { return ask_for(true); }
    [[nodiscard]] std::shared_ptr<Job> stop() { return ask_for(false); }

    /// Lets everybody who waits for a job look again at what they wait for.
    void wake();
    /// Where the server is, once start() is done.
    [[nodiscard]] const std::string& address() const noexcept { return address_; }
    /// The last stop() has failed: what runs has to go before anything else is started.
    [[nodiscard]] bool stop_failed() const noexcept { return stop_failed_; }

private:
    [[nodiscard]] std::shared_ptr<Job> ask_for(bool running);
    [[nodiscard]] static net::io_awaitable<void> work(std::shared_ptr<ProviderRun> self);
    [[nodiscard]] net::io_awaitable<std::exception_ptr> start_now();
    [[nodiscard]] net::io_awaitable<std::exception_ptr> stop_now();
    [[nodiscard]] net::io_awaitable<std::exception_ptr> blocking(std::function<void()> call);

    const std::shared_ptr<LoopState> loop_;
    std::shared_ptr<Provider> provider_;  // shared with the worker thread that calls it
    const std::chrono::milliseconds patience_;
    std::deque<std::shared_ptr<Job>> jobs_;  // the first of them is being done
    bool working_ = false;
    bool runs_;
    bool stop_failed_ = false;
    std::string address_;
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
