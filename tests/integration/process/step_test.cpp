// `openenv step`: a line of JSON for every result.
#include "integration/process/piped.hpp"
#include "integration/process/programs.hpp"
#include "integration/support/terminal_process.hpp"
#include "support/fixtures/move.hpp"
#include "support/running_server.hpp"
#include "support/scripted_server.hpp"

#include <openenv/base/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace openenv {
namespace test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

class StepCommand : public testing::Test {
protected:
    StepCommand()
        : server_(fixture::move_entry()), url_("127.0.0.1:" + std::to_string(server_.port())) {}

    [[nodiscard]] Words command(const Words& arguments) const {
        Words words{kOpenEnv, "step", url_};
        words.insert(words.end(), arguments.begin(), arguments.end());
        return words;
    }

    RunningServer server_;
    const std::string url_;
};

TEST_F(StepCommand, PrintsALineForResetAndForEveryStep) {
    const Outcome outcome = run_program(command(
        {R"({"message":"one"})",
         R"({"message":"int"})",
         "--seed",
         "7",
         "--episode-id",
         "e1",
         "--reset",
         R"({"difficulty":"meta"})",
         "--state"}
    ));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const std::vector<std::string> lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), 4U);
    const Json reset = Json::parse(lines[0]);
    EXPECT_EQ(reset["observation"]["response"], "seed=7 ep=e1 diff=meta");
    EXPECT_EQ(reset["metadata"]["k"], 1);
    EXPECT_EQ(reset["done"], false);
    const Json one = Json::parse(lines[1]);
    EXPECT_EQ(one["observation"]["response"], "echo:one timeout=None");
    EXPECT_EQ(one["reward"], 1.0);
    EXPECT_FALSE(one.contains("metadata"));
    EXPECT_EQ(Json::parse(lines[2])["reward"], 3);
    EXPECT_EQ(Json::parse(lines[3])["state"]["step_count"], 1);
    EXPECT_EQ(Json::parse(lines[3])["state"]["episode_id"], "e1");
}

