// A program whose environment waits for ever and does not let itself be cancelled; for the test of
// how such a process ends.
#include <openenv/env/async_environment.hpp>
#include <openenv/server/serve.hpp>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <iostream>
#include <utility>

namespace {

class StuckTask final : public openenv::AsyncEnvironment<openenv::Action, openenv::Observation> {
public:
    openenv::Task<openenv::Observation> reset(ResetOptions) override {
        co_return openenv::Observation();
    }
    openenv::Task<openenv::Observation> step(openenv::Action, StepOptions) override {
        namespace asio = boost::asio;
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        asio::steady_timer timer(co_await asio::this_coro::executor);
        timer.expires_at(asio::steady_timer::time_point::max());
        std::cerr << "the step has begun" << std::endl;
        co_await timer.async_wait(asio::use_awaitable);
        co_return openenv::Observation();
    }
    [[nodiscard]] const openenv::State& state() const override { return state_; }

private:
    openenv::State state_;
};

}  // namespace

int main(int argc, char** argv) {
    openenv::ServerConfig config;
    config.shutdown_grace = std::chrono::milliseconds(200);
    config.close_timeout = std::chrono::milliseconds(200);
    return openenv::serve<StuckTask>(
        "stuck_task", argc, argv, openenv::default_factory<StuckTask>(), std::move(config)
    );
}
