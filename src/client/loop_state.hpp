#pragma once

#include <openenv/base/error.hpp>
#include <openenv/net/executors.hpp>
#include <openenv/net/sweeper.hpp>
#include <openenv/net/thread_registry.hpp>
#include <openenv/net/worker_pool.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace openenv {
inline namespace v0 {
namespace client {

/// What the clients of one loop share. Thread: the loop's, unless something else is said.
class LoopState : public std::enable_shared_from_this<LoopState> {
public:
    /// With a context of its own when `context` is null.
    explicit LoopState(boost::asio::io_context* context);
    ~LoopState();
    LoopState(const LoopState&) = delete;
    LoopState& operator=(const LoopState&) = delete;

    /// Thread: any.
    [[nodiscard]] net::IoExecutor io() const noexcept { return context_->get_executor(); }
    /// Does the clients' work until let_end() and the last of it.
    void run();
    /// Whether run() has come back. Thread: any.
    [[nodiscard]] bool has_ended() const noexcept { return ended_; }

    /// There while somebody uses it, see SweeperUse.
    [[nodiscard]] net::Sweeper& sweeper() { return *sweeper_; }

    /// Starts a coroutine that nobody waits for by itself; the loop's end waits for all of them.
    /// What escapes from it is logged.
    void spawn(net::io_awaitable<void> task);

    /// Runs `work`, which may block and must not throw, on a worker thread.
    [[nodiscard]] net::io_awaitable<void> run_blocking(std::function<void()> work);

    /// The same, and nobody waits for it but the loop's end. Thread: any.
    void run_and_forget(std::function<void()> work);

    /// Lets run() return once nothing is left to do. Thread: any.
    void let_end() { work_.reset(); }

private:
    friend class SweeperUse;

    std::unique_ptr<boost::asio::io_context> own_;
    boost::asio::io_context* context_;
    std::optional<boost::asio::executor_work_guard<net::IoExecutor>> work_;
    net::ThreadRegistry threads_;
    net::WorkerPool workers_;
    std::atomic<bool> ended_{false};
    std::size_t sweeper_users_ = 0;
    std::optional<net::Sweeper> sweeper_;
};

/// Keeps the end of the process waiting, though not for ever, for the last work of a loop that has
/// a thread of its own: its client is gone already. Thread: any.
class ExitWaits {
public:
    ExitWaits();
    ~ExitWaits();
    ExitWaits(const ExitWaits&) = delete;
    ExitWaits& operator=(const ExitWaits&) = delete;
};

/// Somebody needs the loop's sweeper, for as long as this lives: it ticks for nobody else.
class SweeperUse {
public:
    explicit SweeperUse(std::shared_ptr<LoopState> loop);
    ~SweeperUse();
    SweeperUse(const SweeperUse&) = delete;
    SweeperUse& operator=(const SweeperUse&) = delete;

private:
    std::shared_ptr<LoopState> loop_;
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
