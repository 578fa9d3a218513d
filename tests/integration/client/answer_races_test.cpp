// F01 and F08: answers that come about when the time is up.
#include "integration/client/driven_client.hpp"
#include "integration/client/echo_script.hpp"
#include "integration/client/outcome.hpp"
#include "integration/support/rounds.hpp"
#include "support/gate.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <random>
#include <string>
#include <thread>
#include <utility>

namespace openenv {
namespace test {
namespace {

using namespace std::chrono_literals;

/// Answers after `us` microseconds of the question, never where that is negative: a reset or a step
/// with what it was called with, a state after a random time with the `k` of the last call on this
/// connection, or -1. The delays are what these tests are about; nothing waits for them.
void answer_in_its_time(ScriptedPeer& peer) {
    std::mt19937 random(static_cast<unsigned>(peer.number()));
    Json last = -1;
    for (;;) {
        const Json question = Json::parse(peer.read());
        if (question["type"] == "close") {
            peer.wait_for_close();
            return;
        }
        const bool is_state = question["type"] == "state";
        const std::int64_t us = is_state ? static_cast<std::int64_t>(random() % 4000)
                                         : question["data"]["us"].as_int64();
        if (us < 0) {
            peer.wait_for_close();
            return;
        }
        if (us > 0) {
            std::this_thread::sleep_for(std::chrono::microseconds(us));
        }
        if (is_state) {
            peer.send(state_frame(R"({"k":)" + last.dump() + "}"));
        } else {
            last = question["data"]["k"];
            peer.send(observation_frame(question["data"].dump()));
        }
    }
}

Json delayed(int k, int us) {
    Json action = numbered(k);
    action["us"] = us;
    return action;
}

/// A client that calls whatever chance says, and knows which answers it may get.
class RandomCaller {
public:
    RandomCaller(const std::string& url, Reconnect reconnect)
        : client_(url, quick(reconnect)), always_(reconnect == Reconnect::always) {
        reset(-1, 20s, 0);
    }

    void call(int k) {
        // After a loss half of the time without a reset.
        if (broken_ && random_() % 2 == 0) {
            reset(k, 20s, 0);
            return;
        }
        // Answered for sure, about when the time is up, or not at all.
        const std::size_t when = random_() % 3;
        const std::chrono::milliseconds limit = when == 0 ? 20s : when == 1 ? 2ms : 1ms;
        const int us = when == 0 ? 0 : when == 1 ? static_cast<int>(random_() % 4000) : -1;
        switch (random_() % 3) {
            case 0:
                reset(k, limit, us);
                break;
            case 1:
                step(k, limit, us);
                break;
            default:
                state(when == 0 ? 20s : 2ms);
        }
    }

    std::size_t answered = 0;
    std::size_t timed_out = 0;
    std::size_t lost = 0;

private:
    void reset(int k, std::chrono::milliseconds limit, int us) {
        count(true, [&] {
            ASSERT_EQ(client_.sync().reset(delayed(k, us), limit).observation["k"], k);
            last_ = k;
        });
    }
    void step(int k, std::chrono::milliseconds limit, int us) {
        count(always_, [&] {
            ASSERT_EQ(client_.sync().step(delayed(k, us), limit).observation["k"], k);
            last_ = k;
        });
    }
    void state(std::chrono::milliseconds limit) {
        count(always_, [&] { ASSERT_EQ(client_.sync().state(limit)["k"], last_); });
    }

    template <class Call>
    void count(bool begins_anew, Call call) {
        try {
            call();
            EXPECT_TRUE(!broken_ || begins_anew) << "answered on a session that is gone";
            broken_ = false;
            ++answered;
        } catch (const Timeout& error) {
            const std::string& phase = error.error().phase;
            if (phase != "queued" && phase != "connecting") {  // it was sent
                broken_ = true;
                last_ = -1;
            }
            ++timed_out;
        } catch (const SessionLost&) {
            EXPECT_TRUE(broken_ && !begins_anew) << "nothing had been given up";
            ++lost;
        }
    }

    GenericEnvClient client_;
    const bool always_;
    std::mt19937 random_{1};
    bool broken_ = false;
    int last_ = -1;  // of the calls answered on this connection
};

// F01: random delays around the deadline, thousands of times. Every call returns its own answer, or
// throws that its time is up or that its session is gone.
TEST(Field, F01NoAnswerIsEverTakenForAnothers) {
    for (const Reconnect reconnect : {Reconnect::on_reset, Reconnect::always}) {
        ScriptedServer server(answer_in_its_time);
        RandomCaller caller(server.url(), reconnect);
        const std::size_t calls = rounds(200, 2000);
        for (std::size_t k = 0; k != calls && !testing::Test::HasFailure(); ++k) {
            caller.call(static_cast<int>(k));
        }
        EXPECT_GT(caller.answered, 0U);
        EXPECT_GT(caller.timed_out, 0U);
        EXPECT_EQ(caller.lost != 0, reconnect == Reconnect::on_reset);
    }
}

// F08: answers that come just as the time is up are delivered or reported as timed out: every call
// returns its own answer, or throws Timeout and nothing else.
TEST(Field, F08EveryCallIsAnsweredOrReported) {
    ScriptedServer server(answer_in_its_time);
    GenericEnvClient client(server.url(), quick());
    const int calls = static_cast<int>(rounds(200, 100'000));
    int answered = 0;
    int timed_out = 0;
    for (int k = 0; k != calls; ++k) {
        // One in ten in time for sure, one in ten never, the others when the time is up.
        const int us = k % 10 == 0 ? 0 : k % 10 == 5 ? -1 : 1000;
        const std::chrono::milliseconds limit = k % 10 == 0 ? 20s : 1ms;
        try {
            ASSERT_EQ(client.sync().reset(delayed(k, us), limit).observation["k"], k);
            ++answered;
        } catch (const Timeout&) {
            ++timed_out;
        }
    }
    EXPECT_GT(answered, 0);
    EXPECT_GT(timed_out, 0);
}

TEST(Field, F08AnAnswerThatIsThereWhenTheTimeIsUp) {
    Gate gate;
    std::promise<void> asked;
    std::promise<void> answered;
    ScriptedServer server([&](ScriptedPeer& peer) {
        if (peer.number() != 0) {
            echo(peer);
            return;
        }
        (void)peer.answer(observation_frame());
        const Json question = Json::parse(peer.read());
        asked.set_value();
        gate.pass();
        peer.send(observation_frame(question["data"].dump()));
        answered.set_value();
        echo(peer);
    });
    ScriptedServer silent([](ScriptedPeer& peer) { peer.wait_for_close(); });
    DrivenClient client(server.url(), quick());
    client.run(client->reset());

    std::future<GenericEnvClient::Result> call = client.begin(client->step(numbered(1), 50ms));
    std::future<void> was_asked = asked.get_future();
    client.run_until([&] { return has_ended(was_asked); });
    gate.open();
    answered.get_future().get();
    GenericEnvClient clock(silent.url(), quick());  // its call has the same limit, and began later
    EXPECT_THROW(clock.sync().state(50ms), Timeout);

    bool in_time = true;
    try {
        EXPECT_EQ(client.finish(std::move(call)).observation["k"], 1);
    } catch (const Timeout&) {
        in_time = false;
    }
    if (in_time) {
        EXPECT_EQ(client.run(client->step(numbered(2))).observation["k"], 2);
    } else {
        EXPECT_THROW(client.run(client->step(numbered(2))), SessionLost);
    }
    EXPECT_EQ(client.run(client->reset(numbered(3))).observation["k"], 3);
}

}  // namespace
}  // namespace test
}  // namespace openenv
