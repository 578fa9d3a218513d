#include "conformance/conformance_test.hpp"

namespace openenv {
namespace conformance {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

TEST_F(Conformance, Case1Health) {
    const MoveServer server;
    const HttpReply reply = http_get(server.port(), "/health");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.header("content-type"), "application/json");
    EXPECT_EQ(reply.body, R"({"status":"healthy"})");
}

TEST_F(Conformance, Case2HealthBuildsNoEnvironment) {
    const RunningServer server(fixture::bad_entry());
    const HttpReply reply = http_get(server.port(), "/health");
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(reply.json(), equals_json(R"({"status":"healthy"})"));
}

TEST_F(Conformance, Case3HealthDuringAStep) {
    SlowServer server;
    RawWebSocket socket(server.port());
    socket.send_text(kWait);
    server.gate.wait_for_arrivals(1);
    EXPECT_EQ(http_get(server.port(), "/health").status, 200);
    server.gate.open();
    EXPECT_EQ(response_of(socket.receive_json()), "echo:wait timeout=None");
}

TEST_F(Conformance, Case4MetadataByDefault) {
    const MoveServer server;
    const HttpReply reply = http_get(server.port(), "/metadata");
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(reply.json(), equals_json(R"({
        "name":"MoveEnvironment","description":"MoveEnvironment environment","readme_content":null,
        "version":"1.0.0","author":null,"documentation_url":null})"));
}

TEST_F(Conformance, Case5MetadataOfTheEnvironment) {
    const RunningServer server(fixture::told_entry());
    const HttpReply reply = http_get(server.port(), "/metadata");
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(reply.json(), equals_json(R"({
        "name":"v","description":"d","readme_content":null,"version":"9","author":"me",
        "documentation_url":"http://x"})"));
}

TEST_F(Conformance, Case6UnknownPath) {
    const MoveServer server;
    const HttpReply reply = http_get(server.port(), "/nope");
    EXPECT_EQ(reply.status, 404);
    EXPECT_THAT(reply.json(), equals_json(R"({"detail":"Not Found"})"));
}

struct WrongMethod {
    const char* name;
    const char* method;
    const char* path;
    const char* allowed;
};
void PrintTo(const WrongMethod& row, std::ostream* out) {
    *out << row.method << " " << row.path;
}

class MethodNotAllowed : public Conformance, public testing::WithParamInterface<WrongMethod> {};

TEST_P(MethodNotAllowed, Case) {
    const MoveServer server;
    const HttpReply reply = http(server.port(), GetParam().method, GetParam().path);
    EXPECT_EQ(reply.status, 405);
    EXPECT_EQ(reply.header("allow"), GetParam().allowed);
    EXPECT_THAT(reply.json(), equals_json(R"({"detail":"Method Not Allowed"})"));
}

INSTANTIATE_TEST_SUITE_P(
    Conformance,
    MethodNotAllowed,
    testing::Values(
        WrongMethod{"Case7GetReset", "GET", "/reset", "POST"},
        WrongMethod{"Case8PostHealth", "POST", "/health", "GET"},
        WrongMethod{"Case9GetMcpWithoutUpgrade", "GET", "/mcp", "POST"}
    ),
    [](const auto& row) { return row.param.name; }
);

TEST_F(Conformance, Case10WsWithoutUpgrade) {
    const MoveServer server;
    EXPECT_EQ(http_get(server.port(), "/ws").status, 404);
    EXPECT_EQ(http_post(server.port(), "/ws", "{}").status, 404);
}

TEST_F(Conformance, Case11SlashTooMuch) {
    const MoveServer server;
    const HttpReply reply = http_get(server.port(), "/health/");
    EXPECT_EQ(reply.status, 307);
    EXPECT_THAT(reply.header("location"), EndsWith("/health"));
    EXPECT_EQ(reply.body, "");
}

TEST_F(Conformance, Case12ProductionHasNoControlRoutes) {
    ServerConfig config = quick_config(2);
    config.mode = ServerMode::production;
    const MoveServer server(config);
    EXPECT_EQ(http_post(server.port(), "/reset", "{}").status, 404);
    EXPECT_EQ(http_post(server.port(), "/step", R"({"action":{"message":"x"}})").status, 404);
    EXPECT_EQ(http_get(server.port(), "/state").status, 404);
}

TEST_F(Conformance, Case14SimulationByDefault) {
    const MoveServer server;
    EXPECT_EQ(http_post(server.port(), "/reset", "{}").status, 200);
    EXPECT_EQ(http_post(server.port(), "/step", R"({"action":{"message":"x"}})").status, 200);
    EXPECT_EQ(http_get(server.port(), "/state").status, 200);
}

TEST_F(Conformance, Case15ModeInAnyLetterCase) {
    ServerConfig config = quick_config(2);
    config.mode = parse_mode("PRODUCTION");
    const MoveServer server(config);
    EXPECT_EQ(http_post(server.port(), "/reset", "{}").status, 404);
}

TEST_F(Conformance, Case16UnknownMode) {
    try {
        (void)parse_mode("invalid_mode");
        FAIL() << "the mode was accepted";
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr("mode"));
        EXPECT_THAT(error.what(), HasSubstr("production"));
        EXPECT_THAT(error.what(), HasSubstr("simulation"));
    }
}

TEST_F(Conformance, Case17ProductionKeepsTheWebSocket) {
    ServerConfig config = quick_config(2);
    config.mode = ServerMode::production;
    const MoveServer server(config);
    RawWebSocket socket(server.port());
    EXPECT_EQ(response_of(socket.ask(kReset)), "seed=None ep=None diff=easy");
    const Json step = socket.ask(R"({"type":"step","data":{"message":"x"}})");
    EXPECT_EQ(response_of(step), "echo:x timeout=None");
    EXPECT_THAT(socket.ask(kState), contains_json(R"({"type":"state","data":{"step_count":1}})"));
}

}  // namespace
}  // namespace conformance
}  // namespace openenv
