#pragma once

#include "support/hang_bound.hpp"

#include <openenv/base/error.hpp>
#include <openenv/client/loop.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <chrono>
#include <future>
#include <stdexcept>

namespace openenv {
namespace test {

/// The error of the exception E that `work` throws.
/// Errors: throws when it throws none; another exception goes on.
template <class E, class Work>
[[nodiscard]] Error thrown_by(Work work) {
    try {
        static_cast<void>(work());
    } catch (const E& thrown) {
        return thrown.error();
    }
    throw std::runtime_error("nothing was thrown");
}

/// What a call gave that was begun with use_future.
/// Errors: what the call threw; also throws when it hangs.
template <class T>
T outcome(std::future<T>& call) {
    if (call.wait_for(kHangBound) != std::future_status::ready) {
        throw std::runtime_error("the call hangs");
    }
    return call.get();
}

/// The error of a call that has to fail with E.
template <class E, class T>
[[nodiscard]] Error failure(std::future<T>& call) {
    return thrown_by<E>([&] { return outcome(call); });
}

template <class T>
[[nodiscard]] bool has_ended(const std::future<T>& call) {
    return call.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

/// Returns once the loop has seen everything that was begun on it, or said to it.
inline void wait_for_loop(const ClientLoop& loop) {
    constexpr int kTurns = 3;  // what was begun may have posted in its turn
    for (int i = 0; i != kTurns; ++i) {
        std::promise<void> passed;
        std::future<void> was_here = passed.get_future();
        boost::asio::post(loop.get_executor(), [&passed] { passed.set_value(); });
        outcome(was_here);
    }
}

/// Runs the context of a client until `condition` holds. Errors: throws when it never does.
template <class Condition>
void run_until(boost::asio::io_context& context, Condition condition) {
    constexpr std::chrono::milliseconds kLook{10};  // for conditions that others bring about
    const auto deadline = std::chrono::steady_clock::now() + kHangBound;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) {
            throw std::runtime_error("the loop has nothing to do with it");
        }
        context.restart();
        context.run_one_for(kLook);
    }
}

}  // namespace test
}  // namespace openenv
