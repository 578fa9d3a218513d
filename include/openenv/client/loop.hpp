#pragma once

#include <openenv/net/executors.hpp>

#include <boost/asio/io_context.hpp>

#include <memory>
#include <sys/types.h>
#include <thread>

namespace openenv {
inline namespace v0 {

namespace client {
class LoopState;
}

/// The one thread on which clients do their work: sockets, time limits, reading of answers. A
/// client makes its own unless ClientOptions::loop names one; many clients may share one.
/// Thread: every function may be called from any thread.
class ClientLoop {
public:
    /// Starts a thread for it.  Errors: std::system_error when the system has no thread left.
    ClientLoop();
    /// Works where `context` is run. That has to be one thread; as long as it is not run, every
    /// call waits, and so do the answers to the server's pings. Its run() does not return while a
    /// client on it is connected.
    /// Lifetime: `context` outlives the loop and every client on it.
    explicit ClientLoop(boost::asio::io_context& context);
    /// Waits until the clients' last work is done, which is soon once they are destroyed: what may
    /// take its time is a name that is being resolved, and a provider. On the loop's own thread it
    /// does not wait.
    ~ClientLoop();
    ClientLoop(const ClientLoop&) = delete;
    ClientLoop& operator=(const ClientLoop&) = delete;

    /// Whether the caller is on the loop's thread, where waiting for the loop would last for ever.
    [[nodiscard]] bool is_current_thread() const noexcept;
    [[nodiscard]] net::IoExecutor get_executor() const noexcept;
    /// Whether it has a thread of its own.
    [[nodiscard]] bool has_thread() const noexcept;
    /// Whether the process was forked since: then it is the parent's, and of no use here.
    [[nodiscard]] bool is_forked() const noexcept;

    /// For the clients' own use.
    [[nodiscard]] const std::shared_ptr<client::LoopState>& state() const noexcept {
        return state_;
    }

private:
    std::shared_ptr<client::LoopState> state_;  // also held by the thread and by clients' work
    std::thread thread_;
    const pid_t process_;
};

}  // namespace v0
}  // namespace openenv
