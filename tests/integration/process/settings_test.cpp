// F15 and others: what the program does with the settings it is given.
#include "integration/process/piped.hpp"
#include "integration/process/programs.hpp"
#include "integration/support/admission.hpp"
#include "integration/support/child_process.hpp"
#include "support/http_request.hpp"
#include "support/raw_websocket.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

Words serve_echo(const Words& flags = {}) {
    Words command{kOpenEnv, "serve", "echo", "--port", "0"};
    command.insert(command.end(), flags.begin(), flags.end());
    return command;
}

/// Ends the program and returns what it logged.
std::string log_of(ChildProcess& program) {
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait(), 0);
    return program.err();
}

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

TEST(Field, F15CapacitiesThatCannotBeAreRefusedAtStart) {
    for (const std::string value : {"abc", "0", "-1", "1.5", "7x", "99999999999999999999999"}) {
        const Outcome by_variable = run_program(serve_echo(), {{"MAX_CONCURRENT_ENVS", value}});
        EXPECT_EQ(by_variable.code, 2) << value;
        EXPECT_EQ(by_variable.out, "") << value;
        EXPECT_THAT(by_variable.err, HasSubstr("MAX_CONCURRENT_ENVS is '" + value + "'"));
        EXPECT_THAT(by_variable.err, HasSubstr("at least 1"));
        const Outcome by_flag = run_program(serve_echo({"--max-concurrent-envs", value}));
        EXPECT_EQ(by_flag.code, 2) << value;
        EXPECT_EQ(by_flag.out, "") << value;
        EXPECT_THAT(by_flag.err, HasSubstr("--max-concurrent-envs"));
        EXPECT_THAT(by_flag.err, HasSubstr(value));
        EXPECT_LT(by_flag.err.size(), 300U) << "not clear: " << by_flag.err;
    }
}

TEST(Field, F15TheVariableSetsTheCapacityAndTheRefusalNamesIt) {
    ChildProcess program(serve_echo(), {{"MAX_CONCURRENT_ENVS", "2"}});
    const std::uint16_t port = program.wait_until_listening();
    const auto first = try_session(port, 2);
    const auto second = try_session(port, 2);
    EXPECT_TRUE(first && second);
    EXPECT_EQ(try_session(port, 2), nullptr);
    program.wait_for_log("MAX_CONCURRENT_ENVS");
}

TEST(Process, AFlagWinsOverItsVariable) {
    ChildProcess program(
        serve_echo({"--max-concurrent-envs", "1", "--mode", "production"}),
        {{"MAX_CONCURRENT_ENVS", "3"}, {"OPENENV_MODE", "simulation"}}
    );
    const std::uint16_t port = program.wait_until_listening();
    const auto only = try_session(port, 1);
    EXPECT_NE(only, nullptr);
    EXPECT_EQ(try_session(port, 1), nullptr);
    EXPECT_EQ(http_post(port, "/reset", "{}").status, 404) << "production has no /reset";
    EXPECT_EQ(http_get(port, "/schema").status, 200);
}

TEST(Process, EmptyVariablesCountAsUnset) {
    ChildProcess program(
        serve_echo(),
        {{"MAX_CONCURRENT_ENVS", ""},
         {"OPENENV_MODE", ""},
         {"OPENENV_TOKEN", ""},
         {"OPENENV_LOG_LEVEL", ""}}
    );
    const std::uint16_t port = program.wait_until_listening();
    EXPECT_EQ(http_post(port, "/reset", "{}").status, 200);
    EXPECT_THAT(log_of(program), HasSubstr("serving echo")) << "the level is that of the default";
}

