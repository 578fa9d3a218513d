// Servers that leave, between calls and during one, and those that come back.
#include "integration/client/driven_client.hpp"
#include "integration/client/echo_script.hpp"
#include "integration/client/outcome.hpp"
#include "integration/support/probe_environment.hpp"
#include "integration/support/rounds.hpp"
#include "integration/support/tcp_proxy.hpp"
#include "support/log_capture.hpp"
#include "support/running_server.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr Reconnect kBoth[] = {Reconnect::on_reset, Reconnect::always};

/// Answers a reset on the first connection and ends that, with what our server says before when
/// `told`; the other connections echo.
ScriptedServer::Script idle_end(bool told) {
    return [told](ScriptedPeer& peer) {
        if (peer.number() != 0) {
            echo(peer);
            return;
        }
        (void)peer.answer(observation_frame());
        if (told) {
            peer.send(error_frame("SESSION_ERROR", "Session closed: idle 5 s"));
        }
        peer.close(1000, "idle 5 s");
    };
}

/// A client whose connection has ended since its reset.
struct Idled {
    explicit Idled(bool told, Reconnect reconnect = Reconnect::on_reset)
        : server(idle_end(told)), client(server.url(), quick(reconnect)) {
        client.run(client->reset());
        client.run_until_disconnected();
    }

    ScriptedServer server;
    DrivenClient client;
};

TEST(Conformance, Case294AServerThatClosesBetweenTwoCalls) {
    for (const bool told : {false, true}) {
        SCOPED_TRACE(told);
        Idled idled(told);
        DrivenClient& client = idled.client;
        for (int twice = 0; twice != 2; ++twice) {
            const Error error =
                thrown_by<SessionLost>([&] { return client.run(client->step(numbered(1))); });
            EXPECT_THAT(error.message, HasSubstr("idle 5 s"));
            EXPECT_THAT(error.message, HasSubstr(told ? "Session closed" : "1000"));
        }
        EXPECT_THROW(client.run(client->state()), SessionLost);
        EXPECT_EQ(idled.server.connections(), 1U);
        EXPECT_EQ(client.run(client->reset(numbered(2))).observation["k"], 2);
        EXPECT_EQ(client.run(client->step(numbered(3))).observation["k"], 3);
        EXPECT_EQ(idled.server.connections(), 2U);
    }
}

TEST(Conformance, Case294AResetNeedsNoOtherCallFirst) {
    for (const bool told : {false, true}) {
        SCOPED_TRACE(told);
        Idled idled(told);
        DrivenClient& client = idled.client;
        EXPECT_EQ(client.run(client->reset(numbered(2))).observation["k"], 2);
        EXPECT_EQ(idled.server.connections(), 2U);
    }
}

TEST(Conformance, Case294WithReconnectAlwaysANewSessionIsBegunSilently) {
    for (const bool told : {false, true}) {
        SCOPED_TRACE(told);
        Idled idled(told, Reconnect::always);
        DrivenClient& client = idled.client;
        EXPECT_EQ(client.run(client->state())["step_count"], 0);
        EXPECT_EQ(idled.server.connections(), 2U);
    }
}

TEST(Conformance, Case295AServerThatClosesDuringACallIsNotAskedAgain) {
    struct Way {
        std::function<void(ScriptedPeer&)> end;
        std::vector<const char*> said;
    };
    const Way ways[] = {
        {[](ScriptedPeer& peer) { peer.drop(); }, {}},
        {[](ScriptedPeer& peer) { peer.reset(); }, {}},
        {[](ScriptedPeer& peer) { peer.close(1000); }, {"1000"}},
        {[](ScriptedPeer& peer) { peer.close(1001, "bye"); }, {"1001", "bye"}},
    };
    for (const Way& way : ways) {
        std::atomic<int> steps{0};
        ScriptedServer server([&](ScriptedPeer& peer) {
            if (peer.number() != 0) {
                echo(peer);
                return;
            }
            (void)peer.answer(observation_frame());
            (void)peer.read();
            ++steps;
            way.end(peer);
        });
        GenericEnvClient client(server.url(), quick());
        client.sync().reset();
        const Error error = thrown_by<SessionLost>([&] { return client.sync().step(numbered(1)); });
        EXPECT_EQ(error.phase, "stepping");
        EXPECT_THAT(error.message, HasSubstr("whether it was carried out is unknown"));
        for (const char* text : way.said) {
            EXPECT_THAT(error.message, HasSubstr(text));
        }
        EXPECT_EQ(client.sync().reset(numbered(2)).observation["k"], 2);
        EXPECT_EQ(steps, 1);
        EXPECT_EQ(server.connections(), 2U);
    }
}

