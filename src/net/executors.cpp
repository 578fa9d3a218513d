#include <openenv/base/error.hpp>
#include <openenv/net/executors.hpp>

namespace openenv {
inline namespace v0 {
namespace net {

IoThreads::IoThreads(std::size_t count) {
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
        threads.spawn([io = context.get()] { io->run(); });
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
