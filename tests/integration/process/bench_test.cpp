// `openenv bench`: the load generator, over real sockets.
#include "integration/process/programs.hpp"
#include "integration/support/bare_websocket_server.hpp"
#include "integration/support/child_process.hpp"
#include "integration/support/terminal_process.hpp"
#include "support/fixtures/move.hpp"
#include "support/running_server.hpp"
#include "support/scripted_server.hpp"
#include "support/temporary_folder.hpp"

#include <openenv/base/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace openenv {
namespace test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Words = std::vector<std::string>;

const std::string kStep = R"({"message":"hi"})";

Words bench(const std::string& url, const Words& flags) {
    Words words{kOpenEnv, "bench"};
    if (!url.empty()) {
        words.push_back(url);
    }
    words.insert(words.end(), flags.begin(), flags.end());
    return words;
}

/// What a run found, as JSON; it has to end with that code.
Json found(const std::string& url, Words flags, int code = 0) {
    flags.emplace_back("--json");
    const Outcome outcome = run_program(bench(url, flags));
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out.find('\n'), outcome.out.size() - 1) << outcome.out;
    return Json::parse(outcome.out);
}

/// The only kind of failure of a run that ended with 1.
Json failure(const std::string& url, Words flags) {
    flags.insert(flags.end(), {"--step", kStep});
    const Json report = found(url, flags, 1);
    EXPECT_EQ(report["good"], false);
    EXPECT_EQ(report["failures"].size(), 1U) << report.dump();
    return report["failures"].empty() ? Json::object() : report["failures"][0];
}

/// The path of a new file with that content.
std::string file_with(
    const TemporaryFolder& folder, const std::string& name, const std::string& content
) {
    const std::string path = folder.file(name);
    std::ofstream(path) << content;
    return path;
}

class ServedProgram {
public:
    explicit ServedProgram(const std::string& environment)
        : process_({kOpenEnv, "serve", environment, "--port", "0"}),
          url_("127.0.0.1:" + std::to_string(process_.wait_until_listening())) {}

    [[nodiscard]] const std::string& url() const { return url_; }
    [[nodiscard]] std::string pid() const { return std::to_string(process_.pid()); }

private:
    ChildProcess process_;
    std::string url_;
};

TEST(BenchCommand, MeasuresStepsAndWhatBothSidesSpendOnThem) {
    const ServedProgram server("echo");
    const Json report = found(
        server.url(),
        {"--sessions", "8", "--duration", "0.2", "--warm-up", "0.05", "--server-pid", server.pid()}
    );
    EXPECT_EQ(report["good"], true);
    EXPECT_EQ(report["url"], "ws://" + server.url() + "/ws");
    EXPECT_EQ(report["sessions"]["completed"], 8);
    EXPECT_EQ(report["sessions"]["success_rate"], 1.0);
    EXPECT_EQ(report["connections"], 8);
    EXPECT_EQ(report["latency_from"], "sent");
    EXPECT_GT(report["steps"].as_int64(), 0);
    EXPECT_GT(report["steps_per_second"].as_double(), 0);
    EXPECT_EQ(report["latency_us"]["connect"]["count"], 8);
    EXPECT_EQ(report["latency_us"]["reset"]["count"], 8);
    EXPECT_EQ(report["latency_us"]["session"]["count"], 8);
    EXPECT_GT(report["latency_us"]["step"]["p50"].as_double(), 0);
    EXPECT_GT(report["client"]["cpu_us_per_step"].as_double(), 0);
    EXPECT_GT(report["server"]["cpu_us_per_step"].as_double(), 0);
    EXPECT_GT(report["server"]["threads"].as_int64(), 0);
    EXPECT_GT(report["server"]["resident_kib"].as_int64(), 0);
}

