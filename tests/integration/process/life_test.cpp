// How the programs start, what they print, and how they end.
#include "integration/process/programs.hpp"
#include "integration/support/admission.hpp"
#include "integration/support/child_process.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/rounds.hpp"
#include "support/http_request.hpp"
#include "support/raw_websocket.hpp"
#include "support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <unistd.h>
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
          "--uds",
          "--uds-mode",
          "--max-concurrent-envs",
          "--mode",
          "--token",
          "--insecure",
          "--call-timeout",
          "--session-timeout",
          "--max-message-bytes",
          "--threads",
          "--workers",
          "--queue-depth",
          "--queue-timeout",
          "--max-sessions-per-peer",
          "MAX_CONCURRENT_ENVS",
          "OPENENV_MODE",
          "OPENENV_HOST",
          "OPENENV_UDS",
          "OPENENV_INSECURE",
          "OPENENV_TOKEN",
          "ENV_README_PATH",
          "OPENENV_LOG_LEVEL",
          "OPENENV_LOG_FORMAT",
          "OPENENV_QUEUE_DEPTH",
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
    EXPECT_THAT(
        names,
        testing::IsSupersetOf(
            {"acrobot",
             "cartpole",
             "echo",
             "mountain_car",
             "mountain_car_continuous",
             "pendulum",
             "wordle"}
        )
    );
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

/// What /proc tells of its CPU time.
double cpu_seconds(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string skipped;
    for (int i = 0; i != 11; ++i) {
        fields >> skipped;
    }
    double user = 0;
    double system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

TEST(Field, F59WhoFindsNoDescriptorIsToldSoAndNobodySpins) {
    constexpr int kSockets = 400;
    ChildProcess program({"/bin/sh", "-c", "ulimit -n 256; exec \"$0\" --port 0 --threads 2", kEcho}
    );
    const std::uint16_t port = program.wait_until_listening();
    std::vector<std::unique_ptr<RawWebSocket>> admitted;
    int refused = 0;
    for (int i = 0; i != kSockets; ++i) {
        auto peer = std::make_unique<RawWebSocket>(port);
        if (peer->accepted()) {
            admitted.push_back(std::move(peer));
            continue;
        }
        ++refused;
        EXPECT_EQ(peer->handshake_reply().status, 503);
        EXPECT_THAT(peer->handshake_reply().json()["detail"].as_string(), HasSubstr("ulimit -n"));
    }
    EXPECT_GT(admitted.size(), 200U);
    EXPECT_GT(refused, 100);
    program.wait_for_log("no new connections for now");
    for (const auto& peer : admitted) {
        expect_alive(*peer);
    }
    if (soaking()) {
        // One waits to be accepted all the time.
        const double before = cpu_seconds(program.pid());
        const auto begin = std::chrono::steady_clock::now();
        const auto elapsed = [&] {
            const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
            return time.count();
        };
        while (elapsed() < 3) {
            EXPECT_FALSE(RawWebSocket(port).accepted());
        }
        EXPECT_LT(cpu_seconds(program.pid()) - before, 0.05 * elapsed());
    }
    admitted.resize(admitted.size() - 10);
    EXPECT_TRUE(eventually([&] { return RawWebSocket(port).accepted(); })) << "it recovers";
    expect_alive(*admitted.front());
}

TEST(Process, AUnixSocketTakesThePlaceOfThePort) {
    const TemporaryFolder folder;
    const std::string file = folder.file("echo.sock");
    ChildProcess program({kOpenEnv, "serve", "echo", "--uds", file});
    EXPECT_EQ(program.first_line(), "listening on unix:" + file);
    const Outcome step = run_program({kOpenEnv, "step", "unix:" + file, R"({"message":"hi"})"});
    EXPECT_EQ(step.code, 0) << step.err;
    EXPECT_THAT(step.out, HasSubstr(R"("echoed_message":"hi")"));
    EXPECT_EQ(run_program({kOpenEnv, "schema", "unix:" + file}).code, 0);
    const Outcome second = run_program({kOpenEnv, "serve", "echo", "--uds", "unix:" + file});
    EXPECT_EQ(second.code, 1);
    EXPECT_THAT(second.err, HasSubstr("another process listens there"));
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0);
    EXPECT_EQ(program.out(), "listening on unix:" + file + "\n");
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Process, AKilledServerCanBeStartedAgainAtItsFile) {
    const TemporaryFolder folder;
    const std::string file = folder.file("echo.sock");
    {
        ChildProcess program({kEcho, "--uds", file});
        (void)program.first_line();
        program.signal(SIGKILL);
        EXPECT_EQ(program.wait(), 128 + SIGKILL);
    }
    ASSERT_TRUE(std::filesystem::exists(file));
    ChildProcess again({kEcho, "--port", "0"}, {{"OPENENV_UDS", file}});
    EXPECT_THAT(again.first_line(), StartsWith("listening on http://")) << "--port: there as well";
    EXPECT_EQ(run_program({kOpenEnv, "schema", "unix:" + file}).code, 0);
    again.signal(SIGTERM);
    EXPECT_EQ(again.wait(), 0);
    EXPECT_THAT(again.out(), HasSubstr("\nlistening on unix:" + file + "\n"));
}

TEST(Process, RightsOfASocketAreReadAsChmodDoes) {
    for (const char* wrong : {"888", "1777", "rw", "-1", ""}) {
        EXPECT_EQ(run_program({kEcho, "--uds", "/tmp/x", "--uds-mode", wrong}).code, 2) << wrong;
    }
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
