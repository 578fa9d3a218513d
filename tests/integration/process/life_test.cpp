// How the programs start, what they print, and how they end.
#include "integration/process/programs.hpp"
#include "integration/support/admission.hpp"
#include "integration/support/child_process.hpp"
#include "support/http_request.hpp"
#include "support/raw_websocket.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Words = std::vector<std::string>;

TEST(Process, HelpAndVersionGoToStandardOutputAndEndWithZero) {
    for (const Words& command :
         {Words{kOpenEnv, "--help"},
          Words{kOpenEnv, "--version"},
          Words{kOpenEnv, "serve", "--help"},
          Words{kOpenEnv, "serve", "--version"},
          Words{kOpenEnv, "list", "--help"},
          Words{kEcho, "--help"},
          Words{kEcho, "--version"}}) {
        const Outcome outcome = run_program(command);
        EXPECT_EQ(outcome.code, 0) << command.back();
        EXPECT_NE(outcome.out, "") << command.back();
        EXPECT_EQ(outcome.err, "") << command.back();
    }
}

TEST(Process, HelpOfServeNamesEveryFlagAndTheExitCodes) {
    std::string help = run_program({kOpenEnv, "serve", "--help"}).out;
    for (const char* word :
         {"--help",
          "--version",
          "--describe",
          "--host",
          "--port",
          "--max-concurrent-envs",
          "--mode",
          "--token",
          "--insecure",
          "--call-timeout",
          "--session-timeout",
          "--max-message-bytes",
          "--threads",
          "--workers",
          "MAX_CONCURRENT_ENVS",
          "OPENENV_MODE",
          "OPENENV_HOST",
          "OPENENV_INSECURE",
          "OPENENV_TOKEN",
          "ENV_README_PATH",
          "OPENENV_LOG_LEVEL",
          "echo",
          "wordle"}) {
        EXPECT_THAT(help, HasSubstr(word));
    }
    std::replace(help.begin(), help.end(), '\n', ' ');
    const std::size_t codes = help.find("Exit codes:");
    ASSERT_NE(codes, std::string::npos);
    for (const char* code : {" 0 ", " 1 ", " 2 ", " 3 ", " 130 "}) {
        EXPECT_THAT(help.substr(codes), HasSubstr(code));
    }
}

TEST(Process, DescribeIsOneLineOfJson) {
    for (const Words& command :
         {Words{kOpenEnv, "serve", "echo", "--describe"},
          Words{kEcho, "--describe"},
          Words{kOpenEnv, "serve", kEcho, "--describe"}}) {
        const Outcome outcome = run_program(command);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.out.find('\n'), outcome.out.size() - 1) << outcome.out;
        EXPECT_EQ(Json::parse(outcome.out)["name"], "echo");
    }
}

TEST(Process, ListNamesWhatTheProgramCarries) {
    const Outcome outcome = run_program({kOpenEnv, "list", "--json"});
    EXPECT_EQ(outcome.code, 0);
    std::vector<std::string> names;
    const Json list = Json::parse(outcome.out);
    for (const Json& entry : list.elements()) {
        names.push_back(entry["name"].as_string());
    }
    EXPECT_THAT(names, testing::IsSupersetOf({"echo", "wordle"}));
    EXPECT_THAT(run_program({kOpenEnv, "list"}).out, HasSubstr("wordle"));
}

TEST(Process, WrongUsageEndsWithTwoAndSaysSoOnStandardError) {
    for (const Words& command :
         {Words{kOpenEnv},
          Words{kOpenEnv, "dance"},
          Words{kOpenEnv, "serve"},
          Words{kOpenEnv, "serve", "no-such-environment"},
          Words{kOpenEnv, "serve", "/no/such/program"},
          Words{kOpenEnv, "serve", "/"},
          Words{kOpenEnv, "serve", "/etc/hostname"},
          Words{kOpenEnv, "serve", "/bin/true"},
          Words{kOpenEnv, "serve", "/bin/echo"},
          Words{kOpenEnv, "list", "--unknown"},
          Words{kEcho, "--unknown"}}) {
        const Outcome outcome = run_program(command);
        EXPECT_EQ(outcome.code, 2) << command.back();
        EXPECT_EQ(outcome.out, "") << command.back();
        EXPECT_NE(outcome.err, "") << command.back();
    }
    const std::string unknown = run_program({kOpenEnv, "serve", "no-such-environment"}).err;
    EXPECT_THAT(unknown, HasSubstr("no-such-environment"));
    EXPECT_THAT(unknown, HasSubstr("wordle")) << "the names there are";
}

TEST(Process, ServingANameAPathAndTheProgramItselfIsTheSame) {
    for (const Words& command :
         {Words{kOpenEnv, "serve", "echo", "--port", "0"},
          Words{kOpenEnv, "serve", kEcho, "--port", "0"},
          Words{kEcho, "--port", "0"}}) {
        ChildProcess program(command);
        const std::uint16_t port = program.wait_until_listening();
        RawWebSocket session(port);
        const Json answer = session.ask(R"({"type":"step","data":{"message":"hi"}})");
        EXPECT_EQ(answer["data"]["observation"]["echoed_message"], "hi");
        close_session(session);
        program.signal(SIGTERM);
        EXPECT_EQ(program.wait(), 0);
        const std::string line = "listening on http://127.0.0.1:" + std::to_string(port) + "\n";
        EXPECT_EQ(program.out(), line) << "nothing else goes to standard output";
    }
}

