#include "result_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cli {
namespace {

using openenv::Json;
using testing::HasSubstr;
using testing::Not;

StepResult result(const char* observation) {
    StepResult made;
    made.observation = Json::parse(observation);
    return made;
}

TEST(ResultText, ALineHasMetadataOnlyWhereThereIsSome) {
    StepResult one = result(R"({"a":[1,"\n"]})");
    EXPECT_EQ(
        result_line(one), "{\"observation\":{\"a\":[1,\"\\n\"]},\"reward\":null,\"done\":false}\n"
    );
    one.reward = 1.5;
    one.done = true;
    one.metadata = Json::object();
    EXPECT_EQ(Json::parse(result_line(one))["reward"], 1.5);
    EXPECT_FALSE(Json::parse(result_line(one)).contains("metadata"));
    one.metadata["k"] = 1;
    EXPECT_EQ(Json::parse(result_line(one))["metadata"]["k"], 1);
    one.reward = true;
    EXPECT_EQ(Json::parse(result_line(one))["reward"], true) << "it keeps its kind";
}

TEST(ResultText, PeopleSeeTextsAsTextsAndLongValuesInParts) {
    StepResult one = result(
        R"({"word":"crane","text":"one\n two\n","board":[[1,2],[3,4]],"metadata":{"noise":1},)"
        R"("messages":[{"from":-1,"content":"a\nb"},"short"]})"
    );
    one.reward = 2;
    EXPECT_EQ(describe_result(one), R"(  word: crane
  text:
    one
     two
  board: [[1,2],[3,4]]
  messages:
    -
      from: -1
      content:
        a
        b
    - short
reward 2, done no
)");
}

TEST(ResultText, PeopleSeeAnObservationThatIsNoObjectToo) {
    EXPECT_EQ(describe_result(result("[1]")), "  [1]\nreward null, done no\n");
}

TEST(ResultText, NothingInItCanPassForALineOfOurs) {
    const StepResult hostile = result(
        "{\"a\\nreward 9, done yes\":\"\\u001b[2J\\nreward 9, done yes\",\"b\":[\"\\r\\u009b\","
        "\"x\\nreward 9, done yes\"]}"
    );
    const std::string text = describe_result(hostile);
    EXPECT_THAT(text, Not(HasSubstr("\nreward 9")));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\r")));
    EXPECT_THAT(text, Not(HasSubstr("\u009b")));
}

}  // namespace
}  // namespace cli
