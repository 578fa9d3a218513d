// Messages that are no message: each gets an error, and the session lives on.
#include "integration/bad_input/victim.hpp"
#include "support/expect_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

using namespace std::string_literals;

std::string repeated(const std::string& text, std::size_t count) {
    std::string all;
    all.reserve(text.size() * count);
    for (std::size_t i = 0; i != count; ++i) {
        all += text;
    }
    return all;
}

std::string nested(std::size_t depth) {
    return repeated("[", depth) + repeated("]", depth);
}

std::string step(const std::string& data) {
    return R"({"type":"step","data":)" + data + "}";
}

/// Sends each and wants that error for it; the session must have answered a `state` after each.
void expect_errors(const char* code, const std::vector<std::string>& messages) {
    Victim victim;
    const auto session = open_session(victim.port());
    for (const std::string& message : messages) {
        SCOPED_TRACE(message.substr(0, 200));
        EXPECT_THAT(session->ask(message), is_error(code));
        expect_alive(*session);
    }
    EXPECT_EQ(victim.probe.life.steps(), 0U);
}

TEST(BadInput, ValuesThatAreNoObjectAreRefused) {
    expect_errors("VALIDATION_ERROR", {"[]", "1", "null", "true", R"("step")", "-0.5", "NaN"});
}

TEST(BadInput, TextThatIsNoJsonIsRefused) {
    expect_errors(
        "INVALID_JSON",
        {"",
         " ",
         "{",
         "}",
         "nul",
         "step",
         R"({"type":"state",})",
         R"({"type":"state"} x)",
         R"({'type':'state'})",
         R"({"type":"state"}{"type":"state"})",
         R"({"type":"state" "data":{}})",
         "{\"type\":\"st\nate\"}",
         "\xEF\xBB\xBF{\"type\":\"state\"}",
         R"({"type":"step","data":{"what":"\u12"}})",
         R"({"type":"step","data":{"size":01}})",
         R"({"type":"step","data":{"size":+1}})",
         R"({"type":"step","data":{"size":1.}})",
         step(R"({"what":"x","size":)" + std::string(5000, '9') + "}"),  // as Python's json does
         "{\"type\":\"state\"\0}"s}
    );
}

TEST(BadInput, UnknownTypesAreRefused) {
    expect_errors(
        "UNKNOWN_TYPE",
        {"{}",
         R"({"data":{}})",
         R"({"type":""})",
         R"({"type":"dance"})",
         R"({"type":"STEP","data":{"what":"x"}})",
         R"({"type":"observation","data":{}})",
         R"({"type":null})",
         R"({"type":1})",
         R"({"type":["step"]})",
         R"({"type":"step\u0000"})",
         R"({"type":"\ud800"})"}
    );
}

TEST(BadInput, EnvelopesThatDoNotFitAreRefused) {
    expect_errors(
        "VALIDATION_ERROR",
        {R"({"type":"step"})",
         R"({"type":"mcp"})",
         R"({"type":"step","data":null})",
         R"({"type":"step","data":[]})",
         R"({"type":"step","data":"x"})",
         R"({"type":"reset","data":null})",
         R"({"type":"reset","data":[1]})",
         R"({"type":"state","data":{}})",
         R"({"type":"state","extra":1})",
         R"({"type":"step","data":{"what":"x"},"extra":NaN})",
         R"({"type":"step","data":{"what":"x"},"\udfff":"\ud800"})"}
    );
}

TEST(BadInput, ActionsThatDoNotFitAreRefused) {
    expect_errors(
        "VALIDATION_ERROR",
        {step("{}"),
         step(R"({"what":1})"),
         step(R"({"what":null})"),
         step(R"({"what":["x"]})"),
         step(R"({"what":NaN})"),
         step(R"({"what":"x","size":"many"})"),
         step(R"({"what":"x","size":1.5})"),
         step(R"({"what":"x","size":NaN})"),
         step(R"({"what":"x","size":Infinity})"),
         step(R"({"what":"x","size":-1e999})"),
         step(R"({"what":"x","size":99999999999999999999999})"),
         step(R"({"what":"x","metadata":[]})"),
         step(R"({"what":"x","unknown":1})"),
         step(R"({"what":"x","unknown":-Infinity})"),
         step(R"({"what":"x","Size":1})"),
         step(R"({"what":"\ud800"})"),
         step(R"({"what":"\udc00\ud800"})")}
    );
}

