// F07: one limit for a whole call, whatever it is doing; the error says what that was.
#include "integration/client/deaf_server.hpp"
#include "integration/client/echo_script.hpp"
#include "integration/client/outcome.hpp"
#include "integration/client/variables.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/probe_environment.hpp"
#include "support/gate.hpp"
#include "support/log_capture.hpp"
#include "support/running_server.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>

namespace openenv {
namespace test {
namespace {

using namespace std::chrono_literals;
using boost::asio::use_future;

constexpr auto kLimit = 200ms;

/// Options of a client that asks for no extensions: what it gives up costs its connection.
ClientOptions plain() {
    ClientOptions options = quick();
    options.extensions = {};
    return options;
}

TEST(Field, F07TheTimeLimitCoversConnecting) {
    for (const char* scheme : {"ws", "wss"}) {
        SCOPED_TRACE(scheme);
        DeafServer server;
        ClientOptions options = quick(kForEver);
        options.connect_timeout = kForEver;
        GenericEnvClient client(server.url(scheme), options);
        auto& env = client.sync();
        EXPECT_EQ(thrown_by<Timeout>([&] { env.connect(kLimit); }).phase, "connecting");
        EXPECT_EQ(
            thrown_by<Timeout>([&] { return env.reset(Json::object(), kLimit); }).phase,
            "connecting"
        );
        EXPECT_EQ(thrown_by<Timeout>([&] { return env.new_session(kLimit); }).phase, "connecting");
        for (int i = 0; i != 3; ++i) {
            server.accept();
            server.wait_for_end();  // nothing of the attempt is left
        }
        EXPECT_FALSE(server.has_another());
    }
}

TEST(Field, F07TheTimeLimitCoversAProxyThatDoesNotAnswer) {
    DeafServer proxy;
    const NoProxies others;
    const Variable variable("http_proxy", proxy.url("http"));
    ClientOptions options = quick(kForEver);
    options.connect_timeout = kForEver;
    GenericEnvClient client("http://openenv.example", options);
    const Error error =
        thrown_by<Timeout>([&] { return client.sync().reset(Json::object(), kLimit); });
    EXPECT_EQ(error.phase, "connecting");
    proxy.accept();
    proxy.wait_for_end();
}

TEST(Field, F07TheTimeLimitCoversTheAnswer) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) {
        (void)peer.read();
        gate.pass();
    });
    ClientOptions options = quick();
    options.close_timeout = 100ms;
    GenericEnvClient client(server.url(), options);
    auto& env = client.sync();
    env.connect();  // before each: the limit is for the answer alone
    EXPECT_EQ(
        thrown_by<Timeout>([&] { return env.reset(Json::object(), kLimit); }).phase, "resetting"
    );
    env.connect();
    EXPECT_EQ(thrown_by<Timeout>([&] { return env.step(numbered(1), kLimit); }).phase, "stepping");
    env.connect();
    EXPECT_EQ(thrown_by<Timeout>([&] { return env.state(kLimit); }).phase, "reading the state");
    gate.open();
}

TEST(Field, F07TheTimeLimitCoversTheWaitForTheTurn) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) { echo(peer, gate); });
    GenericEnvClient client(server.url(), quick(kForEver));
    auto first = client.step(waiting(1)).async(use_future);
    gate.wait_for_arrivals(1);
    auto connect = client.connect(kLimit).async(use_future);
    auto reset = client.reset(Json::object(), kLimit).async(use_future);
    auto step = client.step(numbered(2), kLimit).async(use_future);
    auto state = client.state(kLimit).async(use_future);
    EXPECT_EQ(failure<Timeout>(connect).phase, "queued");
    EXPECT_EQ(failure<Timeout>(reset).phase, "queued");
    EXPECT_EQ(failure<Timeout>(step).phase, "queued");
    EXPECT_EQ(failure<Timeout>(state).phase, "queued");
    gate.open();
    EXPECT_EQ(outcome(first).observation["k"], 1);
}

TEST(Field, F07ACallThatRanOutOfTimeFreesItsPlaceOnTheServer) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(1));
    const std::string url = server.url();
    GenericEnvClient late(url, plain());
    late.sync().reset();
    Json action = Json::object();
    action["what"] = "wait_for_stop";
    const Error error = thrown_by<Timeout>([&] { return late.sync().step(action, kLimit); });
    EXPECT_EQ(error.phase, "stepping");
    probe.life.wait_for_stops(1);
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0; }));
    GenericEnvClient next(url, quick());
    EXPECT_FALSE(next.sync().reset().done);
}

TEST(Field, F07TheServerStopsACallThatRanOutOfTimeAndItsSessionIsReset) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(2));
    GenericEnvClient client(server.url(), quick());
    auto& env = client.sync();
    env.reset();
    Json action = Json::object({{"what", "wait_for_stop"}});
    EXPECT_THROW(env.step(action, kLimit), Timeout) << "by whichever clock, ours or the server's";
    probe.life.wait_for_stops(1);
    action["what"] = "next";
    EXPECT_THROW(env.step(action), ExecutionFailed) << "the environment was given up";
    EXPECT_FALSE(env.reset().done);
    EXPECT_EQ(env.step(action).observation["text"], "next");
}

TEST(Field, F07AfterACallThatWasGivenUpTheEpisodeIsOneStepFurther) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(1));
    GenericEnvClient client(server.url(), quick(kLimit));
    auto& env = client.sync();
    env.reset(Json::object(), kForEver);
    Json action = Json::object({{"what", "wait"}});
    EXPECT_EQ(thrown_by<Timeout>([&] { return env.step(action); }).phase, "stepping");
    probe.gate.open();
    action["what"] = "next";
    EXPECT_EQ(env.step(action, kForEver).observation["text"], "next");
    EXPECT_EQ(env.state(kForEver)["step_count"], 2);
}

TEST(Field, F07AResetWaitsForItsEnvironmentNoLongerThanItMay) {
    LogCapture log;
    Probe probe;
    Gate factory;
    RunningServer server(probe_entry(probe, [&] { factory.pass(); }), quick_config(1));
    const std::string url = server.url();
    GenericEnvClient late(url, plain());
    late.sync().connect();
    const Error error =
        thrown_by<Timeout>([&] { return late.sync().reset(Json::object(), kLimit); });
    EXPECT_EQ(error.phase, "resetting");
    factory.open();
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0; }));
    EXPECT_FALSE(late.sync().reset().done);
}

}  // namespace
}  // namespace test
}  // namespace openenv
