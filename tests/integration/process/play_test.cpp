// `openenv play`, at a terminal and from scripts.
#include "integration/process/piped.hpp"
#include "integration/process/programs.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/terminal_process.hpp"
#include "support/fixtures/move.hpp"
#include "support/running_server.hpp"
#include "support/scripted_server.hpp"

#include <openenv/base/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <unistd.h>
#include <vector>

namespace openenv {
namespace test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

class PlayCommand : public testing::Test {
protected:
    PlayCommand()
        : server_(fixture::move_entry()), url_("127.0.0.1:" + std::to_string(server_.port())) {}

    [[nodiscard]] Words command(const Words& arguments = {}) const {
        Words words{kOpenEnv, "play", url_};
        words.insert(words.end(), arguments.begin(), arguments.end());
        return words;
    }
    /// What a script does; the fields of MOVE are message, count, ratio, flag, kind, color, tags,
    /// opt, point and table.
    [[nodiscard]] Outcome play(const std::string& script, const Words& arguments = {}) const {
        return run_with_input(command(arguments), script);
    }

    RunningServer server_;
    const std::string url_;
};

/// One action of MOVE: this message, and every default.
std::string say(const std::string& message) {
    constexpr std::size_t kFields = 10;
    return message + std::string(kFields, '\n');
}

TEST_F(PlayCommand, AScriptAnswersTheQuestionsAndGetsLinesOfJson) {
    const Outcome outcome = play(
        "one\n5\n0.5\ny\nb\n2\n[\"t\"]\n7\n{\"x\":1}\n{\"k\":2}\n" + say("two"), {"--seed", "3"}
    );
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const std::vector<std::string> lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), 3U) << "no prompts: " << outcome.out;
    EXPECT_EQ(Json::parse(lines[0])["observation"]["response"], "seed=3 ep=None diff=easy");
    EXPECT_EQ(Json::parse(lines[1])["observation"]["response"], "echo:one timeout=None");
    EXPECT_EQ(Json::parse(lines[2])["observation"]["response"], "echo:two timeout=None");
}

TEST_F(PlayCommand, AScriptMayBeAFile) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("moves-" + std::to_string(::getpid()) + ".txt");
    std::ofstream(file) << say("one") << ":quit\nnever read\n";
    const Outcome outcome = run_program(command({"--script", file.string()}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(lines_of(outcome.out).size(), 2U);
    std::ofstream(file) << "one\n11\n";
    const Outcome wrong = run_program(command({"--script", file.string()}));
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(
        wrong.err,
        HasSubstr(
            "line 2 of " + file.string() + ": count: this has to keep to its limits: from 0 to 10"
        )
    );
    std::filesystem::remove(file);
    const Outcome missing = run_program(command({"--script", file.string()}));
    EXPECT_EQ(missing.code, 2);
    EXPECT_THAT(missing.err, HasSubstr(file.string()));
}

TEST_F(PlayCommand, AScriptThatCannotBeReadEndsItWithTwo) {
    const Outcome outcome = run_program(command({"--script", "/"}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "error: / cannot be read: Is a directory\n");
}

TEST_F(PlayCommand, AScriptMayGiveCommands) {
    const Outcome outcome = play(
        ":state\n:json {\"message\": \"one\"}\n:reset {\"seed\": 9}\n" + say("two") +
        "half\n:schema\n:reset\n:quit\n"
    );
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<std::string> lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), 7U) << outcome.out;
    EXPECT_EQ(Json::parse(lines[1])["state"]["step_count"], 0);
    EXPECT_EQ(Json::parse(lines[2])["observation"]["response"], "echo:one timeout=None");
    EXPECT_EQ(Json::parse(lines[3])["observation"]["response"], "seed=9 ep=None diff=easy");
    EXPECT_EQ(Json::parse(lines[4])["observation"]["response"], "echo:two timeout=None");
    EXPECT_EQ(Json::parse(lines[5])["schema"]["action"]["title"], "MoveAction");
    EXPECT_EQ(Json::parse(lines[6])["observation"]["response"], "seed=None ep=None diff=easy");
}

