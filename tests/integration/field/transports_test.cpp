// F31, F32, F33 and F34: the same thing looks the same, however it is asked for.
#include "integration/support/admission.hpp"
#include "integration/support/quest_environment.hpp"
#include "integration/support/reward_environment.hpp"
#include "integration/support/schema_check.hpp"
#include "support/expect_json.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

TEST(Field, F31StateIsTheSameOverHttpAndWebSocketAndFitsItsSchema) {
    LogCapture log;
    RunningServer server(quest_entry());
    const std::string over_http = http_get(server.port(), "/state").body;
    RawWebSocket session(server.port());
    session.send_text(R"({"type":"state"})");
    const std::string over_ws = session.receive_text();
    EXPECT_EQ(over_ws, R"({"type":"state","data":)" + over_http + "}");
    EXPECT_THAT(
        Json::parse(over_http),
        equals_json(R"({"episode_id":null,"step_count":0,"level":"a","inventory":{"lamp":1},
                        "last_item":null})")
    );

    const Json schema = http_get(server.port(), "/schema").json()["state"];
    for (const char* field : {"episode_id", "step_count", "level", "inventory", "last_item"}) {
        EXPECT_TRUE(schema["properties"].contains(field)) << field;
    }
    EXPECT_THAT(schema_violations(Json::parse(over_http), schema), testing::IsEmpty());

    const Json reset = session.ask(R"({"type":"reset","data":{"level":"b","episode_id":"e"}})");
    EXPECT_EQ(reset["type"], "observation");
    const Json step = session.ask(R"({"type":"step","data":{"item":"rope"}})");
    EXPECT_EQ(step["type"], "observation");
    const Json state = session.ask(R"({"type":"state"})")["data"];
    EXPECT_THAT(state, equals_json(R"({"episode_id":"e","step_count":1,"level":"b",
                        "inventory":{"lamp":1,"rope":1},"last_item":"rope"})"));
    EXPECT_THAT(schema_violations(state, schema), testing::IsEmpty());
}

TEST(Field, F31ObservationsFitTheSchema) {
    LogCapture log;
    RunningServer server(quest_entry());
    const Json schema = http_get(server.port(), "/schema").json()["observation"];
    const Json over_http =
        http_post(server.port(), "/step", R"({"action":{"item":"rope"}})").json();
    RawWebSocket session(server.port());
    const Json over_ws = session.ask(R"({"type":"step","data":{"item":"rope"}})")["data"];
    EXPECT_EQ(over_http["observation"], over_ws["observation"]);
    EXPECT_EQ(over_http["reward"], over_ws["reward"]);
    EXPECT_EQ(over_http["done"], over_ws["done"]);
    EXPECT_THAT(schema_violations(over_ws["observation"], schema), testing::IsEmpty());
}

TEST(Field, F32MetadataIsInTheObservationAndBesideIt) {
    LogCapture log;
    RunningServer server(reward_entry());
    RawWebSocket session(server.port());
    session.send_text(R"({"type":"step","data":{"note":"nested"}})");
    EXPECT_EQ(
        session.receive_text(),
        R"({"type":"observation","data":{"observation":{"metadata":{"a":{"b":[1,null]}}},)"
        R"("reward":null,"done":false,"metadata":{"a":{"b":[1,null]}}}})"
    );
    EXPECT_EQ(
        http_post(server.port(), "/step", R"({"action":{"note":"nested"}})").body,
        R"({"observation":{"metadata":{"a":{"b":[1,null]}}},)"
        R"("reward":null,"done":false,"metadata":{"a":{"b":[1,null]}}})"
    );
}

TEST(Field, F32EmptyMetadataIsAbsentBesideTheObservation) {
    LogCapture log;
    RunningServer server(reward_entry());
    RawWebSocket session(server.port());
    session.send_text(R"({"type":"step","data":{}})");
    EXPECT_EQ(
        session.receive_text(),
        R"({"type":"observation","data":{"observation":{"metadata":{}},"reward":null,"done":false}})"
    );
    EXPECT_EQ(
        http_post(server.port(), "/step", R"({"action":{}})").body,
        R"({"observation":{"metadata":{}},"reward":null,"done":false,"metadata":null})"
    );
}

/// A reward and its text on each way.
struct RewardText {
    std::string name;
    std::string over_ws;
    std::string over_http;
};

TEST(Field, F34RewardsKeepTheirTypeOverWebSocketAndAreFloatsOverHttp) {
    LogCapture log;
    RunningServer server(reward_entry());
    RawWebSocket session(server.port());
    const std::vector<RewardText> rewards{
        {"null", "null", "null"},
        {"int 0", "0", "0.0"},
        {"double 0", "0.0", "0.0"},
        {"true", "true", "1.0"},
        {"int 1", "1", "1.0"},
        {"double 1", "1.0", "1.0"},
    };
    for (const RewardText& reward : rewards) {
        const std::string action = R"({"reward":")" + reward.name + R"("})";
        session.send_text(R"({"type":"step","data":)" + action + "}");
        EXPECT_EQ(
            session.receive_text(),
            R"({"type":"observation","data":{"observation":{"metadata":{}},"reward":)" +
                reward.over_ws + R"(,"done":false}})"
        ) << reward.name;
        EXPECT_EQ(
            http_post(server.port(), "/step", R"({"action":)" + action + "}").body,
            R"({"observation":{"metadata":{}},"reward":)" + reward.over_http +
                R"(,"done":false,"metadata":null})"
        ) << reward.name;
    }
}

TEST(Field, F34ResetHasNoRewardUnlessTheEnvironmentGivesOne) {
    LogCapture log;
    RunningServer server(reward_entry());
    RawWebSocket session(server.port());
    const Json over_ws = session.ask(R"({"type":"reset"})")["data"];
    EXPECT_TRUE(over_ws["reward"].is_null());
    const Json over_http = http_post(server.port(), "/reset", "{}").json();
    EXPECT_TRUE(over_http["reward"].is_null());
}

TEST(Field, F33RewardAndDoneAreOnTheEnvelopeOnly) {
    LogCapture log;
    RunningServer server(reward_entry());
    RawWebSocket session(server.port());
    const Json over_ws = session.ask(R"({"type":"step","data":{"reward":"double 1"}})")["data"];
    const Json over_http =
        http_post(server.port(), "/step", R"({"action":{"reward":"double 1"}})").json();
    for (const Json& result : {over_ws, over_http}) {
        EXPECT_EQ(result["reward"], Json(1.0));
        EXPECT_EQ(result["done"], Json(false));
        EXPECT_FALSE(result["observation"].contains("reward")) << result.dump();
        EXPECT_FALSE(result["observation"].contains("done")) << result.dump();
    }
}

}  // namespace
}  // namespace test
}  // namespace openenv
