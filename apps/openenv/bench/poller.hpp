#pragma once

#include "bench/clock.hpp"
#include "bench/descriptor.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/epoll.h>

namespace openenv::bench {

/// Waits for sockets, and for a time to the nanosecond: what a wait is late by would be counted as
/// the server's.
/// Errors: std::system_error.
class Poller {
public:
    /// `never_sleeps`: looks again and again. To be woken up takes time, which a run would count
    /// as the server's; for a core that has nothing else to do.
    explicit Poller(bool never_sleeps);

    /// Watches a socket under a key of the caller's, until it is closed.
    void add(int socket, std::uint64_t key, bool for_sending);
    void change(int socket, std::uint64_t key, bool for_sending);

    /// The sockets with news; none when it is `until` before there are any.
    /// Lifetime: until the next call.  Blocking.
    [[nodiscard]] std::span<const epoll_event> wait(Clock::time_point until);

private:
    void control(int operation, int socket, std::uint64_t key, std::uint32_t events);
    void set_timer(Clock::time_point until);
    [[nodiscard]] std::size_t look(int timeout_ms);

    static constexpr std::size_t kEventsAtOnce = 256;

    const bool never_sleeps_;
    Descriptor epoll_;
    Descriptor timer_;
    Clock::time_point armed_for_{};
    std::array<epoll_event, kEventsAtOnce> events_{};
};

}  // namespace openenv::bench
