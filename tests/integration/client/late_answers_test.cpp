// Conformance cases 290 to 292: answers that come too late, and the connections they come on.
#include "integration/client/echo_script.hpp"
#include "integration/client/outcome.hpp"
#include "support/gate.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <future>
#include <string>

namespace openenv {
namespace test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using testing::HasSubstr;

TEST(Conformance, Case290TheMessageTimeoutIsNotDelayedByTheClosingHandshake) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) {
        (void)peer.read();
        gate.pass();  // neither an answer nor the other half of the closing handshake
    });
    ClientOptions options = quick(200ms);
    options.close_timeout = 60s;
    GenericEnvClient client(server.url(), options);
    client.sync().connect(kForEver);
    const auto begun = steady_clock::now();
    const Error error = thrown_by<Timeout>([&] { return client.sync().step(numbered(1)); });
    EXPECT_LT(steady_clock::now() - begun, 5s);
    EXPECT_EQ(error.phase, "stepping");
    EXPECT_THAT(error.message, HasSubstr("stepping"));
    gate.open();
}

TEST(Conformance, Case290NoCloseMessageIsSentOnAConnectionThatIsGivenUp) {
    std::promise<std::string> after;
    std::promise<std::uint16_t> code;
    ScriptedServer server([&](ScriptedPeer& peer) {
        std::string next = "not even the first message";
        try {
            (void)peer.read();
            next = "no message";
            next = peer.read();
        } catch (const std::exception&) {
            // the end of the connection
        }
        after.set_value(next);
        code.set_value(peer.close_code());
    });
    std::future<std::string> next = after.get_future();
    std::future<std::uint16_t> closed_with = code.get_future();
    GenericEnvClient client(server.url(), quick());
    client.sync().connect();
    EXPECT_THROW(client.sync().step(numbered(1), 100ms), Timeout);
    EXPECT_EQ(outcome(next), "no message");
    EXPECT_EQ(outcome(closed_with), 1000);
}

TEST(Conformance, Case290And291ALateAnswerIsNeverTakenForAnother) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) { echo(peer, gate); });
    GenericEnvClient client(server.url(), quick());
    auto& env = client.sync();
    env.reset();
    EXPECT_THROW(env.step(waiting(1), 200ms), Timeout);
    gate.open();  // now the late answer is sent
    EXPECT_THROW(env.step(numbered(2)), SessionLost);
    EXPECT_THROW(env.state(), SessionLost);
    EXPECT_EQ(env.reset().observation, Json::object());
    EXPECT_EQ(env.step(numbered(3)).observation["k"], 3);
    EXPECT_EQ(server.connections(), 2U);
}

TEST(Conformance, Case291WithReconnectAlwaysTheNextCallConnectsAnew) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) { echo(peer, gate); });
    GenericEnvClient client(server.url(), quick(Reconnect::always));
    client.sync().connect();
    EXPECT_THROW(client.sync().step(waiting(1), 200ms), Timeout);
    gate.open();
    EXPECT_EQ(client.sync().state()["step_count"], 0);
    EXPECT_EQ(client.sync().step(numbered(2)).observation["k"], 2);
    EXPECT_EQ(server.connections(), 2U);
}

TEST(Conformance, Case292TheNextConnectionWaitsForTheEndOfTheOld) {
    Gate gate;
    std::atomic<bool> released{false};
    std::atomic<bool> overlapped{false};
    ScriptedServer server([&](ScriptedPeer& peer) {
        if (peer.number() == 0) {
            (void)peer.read();
            gate.pass();  // the closing handshake is not answered meanwhile
            released = true;
            peer.wait_for_close();
            return;
        }
        overlapped = overlapped || !released;
        echo(peer);
    });
    GenericEnvClient client(server.url(), quick());
    client.sync().connect();
    EXPECT_THROW(client.sync().step(numbered(1), 100ms), Timeout);
    EXPECT_THROW(client.sync().reset(Json::object(), 300ms), Timeout);
    EXPECT_EQ(server.connections(), 1U) << "the old one has not ended";
    gate.open();
    EXPECT_EQ(client.sync().reset(numbered(2)).observation, numbered(2));
    EXPECT_FALSE(overlapped);
    EXPECT_EQ(server.connections(), 2U);
}

TEST(Conformance, Case292TheWaitForTheOldConnectionHasAnEnd) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) {
        if (peer.number() == 0) {
            (void)peer.read();
            gate.pass();
            return;
        }
        echo(peer);
    });
    ClientOptions options = quick(kForEver);
    options.close_timeout = 100ms;
    GenericEnvClient client(server.url(), options);
    client.sync().connect();
    EXPECT_THROW(client.sync().step(numbered(1), 100ms), Timeout);
    EXPECT_EQ(client.sync().reset(numbered(2)).observation, numbered(2));
    gate.open();
}

}  // namespace
}  // namespace test
}  // namespace openenv
