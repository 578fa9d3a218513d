// Clients that start their server by a provider, and stop it.
#include "integration/client/echo_script.hpp"
#include "integration/client/noted_provider.hpp"
#include "integration/client/notes.hpp"
#include "integration/client/outcome.hpp"
#include "support/gate.hpp"
#include "support/log_capture.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>

namespace openenv {
namespace test {
namespace {

using namespace std::chrono_literals;
using boost::asio::use_future;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A server, a provider that says where it is, and their client, made when it is first used.
class Scene {
public:
    [[nodiscard]] GenericEnvClient& client() {
        if (!client_) {
            options.provider = provider;
            client_.emplace(options);
        }
        return *client_;
    }

    Notes notes;
    Gate gate;
    ScriptedServer server{[](ScriptedPeer& peer) { echo(peer); }};
    std::shared_ptr<NotedProvider> provider = std::make_shared<NotedProvider>(notes, server.url());
    ClientOptions options = quick();

private:
    std::optional<GenericEnvClient> client_;
};

TEST(Conformance, Case312AProviderStartsAndStopsWhatTheClientNeeds) {
    Scene scene;
    scene.options.ready_timeout = 1234ms;
    EXPECT_EQ(scene.client().base_url(), std::nullopt);
    EXPECT_THAT(scene.notes.all(), IsEmpty());
    scene.client().sync().connect();
    EXPECT_EQ(scene.client().base_url(), scene.server.url());
    EXPECT_EQ(scene.provider->patience_given.load(), 1234ms);
    scene.client().sync().close();
    EXPECT_EQ(scene.client().base_url(), std::nullopt);
    scene.client().sync().connect();
    EXPECT_EQ(scene.client().base_url(), scene.server.url());
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready", "stop", "start", "ready"));
}

TEST(Conformance, Case310AProviderThatIsNeverReadyIsStoppedOnce) {
    Scene scene;
    scene.provider->never_ready = true;
    EXPECT_THROW(scene.client().sync().connect(), NeverReady) << "in its own class";
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready", "stop"));
    EXPECT_EQ(scene.client().base_url(), std::nullopt);
    scene.provider->never_ready = false;
    scene.client().sync().connect();
    scene.client().sync().close();
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready", "stop", "start", "ready", "stop"));
}

TEST(Conformance, Case311AServerThatCannotBeReachedIsStoppedOnce) {
    Scene scene;
    const std::string nobody = url_of_nobody();
    scene.provider = std::make_shared<NotedProvider>(scene.notes, nobody);
    const Error error = thrown_by<ConnectFailed>([&] { scene.client().sync().connect(); });
    EXPECT_THAT(error.message, HasSubstr(nobody.substr(nobody.find("127."))));
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready", "stop"));
}

TEST(ClientProvider, AServerThatOthersUseIsNotStoppedWhenItCannotBeReachedAgain) {
    Scene scene;
    std::atomic<bool> full{false};
    ScriptedServer server(ScriptedServer::Plain{[&](ScriptedPeer& peer) {
        if (full) {
            peer.send_bytes("HTTP/1.1 503 Full\r\ncontent-length: 0\r\n\r\n");
            return;
        }
        peer.accept();
        if (peer.number() == 0) {
            (void)peer.answer(observation_frame());
            (void)peer.read();
            return;  // without an answer: the connection of the parent ends
        }
        echo(peer);
    }});
    scene.provider = std::make_shared<NotedProvider>(scene.notes, server.url());
    auto& parent = scene.client().sync();
    parent.reset();
    const auto child = parent.new_session<GenericEnvClient>();
    child->sync().reset();
    EXPECT_THROW(parent.step(numbered(1)), SessionLost);
    full = true;
    EXPECT_THROW(parent.reset(), ConnectFailed);
    EXPECT_THROW(parent.connect(), ConnectFailed);
    EXPECT_EQ(child->sync().step(numbered(2)).observation["k"], 2);
    EXPECT_EQ(scene.client().base_url(), server.url());
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready"));
    full = false;
    EXPECT_EQ(parent.reset(numbered(3)).observation["k"], 3);
    parent.close();
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready", "stop"));
    full = true;  // it was started anew, and never reached
    EXPECT_THROW(parent.connect(), ConnectFailed);
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready", "stop", "start", "ready", "stop"));
}

TEST(Conformance, Case315ClosingTwiceStopsOnce) {
    Scene scene;
    scene.client().sync().connect();
    scene.client().sync().close();
    scene.client().sync().close();
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready", "stop"));
}

TEST(Conformance, Case316AStopThatFailedIsTriedAgainBeforeTheNextStart) {
    Scene scene;
    scene.client().sync().connect();
    scene.provider->stop_fails = true;
    EXPECT_THROW(scene.client().sync().close(), StopFailed);
    EXPECT_THROW(scene.client().sync().connect(), StopFailed);
    scene.provider->stop_fails = false;
    scene.client().sync().connect();
    EXPECT_THAT(
        scene.notes.all(), ElementsAre("start", "ready", "stop", "stop", "stop", "start", "ready")
    );
}

TEST(ClientProvider, WhatItThrowsKeepsItsClass) {
    Scene scene;
    scene.provider->start_fails = true;
    EXPECT_THROW(scene.client().sync().reset(), StartFailed);
    EXPECT_THROW(scene.client().sync().step(numbered(1)), StartFailed);
    EXPECT_THROW(scene.client().sync().new_session(), StartFailed);
    EXPECT_THROW(scene.client().sync().schema(), StartFailed);
    scene.provider->start_fails = false;
    EXPECT_EQ(scene.client().sync().reset(numbered(1)).observation["k"], 1);
}

TEST(ClientProvider, TwoClosesAtOnceStopOnce) {
    Scene scene;
    auto call = scene.client().reset().async(use_future);
    outcome(call);
    auto first = scene.client().close().async(use_future);
    auto second = scene.client().close().async(use_future);
    outcome(first);
    outcome(second);
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready", "stop"));
}

TEST(ClientProvider, SeveralCallsAtOnceStartOnce) {
    Scene scene;
    auto reset = scene.client().reset(numbered(1)).async(use_future);
    auto step = scene.client().step(numbered(2)).async(use_future);
    auto session = scene.client().new_session<GenericEnvClient>().async(use_future);
    auto connect = scene.client().connect().async(use_future);
    EXPECT_EQ(outcome(reset).observation["k"], 1);
    EXPECT_EQ(outcome(step).observation["k"], 2);
    EXPECT_EQ(outcome(session)->base_url(), scene.server.url());
    outcome(connect);
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready"));
}

TEST(ClientProvider, ACloseDuringTheStartStopsOnceThatIsDone) {
    Scene scene;
    scene.provider->start_gate = &scene.gate;
    scene.options.message_timeout = kForEver;
    scene.options.loop = std::make_shared<ClientLoop>();
    auto connecting = scene.client().connect().async(use_future);
    scene.gate.wait_for_arrivals(1);
    auto closing = scene.client().close().async(use_future);
    EXPECT_EQ(failure<Exception>(connecting).code, Errc::cancelled) << "without waiting for it";
    wait_for_loop(*scene.options.loop);
    EXPECT_FALSE(has_ended(closing));
    EXPECT_FALSE(scene.notes.has("stop")) << "one thing at a time";
    scene.gate.open();
    outcome(closing);
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready", "stop"));
    EXPECT_EQ(scene.client().base_url(), std::nullopt);
    EXPECT_EQ(scene.server.connections(), 0U);
    auto next = scene.client().reset(numbered(1)).async(use_future);
    EXPECT_EQ(outcome(next).observation["k"], 1);
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready", "stop", "start", "ready"));
}

TEST(ClientProvider, AStartThatHangsIsATimeoutAndMayStillEnd) {
    Scene scene;
    scene.provider->start_gate = &scene.gate;
    const Error error =
        thrown_by<Timeout>([&] { return scene.client().sync().step(numbered(1), 200ms); });
    EXPECT_EQ(error.phase, "starting the server");
    scene.gate.open();
    EXPECT_EQ(scene.client().sync().step(numbered(2)).observation["k"], 2);
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready"));
}

TEST(ClientProvider, AStartThatIsCancelledMayStillEnd) {
    Scene scene;
    scene.provider->start_gate = &scene.gate;
    auto call = scene.client().step(numbered(1));
    const Canceller cancel = call.canceller();
    auto ended = call.async(use_future);
    scene.gate.wait_for_arrivals(1);
    cancel();
    EXPECT_EQ(failure<Exception>(ended).code, Errc::cancelled);
    scene.gate.open();
    auto next = scene.client().step(numbered(2)).async(use_future);
    EXPECT_EQ(outcome(next).observation["k"], 2);
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready"));
}

TEST(ClientProvider, AStopThatFailsWhileTheCloseIsCancelledIsLogged) {
    Scene scene;
    LogCapture log;
    scene.provider->stop_gate = &scene.gate;
    auto call = scene.client().reset().async(use_future);
    outcome(call);
    scene.provider->stop_fails = true;
    auto closing = scene.client().close();
    const Canceller cancel = closing.canceller();
    auto ended = closing.async(use_future);
    scene.gate.wait_for_arrivals(1);
    cancel();
    scene.gate.open();
    EXPECT_EQ(failure<Exception>(ended).code, Errc::cancelled);
    log.wait_for("the provider could not stop the server");
    scene.provider->stop_fails = false;
    auto again = scene.client().close().async(use_future);
    outcome(again);
    EXPECT_THAT(scene.notes.all(), ElementsAre("start", "ready", "stop", "stop"));
}

}  // namespace
}  // namespace test
}  // namespace openenv
