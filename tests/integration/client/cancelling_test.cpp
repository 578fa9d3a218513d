// Calls that are cancelled: by their canceller, and by Asio's own means.
#include "integration/client/echo_script.hpp"
#include "integration/client/outcome.hpp"
#include "integration/client/run_coroutine.hpp"
#include "support/gate.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <utility>
#include <variant>

namespace openenv {
namespace test {
namespace {

using boost::asio::use_future;
using namespace std::chrono_literals;
using Result = GenericEnvClient::Result;

TEST(Client, ACancelledCallCostsTheConnectionAndOthersGoOn) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) { echo(peer, gate); });
    GenericEnvClient client(server.url(), quick());
    client.reset().async(use_future).get();
    auto stuck = client.step(waiting(1));
    const Canceller cancel = stuck.canceller();
    std::future<Result> ended = stuck.async(use_future);
    gate.wait_for_arrivals(1);
    auto lost = client.step(numbered(2)).async(use_future);
    auto anew = client.reset(numbered(3)).async(use_future);
    cancel();
    EXPECT_EQ(failure<Exception>(ended).code, Errc::cancelled);
    gate.open();
    EXPECT_THROW(outcome(lost), SessionLost);
    EXPECT_EQ(outcome(anew).observation["k"], 3) << "it was in the queue, and is a reset";
    cancel();  // once more, and too late
    auto next = client.step(numbered(4)).async(use_future);
    EXPECT_EQ(outcome(next).observation["k"], 4);
    EXPECT_EQ(server.connections(), 2U);
}

TEST(Client, ACallThatWaitsForItsTurnMayBeCancelledOrRunOutOfTime) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) { echo(peer, gate); });
    GenericEnvClient client(server.url(), quick());
    auto first = client.step(waiting(1)).async(use_future);
    gate.wait_for_arrivals(1);
    auto late = client.step(numbered(2), 50ms).async(use_future);
    EXPECT_EQ(failure<Timeout>(late).phase, "queued");
    auto third = client.step(numbered(3));
    const Canceller cancel = third.canceller();
    auto cancelled = third.async(use_future);
    auto fourth = client.step(numbered(4)).async(use_future);
    cancel();
    EXPECT_EQ(failure<Exception>(cancelled).code, Errc::cancelled);
    EXPECT_FALSE(has_ended(first));
    gate.open();
    EXPECT_EQ(outcome(first).observation["k"], 1) << "the one that had its turn is unharmed";
    EXPECT_EQ(outcome(fourth).observation["k"], 4);
    EXPECT_EQ(server.connections(), 1U);
}

TEST(Client, ACallThatIsCancelledBeforeItIsMadeSendsNothing) {
    ScriptedServer server([](ScriptedPeer& peer) { echo(peer); });
    GenericEnvClient client(server.url(), quick());
    auto call = client.reset();
    call.canceller()();
    auto ended = call.async(use_future);
    EXPECT_EQ(failure<Exception>(ended).code, Errc::cancelled);
    EXPECT_EQ(server.connections(), 0U);
}

/// Begins a call that a signal of Asio's cancels.
std::future<Result> begin(Pending<Result> call, boost::asio::cancellation_signal& signal) {
    auto promise = std::make_shared<std::promise<Result>>();
    std::future<Result> ended = promise->get_future();
    call.async(boost::asio::bind_cancellation_slot(
        signal.slot(),
        [promise](std::exception_ptr failure, Result result) {
            failure ? promise->set_exception(failure) : promise->set_value(std::move(result));
        }
    ));
    return ended;
}

TEST(Client, AsiosCancellationSignalsEndACall) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) { echo(peer, gate); });
    GenericEnvClient client(server.url(), quick());
    boost::asio::cancellation_signal of_first;
    boost::asio::cancellation_signal of_second;
    boost::asio::cancellation_signal of_third;
    auto first = begin(client.step(waiting(1)), of_first);
    gate.wait_for_arrivals(1);
    auto second = begin(client.step(numbered(2)), of_second);
    auto third = begin(client.reset(numbered(3)), of_third);
    of_second.emit(boost::asio::cancellation_type::terminal);
    EXPECT_EQ(failure<Exception>(second).code, Errc::cancelled);
    EXPECT_FALSE(has_ended(first)) << "the second one was never sent";
    of_first.emit(boost::asio::cancellation_type::total);
    EXPECT_EQ(failure<Exception>(first).code, Errc::cancelled);
    gate.open();
    EXPECT_EQ(outcome(third).observation["k"], 3);
    of_third.emit(boost::asio::cancellation_type::terminal);  // too late
    auto next = client.step(numbered(4)).async(use_future);
    EXPECT_EQ(outcome(next).observation["k"], 4);
    EXPECT_EQ(server.connections(), 2U) << "the first one was sent";
}

TEST(Client, TheLoserOfAnOrIsCancelled) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) { echo(peer, gate); });
    // Its answer comes once the loser's question has.
    ScriptedServer second([&](ScriptedPeer& peer) {
        gate.wait_for_arrivals(1);
        echo(peer);
    });
    GenericEnvClient client(server.url(), quick());
    GenericEnvClient winner(second.url(), quick());
    const auto race = [&]() -> Task<void> {
        using boost::asio::use_awaitable;
        using namespace boost::asio::experimental::awaitable_operators;
        const Json slow = waiting(1);
        co_await client.reset();
        auto either = co_await (
            client.step(slow).async(use_awaitable) || winner.reset().async(use_awaitable)
        );
        EXPECT_EQ(either.index(), 1U);
        gate.open();
        const Json action = numbered(2);
        try {
            co_await client.step(action);
            ADD_FAILURE() << "the call was sent, and is given up";
        } catch (const SessionLost&) {
        }
        const auto anew = co_await client.reset(action);
        EXPECT_EQ(anew.observation["k"], 2);
    };
    run_coroutine(race());
    EXPECT_EQ(server.connections(), 2U);
}

TEST(Client, ALoserThatWasNotSentCostsNothing) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) { echo(peer, gate); });
    ScriptedServer second([](ScriptedPeer& peer) { echo(peer); });
    GenericEnvClient client(server.url(), quick());
    GenericEnvClient winner(second.url(), quick());
    auto first = client.step(waiting(1)).async(use_future);
    gate.wait_for_arrivals(1);
    const auto race = [&]() -> Task<void> {
        using boost::asio::use_awaitable;
        using namespace boost::asio::experimental::awaitable_operators;
        const Json action = numbered(2);
        auto either = co_await (
            client.step(action).async(use_awaitable) || winner.reset().async(use_awaitable)
        );
        EXPECT_EQ(either.index(), 1U);
    };
    run_coroutine(race());
    gate.open();
    EXPECT_EQ(outcome(first).observation["k"], 1);
    auto next = client.step(numbered(3)).async(use_future);
    EXPECT_EQ(outcome(next).observation["k"], 3);
    EXPECT_EQ(server.connections(), 1U);
}

}  // namespace
}  // namespace test
}  // namespace openenv