TEST(Process, APortThatIsTakenEndsWithOne) {
    ChildProcess first({kEcho, "--port", "0"});
    const std::string port = std::to_string(first.wait_until_listening());
    const Outcome second = run_program({kEcho, "--port", port});
    EXPECT_EQ(second.code, 1);
    EXPECT_EQ(second.out, "");
    EXPECT_THAT(second.err, HasSubstr(port));
}

TEST(Process, SigtermSaysGoodbyeAndEndsWithZero) {
    ChildProcess program({kOpenEnv, "serve", "wordle", "--port", "0"});
    const std::uint16_t port = program.wait_until_listening();
    const auto session = open_session(port);
    const auto other = open_session(port);
    RawWebSocket tools(port, "/mcp");
    program.signal(SIGTERM);
    for (RawWebSocket* peer : {session.get(), other.get(), &tools}) {
        EXPECT_EQ(peer->receive_close().code, 1001);
        peer->socket().close();
    }
    EXPECT_EQ(program.wait(), 0);
}

TEST(Process, SigintEndsWith130) {
    ChildProcess program({kEcho, "--port", "0"});
    const auto session = open_session(program.wait_until_listening());
    program.signal(SIGINT);
    EXPECT_EQ(session->receive_close().code, 1001);
    session->socket().close();
    EXPECT_EQ(program.wait(), 130);
}

TEST(Process, AnEnvironmentThatNeverReturnsEndsWithThree) {
    ChildProcess program({kStuck, "--port", "0"});
    RawWebSocket session(program.wait_until_listening());
    session.send_text(R"({"type":"step","data":{}})");
    program.wait_for_log("the step has begun");
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 3);
    EXPECT_THAT(program.err(), HasSubstr("never came back"));
}

TEST(Process, ATaskThatIsDeafToCancellationEndsWithThree) {
    ChildProcess program({kStuckTask, "--port", "0"});
    RawWebSocket session(program.wait_until_listening());
    session.send_text(R"({"type":"step","data":{}})");
    program.wait_for_log("the step has begun");
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 3);
    EXPECT_THAT(program.err(), HasSubstr("never came back"));
}

TEST(Process, AKilledServerCanBeStartedAgainOnItsPort) {
    std::string port;
    {
        ChildProcess program({kEcho, "--port", "0"});
        const std::uint16_t number = program.wait_until_listening();
        port = std::to_string(number);
        const auto session = open_session(number);
        program.signal(SIGKILL);
        EXPECT_EQ(program.wait(), 128 + SIGKILL);
        session->socket().wait_for_end();
    }
    ChildProcess again({kEcho, "--port", port});
    const auto session = open_session(again.wait_until_listening());
    expect_alive(*session);
}

TEST(Field, F59ServerWithoutDescriptorsKeepsItsSessionsAndRecovers) {
    ChildProcess program({"/bin/sh", "-c", "ulimit -n 40; exec \"$0\" --port 0 --threads 1", kEcho}
    );
    const std::uint16_t port = program.wait_until_listening();
    const auto session = open_session(port);
    {
        std::vector<std::unique_ptr<Socket>> too_many;
        for (int i = 0; i != 60; ++i) {
            too_many.push_back(std::make_unique<Socket>(port));
        }
        program.wait_for_log("no new connections for now");
        expect_alive(*session);
    }
    expect_alive(*open_session(port));
    expect_alive(*session);
}

TEST(Process, ALogThatNobodyReadsHoldsUpNobody) {
    ChildProcess program({kEcho, "--port", "0", "--max-concurrent-envs", "1"});
    const std::uint16_t port = program.wait_until_listening();
    const auto only = open_session(port);
    // Each refusal is a line, and a pipe that is not read takes 64 KiB of them.
    for (int i = 0; i != 1000; ++i) {
        RawWebSocket refused(port);
        (void)refused.receive_text();
    }
    expect_alive(*only);
    EXPECT_EQ(http_get(port, "/health").status, 200);
    program.signal(SIGTERM);
    EXPECT_EQ(only->receive_close().code, 1001);
    only->socket().close();
    EXPECT_EQ(program.wait(), 0);
    EXPECT_THAT(program.err(), HasSubstr("session refused"));
    EXPECT_LT(program.err().size(), 100'000U) << "lines were lost, as they had to be";
}

TEST(Process, AProgramWithoutStandardStreamsSpeaksToNobodyElse) {
    ChildProcess program({"/bin/sh", "-c", "exec \"$0\" --port 0 <&- 2>&-", kEcho});
    (void)program.wait_until_listening();
    const std::string descriptors = "/proc/" + std::to_string(program.pid()) + "/fd/";
    for (const char* number : {"0", "2"}) {
        EXPECT_EQ(std::filesystem::read_symlink(descriptors + number), "/dev/null") << number;
    }
}

TEST(Process, APeerThatLeavesDoesNotEndTheProgram) {
    ChildProcess program({kEcho, "--port", "0"});
    const std::uint16_t port = program.wait_until_listening();
    for (int i = 0; i != 20; ++i) {
        const auto session = open_session(port);
        session->send_text(R"({"type":"step","data":{"message":"bye"}})");
        session->socket().abort();  // the answer meets a connection that is no more
    }
    expect_alive(*open_session(port));
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0);
}

}  // namespace
}  // namespace test
}  // namespace openenv