TEST(Process, SettingsThatCannotBeEndWithTwo) {
    const std::vector<std::pair<Words, std::string>> wrong{
        {{"--mode", "fast"}, "simulation"},
        {{"--port", "70000"}, "--port"},
        {{"--port", "-1"}, "--port"},
        {{"--port", "http"}, "--port"},
        {{"--threads", "0"}, "--threads"},
        {{"--workers", "0"}, "--workers"},
        {{"--call-timeout", "0"}, "--call-timeout"},
        {{"--call-timeout", "soon"}, "--call-timeout"},
        {{"--call-timeout", "nan"}, "--call-timeout"},
        {{"--call-timeout", "1e30"}, "--call-timeout"},
        {{"--session-timeout", "-5"}, "--session-timeout"},
        {{"--max-message-bytes", "0"}, "--max-message-bytes"},
        {{"--queue-depth", "-1"}, "--queue-depth"},
        {{"--queue-timeout", "0"}, "--queue-timeout"},
        {{"--max-sessions-per-peer", "0"}, "--max-sessions-per-peer"},
        {{"--host", "no.such.host"}, "no.such.host"},
        {{"--token", ""}, "token"},
        {{"--unknown"}, "--unknown"},
        {{"second"}, "second"},
    };
    for (const auto& [flags, named] : wrong) {
        SCOPED_TRACE(flags.front());
        Words command{kOpenEnv, "serve", "echo"};
        command.insert(command.end(), flags.begin(), flags.end());
        const Outcome outcome = run_program(command);
        EXPECT_EQ(outcome.code, 2) << outcome.err;
        EXPECT_EQ(outcome.out, "");
        EXPECT_THAT(outcome.err, HasSubstr(named));
    }
    const Outcome mode = run_program(serve_echo(), {{"OPENENV_MODE", "fast"}});
    EXPECT_EQ(mode.code, 2);
    EXPECT_THAT(mode.err, HasSubstr("fast"));
    const Outcome level = run_program(serve_echo(), {{"OPENENV_LOG_LEVEL", "verbose"}});
    EXPECT_EQ(level.code, 2);
    EXPECT_EQ(level.out, "");
    EXPECT_THAT(level.err, HasSubstr("OPENENV_LOG_LEVEL"));
    EXPECT_THAT(level.err, HasSubstr("verbose"));
    for (const auto& [name, value] : ChildProcess::Variables{
             {"OPENENV_LOG_FORMAT", "xml"},
             {"OPENENV_QUEUE_DEPTH", "-1"},
             {"OPENENV_QUEUE_TIMEOUT", "soon"},
             {"OPENENV_MAX_SESSIONS_PER_PEER", "0"}}) {
        const Outcome outcome = run_program(serve_echo(), {{name, value}});
        EXPECT_EQ(outcome.code, 2) << name;
        EXPECT_EQ(outcome.out, "") << name;
        EXPECT_THAT(outcome.err, HasSubstr(name + " is '" + value + "'"));
    }
    const Outcome readme = run_program(serve_echo(), {{"ENV_README_PATH", "/no/such/file"}});
    EXPECT_EQ(readme.code, 2);
    EXPECT_THAT(readme.err, HasSubstr("/no/such/file"));
}

TEST(Process, TheQueueIsSetByVariablesAndFlagsWin) {
    ChildProcess program(
        serve_echo({"--queue-depth", "3"}),
        {{"OPENENV_QUEUE_DEPTH", "7"},
         {"OPENENV_QUEUE_TIMEOUT", "0.5"},
         {"OPENENV_MAX_SESSIONS_PER_PEER", "1"}}
    );
    const std::uint16_t port = program.wait_until_listening();
    const Json page = http_get(port, "/sessions").json();
    EXPECT_EQ(page["queue_depth"], 3);
    const auto first = open_session(port);
    RawWebSocket second(port);
    EXPECT_THAT(second.receive_text(), HasSubstr("--max-sessions-per-peer"));
}