TEST(BadInput, DeepNestingIsRefused) {
    constexpr std::size_t kDeep = 100'000;
    expect_errors(
        "INVALID_JSON",
        {nested(kDeep),
         repeated("[", kDeep),
         repeated(R"({"a":)", kDeep) + "1" + repeated("}", kDeep),
         R"({"type":"state","data":)" + nested(kDeep) + "}",
         step(R"({"what":"x","metadata":{"a":)" + nested(kDeep) + "}}"),
         step(R"({"what":"x","metadata":{"a":)" + repeated("[", kDeep))}
    );
}

TEST(BadInput, NestingThatIsNotThatDeepIsServed) {
    Victim victim;
    const auto session = open_session(victim.port());
    const Json answer = session->ask(step(R"({"what":"x","metadata":{"a":)" + nested(900) + "}}"));
    EXPECT_EQ(answer["type"], "observation") << answer.dump();
}

TEST(BadInput, LargeTextsAreServedOrRefusedInFewWords) {
    constexpr std::size_t kLarge = 10'000'000;
    constexpr std::size_t kFewWords = 20'000;
    const std::string large(kLarge, 'x');
    Victim victim;
    const auto session = open_session(victim.port());
    const Json served = session->ask(step(R"({"what":")" + large + R"("})"));
    EXPECT_EQ(served["data"]["observation"]["text"].as_string().size(), kLarge);
    for (const std::string& refused :
         {R"({"type":")" + large + R"("})",
          "\"" + large + "\"",
          large,
          step("\"" + large + "\""),
          step(R"({"what":"x","size":")" + large + R"("})"),
          step(R"({"what":"x",")" + large + R"(":1})"),
          step(R"({"what":"x","size":[)" + repeated("1,", kLarge / 2) + "1]}")}) {
        SCOPED_TRACE(refused.substr(0, 60));
        session->send_text(refused);
        const std::string answer = session->receive_text();
        EXPECT_LT(answer.size(), kFewWords);
        EXPECT_EQ(Json::parse(answer)["type"], "error");
    }
    expect_alive(*session);
}

/// What is wrong with a message is told in about as many bytes as the message had, however much it
/// is.
TEST(BadInput, ManyMistakesAreToldInBounds) {
    std::string data = R"({"what":"x")";
    while (data.size() < 4'000'000) {
        data += ",\"" + std::to_string(data.size()) + "\":1";
    }
    data += "}";
    Victim victim;
    const auto session = open_session(victim.port());
    session->send_text(step(data));
    const std::string answer = session->receive_text();
    EXPECT_EQ(Json::parse(answer)["type"], "error");
    EXPECT_LT(answer.size(), 2 * data.size());
    expect_alive(*session);
}

TEST(BadInput, UnusualButRightMessagesAreServed) {
    Victim victim;
    const auto session = open_session(victim.port());
    for (const std::string& message :
         {std::string(" \r\n\t{ \"type\" : \"state\" } \n"),
          std::string(R"({"\u0074ype":"st\u0061te"})"),
          std::string(R"({"type":"step","type":"state"})"),
          std::string(R"({"type":"reset"})"),
          std::string(R"({"type":"reset","data":{"unknown":[NaN,{"a":"\ud800"}]}})"),
          std::string(R"({"data":{"what":"x","size":"7"},"type":"step"})"),
          std::string(R"({"type":"step","data":{"what":"x","size":7.0}})"),
          std::string(R"({"type":"step","data":{"what":"1","what":"2"}})"),
          std::string(R"({"type":"step","data":{"what":"\ud83d\ude00\u0000"}})"),
          std::string("{\"type\":\"step\",\"data\":{\"what\":\"\xF0\x9F\x98\x80\"}}")}) {
        SCOPED_TRACE(message);
        EXPECT_NE(session->ask(message)["type"], "error");
    }
}

TEST(BadInput, StepBeforeResetAndResetTwice) {
    Victim victim;
    const auto session = open_session(victim.port());
    EXPECT_EQ(session->ask(Probe::kStep)["type"], "observation");
    EXPECT_EQ(session->ask(R"({"type":"reset"})")["type"], "observation");
    EXPECT_EQ(session->ask(R"({"type":"reset","data":{}})")["type"], "observation");
    EXPECT_EQ(session->ask(R"({"type":"state"})")["data"]["step_count"], Json(0));
    EXPECT_EQ(victim.probe.life.built_so_far(), 2U) << "a reset keeps the environment";
}

}  // namespace
}  // namespace test
}  // namespace openenv
