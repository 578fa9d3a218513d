#include "sleeper_environment.hpp"

#include <openenv/env/episode_id.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <cstddef>

namespace sleeper {

using Clock = std::chrono::steady_clock;

SleeperEnvironment::SleeperEnvironment() {
    state_.episode_id = openenv::new_episode_id();
}

openenv::Task<SleepObservation> SleeperEnvironment::reset(ResetOptions options) {
    state_.episode_id = options.episode_id ? *options.episode_id : openenv::new_episode_id();
    state_.step_count = 0;
    SleepObservation observation;
    co_return observation;
}

openenv::Task<SleepObservation> SleeperEnvironment::step(SleepAction action, StepOptions) {
    const Clock::time_point begin = Clock::now();
    if (action.seconds > 0) {
        boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
        timer.expires_after(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(action.seconds)
        ));
        co_await timer.async_wait(boost::asio::use_awaitable);
    }
    ++state_.step_count;
    SleepObservation observation;
    observation.slept_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    observation.payload.assign(static_cast<std::size_t>(action.payload_bytes), 'x');
    co_return observation;
}

}  // namespace sleeper