TEST(Process, ALogInJsonIsOneObjectALineAndHoldsNoSecret) {
    const std::string token = "secret-token-6f1c";
    const std::string content = "secret-content-91ab";
    ChildProcess program(
        serve_echo(),
        {{"OPENENV_LOG_FORMAT", "json"}, {"OPENENV_LOG_LEVEL", "debug"}, {"OPENENV_TOKEN", token}}
    );
    const std::uint16_t port = program.wait_until_listening();
    const Headers allowed{{"authorization", "Bearer " + token}, {"x-secret", "secret-header"}};
    RawWebSocket session(port, "/ws", allowed);
    (void)session.ask(R"({"type":"reset","data":{"episode_id":"ep-1"}})");
    (void)session.ask(R"({"type":"step","data":{"message":")" + content + R"("}})");
    (void)session.ask(R"({"type":"step","data":{"massage":")" + content + R"("}})");
    close_session(session);
    program.wait_for_log("session closed");
    EXPECT_EQ(http_get(port, "/metrics").status, 401);
    const std::string text = log_of(program);
    for (const std::string& secret : {token, content, std::string("secret-header")}) {
        EXPECT_EQ(text.find(secret), std::string::npos) << text;
    }
    bool closed = false;
    for (const std::string& line : lines_of(text)) {
        const Json entry = Json::parse(line);
        EXPECT_EQ(entry["time"].as_string().size(), 24U) << line;
        EXPECT_TRUE(entry["level"].is_string()) << line;
        EXPECT_FALSE(entry["message"].as_string().empty()) << line;
        if (entry["message"] == "session closed") {
            closed = true;
            EXPECT_EQ(entry["episode"], "ep-1");
            EXPECT_THAT(entry["peer"].as_string(), HasSubstr("127.0.0.1:"));
            EXPECT_FALSE(entry["session"].as_string().empty());
            EXPECT_EQ(entry["calls"], 3);
            EXPECT_TRUE(entry["duration_s"].is_number());
        }
    }
    EXPECT_TRUE(closed) << text;
}

TEST(Process, ALongLineOfAJsonLogIsStillJson) {
    ChildProcess program(
        serve_echo({"--max-concurrent-envs", "1"}),
        {{"OPENENV_LOG_FORMAT", "json"}, {"OPENENV_LOG_LEVEL", "debug"}}
    );
    const std::uint16_t port = program.wait_until_listening();
    RawWebSocket session(port);
    (void
    )session.ask(R"({"type":"reset","data":{"episode_id":")" + std::string(5000, 'e') + R"("}})");
    close_session(session);
    program.wait_for_log("session closed");
    for (const std::string& line : lines_of(log_of(program))) {
        EXPECT_LE(line.size(), 4096U);
        EXPECT_TRUE(Json::parse(line)["message"].is_string());
    }
}

TEST(Process, ListeningToOthersNeedsATokenOrSayingThatItIsMeant) {
    const Outcome refused = run_program(serve_echo({"--host", "0.0.0.0"}));
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, HasSubstr("--token"));
    EXPECT_THAT(refused.err, HasSubstr("--insecure"));
    const Outcome by_variable = run_program(serve_echo(), {{"OPENENV_HOST", "0.0.0.0"}});
    EXPECT_EQ(by_variable.code, 2);

    ChildProcess insecure(serve_echo({"--host", "0.0.0.0", "--insecure"}));
    EXPECT_EQ(http_get(insecure.wait_until_listening(), "/schema").status, 200);
    ChildProcess by_insecure_variable(
        serve_echo({"--host", "0.0.0.0"}), {{"OPENENV_INSECURE", "1"}}
    );
    EXPECT_EQ(http_get(by_insecure_variable.wait_until_listening(), "/schema").status, 200);
    ChildProcess with_token(serve_echo({"--host", "0.0.0.0"}), {{"OPENENV_TOKEN", "secret"}});
    EXPECT_EQ(http_get(with_token.wait_until_listening(), "/schema").status, 401);
}

TEST(Process, ATokenIsAskedForEverywhereButAtHealth) {
    ChildProcess program(serve_echo(), {{"OPENENV_TOKEN", "secret"}});
    const std::uint16_t port = program.wait_until_listening();
    const Headers right{{"Authorization", "Bearer secret"}};
    EXPECT_EQ(http_get(port, "/health").status, 200);
    for (const char* path : {"/schema", "/state", "/metadata", "/openapi.json", "/nowhere"}) {
        const HttpReply without = http_get(port, path);
        EXPECT_EQ(without.status, 401) << path;
        EXPECT_EQ(without.header("www-authenticate"), "Bearer") << path;
        EXPECT_NE(http(port, "GET", path, "", right).status, 401) << path;
    }
    for (const char* wrong :
         {"Bearer",
          "Bearer ",
          "Bearer secre",
          "Bearer secrets",
          "Bearer Secret",
          "secret",
          "Basic secret"}) {
        EXPECT_EQ(http(port, "GET", "/schema", "", {{"Authorization", wrong}}).status, 401)
            << wrong;
    }
    EXPECT_EQ(http(port, "POST", "/reset", "{}", right).status, 200);
    EXPECT_EQ(http_post(port, "/reset", "{}").status, 401);

    for (const char* path : {"/ws", "/mcp"}) {
        const RawWebSocket without(port, path);
        EXPECT_EQ(without.handshake_reply().status, 401) << path;
        const RawWebSocket with(port, path, right);
        EXPECT_TRUE(with.accepted()) << path;
    }
    EXPECT_THAT(log_of(program), testing::Not(HasSubstr("secret")));
}