TEST_F(StepCommand, WithoutAnActionItResets) {
    const Outcome outcome = run_program(command({}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(lines_of(outcome.out).size(), 1U);
}

TEST_F(StepCommand, WithoutAResetItStepsAtOnce) {
    const Outcome outcome = run_program(command({"--no-reset", R"({"message":"one"})"}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    ASSERT_EQ(lines_of(outcome.out).size(), 1U);
    EXPECT_EQ(Json::parse(outcome.out)["observation"]["response"], "echo:one timeout=None");
}

TEST_F(StepCommand, TakesFurtherActionsFromStandardInput) {
    const Outcome outcome = run_with_input(
        command({R"({"message":"first"})", "-", R"({"message":"last"})"}),
        "{\"message\":\"two\"}\r\n\n{\"message\":\"int\"}"
    );
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<std::string> lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_THAT(lines[1], HasSubstr("echo:first"));
    EXPECT_THAT(lines[2], HasSubstr("echo:two"));
    EXPECT_THAT(lines[3], HasSubstr("echo:int"));
    EXPECT_THAT(lines[4], HasSubstr("echo:last"));
}

TEST_F(StepCommand, AnswersEachLineBeforeTheNextIsWritten) {
    TerminalProcess program(command({"-"}));
    program.wait_for("diff=easy");
    program.type("{\"message\":\"one\"}\n");
    program.wait_for("echo:one");
    program.type("{\"message\":\"two\"}\n");
    program.wait_for("echo:two");
    program.type("\x04");
    EXPECT_EQ(program.wait(), 0);
}

TEST_F(StepCommand, BadJsonIsNamedBeforeAnythingIsConnected) {
    const std::vector<std::pair<Words, std::string>> wrong{
        {{R"({"message":"a"})", R"({"message":})"},
         "action 2 is not JSON (Expecting value: line 1 column 12"},
        {{"[1,2]"}, "action 1 is not a JSON object: [1,2]"},
        {{"[]"}, "action 1 is not a JSON object"},
        {{"crane"}, "action 1 is not JSON"},
        {{"{}", "--reset", "{"}, "--reset is not JSON"},
        {{"{}", "--reset", "7"}, "--reset is not a JSON object"},
        {{"{}", "--seed", "x"}, "--seed: 'x'"},
        {{"{}", "--seed", "1.5"}, "--seed: '1.5'"},
        {{"-", "-"}, "'-' may be given once"},
        {{"{}", "--no-reset", "--seed", "1"}, "--no-reset begins no episode, so --seed"},
        {{"--no-reset"}, "nothing to do; give an action, or --state"},
    };
    ScriptedServer server([](ScriptedPeer&) {});
    for (const auto& [arguments, told] : wrong) {
        Words words{kOpenEnv, "step", server.url()};
        words.insert(words.end(), arguments.begin(), arguments.end());
        const Outcome outcome = run_program(words);
        EXPECT_EQ(outcome.code, 2) << told;
        EXPECT_EQ(outcome.out, "");
        EXPECT_THAT(outcome.err, HasSubstr(told));
    }
    EXPECT_EQ(server.connections(), 0U);
}

TEST_F(StepCommand, ABadLineOfTheInputIsNamed) {
    const Outcome outcome =
        run_with_input(command({"-"}), "{\"message\":\"one\"}\n\n{\"message\"\n");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(lines_of(outcome.out).size(), 2U) << "what was done before is printed";
    EXPECT_THAT(outcome.err, HasSubstr("line 3 of standard input is not JSON"));
}

TEST_F(StepCommand, AnInputThatCannotBeReadEndsItWithTwo) {
    Words words{"/bin/sh", "-c", "exec \"$@\" </", "sh"};
    const Words reading = command({"-"});
    words.insert(words.end(), reading.begin(), reading.end());
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "error: standard input cannot be read: Is a directory\n");
}

TEST_F(StepCommand, AnActionThatIsRefusedEndsItWithOneAndSaysWhy) {
    const Outcome outcome =
        run_program(command({R"({"message":"","count":11})", R"({"message":"after"})"}));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(lines_of(outcome.out).size(), 1U) << "nothing after it is done";
    EXPECT_THAT(outcome.err, HasSubstr("  message: String should have at least 1 character\n"));
    EXPECT_THAT(outcome.err, HasSubstr("  count: Input should be less than or equal to 10\n"));
}

TEST_F(StepCommand, AnEnvironmentThatThrowsEndsItWithOne) {
    const Outcome outcome = run_program(command({R"({"message":"boom"})"}));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("step exploded"));
    const Outcome reset = run_program(command({"--reset", R"({"difficulty":"boom"})"}));
    EXPECT_EQ(reset.code, 1);
    EXPECT_EQ(reset.out, "");
    EXPECT_THAT(reset.err, HasSubstr("reset exploded"));
}

TEST_F(StepCommand, AStepAfterTheEndIsTheEnvironmentsAffair) {
    const Outcome outcome =
        run_program(command({R"({"message":"bool"})", R"({"message":"again"})"}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(Json::parse(lines_of(outcome.out)[1])["done"], true);
    EXPECT_EQ(lines_of(outcome.out).size(), 3U);
}

TEST(StepCommandOfOthers, PrintsNothingThatATerminalWouldObey) {
    ScriptedServer server([](ScriptedPeer& peer) {
        peer.answer(observation_frame("{\"a\":\"\\u001b[2J\u009b1m\u202e\"}"));
        peer.answer(error_frame("EXECUTION_ERROR", "\\u001b[2J\u009b1m"));
        peer.wait_for_close();
    });
    const Outcome outcome = run_program({kOpenEnv, "step", server.url(), "{}"});
    EXPECT_EQ(outcome.code, 1);
    for (const std::string& text : {outcome.out, outcome.err}) {
        EXPECT_THAT(text, Not(HasSubstr("\x1b")));
        EXPECT_THAT(text, Not(HasSubstr("\u009b")));
        EXPECT_THAT(text, Not(HasSubstr("\u202e")));
        EXPECT_THAT(text, HasSubstr("\\u001b[2J\\u009b1m"));
    }
    EXPECT_EQ(Json::parse(outcome.out)["observation"]["a"], "\x1b[2J\u009b1m\u202e");
}

TEST(StepCommandOfOthers, ClosesItsConnectionProperly) {
    std::uint16_t code = 0;
    {
        ScriptedServer server([&](ScriptedPeer& peer) {
            peer.answer(observation_frame());
            code = peer.wait_for_close();
        });
        EXPECT_EQ(run_program({kOpenEnv, "step", server.url()}).code, 0);
    }
    EXPECT_EQ(code, 1000);
}

TEST(StepCommandOfOthers, TakesNoStepWhoseResultNobodyGets) {
    std::string next;
    {
        ScriptedServer server([&](ScriptedPeer& peer) {
            peer.answer(observation_frame());
            next = peer.read();
        });
        const Outcome outcome = run_program(
            {"/bin/sh", "-c", "exec \"$@\" >/dev/full", "sh", kOpenEnv, "step", server.url(), "{}"}
        );
        EXPECT_EQ(outcome.code, 1);
        EXPECT_EQ(outcome.err, "error: the output cannot be written: No space left on device\n");
    }
    EXPECT_EQ(Json::parse(next)["type"], "close");
}

/// More output than a pipe holds: it cannot be written before its reader has gone.
TEST(StepCommandOfOthers, AReaderThatHasGoneEndsItBySigpipe) {
    ScriptedServer server([](ScriptedPeer& peer) {
        peer.answer(observation_frame("\"" + std::string(4'000'000, 'x') + "\""));
        peer.wait_for_close();
    });
    const Outcome outcome = run_program(
        {"/bin/bash",
         "-c",
         "\"$@\" | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}",
         "bash",
         kOpenEnv,
         "step",
         server.url()}
    );
    EXPECT_EQ(outcome.code, 141);
    EXPECT_EQ(outcome.err, "");
}

TEST(StepCommandOfOthers, ALostConnectionEndsItWithOne) {
    ScriptedServer server([](ScriptedPeer& peer) {
        peer.answer(observation_frame());
        (void)peer.read();
        peer.reset();
    });
    const Outcome outcome = run_program({kOpenEnv, "step", server.url(), "{}"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(lines_of(outcome.out).size(), 1U);
    EXPECT_THAT(outcome.err, HasSubstr("error: step got no answer"));
}

}  // namespace
}  // namespace test
}  // namespace openenv
