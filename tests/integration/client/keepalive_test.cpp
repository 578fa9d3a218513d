// F05 and its kin: pings of idle connections, and peers that answer none.
#include "integration/client/driven_client.hpp"
#include "integration/client/echo_script.hpp"
#include "integration/client/outcome.hpp"
#include "integration/support/child_process.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/probe_environment.hpp"
#include "integration/support/tcp_proxy.hpp"
#include "support/gate.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <sys/wait.h>

namespace openenv {
namespace test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Json probe_step(const char* what) {
    Json action = Json::object();
    action["what"] = what;
    return action;
}

ClientOptions without_pings() {
    ClientOptions options = quick();
    options.ping_interval = std::nullopt;
    options.ping_timeout = std::nullopt;
    return options;
}

TEST(Field, F05AnIdleClientPings) {
    std::atomic<ScriptedPeer*> idle{nullptr};
    ScriptedServer server([&](ScriptedPeer& peer) {
        idle = &peer;
        echo(peer);
    });
    ClientOptions options = quick();
    options.ping_interval = 50ms;
    options.ping_timeout = std::nullopt;
    GenericEnvClient client(server.url(), options);
    client.sync().reset();
    EXPECT_TRUE(eventually([&] { return idle.load()->pings() >= 2; }));
    EXPECT_EQ(client.sync().step(numbered(1)).observation["k"], 1);
    EXPECT_EQ(server.connections(), 1U);
}

TEST(Field, F05AnIdleClientAnswersTheServersPings) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(2);
    config.ping_interval = 100ms;
    config.ping_timeout = 1000ms;
    config.close_timeout = 1000ms;
    RunningServer server(probe_entry(probe), config);
    GenericEnvClient client(server.url(), without_pings());
    client.sync().reset();
    client.sync().step(probe_step("echo"));
    // Lives for the whole time that the server gives, and is given up.
    RawWebSocket clock(server.port());
    clock.leave_pings_unanswered();
    EXPECT_EQ(clock.receive_close().code, 1011);
    EXPECT_EQ(client.sync().state()["step_count"], 1) << "another session";
}

TEST(Field, F05PingsKeepAProxyFromCuttingAnIdleConnection) {
    constexpr auto kIdle = 1500ms;
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe));
    TcpProxy proxy(server.port());
    ClientOptions options = quick();
    options.ping_interval = 100ms;
    GenericEnvClient pinging(proxy.url(), options);
    pinging.sync().reset();
    pinging.sync().step(probe_step("echo"));
    GenericEnvClient quiet(proxy.url(), without_pings());
    quiet.sync().reset();
    proxy.close_idle_after(kIdle);
    // Each of these lives for the time that the proxy gives.
    for (int i = 0; i != 2; ++i) {
        RawWebSocket clock(proxy.port());
        clock.socket().wait_for_end();
    }
    EXPECT_EQ(pinging.sync().state()["step_count"], 1);
    EXPECT_THROW(quiet.sync().step(probe_step("echo")), SessionLost);
}

TEST(Field, F05AServerThatAnswersNoPingIsGivenUp) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe));
    TcpProxy proxy(server.port());
    GenericEnvClient client(proxy.url(), watchful());
    client.sync().reset();
    proxy.cut();
    const Error error =
        thrown_by<SessionLost>([&] { return client.sync().step(probe_step("echo"), kForEver); });
    EXPECT_THAT(error.message, HasSubstr("no answer to a ping within the ping timeout"));
    EXPECT_FALSE(client.sync().reset().done) << "new connections pass";
    EXPECT_EQ(client.sync().step(probe_step("echo")).observation["text"], "echo");
}

TEST(Field, F05ASilentServerIsPingedAndGivenUpWhateverTheTimes) {
    struct Times {
        std::chrono::milliseconds interval;
        std::chrono::milliseconds timeout;
    };
    for (const Times times : {Times{500ms, 500ms}, Times{100ms, 800ms}, Times{800ms, 100ms}}) {
        SCOPED_TRACE(times.interval.count());
        Gate gate;
        ScriptedServer server([&](ScriptedPeer& peer) { fall_silent(peer, gate); });
        ClientOptions options = watchful();
        options.ping_interval = times.interval;
        options.ping_timeout = times.timeout;
        GenericEnvClient client(server.url(), options);
        client.sync().reset();
        EXPECT_THROW(client.sync().step(numbered(1), kForEver), SessionLost);
        gate.open();
    }
}

TEST(Field, F05WithoutPingsASilentNetworkIsATimeout) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe));
    TcpProxy proxy(server.port());
    ClientOptions options = without_pings();
    options.close_timeout = 100ms;
    GenericEnvClient client(proxy.url(), options);
    client.sync().reset();
    proxy.cut();
    const Error error =
        thrown_by<Timeout>([&] { return client.sync().step(probe_step("echo"), 300ms); });
    EXPECT_EQ(error.phase, "stepping");
    EXPECT_FALSE(client.sync().reset().done) << "new connections pass";
}

/// Nothing of the server ends, and its system still takes what is sent: only pings can tell.
TEST(Field, F05AServerThatIsFrozenIsGivenUp) {
#ifndef OPENENV_ECHO_PROGRAM
    GTEST_SKIP() << "built without the program echo";
#else
    ChildProcess program(
        {OPENENV_ECHO_PROGRAM, "--port", "0", "--host", "127.0.0.1"},
        {{"MAX_CONCURRENT_ENVS", "10"}}
    );
    GenericEnvClient client(
        "http://127.0.0.1:" + std::to_string(program.wait_until_listening()), watchful()
    );
    Json action = Json::object();
    action["message"] = "hello";
    client.sync().reset();
    client.sync().step(action);
    program.signal(SIGSTOP);
    siginfo_t stopped{};
    const auto child = static_cast<id_t>(program.pid());
    ASSERT_EQ(::waitid(P_PID, child, &stopped, WSTOPPED | WNOWAIT), 0);
    const Error error =
        thrown_by<SessionLost>([&] { return client.sync().step(action, kForEver); });
    EXPECT_THAT(error.message, HasSubstr("no answer to a ping within the ping timeout"));
    EXPECT_THROW(client.sync().state(), SessionLost);
    program.signal(SIGCONT);
    client.sync().reset();
    EXPECT_EQ(client.sync().state()["step_count"], 0);
#endif
}

/// The client's thread has no time for longer than a peer may be silent. That is its own silence:
/// the server has answered.
TEST(Client, ALoopThatStandsStillDoesNotTakeTheServerForDead) {
    std::atomic<ScriptedPeer*> pinged{nullptr};
    ScriptedServer server([&](ScriptedPeer& peer) {
        pinged = &peer;
        echo(peer);
    });
    Gate gate;
    ScriptedServer deaf([&](ScriptedPeer& peer) { fall_silent(peer, gate); });
    DrivenClient client(server.url(), watchful());
    client.run(client->reset());
    client.run_until([&] { return pinged.load()->pings() != 0; });
    // Its last ping is answered by now, or about to be; nobody reads that for a while. Each of
    // these takes as long as the client would wait.
    for (int i = 0; i != 2; ++i) {
        GenericEnvClient clock(deaf.url(), watchful());
        clock.sync().reset();
        EXPECT_THROW(clock.sync().step(numbered(1), kForEver), SessionLost);
    }
    EXPECT_EQ(client.run(client->step(numbered(2))).observation["k"], 2);
    EXPECT_EQ(server.connections(), 1U);
    gate.open();
}

}  // namespace
}  // namespace test
}  // namespace openenv
