#pragma once

#include <openenv/session/execution.hpp>

#include <boost/asio/execution.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/require.hpp>

#include <chrono>
#include <type_traits>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace session {

/// Watches one stretch of environment code on an io thread, from its construction to its
/// destruction, and tells the host when it took longer than the budget.
class InlineWatch {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    /// `now` is the time at which that begins, for who knows it already: looking at the clock takes
    /// longer than many a step.
    explicit InlineWatch(EnvironmentHost& host, TimePoint now = std::chrono::steady_clock::now());
    ~InlineWatch() {
        if (!ended_) {
            end();
        }
    }
    InlineWatch(const InlineWatch&) = delete;
    InlineWatch& operator=(const InlineWatch&) = delete;

    /// Ends the watching before the destructor does. Returns the time.
    TimePoint end();

private:
    /// What the calling thread has spent so far. A thread that merely had to leave its core to
    /// another has spent nothing meanwhile.
    struct ThreadUsage {
        std::chrono::nanoseconds cpu;
        long waits;  // how often it gave its core away by itself

        static ThreadUsage now();
    };

    EnvironmentHost& host_;
    const bool closely_;  // by what the thread spends, not by the clock on the wall alone
    const ThreadUsage before_;
    const TimePoint started_;
    bool ended_ = false;
};

/// The executor of an author's coroutines: whatever runs on it is watched. All the rest is that of
/// `Inner`, an executor of an io_context. Lifetime: the host outlives what runs on it.
template <class Inner>
class WatchedExecutor {
public:
    WatchedExecutor(Inner inner, EnvironmentHost& host) noexcept
        : inner_(std::move(inner)), host_(&host) {}

    template <class Property>
    requires(boost::asio::can_query_v<const Inner&, Property>) decltype(auto)
        query(const Property& property) const {
        return boost::asio::query(inner_, property);
    }
    template <class Property>
    requires(boost::asio::can_require_v<const Inner&, Property>) auto require(
        const Property& property
    ) const {
        return with(boost::asio::require(inner_, property));
    }
    template <class Property>
    requires(boost::asio::can_prefer_v<const Inner&, Property>) auto prefer(const Property& property
    ) const {
        return with(boost::asio::prefer(inner_, property));
    }

    template <class Function>
    void execute(Function function) const {
        inner_.execute([host = host_, function = std::move(function)]() mutable {
            const InlineWatch watch(*host);
            function();
        });
    }

    friend bool operator==(const WatchedExecutor& a, const WatchedExecutor& b) noexcept {
        return a.inner_ == b.inner_ && a.host_ == b.host_;
    }

private:
    template <class Other>
    WatchedExecutor<Other> with(Other other) const {
        return WatchedExecutor<Other>(std::move(other), *host_);
    }

    Inner inner_;
    EnvironmentHost* host_;
};

}  // namespace session
}  // namespace v0
}  // namespace openenv
