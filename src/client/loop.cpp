#include "client/loop_state.hpp"

#include <openenv/base/log.hpp>
#include <openenv/client/loop.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <openssl/ssl.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {

namespace client {

namespace {
constexpr std::chrono::milliseconds kTick{50};
constexpr net::WorkerPoolLimits kWorkers{
    .max_threads = 64, .idle_timeout = std::chrono::seconds(5)};
/// For what providers still do: they have to come back.
constexpr std::chrono::hours kTimeToJoin{1};

std::unique_ptr<boost::asio::io_context> own_context(const boost::asio::io_context* given) {
    if (given != nullptr) {
        return nullptr;
    }
    return std::make_unique<boost::asio::io_context>(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO);
}
}  // namespace

LoopState::LoopState(boost::asio::io_context* context)
    : own_(own_context(context)),
      context_(context != nullptr ? context : own_.get()),
      workers_(threads_, kWorkers) {
    if (own_) {
        work_.emplace(own_->get_executor());
    }
}

LoopState::~LoopState() {
    workers_.close();
    (void)threads_.join_all(std::chrono::steady_clock::now() + kTimeToJoin);
}

void LoopState::run() {
    context_->run();
    ended_ = true;
}

SweeperUse::SweeperUse(std::shared_ptr<LoopState> loop) : loop_(std::move(loop)) {
    if (++loop_->sweeper_users_ == 1) {
        loop_->sweeper_.emplace(loop_->io(), kTick);
        loop_->sweeper_->start();
    }
}

SweeperUse::~SweeperUse() {
    if (--loop_->sweeper_users_ == 0) {
        loop_->sweeper_.reset();
    }
}

void LoopState::spawn(net::io_awaitable<void> task) {
    boost::asio::co_spawn(
        io(),
        std::move(task),
        [self = shared_from_this()](std::exception_ptr failure) {
            if (!failure) {
                return;
            }
            try {
                std::rethrow_exception(failure);
            } catch (const std::exception& error) {
                log(LogLevel::error, std::string("a client's connection failed: ") + error.what());
            } catch (...) {
                log(LogLevel::error, "a client's connection failed");
            }
        }
    );
}

net::io_awaitable<void> LoopState::run_blocking(std::function<void()> work) {
    struct Done {
        explicit Done(net::IoExecutor io) : timer(io, net::TimePoint::max()) {}
        net::IoTimer timer;
        bool done = false;
    };
    const auto waiting = std::make_shared<Done>(io());
    net::Job job;
    job.work = std::move(work);
    job.finished = [executor = io(), weak = std::weak_ptr<Done>(waiting)] {
        boost::asio::post(executor, [weak] {
            if (const std::shared_ptr<Done> there = weak.lock()) {
                there->done = true;
                there->timer.cancel();
            }
        });
    };
    if (workers_.submit(std::move(job)).empty()) {
        throw Exception(Error{Errc::execution, "the system has no thread left"});
    }
    // The context must not run out of work meanwhile.
    const auto guard = boost::asio::make_work_guard(io());
    while (!waiting->done) {
        constexpr auto token = boost::asio::as_tuple(net::io_token);
        co_await waiting->timer.async_wait(token);
    }
}

void LoopState::run_and_forget(std::function<void()> work) {
    net::Job job;
    job.work = std::move(work);
    (void)workers_.submit(std::move(job));  // without a thread it is done here, as the job goes
}

namespace {

/// Threads of loops that were destroyed on their own thread, which cannot wait for itself: the
/// last callback of a client may well be what destroys it.
class Orphans {
public:
    void adopt(std::thread thread, std::shared_ptr<LoopState> state) {
        const std::scoped_lock lock(mutex_);
        all_.push_back({std::move(thread), std::move(state)});
    }
    /// One that is not there yet, but will be soon.
    void expect() {
        const std::scoped_lock lock(mutex_);
        ++expected_;
    }
    void arrived() {
        const std::scoped_lock lock(mutex_);
        --expected_;
        arrival_.notify_all();
    }
    void join_all() {
        if (::getpid() != process_) {
            return;  // the threads are the parent's
        }
        std::unique_lock lock(mutex_);
        arrival_.wait_for(lock, kPatienceAtExit, [this] { return expected_ == 0; });
        std::erase_if(all_, [](Orphan& orphan) {
            if (orphan.thread.get_id() == std::this_thread::get_id()) {
                return false;  // it is the one that ends the process
            }
            orphan.thread.join();
            return true;
        });
    }
    /// Joins those that have ended. The others may be in a user's callback that waits for us.
    void join_ended() {
        if (::getpid() != process_) {
            return;
        }
        const std::scoped_lock lock(mutex_);
        std::erase_if(all_, [](Orphan& orphan) {
            if (!orphan.state->has_ended()) {
                return false;
            }
            orphan.thread.join();
            return true;
        });
    }

private:
    struct Orphan {
        std::thread thread;
        std::shared_ptr<LoopState> state;  // shared with the thread
    };
    static constexpr std::chrono::seconds kPatienceAtExit{10};

    const pid_t process_ = ::getpid();
    std::mutex mutex_;
    std::condition_variable arrival_;
    std::size_t expected_ = 0;
    std::vector<Orphan> all_;
};

/// Never destroyed: a thread may be given up while the process ends.
Orphans& orphans() {
    static auto* const all = new Orphans;
    // OpenSSL cleans up at the exit as well: after the threads only when it was set up before this.
    [[maybe_unused]] static const int tls_first = ::OPENSSL_init_ssl(0, nullptr);
    [[maybe_unused]] static const int at_exit = std::atexit([] { orphans().join_all(); });
    return *all;
}

}  // namespace

ExitWaits::ExitWaits() {
    orphans().expect();
}

ExitWaits::~ExitWaits() {
    orphans().arrived();
}

}  // namespace client

ClientLoop::ClientLoop()
    : state_(std::make_shared<client::LoopState>(nullptr)), process_(::getpid()) {
    client::orphans().join_ended();
    thread_ = std::thread([state = state_] { state->run(); });
}

ClientLoop::ClientLoop(boost::asio::io_context& context)
    : state_(std::make_shared<client::LoopState>(&context)), process_(::getpid()) {}

ClientLoop::~ClientLoop() {
    if (is_forked()) {
        // Nothing of the parent's threads is here: what belongs to them is left as it is.
        new std::shared_ptr<client::LoopState>(std::move(state_));
        new std::thread(std::move(thread_));
        return;
    }
    state_->let_end();
    if (!thread_.joinable()) {
        return;
    }
    if (is_current_thread()) {
        client::orphans().adopt(std::move(thread_), state_);
    } else {
        thread_.join();
    }
}

bool ClientLoop::has_thread() const noexcept {
    return thread_.joinable();
}

bool ClientLoop::is_forked() const noexcept {
    return ::getpid() != process_;
}

bool ClientLoop::is_current_thread() const noexcept {
    return state_->io().running_in_this_thread();
}

net::IoExecutor ClientLoop::get_executor() const noexcept {
    return state_->io();
}

}  // namespace v0
}  // namespace openenv
