// Several sessions of one client: what they share, and how they end.
#include "integration/client/counting.hpp"
#include "integration/client/deaf_server.hpp"
#include "integration/client/echo_script.hpp"
#include "integration/client/noted_provider.hpp"
#include "integration/client/notes.hpp"
#include "integration/client/outcome.hpp"
#include "integration/support/eventually.hpp"
#include "support/gate.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <type_traits>

namespace openenv {
namespace test {
namespace {

using namespace std::chrono_literals;
using boost::asio::use_future;
using testing::ElementsAre;

TEST(Conformance, Case303AChildHasTheSettingsOfItsParentAndNoProvider) {
    Notes notes;
    Gate gate;
    std::atomic<ScriptedPeer*> child_peer{nullptr};
    std::promise<std::uint16_t> too_large;
    ScriptedServer server([&](ScriptedPeer& peer) {
        notes.add(peer.header("Authorization") + " " + peer.header("X-Team") + " " + peer.target());
        if (peer.number() == 1) {
            child_peer = &peer;
            (void)peer.read();
            peer.send(observation_frame("\"" + std::string(1200, 'x') + "\""));
            too_large.set_value(peer.wait_for_close());
            gate.pass();  // keeps `peer` alive
            return;
        }
        echo(peer, gate);
    });
    // The calls have a limit of their own, but for the one that is to run out of the parent's.
    constexpr auto kEnough = 20s;
    ClientOptions options = quick(500ms);
    options.provider = std::make_shared<NotedProvider>(notes, server.url() + "/prefix");
    options.token = "secret";
    options.headers.emplace_back("X-Team", "blue");
    options.max_message_bytes = 1000;
    options.ping_interval = 50ms;
    options.mode = "production";
    options.reconnect = Reconnect::always;
    CountClient parent(options);
    parent.sync().reset(Json::object(), kEnough);
    const auto child = parent.sync().new_session<CountClient>(kEnough);
    static_assert(std::is_same_v<decltype(child), const std::unique_ptr<CountClient>>);
    EXPECT_EQ(child->base_url(), parent.base_url());
    EXPECT_EQ(child->mode(), ClientMode::production);
    EXPECT_TRUE(eventually([&] { return child_peer && child_peer.load()->pings() != 0; }));
    EXPECT_THROW(child->sync().wait(child->count(1, kEnough)), Exception);
    EXPECT_EQ(too_large.get_future().get(), 1009);
    EXPECT_EQ(child->sync().state(kEnough).step_count, 0)
        << "a third connection: Reconnect::always";
    Json slow = Json::object();
    slow["wait"] = true;
    EXPECT_THROW(child->sync().reset(slow), Timeout);
    gate.open();
    child->sync().close();
    const std::string request = "Bearer secret blue /prefix/ws";
    EXPECT_THAT(notes.all(), ElementsAre("start", "ready", request, request, request))
        << "a child stops no provider";
    EXPECT_FALSE(parent.sync().reset(Json::object(), kEnough).done);
    EXPECT_EQ(server.connections(), 3U) << "the parent is still connected";
}

TEST(Conformance, Case304ChildrenAreClosedFirstThenTheParentThenTheProvider) {
    Notes notes;
    ScriptedServer server([&](ScriptedPeer& peer) {
        for (;;) {
            const Json question = Json::parse(peer.read());
            if (question["type"] == "close") {
                notes.add(peer.number() == 0 ? "parent" : "child");
                if (peer.number() == 2) {
                    peer.reset();  // a child whose end goes wrong
                    return;
                }
                peer.wait_for_close();
                return;
            }
            peer.send(observation_frame());
        }
    });
    ClientOptions options = quick();
    options.provider = std::make_shared<NotedProvider>(notes, server.url());
    CountClient parent(options);
    parent.sync().reset();
    const std::unique_ptr<CountClient> first = parent.sync().new_session<CountClient>();
    const auto second = parent.sync().new_session();
    EXPECT_EQ(first->sync().wait(first->count(1)).done, false);
    second->sync().reset();
    parent.sync().close();
    EXPECT_EQ(server.connections(), 3U);
    EXPECT_THAT(notes.all(), ElementsAre("start", "ready", "child", "child", "parent", "stop"));
    first->sync().reset();  // a child may be used again, like any client
}

TEST(Client, AChildMayBeDestroyedBeforeItsParentIsClosedAndAfter) {
    Notes notes;
    ScriptedServer server([&](ScriptedPeer& peer) {
        for (;;) {
            if (Json::parse(peer.read())["type"] == "close") {
                notes.add(std::to_string(peer.number()));
                peer.wait_for_close();
                return;
            }
            peer.send(observation_frame());
        }
    });
    std::unique_ptr<GenericEnvClient> child;
    {
        GenericEnvClient parent(server.url(), quick());
        parent.sync().reset();
        parent.sync().new_session<GenericEnvClient>();  // and gone
        child = parent.sync().new_session<GenericEnvClient>();
        parent.sync().close();
        EXPECT_THAT(notes.all(), ElementsAre("2", "0"));
    }
    EXPECT_FALSE(child->sync().reset().done) << "it may outlive its parent";
}

TEST(Client, ASessionThatIsBeingOpenedEndsWithItsParentsClose) {
    DeafServer server;
    ClientOptions options = quick(kForEver);
    options.connect_timeout = kForEver;
    GenericEnvClient parent(server.url(), options);
    auto opening = parent.new_session<GenericEnvClient>().async(use_future);
    server.accept();
    server.wait_for_words();
    auto closing = parent.close().async(use_future);
    EXPECT_EQ(failure<Exception>(opening).code, Errc::cancelled);
    outcome(closing);
    server.wait_for_end();
    EXPECT_FALSE(server.has_another());
}

TEST(Client, ASessionThatIsBeingOpenedEndsWithItsParent) {
    DeafServer server;
    ClientOptions options = quick(kForEver);
    options.connect_timeout = kForEver;
    auto parent = std::make_unique<GenericEnvClient>(server.url(), options);
    auto opening = parent->new_session<GenericEnvClient>().async(use_future);
    server.accept();
    server.wait_for_words();
    parent = nullptr;
    EXPECT_EQ(failure<Exception>(opening).code, Errc::cancelled);
    server.wait_for_end();
    EXPECT_FALSE(server.has_another());
}

TEST(Client, ASessionThatIsBeingOpenedMayBeCancelled) {
    DeafServer server;
    ClientOptions options = quick(kForEver);
    GenericEnvClient parent(server.url(), options);
    auto opening = parent.new_session<GenericEnvClient>();
    const Canceller cancel = opening.canceller();
    auto opened = opening.async(use_future);
    server.accept();
    cancel();
    EXPECT_EQ(failure<Exception>(opened).code, Errc::cancelled);
    server.wait_for_end();
}

TEST(Client, AChildWhoseParentWasClosedWantsAReset) {
    ScriptedServer server([](ScriptedPeer& peer) { echo(peer); });
    GenericEnvClient parent(server.url(), quick());
    const auto used = parent.sync().new_session();
    const auto unused = parent.sync().new_session();
    used->sync().reset();
    parent.sync().close();
    try {
        used->sync().step(numbered(1));
        FAIL() << "its episode is over";
    } catch (const SessionLost& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("the client that had opened it was closed"));
    }
    used->sync().reset();
    EXPECT_EQ(used->sync().step(numbered(2)).observation["k"], 2);
    EXPECT_EQ(unused->sync().step(numbered(3)).observation["k"], 3) << "it had no episode";
}

}  // namespace
}  // namespace test
}  // namespace openenv