TEST(Conformance, Case295WithReconnectAlwaysOnlyTheNextCallConnects) {
    std::mutex mutex;
    std::vector<int> seen;
    ScriptedServer server([&](ScriptedPeer& peer) {
        const Json question = Json::parse(peer.read());
        {
            const std::scoped_lock lock(mutex);
            seen.push_back(static_cast<int>(question["data"]["k"].as_int64()));
        }
        if (peer.number() == 0) {
            peer.drop();
            return;
        }
        peer.send(observation_frame(question["data"].dump()));
        peer.wait_for_close();
    });
    GenericEnvClient client(server.url(), quick(Reconnect::always));
    EXPECT_THROW(client.sync().step(numbered(1)), SessionLost);
    EXPECT_EQ(client.sync().step(numbered(2)).observation["k"], 2);
    const std::scoped_lock lock(mutex);
    EXPECT_THAT(seen, ElementsAre(1, 2));
}

/// Ends every connection after some answers, in one of three ways, by turns with and without the
/// last answer; counts how often each step has come.
class Deserter {
public:
    [[nodiscard]] std::string url() const { return server_.url(); }
    [[nodiscard]] std::map<int, int> times_seen() const {
        const std::scoped_lock lock(mutex_);
        return times_seen_;
    }

private:
    void serve(ScriptedPeer& peer) {
        const std::size_t turn = peer.number();
        const bool with_last_answer = turn % 2 == 0;
        const std::size_t answers = turn / 2 % 3 + (with_last_answer ? 1 : 0);
        for (std::size_t i = 0; i != answers; ++i) {
            peer.send(observation_frame(read(peer).dump()));
        }
        if (!with_last_answer) {
            (void)read(peer);
        }
        switch (turn % 3) {
            case 0:
                peer.drop();
                break;
            case 1:
                peer.reset();
                break;
            default:
                peer.close(1000);
        }
    }
    Json read(ScriptedPeer& peer) {
        const Json question = Json::parse(peer.read());
        if (question["type"] == "step") {
            const std::scoped_lock lock(mutex_);
            ++times_seen_[static_cast<int>(question["data"]["k"].as_int64())];
        }
        return question["data"];
    }

    mutable std::mutex mutex_;  // one script for each connection
    std::map<int, int> times_seen_;
    ScriptedServer server_{[this](ScriptedPeer& peer) { serve(peer); }};
};

TEST(Conformance, Case296AStepIsNeverSentTwice) {
    for (const Reconnect reconnect : kBoth) {
        Deserter server;
        GenericEnvClient client(server.url(), quick(reconnect));
        auto& env = client.sync();
        std::vector<int> answered;
        const int steps = static_cast<int>(rounds(100, 5000));
        for (int k = 0; k != steps; ++k) {
            try {
                ASSERT_EQ(env.step(numbered(k)).observation["k"], k);
                answered.push_back(k);
                continue;
            } catch (const SessionLost&) {
            }
            try {
                if (reconnect == Reconnect::on_reset) {
                    env.reset();
                }
            } catch (const SessionLost&) {
            }
        }
        const std::map<int, int> seen = server.times_seen();
        for (const auto& [k, times] : seen) {
            EXPECT_EQ(times, 1) << "step " << k;
        }
        for (const int k : answered) {
            EXPECT_TRUE(seen.contains(k)) << "step " << k;
        }
        EXPECT_GT(answered.size(), 0U);
        EXPECT_LT(answered.size(), static_cast<std::size_t>(steps));
    }
}

