#include "bench/answer.hpp"

#include "bench/frame.hpp"
#include "bench/messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace openenv::bench {
namespace {

using testing::HasSubstr;

Reason reason_of(const char* message, bool is_batch = false) {
    try {
        if (is_batch) {
            static_cast<void>(read_batch(message, false));
        } else {
            static_cast<void>(read_answer(message, false));
        }
    } catch (const Trouble& trouble) {
        return trouble.reason;
    }
    return Reason::local;
}

TEST(Answer, KnowsAnObservationByHowItBegins) {
    for (const char* message :
         {R"({"type":"observation","data":{}})",
          R"({ "type" : "observation", "data": {"observation": {}}})",
          R"({"data":{"observation":{}},"type":"observation"})"}) {
        EXPECT_EQ(read_answer(message, false).kind, Answer::Kind::observation) << message;
    }
    EXPECT_EQ(read_answer(R"({"type":"state","data":{}})", false).kind, Answer::Kind::other);
    EXPECT_EQ(reason_of("nothing of the kind"), Reason::wrong_answer);
}

TEST(Answer, TellsWhetherTheEpisodeIsOverOnlyWhenAsked) {
    const char* message =
        R"({"type":"observation","data":{"observation":{"done":false},"reward":1,"done":true}})";
    EXPECT_TRUE(read_answer(message, true).done);
    EXPECT_FALSE(read_answer(message, false).done);
    EXPECT_FALSE(
        read_answer(R"({"type":"observation","data":{"observation":{"done":true}}})", true).done
    );
}

TEST(Answer, AnErrorFrameBecomesAFailureWithItsCode) {
    const Answer answer =
        read_answer(R"({"type":"error","data":{"message":"no","code":"EXECUTION_ERROR"}})", false);
    ASSERT_EQ(answer.kind, Answer::Kind::error);
    const Trouble trouble = trouble_of(answer);
    EXPECT_EQ(trouble.reason, Reason::error_frame);
    EXPECT_EQ(trouble.code, "EXECUTION_ERROR");
    EXPECT_THAT(trouble.what(), HasSubstr("no"));
    const Answer full = read_answer(
        R"({"type":"error","data":{"message":"full","code":"CAPACITY_REACHED"}})", false
    );
    EXPECT_EQ(trouble_of(full).reason, Reason::capacity);
}

TEST(Answer, ABatchHoldsOneForEachOfItsSessions) {
    const std::string message =
        R"({"type":"batch","x":{"batch":[)"
        R"({"session":1,"type":"observation","data":{"observation":{},"done":true}},)"
        R"({"type":"error","session":0,"data":{"message":"no","code":"SESSION_ERROR"}}]}})";
    const std::vector<Answer> answers = read_batch(message, true);
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[0].session, 1U);
    EXPECT_EQ(answers[0].kind, Answer::Kind::observation);
    EXPECT_TRUE(answers[0].done);
    EXPECT_THAT(std::string(answers[0].text), testing::StartsWith(R"({"session":1)"));
    EXPECT_EQ(answers[1].session, 0U);
    EXPECT_EQ(trouble_of(answers[1]).code, "SESSION_ERROR");
}

TEST(Answer, WhatIsNoBatchIsAnErrorOfTheConnectionOrWrong) {
    EXPECT_EQ(
        reason_of(R"({"type":"error","data":{"message":"m","code":"VALIDATION_ERROR"}})", true),
        Reason::error_frame
    );
    for (const char* message :
         {R"({"type":"observation","data":{}})",
          R"({"type":"batch","x":{"batch":{}}})",
          R"({"type":"batch","x":{"batch":[{"type":"observation"}]}})",
          R"({"type":"batch","x":{"batch":[{"session":-1,"type":"observation"}]}})",
          R"({"type":"batch","x":{"batch":[7]}})",
          "{"}) {
        EXPECT_EQ(reason_of(message, true), Reason::wrong_answer) << message;
    }
}

/// The text that a frame carries.
std::string unmasked(std::string frame) {
    const std::size_t head = (static_cast<unsigned char>(frame[1]) & 0x7FU) == 126 ? 4 : 2;
    std::string text;
    for (std::size_t at = head + 4; at < frame.size(); ++at) {
        text += static_cast<char>(frame[at] ^ frame[head + (at - head - 4) % 4]);
    }
    return text;
}

TEST(Messages, AreWhatServersRead) {
    EXPECT_EQ(unmasked(message_frame("step", R"({"a":1})")), R"({"type":"step","data":{"a":1}})");
    const std::vector<BatchEntry> entries{{0, "{}"}, {12, R"({"a":1})"}};
    EXPECT_EQ(
        unmasked(batch_frame("reset", entries)),
        R"({"type":"reset","x":{"batch":[{"session":0,"data":{}},{"session":12,"data":{"a":1}}]}})"
    );
}

}  // namespace
}  // namespace openenv::bench