TEST_F(PlayCommand, WrongLinesOfAScriptEndItWithTwo) {
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"\n", "line 1 of standard input: message: this is required"},
        {"much too long\n",
         "line 1 of standard input: message: this has to keep to its limits: 1 to 8 characters"},
        {"one\nmany\n", "line 2 of standard input: count: this takes a whole number"},
        {"one\n", "standard input ends after line 1, within an action: 'count' is still missing"},
        {":dance\n", "line 1 of standard input: there is no command ':dance'"},
        {":json {\"a\"\n", "line 1 of standard input: :json is not JSON ("},
        {":json\n", "line 1 of standard input: :json takes a JSON object, such as {\"a\": 1}"},
        {":reset 7\n", "line 1 of standard input: :reset is not a JSON object: 7"},
        {say("bool") + "\nmore\n", "line 12 of standard input: the episode is over"},
        {say("bool") + ":json {}\n", "line 11 of standard input: the episode is over"},
    };
    for (const auto& [script, told] : wrong) {
        const Outcome outcome = play(script);
        EXPECT_EQ(outcome.code, 2) << told;
        EXPECT_THAT(outcome.err, HasSubstr("error: " + told));
    }
}

TEST_F(PlayCommand, WhatTheServerRefusesEndsAScriptWithOne) {
    const Outcome refused = play(":json {\"message\": \"\"}\n");
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("error: line 1 of standard input: "));
    EXPECT_THAT(refused.err, HasSubstr("  message: String should have at least 1 character\n"));
    const Outcome thrown = play(say("boom"));
    EXPECT_EQ(thrown.code, 1);
    EXPECT_THAT(thrown.err, HasSubstr("step exploded"));
    const Outcome at_first = play("", {"--reset", R"({"difficulty":"boom"})"});
    EXPECT_EQ(at_first.code, 1);
    EXPECT_THAT(at_first.err, HasSubstr("reset exploded"));
}

TEST_F(PlayCommand, AScriptThatEndsIsNoError) {
    for (const std::string& script : {std::string(), say("one"), say("bool"), say("bool") + "\n"}) {
        const Outcome outcome = play(script);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
    }
    const Outcome another = play(say("bool") + ":reset\n" + say("one"));
    EXPECT_EQ(another.code, 0) << another.err;
    EXPECT_EQ(lines_of(another.out).size(), 4U);
}

TEST_F(PlayCommand, PlaysAtATerminal) {
    TerminalProcess player(command());
    const std::string beginning = player.wait_for("message (string, 1 to 8 characters): ");
    EXPECT_THAT(beginning, HasSubstr("\n  message   string, required, 1 to 8 characters\n"));
    EXPECT_THAT(beginning, HasSubstr("  response: seed=None ep=None diff=easy\n"));
    player.type("\n");
    player.wait_for("this is required");
    player.wait_for("message (string, 1 to 8 characters): ");
    player.type("one\n");
    player.wait_for("count (integer, from 0 to 10) [1]: ");
    player.type("11\n");
    player.wait_for("this has to keep to its limits: from 0 to 10");
    player.wait_for("[1]: ");
    player.type("\n");
    player.wait_for("ratio (number) [1.0]: ");
    player.type("\n");
    player.wait_for("flag (boolean, y or n) [false]: ");
    player.type("y\n");
    player.wait_for("  1) \"a\"\n  2) \"b\"\nkind (choose) [\"a\"]: ");
    player.type("2\n");
    player.wait_for("  1) \"red\"\n  2) \"blue\"\ncolor (choose) [\"red\"]: ");
    player.type("blue\n");
    player.wait_for("tags (array of string) [[]]: ");
    player.type("[\"x\"]\n");
    player.wait_for("opt (integer or null) [null]: ");
    player.type("null\n");
    player.wait_for("point (Point or null) [null]: ");
    player.type("{\"x\": 1}\n");
    player.wait_for("table (object of integer) [{}]: ");
    player.type("\n");
    player.wait_for("  response: echo:one timeout=None\n");
    player.wait_for("reward 1.0, done no\n");
    player.wait_for("message (string, 1 to 8 characters): ");
    player.type(":quit\n");
    EXPECT_EQ(player.wait(), 0);
    EXPECT_TRUE(eventually([&] { return server_.active_sessions() == 0; }));
}

TEST_F(PlayCommand, TellsWhatIsRefusedAndAsksAgain) {
    TerminalProcess player(command());
    player.wait_for("message (");
    player.type(":json {\"message\": \"\", \"count\": 11}\n");
    player.wait_for("  message: String should have at least 1 character\n");
    player.wait_for("  count: Input should be less than or equal to 10\n");
    player.wait_for("message (");
    player.type(":json {\"message\": \"boom\"}\n");
    player.wait_for("step exploded");
    player.wait_for("message (");
    player.type(":json nonsense\n");
    player.wait_for(":json is not JSON (");
    player.wait_for("message (");
    player.type(":dance\n");
    player.wait_for("there is no command ':dance'");
    player.wait_for("message (");
    player.type(":reset {\"difficulty\": \"boom\"}\n");
    player.wait_for("reset exploded");
    player.wait_for("Another one? [y]: ");
    player.type("\n");
    player.wait_for("diff=easy");
    player.wait_for("message (");
    player.type(":state\n");
    player.wait_for("  step_count: 0\n");
    player.wait_for("message (");
    player.type(":help\n");
    player.wait_for(":quit ");
    player.wait_for("message (");
    player.type(":schema\n");
    player.wait_for("observation: MoveObservation\n");
    player.wait_for("message (");
    player.type("\x04");
    EXPECT_EQ(player.wait(), 0) << player.shown();
}