TEST(Client, AServerThatEndsTheConnectionRightAfterTheUpgrade) {
    for (std::size_t i = 0; i != rounds(30, 1000); ++i) {
        ScriptedServer server([i](ScriptedPeer& peer) {
            if (peer.number() != 0) {
                echo(peer);
            } else if (i % 3 == 0) {
                peer.close(1000);
            } else if (i % 3 == 1) {
                peer.drop();
            } else {
                peer.reset();
            }
        });
        GenericEnvClient client(server.url(), quick());
        try {
            client.sync().connect();
            EXPECT_EQ(client.sync().reset(numbered(1)).observation["k"], 1);
        } catch (const SessionLost&) {
            EXPECT_EQ(client.sync().reset(numbered(1)).observation["k"], 1);
        } catch (const ConnectFailed&) {
            EXPECT_EQ(i % 3, 2U) << "a reset may overtake the upgrade";
        }
    }
}

// F02: the connection is gone, by FIN and by RST, and the server comes back on its port.
TEST(Field, F02ADeadConnectionIsReplacedByTheNextReset) {
    for (const bool by_reset : {false, true}) {
        std::promise<void> gone;
        auto server = std::make_unique<ScriptedServer>([&](ScriptedPeer& peer) {
            (void)peer.answer(observation_frame());
            by_reset ? peer.reset() : peer.drop();
            gone.set_value();
        });
        const std::uint16_t port = server->port();
        GenericEnvClient client(server->url(), quick());
        client.sync().reset();
        gone.get_future().get();
        server = nullptr;
        EXPECT_THROW(client.sync().step(numbered(1)), SessionLost);
        EXPECT_THROW(client.sync().reset(), ConnectFailed);
        EXPECT_THROW(client.sync().step(numbered(1)), SessionLost) << "there is no new session";
        ScriptedServer again([](ScriptedPeer& peer) { echo(peer); }, port);
        EXPECT_THROW(client.sync().step(numbered(1)), SessionLost);
        EXPECT_THROW(client.sync().state(), SessionLost);
        EXPECT_EQ(again.connections(), 0U);
        EXPECT_EQ(client.sync().reset(numbered(2)).observation["k"], 2);
        EXPECT_EQ(client.sync().step(numbered(3)).observation["k"], 3);
    }
}

// F78: the answer is lost on its way, the step was carried out.
TEST(Field, F78AStepWhoseAnswerIsLostIsCarriedOutOnce) {
    for (const Reconnect reconnect : kBoth) {
        LogCapture log;
        Probe probe;
        RunningServer server(probe_entry(probe));
        TcpProxy proxy(server.port());
        GenericEnvClient client(proxy.url(), quick(reconnect));
        client.reset().async(boost::asio::use_future).get();
        Json wait = Json::object();
        wait["what"] = "wait";
        auto step = client.step(wait).async(boost::asio::use_future);
        probe.gate.wait_for_arrivals(1);
        proxy.cut();
        probe.gate.open();
        probe.life.wait_for_steps(1);
        proxy.forget_cut_connections();
        EXPECT_EQ(failure<SessionLost>(step).phase, "stepping");
        EXPECT_EQ(probe.life.steps(), 1U);
        Json next = Json::object();
        next["what"] = "echo";
        if (reconnect == Reconnect::on_reset) {
            client.reset().async(boost::asio::use_future).get();
        }
        auto second = client.step(next).async(boost::asio::use_future);
        EXPECT_EQ(outcome(second).observation["text"], "echo");
        EXPECT_EQ(probe.life.steps(), 2U);
    }
}

}  // namespace
}  // namespace test
}  // namespace openenv
