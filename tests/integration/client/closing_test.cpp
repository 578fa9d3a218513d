// Clients that are closed: with nothing to do, in the middle of something, and by a caller who does
// not want to wait.
#include "integration/client/deaf_server.hpp"
#include "integration/client/echo_script.hpp"
#include "integration/client/noted_provider.hpp"
#include "integration/client/notes.hpp"
#include "integration/client/outcome.hpp"
#include "support/gate.hpp"
#include "support/open_at_end.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>

namespace openenv {
namespace test {
namespace {

using boost::asio::use_future;
using testing::ElementsAre;

TEST(Conformance, Case298To300ClosingSaysGoodbyeAndAnyCallConnectsAnew) {
    for (const bool by_step : {true, false}) {
        std::promise<std::string> goodbye;
        std::promise<std::uint16_t> code;
        ScriptedServer server([&](ScriptedPeer& peer) {
            if (peer.number() != 0) {
                echo(peer);
                return;
            }
            (void)peer.answer(observation_frame());
            goodbye.set_value(peer.read());
            code.set_value(peer.wait_for_close());
        });
        GenericEnvClient client(server.url(), quick());
        client.sync().close();  // 299: never connected
        EXPECT_EQ(server.connections(), 0U);
        client.sync().reset();
        client.sync().close();
        client.sync().close();  // 299: twice
        EXPECT_EQ(goodbye.get_future().get(), R"({"type":"close"})");
        EXPECT_EQ(code.get_future().get(), 1000);
        // 300: it is our own close, so no session was lost.
        if (by_step) {
            EXPECT_EQ(client.sync().step(numbered(1)).observation["k"], 1);
        } else {
            EXPECT_EQ(client.sync().state()["step_count"], 0);
        }
        EXPECT_EQ(server.connections(), 2U);
    }
}

TEST(Client, DisconnectSaysGoodbyeAndLeavesTheProvidersServer) {
    Notes notes;
    std::promise<std::uint16_t> code;
    ScriptedServer server([&](ScriptedPeer& peer) {
        (void)peer.answer(observation_frame());
        notes.add(peer.read());
        code.set_value(peer.wait_for_close());
    });
    ClientOptions options = quick();
    options.provider = std::make_shared<NotedProvider>(notes, server.url());
    GenericEnvClient client(options);
    client.sync().disconnect();
    client.sync().reset();
    client.sync().disconnect();
    client.sync().disconnect();
    EXPECT_EQ(client.base_url(), server.url());
    client.sync().reset();
    EXPECT_EQ(code.get_future().get(), 1000);
    EXPECT_THAT(notes.all(), ElementsAre("start", "ready", R"({"type":"close"})"));
}

TEST(Client, ACloseEndsTheCallsUnderWayAtOnce) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) { echo(peer, gate); });
    GenericEnvClient client(server.url(), quick(kForEver));
    auto stuck = client.step(waiting(1)).async(use_future);
    auto queued = client.step(numbered(2)).async(use_future);
    gate.wait_for_arrivals(1);
    auto closing = client.close().async(use_future);
    EXPECT_EQ(failure<Exception>(stuck).code, Errc::cancelled);
    EXPECT_EQ(failure<Exception>(queued).code, Errc::cancelled);
    gate.open();
    outcome(closing);
    auto next = client.step(numbered(3)).async(use_future);
    EXPECT_EQ(outcome(next).observation["k"], 3);
    EXPECT_EQ(server.connections(), 2U);
}

/// "ws" for the upgrade, "wss" for the TLS handshake before it.
class ClosingWhileConnecting : public testing::TestWithParam<const char*> {
protected:
    ClosingWhileConnecting() {
        options_.connect_timeout = kForEver;
        client_.emplace(server_.url(GetParam()), options_);
    }

    DeafServer server_;
    ClientOptions options_ = quick(kForEver);
    std::optional<GenericEnvClient> client_;
};

TEST_P(ClosingWhileConnecting, EndsTheAttempt) {
    auto connecting = client_->connect().async(use_future);
    auto queued = client_->step(numbered(1)).async(use_future);
    server_.accept();
    server_.wait_for_words();
    auto closing = client_->close().async(use_future);
    outcome(closing);
    EXPECT_EQ(failure<Exception>(connecting).code, Errc::cancelled);
    EXPECT_EQ(failure<Exception>(queued).code, Errc::cancelled);
    server_.wait_for_end();
    EXPECT_FALSE(server_.has_another());
}

TEST_P(ClosingWhileConnecting, DisconnectingEndsItToo) {
    auto connecting = client_->reset().async(use_future);
    server_.accept();
    server_.wait_for_words();
    auto closing = client_->disconnect().async(use_future);
    outcome(closing);
    EXPECT_EQ(failure<Exception>(connecting).code, Errc::cancelled);
    server_.wait_for_end();
    EXPECT_FALSE(server_.has_another());
}

TEST_P(ClosingWhileConnecting, ANewCallConnectsAnew) {
    auto connecting = client_->connect().async(use_future);
    server_.accept();
    auto closing = client_->close().async(use_future);
    auto again = client_->connect().async(use_future);
    server_.wait_for_end();
    server_.accept();
    EXPECT_EQ(failure<Exception>(connecting).code, Errc::cancelled);
    outcome(closing);
    EXPECT_FALSE(has_ended(again));
}

INSTANTIATE_TEST_SUITE_P(
    Client,
    ClosingWhileConnecting,
    testing::Values("ws", "wss"),
    [](const testing::TestParamInfo<const char*>& chosen) { return std::string(chosen.param); }
);

