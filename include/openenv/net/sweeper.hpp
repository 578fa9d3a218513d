#pragma once

#include <openenv/net/executors.hpp>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/wait_traits.hpp>
#include <boost/intrusive/list.hpp>

#include <chrono>
#include <memory>

namespace openenv {
inline namespace v0 {
namespace net {

using TimePoint = std::chrono::steady_clock::time_point;
/// A timer that keeps the concrete executor.
using IoTimer = boost::asio::basic_waitable_timer<
    std::chrono::steady_clock,
    boost::asio::wait_traits<std::chrono::steady_clock>,
    IoExecutor>;

/// One timer for all time limits of an io thread's connections: at every tick each of them looks
/// at its own clock. Limits are so kept to within one tick, and no connection owns a timer.
/// Thread: the executor's, for everything.
class Sweeper {
public:
    /// Something with time limits. Leaves the sweeper when it is destroyed.
    class Watched : public boost::intrusive::list_base_hook<
                        boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
    public:
        Watched() = default;
        Watched(const Watched&) = delete;
        Watched& operator=(const Watched&) = delete;
        /// May start or cancel operations; must not destroy a Watched.
        virtual void on_sweep(TimePoint now) = 0;

    protected:
        ~Watched() = default;
    };

    Sweeper(IoExecutor executor, std::chrono::milliseconds tick);

    void add(Watched& watched) { watched_.push_back(watched); }
    void start() { wait(); }

private:
    void wait();

    IoTimer timer_;
    const std::chrono::milliseconds tick_;
    std::shared_ptr<void> alive_ = std::make_shared<char>();  // weakly held by the tick that is due
    boost::intrusive::list<Watched, boost::intrusive::constant_time_size<false>> watched_;
};

}  // namespace net
}  // namespace v0
}  // namespace openenv