TEST(Process, TheWebInterfaceIsMissedOnceAndTheRestIsServed) {
    ChildProcess program(serve_echo(), {{"ENABLE_WEB_INTERFACE", "true"}});
    const std::uint16_t port = program.wait_until_listening();
    EXPECT_EQ(http_get(port, "/health").status, 200);
    close_session(*open_session(port));
    EXPECT_EQ(http_get(port, "/web").status, 404);
    EXPECT_EQ(occurrences(log_of(program), "ENABLE_WEB_INTERFACE"), 1U);
}

TEST(Process, TheReadmeOfTheVariableIsInTheMetadata) {
    ChildProcess program(serve_echo(), {{"ENV_README_PATH", OPENENV_README}});
    const std::uint16_t port = program.wait_until_listening();
    const Json metadata = http_get(port, "/metadata").json();
    EXPECT_THAT(metadata["readme_content"].as_string(), HasSubstr("#"));
}

TEST(Process, SettingsThatCannotBeNameThemselvesAndTheWayOut) {
    struct Case {
        Words flags;
        ChildProcess::Variables variables;
        const char* named;
        const char* way_out;
    };
    const std::vector<Case> cases{
        {{"--port", "99999"}, {}, "--port", "from 0 to 65535"},
        {{"--port", "x"}, {}, "--port", "from 0 to 65535"},
        {{"--mode", "foo"}, {}, "--mode", "simulation, production"},
        {{}, {{"OPENENV_MODE", "foo"}}, "OPENENV_MODE", "simulation, production"},
        {{}, {{"OPENENV_INSECURE", "maybe"}}, "OPENENV_INSECURE", "1, true, yes"},
        {{}, {{"ENV_README_PATH", "/"}}, "ENV_README_PATH", "cannot be read"},
        {{}, {{"ENV_README_PATH", "/no/such/file"}}, "ENV_README_PATH", "cannot be read"},
        {{"--token", "two\nlines"}, {}, "token", "no header can carry"},
    };
    for (const Case& one : cases) {
        Words command{kOpenEnv, "serve", "echo"};
        command.insert(command.end(), one.flags.begin(), one.flags.end());
        const Outcome outcome = run_program(command, one.variables);
        EXPECT_EQ(outcome.code, 2) << one.named;
        EXPECT_THAT(outcome.err, HasSubstr(one.named));
        EXPECT_THAT(outcome.err, HasSubstr(one.way_out)) << one.named;
    }
    const Outcome elsewhere =
        run_program({kOpenEnv, "serve", "echo", "--host", "192.0.2.1", "--insecure"});
    EXPECT_EQ(elsewhere.code, 1);
    EXPECT_THAT(elsewhere.err, HasSubstr("an address of this machine"));
}

TEST(Process, AServerThatEverybodyCanUseSaysSo) {
    ChildProcess program(
        serve_echo({"--host", "0.0.0.0"}), {{"OPENENV_INSECURE", "1"}, {"OPENENV_TOKEN", ""}}
    );
    (void)program.wait_until_listening();
    program.wait_for_log("it has no token");
}

TEST(Process, FewDescriptorsAreMentionedAtTheStart) {
    ChildProcess program({"/bin/sh", "-c", "ulimit -n 100; exec \"$0\" --port 0", kEcho});
    (void)program.wait_until_listening();
    program.wait_for_log("ulimit -n is 100");
}

}  // namespace
}  // namespace test
}  // namespace openenv