TEST(Conformance, Case302ACancelledCloseFinishesTheHandshakeFirst) {
    Notes notes;
    Gate gate;
    std::promise<std::uint16_t> codes[2];
    ScriptedServer server([&](ScriptedPeer& peer) {
        for (;;) {
            const Json question = Json::parse(peer.read());
            if (question["type"] == "close") {
                break;
            }
            peer.send(observation_frame());
        }
        notes.add(peer.number() == 0 ? "parent" : "child");
        if (peer.number() == 0) {
            gate.pass();
        }
        codes[peer.number()].set_value(peer.wait_for_close());
    });
    ClientOptions options = quick();
    options.close_timeout = kForEver;
    options.loop = std::make_shared<ClientLoop>();
    options.provider = std::make_shared<NotedProvider>(notes, server.url());
    GenericEnvClient client(options);
    client.reset().async(use_future).get();
    const auto child = client.new_session<GenericEnvClient>().async(use_future).get();

    auto closing = client.close();
    const Canceller cancel = closing.canceller();
    std::future<void> ended = closing.async(use_future);
    gate.wait_for_arrivals(1);
    cancel();
    wait_for_loop(*options.loop);
    EXPECT_FALSE(has_ended(ended)) << "the socket is not closed yet";
    EXPECT_FALSE(notes.has("stop"));
    gate.open();
    EXPECT_EQ(failure<Exception>(ended).code, Errc::cancelled);
    EXPECT_THAT(notes.all(), ElementsAre("start", "ready", "child", "parent", "stop"));
    for (std::promise<std::uint16_t>& code : codes) {
        EXPECT_EQ(code.get_future().get(), 1000);
    }
}

/// A parent that is not connected itself, and its child, whose server answers the closing handshake
/// once its gate is open; it lets later ones wait for the upgrade.
struct StuckChild {
    StuckChild() {
        ClientOptions options = quick(kForEver);
        options.close_timeout = kForEver;
        options.connect_timeout = kForEver;
        options.loop = loop;
        parent = std::make_unique<GenericEnvClient>(server.url(), options);
        auto opened = parent->new_session<GenericEnvClient>().async(use_future);
        child = outcome(opened);
    }

    std::promise<void> asked;  // for another connection
    std::promise<void> left;   // by whoever asked
    Gate gate;
    ScriptedServer server{ScriptedServer::Plain{[this](ScriptedPeer& peer) {
        if (peer.number() != 0) {
            asked.set_value();
            peer.wait_for_end();
            left.set_value();
            return;
        }
        peer.accept();
        (void)peer.read();
        gate.pass();
        peer.wait_for_close();
    }}};
    const OpenAtEnd opening{gate};
    std::shared_ptr<ClientLoop> loop = std::make_shared<ClientLoop>();
    std::unique_ptr<GenericEnvClient> parent;
    std::unique_ptr<GenericEnvClient> child;
};

TEST(Client, TwoClosesAtOnceBothWaitForTheChildren) {
    StuckChild scene;
    auto first = scene.parent->close().async(use_future);
    auto second = scene.parent->close().async(use_future);
    scene.gate.wait_for_arrivals(1);
    auto third = scene.parent->close().async(use_future);
    wait_for_loop(*scene.loop);
    EXPECT_FALSE(has_ended(first));
    EXPECT_FALSE(has_ended(second));
    EXPECT_FALSE(has_ended(third));
    scene.gate.open();
    outcome(first);
    outcome(second);
    outcome(third);
    EXPECT_EQ(scene.server.connections(), 1U);
}

TEST(Client, ASessionBegunWhileACloseWaitsForTheChildrenIsCancelled) {
    StuckChild scene;
    auto closing = scene.parent->close().async(use_future);
    scene.gate.wait_for_arrivals(1);
    auto opening = scene.parent->new_session<GenericEnvClient>().async(use_future);
    std::future<void> asked = scene.asked.get_future();
    outcome(asked);
    EXPECT_FALSE(has_ended(closing));
    scene.gate.open();
    EXPECT_EQ(failure<Exception>(opening).code, Errc::cancelled);
    outcome(closing);
    std::future<void> left = scene.left.get_future();
    outcome(left);
    EXPECT_EQ(scene.server.connections(), 2U);
}

TEST(Client, ACloseThatWaitsForAChildEndsWithItsClient) {
    StuckChild scene;
    auto closing = scene.parent->close().async(use_future);
    scene.gate.wait_for_arrivals(1);
    wait_for_loop(*scene.loop);
    EXPECT_FALSE(has_ended(closing));
    scene.parent = nullptr;
    EXPECT_EQ(failure<Exception>(closing).code, Errc::cancelled) << "the gate is still shut";
}

TEST(Conformance, Case302ACancelledCloseStopsTheProvider) {
    Notes notes;
    Gate stop_gate;
    ScriptedServer server([](ScriptedPeer& peer) { echo(peer); });
    const auto provider = std::make_shared<NotedProvider>(notes, server.url());
    provider->stop_gate = &stop_gate;
    ClientOptions options = quick();
    options.provider = provider;
    GenericEnvClient client(options);
    client.reset().async(use_future).get();
    auto closing = client.close();
    const Canceller cancel = closing.canceller();
    std::future<void> ended = closing.async(use_future);
    stop_gate.wait_for_arrivals(1);
    cancel();
    stop_gate.open();
    EXPECT_EQ(failure<Exception>(ended).code, Errc::cancelled);
    EXPECT_THAT(notes.all(), ElementsAre("start", "ready", "stop"));
}

}  // namespace
}  // namespace test
}  // namespace openenv
