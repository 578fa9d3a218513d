#include <openenv/base/error.hpp>
#include <openenv/net/executors.hpp>

namespace openenv {
inline namespace v0 {
namespace net {

namespace {

using std::chrono::steady_clock;

/// As io.run() does, but rests only after it has found nothing for so long.
void run_busily(boost::asio::io_context& io, std::chrono::microseconds busy_poll) {
    auto rests_at = steady_clock::now() + busy_poll;
    while (!io.stopped()) {
        const bool idle = io.poll() == 0;
        const auto now = steady_clock::now();
        if (idle && now >= rests_at) {
            io.run_one();
        }
        if (!idle || now >= rests_at) {
            rests_at = steady_clock::now() + busy_poll;
        }
    }
}

}  // namespace

IoThreads::IoThreads(std::size_t count, std::chrono::microseconds busy_poll)
    : busy_poll_(busy_poll) {
    if (count == 0) {
        throw ConfigError("threads is 0; a server needs at least 1 I/O thread");
    }
    for (std::size_t i = 0; i < count; ++i) {
        // UNSAFE_IO: only the context's own thread touches its sockets and timers, while posting
        // from other threads stays safe.
        contexts_.push_back(
            std::make_unique<boost::asio::io_context>(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO)
        );
        work_.emplace_back(contexts_.back()->get_executor());
    }
}

IoThreads::~IoThreads() {
    stop();
}

void IoThreads::start(ThreadRegistry& threads) {
    for (const auto& context : contexts_) {
        threads.spawn([io = context.get(), busy_poll = busy_poll_] {
            if (busy_poll.count() == 0) {
                io->run();
            } else {
                run_busily(*io, busy_poll);
            }
        });
    }
}

void IoThreads::stop() {
    for (const auto& context : contexts_) {
        context->stop();
    }
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