TEST_F(PlayCommand, OffersAnotherEpisode) {
    TerminalProcess player(command());
    player.wait_for("message (");
    player.type(":json {\"message\": \"bool\"}\n");
    player.wait_for("reward true, done yes\n");
    player.wait_for("The episode is over. Another one? [y]: ");
    player.type("perhaps\n");
    player.wait_for("y or n");
    player.wait_for("Another one? [y]: ");
    player.type("y\n");
    player.wait_for("diff=easy");
    player.wait_for("message (");
    player.type(":json {\"message\": \"bool\"}\n");
    player.wait_for("Another one? [y]: ");
    player.type("n\n");
    EXPECT_EQ(player.wait(), 0);
}

TEST_F(PlayCommand, ARefusedResetLeavesTheEpisodeAsItIs) {
    TerminalProcess player(command({"--reset", R"({"difficulty": 1})"}));
    player.wait_for("  difficulty: ");
    player.wait_for("Another one? [y]: ");
    player.type(":reset {\"difficulty\": \"easy\"}\n");
    player.wait_for("message (");
    player.type(":json {\"message\": \"one\"}\n");
    player.wait_for("message (");
    player.type(":reset {\"difficulty\": 2}\n");
    player.wait_for("  difficulty: ");
    player.wait_for("message (");
    player.type(":state\n");
    player.wait_for("  step_count: 1\n");
    player.wait_for("message (");
    player.type(":json {\"message\": \"bool\"}\n");
    player.wait_for("Another one? [y]: ");
    player.type(":reset {\"difficulty\": 3}\n");
    player.wait_for("  difficulty: ");
    player.wait_for("Another one? [y]: ");
    player.type("n\n");
    EXPECT_EQ(player.wait(), 0);
}

TEST_F(PlayCommand, CtrlCEndsItAndTheShellScriptThatRunsIt) {
    // A shell goes on after a program that ends with a code, and ends after one that SIGINT ended.
    Words words{"/bin/bash", "-c", "\"$@\"; echo went on", "bash"};
    const Words playing = command();
    words.insert(words.end(), playing.begin(), playing.end());
    TerminalProcess player(words);
    player.wait_for("message (");
    player.type("\x03");
    EXPECT_EQ(player.wait(), 128 + SIGINT);
    EXPECT_THAT(player.shown(), Not(HasSubstr("went on")));
}

TEST(PlayCommandOfOthers, CtrlCEndsItWhileItWaitsForTheServer) {
    std::promise<void> asked;
    ScriptedServer server(ScriptedServer::Plain{[&](ScriptedPeer& peer) {
        asked.set_value();
        peer.wait_for_end();
    }});
    TerminalProcess player({kOpenEnv, "play", server.url()});
    asked.get_future().get();
    player.type("\x03");
    EXPECT_EQ(player.wait(), 128 + SIGINT);
}

TEST(PlayCommandOfOthers, ALostSessionCanBeBegunAnew) {
    const std::string schema = R"({"action":{"properties":{}},"observation":{},"state":{}})";
    ScriptedServer server(ScriptedServer::Plain{[&](ScriptedPeer& peer) {
        if (peer.target() == "/schema") {
            peer.send_bytes("HTTP/1.1 200 OK\r\n\r\n" + schema);
            return;
        }
        peer.accept();
        peer.answer(observation_frame(R"({"about":"\u001b[2Jhello\nreward 5, done yes"})"));
        (void)peer.read();
        if (peer.number() == 1) {
            peer.reset();
        } else {
            peer.send(observation_frame());
            peer.wait_for_close();
        }
    }});
    TerminalProcess player({kOpenEnv, "play", server.url()});
    player.wait_for("  about:\n    \\u001b[2Jhello\n    reward 5, done yes\nreward null, done no\n"
    );
    player.wait_for("action (object): ");
    player.type("{}\n");
    player.wait_for("error: step got no answer");
    player.wait_for("Another one? [y]: ");
    player.type("\n");
    player.wait_for("action (object): ");
    player.type("{}\n");
    player.wait_for("reward null, done no\n");
    player.wait_for("action (object): ");
    player.type(":quit\n");
    EXPECT_EQ(player.wait(), 0);
    EXPECT_THAT(player.shown(), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace test
}  // namespace openenv