TEST(BenchCommand, TellsAPersonWhatItFound) {
    RunningServer server(fixture::move_entry());
    const Outcome outcome = run_program(bench(server.url(), {"--sessions", "2", "--steps", "3"}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "") << "there is no terminal to draw on";
    EXPECT_THAT(
        outcome.out,
        AllOf(
            StartsWith("ws://127.0.0.1:"),
            HasSubstr("latency counts from sending"),
            HasSubstr("(6 in "),
            HasSubstr("2 of 2 completed (100 %)"),
            HasSubstr("p99.9")
        )
    );
}

TEST(BenchCommand, OnATerminalALineSaysHowItIsGoing) {
    RunningServer server(fixture::move_entry());
    TerminalProcess process(bench(server.url(), {"--sessions", "2", "--duration", "0.5"}));
    (void)process.wait_for("2 of 2 sessions open");
    (void)process.wait_for("2 of 2 completed");
    EXPECT_EQ(process.wait(), 0);
}

TEST(BenchCommand, StartsSessionsInEveryWayAndTakesExactlyTheSteps) {
    RunningServer server(fixture::move_entry());
    for (const Words& starts :
         {Words{},
          Words{"--storm"},
          Words{"--ramp", "0.02"},
          Words{"--rate", "1000"},
          Words{"--think", "0.001"},
          Words{"--step-rate", "1000"},
          Words{"--storm", "--rate-per-session", "1000"}}) {
        Words flags{"--sessions", "5", "--steps", "4"};
        flags.insert(flags.end(), starts.begin(), starts.end());
        const Json report = found(server.url(), flags);
        EXPECT_EQ(report["sessions"]["completed"], 5);
        EXPECT_EQ(report["steps"], 20) << report.dump();
        EXPECT_EQ(report["latency_us"]["step"]["count"], 20);
    }
    EXPECT_EQ(found(server.url(), {"--steps", "0"})["steps"], 0);
}

TEST(BenchCommand, WithARateLatencyCountsFromWhenAStepWasDue) {
    const ServedProgram server("sleeper");
    const Json report = found(
        server.url(),
        {"--duration",
         "0.2",
         "--warm-up",
         "0",
         "--step-rate",
         "1000",
         "--step",
         R"({"seconds":0.05})"}
    );
    EXPECT_EQ(report["loop"], "open");
    EXPECT_EQ(report["latency_from"], "due");
    EXPECT_GT(report["backlog_steps"].as_int64(), 100) << report.dump();
    // Each was due a millisecond after the one before; what was answered was answered every 50.
    EXPECT_GT(report["latency_us"]["step"]["max"].as_double(), 100'000) << report.dump();
}

TEST(BenchCommand, BeginsANewEpisodeWhenOneIsOver) {
    RunningServer server(fixture::move_entry());
    const Json report = found(server.url(), {"--steps", "9", "--episodes", "--step", kStep});
    EXPECT_EQ(report["episodes"], 3) << "an episode of it has three steps: " << report.dump();
    EXPECT_EQ(found(server.url(), {"--steps", "9", "--step", kStep})["episodes"], 1);
}

TEST(BenchCommand, SendsWhatItIsTold) {
    RunningServer server(fixture::move_entry());
    const TemporaryFolder folder;
    const std::string script =
        file_with(folder, "script", "{\"message\":\"one\"}\n\n{\"message\":\"two\"}\n");
    const std::string action = file_with(folder, "action", R"({"message":"file"})");
    const std::string url = server.url();
    EXPECT_EQ(
        found(url, {"--steps", "1", "--script", script, "--expect", "echo:one"})["good"], true
    );
    EXPECT_EQ(found(url, {"--steps", "4", "--script", script})["good"], true);
    EXPECT_EQ(
        found(url, {"--steps", "2", "--step", "@" + action, "--expect", "echo:file"})["good"], true
    );
    EXPECT_EQ(
        found(url, {"--steps", "1", "--payload", "7", "--expect", "echo:xxxxxxx"})["good"], true
    );
    EXPECT_EQ(
        found(
            url, {"--steps", "1", "--script", script, "--expect", "echo:two"}, 1
        )["failures"][0]["reason"],
        "wrong_answer"
    );
    const Json refused = found(url, {"--steps", "1", "--reset", R"({"difficulty":"boom"})"}, 1);
    EXPECT_EQ(refused["failures"][0]["reason"], "error_frame");
    EXPECT_EQ(refused["failures"][0]["code"], "EXECUTION_ERROR");
    EXPECT_THAT(refused["failures"][0]["example"].as_string(), HasSubstr("reset exploded"));
}

TEST(BenchCommand, CountsSessionsThatAFullServerRefused) {
    RunningServer server(fixture::move_entry(), quick_config(2));
    const Json report = found(server.url(), {"--sessions", "5", "--steps", "2"}, 1);
    EXPECT_EQ(report["good"], false);
    EXPECT_EQ(report["sessions"]["opened"], 2);
    EXPECT_EQ(report["sessions"]["completed"], 2);
    EXPECT_EQ(report["sessions"]["success_rate"], 0.4);
    EXPECT_EQ(report["steps"], 4);
    EXPECT_EQ(report["failures"].size(), 1U);
    EXPECT_EQ(report["failures"][0]["reason"], "capacity");
    EXPECT_EQ(report["failures"][0]["count"], 3);
}

TEST(BenchCommand, TellsWhatWentWrongWithAServer) {
    EXPECT_EQ(failure(url_of_nobody(), {"--sessions", "3"})["reason"], "connect_refused");

    const ScriptedServer::Refusal not_found{"HTTP/1.1 404 Not Found\r\n\r\nno \x1b[2J"};
    ScriptedServer refusing(not_found);
    const Json refused = failure(refusing.url(), {});
    EXPECT_EQ(refused["reason"], "upgrade_refused");
    EXPECT_THAT(refused["example"].as_string(), HasSubstr("404 Not Found"));

    ScriptedServer dying([](ScriptedPeer& peer) {
        peer.answer(observation_frame());
        (void)peer.read();
        peer.drop();
    });
    EXPECT_EQ(failure(dying.url(), {"--sessions", "2"})["reason"], "closed");

    ScriptedServer closing([](ScriptedPeer& peer) {
        peer.answer(observation_frame());
        (void)peer.read();
        peer.close(1011, "tired");
    });
    EXPECT_THAT(failure(closing.url(), {})["example"].as_string(), HasSubstr("1011 'tired'"));

    ScriptedServer silent(ScriptedServer::Plain{[](ScriptedPeer& peer) { peer.wait_for_end(); }});
    EXPECT_EQ(failure(silent.url(), {"--patience", "0.2"})["reason"], "timeout");

    ScriptedServer talkative([](ScriptedPeer& peer) {
        peer.answer(observation_frame());
        peer.answer(std::string(5000, 'x'));
        peer.wait_for_end();
    });
    EXPECT_EQ(failure(talkative.url(), {"--max-answer-bytes", "1000"})["reason"], "protocol");

    ScriptedServer unasked([](ScriptedPeer& peer) {
        peer.answer(observation_frame());
        (void)peer.read();
        peer.send(state_frame());
        peer.wait_for_end();
    });
    EXPECT_EQ(failure(unasked.url(), {})["reason"], "wrong_answer");
}

TEST(BenchCommand, ASessionThatFailsLeavesTheOthersAlone) {
    ScriptedServer server([](ScriptedPeer& peer) {
        peer.answer(observation_frame());
        for (int step = 0; step < 3; ++step) {
            if (step == 1 && peer.number() == 1) {
                peer.answer(error_frame("EXECUTION_ERROR", "no more"));
                break;
            }
            peer.answer(observation_frame());
        }
        (void)peer.wait_for_close();
    });
    const Json report =
        found(server.url(), {"--sessions", "4", "--steps", "3", "--storm", "--step", kStep}, 1);
    EXPECT_EQ(report["sessions"]["completed"], 3);
    EXPECT_EQ(report["steps"], 10);
    EXPECT_EQ(report["failures"][0]["code"], "EXECUTION_ERROR");
}

TEST(BenchCommand, AServerOfWhichNothingIsMeasuredMakesTheNumbersVoid) {
    RunningServer server(fixture::move_entry());
    const std::string flag = "--server-pid";
    const Outcome another =
        run_program(bench(server.url(), {"--steps", "1", flag, std::to_string(::getppid())}));
    EXPECT_EQ(another.code, 1);
    EXPECT_THAT(another.err, HasSubstr("does not listen on port"));
    const TemporaryFolder folder;
    ServerConfig config = quick_config();
    config.uds = folder.file("bench.sock");
    RunningServer at_file(fixture::move_entry(), config);
    const std::string url = "unix:" + *config.uds;
    const Outcome other =
        run_program(bench(url, {"--steps", "1", flag, std::to_string(::getppid())}));
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.err, HasSubstr("does not listen at " + *config.uds));
    const Outcome ours =
        run_program(bench(url, {"--duration", "0.2", flag, std::to_string(::getpid())}));
    EXPECT_EQ(ours.code, 0) << ours.err;
    const Outcome gone = run_program(bench(server.url(), {"--steps", "1", flag, "1073741823"}));
    EXPECT_EQ(gone.code, 1);
    EXPECT_NE(gone.err, "");
}

TEST(BenchCommand, ComparesTwoServersInTurn) {
    RunningServer a(fixture::move_entry());
    RunningServer b(fixture::move_entry());
    const Words flags{
        "--compare", a.url(), b.url(), "--rounds", "3", "--steps", "5", "--seed", "1"};
    const Json comparison = found("", flags);
    EXPECT_EQ(comparison["good"], true);
    EXPECT_EQ(comparison["rounds"].size(), 3U);
    for (const Json& round : comparison["rounds"].elements()) {
        EXPECT_EQ(round["a"]["steps"], 5);
        EXPECT_EQ(round["b"]["steps"], 5);
        EXPECT_GT(round["ratio"]["p99_us"].as_double(), 0);
    }
    const Json& ratio = comparison["ratio"]["steps_per_second"];
    EXPECT_LE(ratio["lowest"].as_double(), ratio["median"].as_double());
    EXPECT_LE(ratio["median"].as_double(), ratio["highest"].as_double());
    const Outcome told = run_program(bench("", flags));
    EXPECT_EQ(told.code, 0);
    EXPECT_THAT(told.out, HasSubstr("medians of 3 rounds"));
}

TEST(BenchCommand, RunsTheGridOfTheScalingStudy) {
    const ServedProgram server("sleeper");
    const Words flags{
        "--study", "--study-sizes", "2,3", "--study-waits", "0.01,0", "--repetitions", "2"};
    const Json study = found(server.url(), flags);
    EXPECT_EQ(study["good"], true);
    EXPECT_EQ(study["study"]["timeout_s"], 120.0);
    EXPECT_EQ(study["runs"].size(), 8U);
    EXPECT_EQ(study["runs"][0]["latency_us"]["session"]["count"], 2);
    EXPECT_GE(study["runs"][0]["latency_us"]["step"]["p50"].as_double(), 10'000);
    EXPECT_EQ(study["cells"].size(), 4U);
    EXPECT_GE(study["cells"][1]["p50_s"].as_double(), 0.01);
    EXPECT_EQ(study["max_batch"][0], Json::parse(R"({"wait_s":0.01,"size":3})"));
    const Outcome told = run_program(bench(server.url(), flags));
    EXPECT_THAT(told.out, HasSubstr("largest batch with 95 % success at 0.01 s: 3"));
}

TEST(BenchCommand, SpeaksThroughAUnixDomainSocket) {
    const TemporaryFolder folder;
    const std::string path = folder.file("socket");
    BareWebSocketServer server({path, {}, ""}, [](const std::string&) {
        return observation_frame();
    });
    const Json report = found(server.url(), {"--sessions", "3", "--steps", "4", "--step", kStep});
    EXPECT_EQ(report["url"], "unix:" + path);
    EXPECT_EQ(report["steps"], 12);
    EXPECT_EQ(failure("unix:/no/such/socket", {})["reason"], "connect_failed");
}

TEST(BenchCommand, SpeaksTlsAndChecksCertificates) {
    const TestCertificate identity("127.0.0.1");
    const TemporaryFolder folder;
    const std::string trusted = file_with(folder, "trusted.pem", identity.certificate);
    BareWebSocketServer server({"", identity, ""}, [](const std::string&) {
        return observation_frame();
    });
    const Words steps{"--sessions", "3", "--steps", "4", "--step", kStep};
    const auto with = [&steps](Words flags) {
        flags.insert(flags.end(), steps.begin(), steps.end());
        return flags;
    };
    EXPECT_EQ(found(server.url(), with({"--ca-file", trusted}))["steps"], 12);
    EXPECT_EQ(found(server.url(), with({"--insecure"}))["steps"], 12);
    const Json distrusted = failure(server.url(), {});
    EXPECT_EQ(distrusted["reason"], "connect_failed");
    EXPECT_THAT(distrusted["example"].as_string(), HasSubstr("--insecure"));

    RunningServer plain(fixture::move_entry());
    EXPECT_THAT(
        failure("https://127.0.0.1:" + std::to_string(plain.port()), {})["example"].as_string(),
        HasSubstr("does not speak TLS")
    );
}

/// Answers each message of a batch; session 1 fails at its second step.
class BatchScript {
public:
    std::string operator()(const std::string& message) {
        const Json request = Json::parse(message);
        steps_ += request["type"] == Json("step") ? 1 : 0;
        std::string entries;
        for (const Json& entry : request["x"]["batch"].elements()) {
            const bool fails = steps_ == 2 && entry["session"] == Json(1);
            entries += entries.empty() ? "" : ",";
            entries += R"({"session":)" + entry["session"].dump() + ',';
            entries += fails ? R"("type":"error","data":{"message":"no","code":"EXECUTION_ERROR"}})"
                             : R"("type":"observation","data":{"observation":{},"done":false}})";
        }
        return R"({"type":"batch","x":{"batch":[)" + entries + "]}}";
    }

private:
    int steps_ = 0;
};

TEST(BenchCommand, CarriesManySessionsOnOneConnection) {
    BareWebSocketServer server({"", {}, "OpenEnv-Features: ids, batch\r\n"}, BatchScript());
    const Json report = found(server.url(), {"--batch", "4", "--steps", "3", "--step", kStep}, 1);
    EXPECT_EQ(report["connections"], 1);
    EXPECT_EQ(report["sessions"]["asked"], 4);
    EXPECT_EQ(report["sessions"]["opened"], 4);
    EXPECT_EQ(report["sessions"]["completed"], 3) << "the others go on: " << report.dump();
    EXPECT_EQ(report["steps"], 10);
    EXPECT_EQ(report["failures"][0]["count"], 1);

    BareWebSocketServer other({"", {}, "OpenEnv-Features: batch\r\n"}, BatchScript());
    const Json one = found(other.url(), {"--batch", "1", "--steps", "3", "--step", kStep});
    EXPECT_EQ(one["steps"], 3);

    BareWebSocketServer plain({"", {}, "OpenEnv-Features: ids\r\n"}, BatchScript());
    const Json refused = failure(plain.url(), {"--batch", "2", "--steps", "1"});
    EXPECT_EQ(refused["reason"], "upgrade_refused");
    EXPECT_EQ(refused["count"], 2);
    EXPECT_THAT(refused["example"].as_string(), HasSubstr("extension 'batch'"));
}

TEST(BenchCommand, AServerOfOursCarriesBatchesAndListensAtAFile) {
    const TemporaryFolder folder;
    const std::string path = folder.file("served");
    ChildProcess server({kOpenEnv, "serve", "echo", "--uds", path});
    const std::string url = "unix:" + path;
    EXPECT_EQ(server.first_line(), "listening on " + url);
    EXPECT_EQ(found(url, {"--sessions", "3", "--steps", "4"})["steps"], 12);
    const Json report =
        found(url, {"--batch", "8", "--connections", "2", "--steps", "4", "--payload", "100"});
    EXPECT_EQ(report["connections"], 2);
    EXPECT_EQ(report["sessions"]["completed"], 16);
    EXPECT_EQ(report["steps"], 64);
    const Json uneven = found(
        url,
        {"--batch",
         "4",
         "--sessions",
         "6",
         "--steps",
         "3",
         "--storm",
         "--episodes",
         "--expect",
         "hello"}
    );
    EXPECT_EQ(uneven["connections"], 2);
    EXPECT_EQ(uneven["steps"], 18);
}

TEST(BenchCommand, SendsTheTokenOfTheVariable) {
    ChildProcess server({kOpenEnv, "serve", "echo", "--port", "0"}, {{"OPENENV_TOKEN", "secret"}});
    const std::string url = "127.0.0.1:" + std::to_string(server.wait_until_listening());
    const Words command = bench(url, {"--steps", "1"});
    EXPECT_EQ(run_program(command, {{"OPENENV_TOKEN", "secret"}}).code, 0);
    EXPECT_EQ(run_program(command).code, 1);
}

TEST(BenchCommand, WrongUsageEndsWithTwoAndNamesWhatIsWrong) {
    const std::vector<std::pair<Words, std::string>> wrong{
        {{}, "address"},
        {{"h", "--compare", "a", "b"}, "address"},
        {{"ftp://h"}, "ftp://h"},
        {{"h", "--sessions", "0"}, "--sessions"},
        {{"h", "--duration", "nan"}, "--duration"},
        {{"h", "--duration", "1", "--steps", "1"}, "--steps"},
        {{"h", "--ramp", "1", "--storm"}, "--storm"},
        {{"h", "--think", "1", "--step-rate", "1"}, "--step-rate"},
        {{"h", "--connections", "2"}, "--batch"},
        {{"h", "--batch", "16385"}, "--batch"},
        {{"h", "--storm", "--steps", "1", "--warm-up", "1"}, "--warm-up"},
        {{"h", "--step", "[]"}, "--step is not a JSON object"},
        {{"h", "--step", "@/no/such/file"}, "/no/such/file"},
        {{"h", "--script", "/no/such/file"}, "/no/such/file"},
        {{"h", "--study", "--sessions", "1"}, "--study-sizes"},
        {{"127.0.0.1:9", "--study", "--wait-action", "{}"}, "--wait-action"},
        {{"--compare", "a", "b", "--server-pid", "1"}, "--server-pid"},
        {{"https://h", "--ca-file", "/no/such/file"}, "/no/such/file"},
        {{"unix:"}, "unix:"},
        {{"h", "--unknown"}, "--unknown"},
    };
    for (const auto& [arguments, named] : wrong) {
        const Outcome outcome = run_program(bench("", arguments));
        EXPECT_EQ(outcome.code, 2) << outcome.err;
        EXPECT_EQ(outcome.out, "");
        EXPECT_THAT(outcome.err, HasSubstr(named));
    }
}

TEST(BenchCommand, SessionsThatDoNotFitIntoTheProcessAreRefusedBeforeAnyIsOpened) {
    RunningServer server(fixture::move_entry());
    Words words{"/bin/sh", "-c", "ulimit -n 100; exec \"$@\"", "sh"};
    const Words command = bench(server.url(), {"--sessions", "200", "--steps", "1"});
    words.insert(words.end(), command.begin(), command.end());
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("200 connections do not fit: this process may open 100"));
}

TEST(BenchCommand, SaysHowToGoOnWithoutASchema) {
    RunningServer server(fixture::move_entry());
    const Outcome outcome = run_program(bench(server.url() + "/elsewhere", {}));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("give one with --step"));
    // Where nobody listens no action helps.
    const Outcome nobody = run_program(bench(url_of_nobody(), {}));
    EXPECT_EQ(nobody.code, 1);
    EXPECT_THAT(nobody.err, HasSubstr("is this the address of an OpenEnv server?"));
    EXPECT_THAT(nobody.err, Not(HasSubstr("--step")));
}

TEST(BenchCommand, HelpNamesTheExitCodes) {
    const Outcome outcome = run_program({kOpenEnv, "bench", "--help"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(
        outcome.out, AllOf(HasSubstr("Exit codes"), HasSubstr("--study"), HasSubstr("unix:"))
    );
    EXPECT_THAT(run_program({kOpenEnv, "--help"}).out, HasSubstr("  bench URL"));
}

}  // namespace
}  // namespace test
}  // namespace openenv
