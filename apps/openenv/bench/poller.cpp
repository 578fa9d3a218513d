#include "bench/poller.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <sys/timerfd.h>
#include <system_error>

namespace openenv::bench {
namespace {

constexpr std::uint64_t kTimerKey = std::numeric_limits<std::uint64_t>::max();

[[noreturn]] void throw_error(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

Poller::Poller(bool never_sleeps)
    : never_sleeps_(never_sleeps),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {
    if (!epoll_.is_open() || !timer_.is_open()) {
        throw_error("waiting for sockets");
    }
    control(EPOLL_CTL_ADD, timer_.number(), kTimerKey, EPOLLIN);
}

void Poller::add(int socket, std::uint64_t key, bool for_sending) {
    control(EPOLL_CTL_ADD, socket, key, for_sending ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

void Poller::change(int socket, std::uint64_t key, bool for_sending) {
    control(EPOLL_CTL_MOD, socket, key, for_sending ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

void Poller::control(int operation, int socket, std::uint64_t key, std::uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.u64 = key;
    if (::epoll_ctl(epoll_.number(), operation, socket, &event) != 0) {
        throw_error("watching a socket");
    }
}

std::span<const epoll_event> Poller::wait(Clock::time_point until) {
    if (never_sleeps_) {
        std::size_t count = look(0);
        while (count == 0 && Clock::now() < until) {
            count = look(0);
        }
        return {events_.data(), count};
    }
    const bool is_over = until <= Clock::now();
    if (!is_over && until != armed_for_) {
        set_timer(until);
    }
    const std::size_t count = look(is_over ? 0 : -1);
    auto* const begin = events_.data();
    auto* const end = begin + count;
    auto* const kept = std::remove_if(begin, end, [](const epoll_event& event) {
        return event.data.u64 == kTimerKey;
    });
    if (kept != end) {
        armed_for_ = {};  // it stays ready until it is set anew
    }
    return {begin, kept};
}

void Poller::set_timer(Clock::time_point until) {
    // Both are the monotonic clock; a timer that is set anew forgets that it has gone off.
    const auto since = std::max(until.time_since_epoch(), Clock::duration(1));
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since);
    itimerspec setting{};
    setting.it_value.tv_sec = seconds.count();
    setting.it_value.tv_nsec = std::chrono::nanoseconds(since - seconds).count();
    if (::timerfd_settime(timer_.number(), TFD_TIMER_ABSTIME, &setting, nullptr) != 0) {
        throw_error("setting a timer");
    }
    armed_for_ = until;
}

/// How many sockets have news.
std::size_t Poller::look(int timeout_ms) {
    const int count =
        ::epoll_wait(epoll_.number(), events_.data(), static_cast<int>(events_.size()), timeout_ms);
    if (count < 0 && errno != EINTR) {
        throw_error("waiting for sockets");
    }
    return static_cast<std::size_t>(std::max(count, 0));
}

}  // namespace openenv::bench
