// The programs that README.md, docs/writing-an-environment.md and docs/client.md show.
#include "integration/support/admission.hpp"
#include "integration/support/child_process.hpp"
#include "support/expect_json.hpp"
#include "support/http_request.hpp"
#include "support/raw_websocket.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

using testing::HasSubstr;

TEST(Examples, CounterCountsAndRefusesWhatIsTooMuch) {
    ChildProcess program({OPENENV_COUNTER_PROGRAM, "--port", "0"});
    RawWebSocket session(program.wait_until_listening());
    const Json reset = session.ask(R"({"type":"reset","data":{"episode_id":"e"}})");
    EXPECT_EQ(reset["data"]["observation"]["count"], Json(0));
    EXPECT_THAT(
        session.ask(R"({"type":"step","data":{"amount":4}})"),
        contains_json(
            R"({"type":"observation","data":{"observation":{"count":4},"reward":4,"done":false}})"
        )
    );
    const Json refused = session.ask(R"({"type":"step","data":{"amount":11}})");
    EXPECT_THAT(refused, is_validation_error({"less_than_equal @ amount"}));
    EXPECT_EQ(refused["data"]["errors"][0]["msg"], "Input should be less than or equal to 10")
        << "as README.md says";
    EXPECT_THAT(
        session.ask(R"({"type":"step","data":{"amount":6}})"),
        contains_json(R"({"data":{"observation":{"count":10},"reward":6,"done":true}})")
    );
    EXPECT_THAT(
        session.ask(R"({"type":"state"})"),
        contains_json(R"({"data":{"episode_id":"e","step_count":2}})")
    );
    close_session(session);
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0) << program.err();
}

TEST(Examples, EggTimerWaitsForManyEggsAtOnce) {
    ChildProcess program({OPENENV_EGG_TIMER_PROGRAM, "--port", "0", "--threads", "1"});
    const std::uint16_t port = program.wait_until_listening();
    std::vector<std::unique_ptr<RawWebSocket>> sessions;
    for (int i = 0; i < 20; ++i) {
        sessions.push_back(open_session(port));
        EXPECT_EQ(
            sessions.back()->ask(R"({"type":"reset","data":{}})")["data"]["observation"]["egg"],
            "raw"
        );
    }
    for (const auto& session : sessions) {
        session->send_text(R"({"type":"step","data":{"milliseconds":80}})");
    }
    for (const auto& session : sessions) {
        EXPECT_THAT(
            session->receive_json(),
            contains_json(R"({"data":{"observation":{"egg":"soft","boiled":80},"reward":1}})")
        );
    }
    EXPECT_THAT(
        sessions.front()->ask(R"({"type":"step","data":{"milliseconds":60}})"),
        contains_json(R"({"data":{"observation":{"egg":"hard"},"reward":0,"done":true}})")
    );
    EXPECT_EQ(
        http_post(port, "/step", R"({"action":{"milliseconds":1}})").json()["observation"]["egg"],
        "raw"
    );
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0) << program.err();
}

TEST(Examples, EggTimerDescribesHowItRuns) {
    ChildProcess program({OPENENV_EGG_TIMER_PROGRAM, "--describe"});
    EXPECT_EQ(program.wait(), 0);
    EXPECT_EQ(Json::parse(program.out())["execution"], "awaitable");
}

TEST(Examples, ClientsCountInBothStyles) {
    ChildProcess program({OPENENV_COUNTER_PROGRAM, "--port", "0"});
    const std::string url = "http://127.0.0.1:" + std::to_string(program.wait_until_listening());
    const Outcome blocking = run_program({OPENENV_COUNT_UP_PROGRAM, url});
    EXPECT_EQ(blocking.code, 0) << blocking.err;
    EXPECT_EQ(
        blocking.out,
        "count 3, reward 3\ncount 6, reward 3\ncount 9, reward 3\ncount 12, reward 3\n"
        "refused: amount: Input should be less than or equal to 10\n"
    );
    const Outcome generic = run_program({OPENENV_GENERIC_PROGRAM, url});
    EXPECT_EQ(generic.code, 0) << generic.err;
    EXPECT_THAT(generic.out, HasSubstr(R"("count":4)"));
    EXPECT_THAT(generic.out, HasSubstr(R"("step_count":1)"));
    const Outcome many = run_program({OPENENV_MANY_SESSIONS_PROGRAM, url, "32"});
    EXPECT_EQ(many.code, 0) << many.err;
    EXPECT_EQ(many.out, "32 of 32 sessions played 160 steps\n");
    const Outcome vector = run_program({OPENENV_VECTOR_PROGRAM, url, "16"});
    EXPECT_EQ(vector.code, 0) << vector.err;
    EXPECT_THAT(vector.out, HasSubstr("ended at 10\n"));
    EXPECT_THAT(vector.out, HasSubstr("\n32 episodes, reward 320\n"));
    const Outcome nobody = run_program({OPENENV_COUNT_UP_PROGRAM, "http://127.0.0.1:1"});
    EXPECT_EQ(nobody.code, 1);
    EXPECT_THAT(nobody.err, HasSubstr("Failed to connect to ws://127.0.0.1:1/ws"));
}

TEST(Examples, ServerAndClientInOneProgram) {
    const Outcome played = run_program({OPENENV_IN_PROCESS_PROGRAM});
    EXPECT_EQ(played.code, 0) << played.err;
    EXPECT_EQ(played.out, "it is 42\n");
}

TEST(Examples, APlayerWaitsForAPlaceOnAFullServer) {
    ChildProcess server({OPENENV_COUNTER_PROGRAM, "--port", "0", "--max-concurrent-envs", "1"});
    const std::uint16_t port = server.wait_until_listening();
    auto holder = std::make_unique<RawWebSocket>(port);
    EXPECT_EQ(holder->ask(R"({"type":"reset","data":{}})")["type"], "observation");
    ChildProcess player({OPENENV_RECOVER_PROGRAM, "http://127.0.0.1:" + std::to_string(port)});
    player.wait_for_log("no place: waiting for one");
    holder = nullptr;
    EXPECT_EQ(player.wait(), 0) << player.err();
    EXPECT_EQ(player.out(), "reward 10\n");
}

TEST(Examples, TreasureIsFound) {
    ChildProcess program({OPENENV_TREASURE_PROGRAM, "--port", "0"});
    const std::uint16_t port = program.wait_until_listening();
    EXPECT_EQ(http_get(port, "/metadata").json()["name"], "treasure");
    RawWebSocket session(port);
    const std::string left = R"({"type":"step","data":{"direction":"left"}})";
    const std::string right = R"({"type":"step","data":{"direction":"right"}})";
    EXPECT_THAT(session.ask(left), is_error("EXECUTION_ERROR")) << "a reset is needed first";
    const Json start = session.ask(R"({"type":"reset","data":{"seed":1,"width":6}})");
    EXPECT_EQ(start["data"]["observation"]["hint"], "it lies within 6 steps");
    Json seen = session.ask(left);
    const bool wrong_way = seen["data"]["observation"]["hint"] == "colder";
    for (int steps = 1; seen["data"]["done"] == Json(false); ++steps) {
        ASSERT_LT(steps, 20);
        seen = session.ask(wrong_way ? right : left);
        EXPECT_EQ(seen["data"]["reward"], Json(1));
    }
    EXPECT_EQ(seen["data"]["observation"]["hint"], "found");
    EXPECT_THAT(
        session.ask(R"({"type":"reset","data":{"width":1001}})"),
        is_validation_error({"less_than_equal @ width"})
    );
    close_session(session);
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0) << program.err();
}

}  // namespace
}  // namespace test
}  // namespace openenv
