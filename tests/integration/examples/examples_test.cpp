// The programs that README.md and docs/writing-an-environment.md show.
#include "integration/support/admission.hpp"
#include "integration/support/child_process.hpp"
#include "support/expect_json.hpp"
#include "support/http_request.hpp"
#include "support/raw_websocket.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>

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
