// F38, F45 and F77: what step and reset accept, and calls before the first reset.
#include "integration/support/admission.hpp"
#include "integration/support/quest_environment.hpp"
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

TEST(Field, F45TheSchemaSaysWhatResetAccepts) {
    LogCapture log;
    RunningServer server(quest_entry());
    const Json schema = http_get(server.port(), "/schema").json();
    ASSERT_TRUE(schema.contains("reset")) << schema.dump();
    EXPECT_THAT(
        schema["reset"], contains_json(R"({"type":"object","properties":{
            "seed":{},"episode_id":{},"level":{"enum":["a","b"],"default":"a","type":"string"}}})")
    );
    // The extra key does no harm to those who know the other three.
    for (const char* known : {"action", "observation", "state"}) {
        EXPECT_TRUE(schema.contains(known)) << known;
    }
}

TEST(Field, F45UnknownResetKeysAreIgnoredAndWrongValuesAreNot) {
    LogCapture log;
    RunningServer server(quest_entry(), quick_config(2));
    RawWebSocket session(server.port());
    const Json typo = session.ask(R"({"type":"reset","data":{"lvl":"b","seed":3}})");
    EXPECT_EQ(typo["data"]["observation"]["text"], "level a, seed 3");
    const Json wrong = session.ask(R"({"type":"reset","data":{"level":"c"}})");
    EXPECT_THAT(wrong, is_error("VALIDATION_ERROR"));
    expect_alive(session);
    const HttpReply over_http = http_post(server.port(), "/reset", R"({"lvl":"b","seed":3})");
    EXPECT_EQ(over_http.status, 200);
    EXPECT_EQ(over_http.json()["observation"]["text"], "level a, seed 3");
    EXPECT_EQ(http_post(server.port(), "/reset", R"({"level":"c"})").status, 422);
}

TEST(Field, F45SeedAndEpisodeIdHaveLimitsOverHttp) {
    LogCapture log;
    RunningServer server(quest_entry());
    const auto reset = [&](const std::string& body) {
        return http_post(server.port(), "/reset", body);
    };
    const HttpReply negative = reset(R"({"seed":-1})");
    EXPECT_EQ(negative.status, 422);
    EXPECT_THAT(negative.json()["detail"], has_errors({"greater_than_equal @ body,seed"}));
    const HttpReply long_name = reset(R"({"episode_id":")" + std::string(256, 'e') + R"("})");
    EXPECT_EQ(long_name.status, 422);
    EXPECT_THAT(long_name.json()["detail"], has_errors({"string_too_long @ body,episode_id"}));
    EXPECT_EQ(reset(R"({"seed":0,"episode_id":")" + std::string(255, 'e') + R"("})").status, 200);
}

TEST(Field, F38ATimeLimitInsideAnActionIsAnUnknownField) {
    LogCapture log;
    RunningServer server(quest_entry(), quick_config(2));
    RawWebSocket session(server.port());
    const Json frame = session.ask(R"({"type":"step","data":{"item":"rope","timeout_s":1}})");
    EXPECT_THAT(frame, is_validation_error({"extra_forbidden @ timeout_s"}));
    expect_alive(session);
    const HttpReply over_http =
        http_post(server.port(), "/step", R"({"action":{"item":"rope"},"timeout_s":1})");
    EXPECT_EQ(over_http.status, 200) << "over HTTP it stands beside the action";
}

TEST(Field, F77StateStepAndCloseWorkBeforeTheFirstReset) {
    LogCapture log;
    RunningServer server(quest_entry(), quick_config(2));
    RawWebSocket session(server.port());
    EXPECT_THAT(
        session.ask(R"({"type":"state"})"),
        contains_json(R"({"type":"state","data":{"episode_id":null,"step_count":0}})")
    );
    const Json step = session.ask(R"({"type":"step","data":{"item":"rope"}})");
    EXPECT_EQ(step["data"]["observation"]["text"], "took rope");
    RawWebSocket closing(server.port());
    closing.send_text(R"({"type":"close"})");
    EXPECT_EQ(closing.receive_close().code, 1000);
}

TEST(Field, F77AnEnvironmentMayInsistOnAReset) {
    LogCapture log;
    log.expect_error("call reset first");  // of POST /step, which has a fresh environment each time
    RunningServer server(cautious_quest_entry(), quick_config(2));
    RawWebSocket session(server.port());
    const std::string step = R"({"type":"step","data":{"item":"rope"}})";
    const Json refused = session.ask(step);
    EXPECT_THAT(refused, is_error("EXECUTION_ERROR"));
    EXPECT_EQ(refused["data"]["message"], "call reset first");
    EXPECT_EQ(session.ask(R"({"type":"reset"})")["type"], "observation");
    EXPECT_EQ(session.ask(step)["data"]["observation"]["text"], "took rope");
    EXPECT_EQ(http_post(server.port(), "/step", R"({"action":{"item":"rope"}})").status, 500);
}

}  // namespace
}  // namespace test
}  // namespace openenv
