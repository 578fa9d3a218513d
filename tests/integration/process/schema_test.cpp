// `openenv schema`, and what the commands that talk to servers have in common.
#include "integration/process/programs.hpp"
#include "integration/support/child_process.hpp"
#include "support/fixtures/move.hpp"
#include "support/running_server.hpp"
#include "support/scripted_server.hpp"

#include <openenv/base/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace openenv {
namespace test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Words = std::vector<std::string>;

const std::vector<std::string> kCommands{"schema", "step", "play"};

TEST(SchemaCommand, ListsTheFieldsOfAServedEnvironment) {
    ChildProcess server({kOpenEnv, "serve", "echo", "--port", "0"});
    const std::string url = "127.0.0.1:" + std::to_string(server.wait_until_listening());
    const Outcome outcome = run_program({kOpenEnv, "schema", url});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, StartsWith("action: EchoAction\n"));
    EXPECT_THAT(
        outcome.out, HasSubstr("  message   string, required\n            The text to send")
    );
    EXPECT_THAT(outcome.out, HasSubstr("\nobservation: EchoObservation\n"));
    EXPECT_THAT(outcome.out, HasSubstr("\nstate: "));
}

TEST(SchemaCommand, PrintsTheDocumentAsServed) {
    RunningServer server(fixture::move_entry());
    const std::string url = server.url();
    const Outcome outcome = run_program({kOpenEnv, "schema", url, "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out.find('\n'), outcome.out.size() - 1);
    const Json document = Json::parse(outcome.out);
    EXPECT_EQ(document["action"]["properties"]["message"]["maxLength"], 8);
    EXPECT_TRUE(document.contains("observation"));
    EXPECT_TRUE(document.contains("state"));
}

TEST(SchemaCommand, PrintsNothingThatATerminalWouldObey) {
    const std::string body =
        R"({"action":{"title":"\u001b[2J","properties":{"a\u009b1m":{"description":"\u001b]0;x"}}},)"
        R"("observation":{},"state":{}})";
    for (const Words& flags : {Words{}, Words{"--json"}}) {
        ScriptedServer server("HTTP/1.1 200 OK\r\n\r\n" + body);
        Words command{kOpenEnv, "schema", server.url()};
        command.insert(command.end(), flags.begin(), flags.end());
        const Outcome outcome = run_program(command);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_THAT(outcome.out, Not(HasSubstr("\x1b")));
        EXPECT_THAT(outcome.out, Not(HasSubstr("\u009b")));
        EXPECT_THAT(outcome.out, HasSubstr("\\u001b[2J"));
    }
    ScriptedServer refusing("HTTP/1.1 404 No\r\n\r\n\x1b[2J\xc2\x9b");
    const Outcome outcome = run_program({kOpenEnv, "schema", refusing.url()});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("404"));
    EXPECT_THAT(outcome.err, Not(HasSubstr("\x1b")));
    EXPECT_THAT(outcome.err, Not(HasSubstr("\u009b")));
}

TEST(ClientCommands, HelpNamesFlagsVariablesAndExitCodes) {
    for (const std::string& command : kCommands) {
        const Outcome outcome = run_program({kOpenEnv, command, "--help"});
        EXPECT_EQ(outcome.code, 0);
        EXPECT_EQ(outcome.err, "");
        for (const char* word :
             {"URL",
              "--timeout",
              "--connect-timeout",
              "--ca-file",
              "OPENENV_TOKEN",
              "ws_proxy",
              "wss_proxy",
              "Exit codes"}) {
            EXPECT_THAT(outcome.out, HasSubstr(word)) << command;
        }
        EXPECT_THAT(run_program({kOpenEnv, "--help"}).out, HasSubstr("  " + command + " URL"));
        EXPECT_THAT(run_program({kOpenEnv, "nonsense"}).err, HasSubstr(command));
    }
}

TEST(ClientCommands, WrongUsageEndsWithTwoAndNamesWhatIsWrong) {
    const std::vector<std::pair<Words, std::string>> wrong{
        {{}, "URL"},
        {{"ftp://h"}, "ftp://h"},
        {{"http://me:pw@h"}, "user names"},
        {{"h", "--timeout", "0"}, "--timeout"},
        {{"h", "--timeout", "soon"}, "soon"},
        {{"h", "--connect-timeout", "-1"}, "--connect-timeout"},
        {{"https://h", "--ca-file", "/no/such/file"}, "/no/such/file"},
        {{"h", "--unknown"}, "--unknown"},
        {{"h", "--token", "secret"}, "--token"},
    };
    for (const std::string& command : kCommands) {
        for (const auto& [arguments, named] : wrong) {
            Words words{kOpenEnv, command};
            words.insert(words.end(), arguments.begin(), arguments.end());
            const Outcome outcome = run_program(words);
            EXPECT_EQ(outcome.code, 2) << command << ": " << outcome.err;
            EXPECT_EQ(outcome.out, "");
            EXPECT_THAT(outcome.err, HasSubstr(named)) << command;
        }
        const Outcome token =
            run_program({kOpenEnv, command, "h"}, {{"OPENENV_TOKEN", "two\r\nlines"}});
        EXPECT_EQ(token.code, 2);
        EXPECT_THAT(token.err, HasSubstr("OPENENV_TOKEN holds a line break or another"));
        EXPECT_THAT(token.err, Not(HasSubstr("two")));
    }
}

TEST(ClientCommands, AServerThatIsNotThereEndsThemWithOne) {
    const std::string url = url_of_nobody();
    for (const std::string& command : kCommands) {
        const Outcome outcome = run_program({kOpenEnv, command, url});
        EXPECT_EQ(outcome.code, 1);
        EXPECT_EQ(outcome.out, "");
        EXPECT_THAT(outcome.err, StartsWith("error: Failed to connect to ")) << command;
    }
}

TEST(ClientCommands, AServerThatNeverAnswersEndsThemWithOne) {
    ScriptedServer server(ScriptedServer::Plain{[](ScriptedPeer& peer) { peer.wait_for_end(); }});
    for (const std::string& command : kCommands) {
        const Outcome outcome = run_program({kOpenEnv, command, server.url(), "--timeout", "0.3"});
        EXPECT_EQ(outcome.code, 1);
        EXPECT_THAT(outcome.err, HasSubstr("ran out of time")) << command;
    }
}

TEST(ClientCommands, AnOutputThatTakesNothingEndsThemWithOneAndAReason) {
    RunningServer server(fixture::move_entry());
    const std::string url = "127.0.0.1:" + std::to_string(server.port());
    for (const std::string& command : kCommands) {
        const Outcome outcome =
            run_program({"/bin/sh", "-c", "exec \"$@\" >/dev/full", "sh", kOpenEnv, command, url});
        EXPECT_EQ(outcome.code, 1) << command;
        EXPECT_EQ(outcome.err, "error: the output cannot be written: No space left on device\n")
            << command;
    }
}

TEST(ClientCommands, TheTokenComesFromTheVariable) {
    ChildProcess server({kOpenEnv, "serve", "echo", "--port", "0"}, {{"OPENENV_TOKEN", "secret"}});
    const std::string url = "127.0.0.1:" + std::to_string(server.wait_until_listening());
    for (const std::string& command : kCommands) {
        const Outcome without = run_program({kOpenEnv, command, url});
        EXPECT_EQ(without.code, 1) << command;
        EXPECT_THAT(without.err, HasSubstr("token"));
        const Outcome with = run_program({kOpenEnv, command, url}, {{"OPENENV_TOKEN", "secret"}});
        EXPECT_EQ(with.code, 0) << command << ": " << with.err;
    }
}

}  // namespace
}  // namespace test
}  // namespace openenv
