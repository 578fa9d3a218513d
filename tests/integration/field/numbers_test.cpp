// F39 and F40: numbers that are no JSON, and values of every type.
#include "integration/support/admission.hpp"
#include "integration/support/reward_environment.hpp"
#include "integration/support/types_environment.hpp"
#include "support/expect_json.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace openenv {
namespace test {
namespace {

TEST(Field, F39NumbersThatAreNoJsonComeInAsTokensAndGoOutAsNull) {
    LogCapture log;
    RunningServer server(types_entry(), quick_config(2));
    RawWebSocket session(server.port());
    for (const std::string token : {"NaN", "Infinity", "-Infinity", "1e999"}) {
        const std::string action = R"({"number":)" + token + R"(,"numbers":[1.5,)" + token + "]}";
        session.send_text(R"({"type":"step","data":)" + action + "}");
        const std::string frame = session.receive_text();
        EXPECT_EQ(frame.find("NaN"), std::string::npos) << frame;
        EXPECT_EQ(frame.find("nf"), std::string::npos) << frame;
        const Json over_ws = Json::parse(frame)["data"]["observation"];
        EXPECT_TRUE(over_ws["number"].is_null()) << token;
        EXPECT_TRUE(over_ws["single"].is_null()) << token;
        EXPECT_THAT(over_ws["numbers"], equals_json("[1.5,null]")) << token;
        EXPECT_THAT(over_ws["deep"], equals_json("[[[[[null]]]]]")) << token;
        EXPECT_THAT(over_ws["any"], equals_json(R"({"a":{"b":[null]}})")) << token;
        const HttpReply over_http =
            http_post(server.port(), "/step", R"({"action":)" + action + "}");
        EXPECT_EQ(over_http.status, 200) << token;
        EXPECT_EQ(over_http.json()["observation"], over_ws) << token;
    }
}

TEST(Field, F39ARewardThatIsNoNumberIsNullOnBothTransports) {
    LogCapture log;
    RunningServer server(reward_entry(), quick_config(2));
    RawWebSocket session(server.port());
    for (const std::string name : {"nan", "inf", "-inf"}) {
        const std::string action = R"({"reward":")" + name + R"("})";
        const Json over_ws = session.ask(R"({"type":"step","data":)" + action + "}");
        EXPECT_EQ(over_ws["type"], "observation") << name;
        EXPECT_TRUE(over_ws["data"]["reward"].is_null()) << name;
        const HttpReply over_http =
            http_post(server.port(), "/step", R"({"action":)" + action + "}");
        EXPECT_EQ(over_http.status, 200) << name;
        EXPECT_TRUE(over_http.json()["reward"].is_null()) << name;
    }
}

TEST(Field, F39ARewardThatIsNoNumberIsAnErrorWhereTheEnvironmentSaysSo) {
    LogCapture log;
    log.expect_error("the reward is not a finite number");
    RunningServer server(strict_reward_entry(), quick_config(2));
    RawWebSocket session(server.port());
    for (const std::string name : {"nan", "inf", "-inf"}) {
        const Json frame = session.ask(R"({"type":"step","data":{"reward":")" + name + R"("}})");
        EXPECT_THAT(frame, is_error("EXECUTION_ERROR")) << name;
    }
    EXPECT_EQ(http_post(server.port(), "/step", R"({"action":{"reward":"nan"}})").status, 500);
    const Json lives = session.ask(R"({"type":"step","data":{"reward":"double 1"}})");
    EXPECT_EQ(lives["data"]["reward"], Json(1.0));
}

constexpr const char* kEveryType = R"({
    "metadata": {}, "large": 18446744073709551615, "small": -128, "flags": [true, false, true],
    "grid": [[1.0, 2.5], [-3.0, 0.0]], "nothing": [], "no_rows": [[], []],
    "pair": [9007199254740993, -1], "bytes": "AP8Q", "number": 0.25, "single": 0.25,
    "numbers": [], "deep": [[[[[0.25]]]]], "any": {"a": {"b": [0.25]}}
})";

TEST(Field, F40ValuesOfEveryTypeAreExact) {
    LogCapture log;
    RunningServer server(types_entry(), quick_config(2));
    RawWebSocket session(server.port());
    const Json over_ws = session.ask(R"({"type":"step","data":{"number":0.25}})");
    EXPECT_THAT(over_ws["data"]["observation"], equals_json(kEveryType));
    const Json over_http =
        http_post(server.port(), "/step", R"({"action":{"number":0.25}})").json();
    EXPECT_THAT(over_http["observation"], equals_json(kEveryType));
}

TEST(Field, F40BytesThatAreNotUtf8AreReplacedInTheAnswer) {
    LogCapture log;
    RunningServer server(types_entry(), quick_config(2));
    RawWebSocket session(server.port());
    // Parsing is strict about UTF-8: that the answers can be read is a part of the point.
    const Json frame = session.ask(R"({"type":"step","data":{"what":"bad text"}})");
    EXPECT_EQ(frame["type"], "observation");
    EXPECT_EQ(frame["data"]["observation"]["any"], "caf\uFFFD");
    expect_alive(session);
    const HttpReply over_http =
        http_post(server.port(), "/step", R"({"action":{"what":"bad text"}})");
    EXPECT_EQ(over_http.status, 200);
    EXPECT_EQ(over_http.json()["observation"]["any"], "caf\uFFFD");
}

}  // namespace
}  // namespace test
}  // namespace openenv
