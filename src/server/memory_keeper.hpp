#pragma once

#include <openenv/server/server.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <malloc.h>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

/// Gives memory back to the system when the last session has ended: the allocator keeps what large
/// answers took.
class MemoryKeeper {
public:
    MemoryKeeper(boost::asio::io_context& loop, const Server& server)
        : timer_(loop), server_(server) {
        // Left alone, the allocator raises both after the first large block, and threads then keep
        // what they were given for ever.
        ::mallopt(M_MMAP_THRESHOLD, kLargeBlock);
        ::mallopt(M_TRIM_THRESHOLD, kLargeBlock);
        look_again();
    }

private:
    static constexpr std::chrono::seconds kInterval{5};
    static constexpr int kLargeBlock = 4 * 1024 * 1024;

    void look_again() {
        timer_.expires_after(kInterval);
        timer_.async_wait([this](boost::system::error_code error) {
            if (error) {
                return;
            }
            const bool in_use = server_.active_sessions() != 0;
            if (!in_use && std::exchange(was_in_use_, false)) {
                ::malloc_trim(0);
            }
            was_in_use_ = was_in_use_ || in_use;
            look_again();
        });
    }

    boost::asio::steady_timer timer_;
    const Server& server_;
    bool was_in_use_ = false;
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
