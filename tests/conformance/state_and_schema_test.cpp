#include "conformance/conformance_test.hpp"

namespace openenv {
namespace conformance {
namespace {

using testing::StartsWith;

std::vector<std::string> keys_of(const Json& object) {
    std::vector<std::string> keys;
    for (const Json::Member& member : object.items()) {
        keys.push_back(member.key);
    }
    return keys;
}

TEST_F(Conformance, Case72StateOverHttp) {
    const MoveServer server;
    const HttpReply reply = http_get(server.port(), "/state");
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(
        reply.json(),
        equals_json(R"({"episode_id":null,"step_count":0,"score":0.5,"extra_key":{"a":[1,2]}})")
    );
}

TEST_F(Conformance, Case73StateOverHttpIsFresh) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    (void)socket.ask(kHi);
    (void)socket.ask(kHi);
    EXPECT_THAT(http_get(server.port(), "/state").json(), contains_json(R"({"step_count":0})"));
}

TEST_F(Conformance, Case74StateOfDynamicKeys) {
    const RunningServer server(fixture::var_entry());
    const HttpReply reply = http_get(server.port(), "/state");
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(reply.json(), equals_json(R"({"a":1,"episode_id":null,"step_count":0})"));
}

TEST_F(Conformance, Case75EnvironmentCannotBeBuilt) {
    log.expect_error("/state failed");
    log.expect_error("/metadata failed");
    log.expect_error("environment factory 'BadEnv' failed");
    const RunningServer server(fixture::bad_entry());
    EXPECT_EQ(http_get(server.port(), "/state").status, 500);
    EXPECT_EQ(http_get(server.port(), "/metadata").status, 500);
}

TEST_F(Conformance, Case76Schema) {
    const MoveServer server;
    const HttpReply reply = http_get(server.port(), "/schema");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.header("content-type"), "application/json");
    const Json body = reply.json();
    for (const char* part : {"action", "observation", "state"}) {
        ASSERT_TRUE(body.contains(part)) << part;
        EXPECT_TRUE(body[part].is_object()) << part;
    }
}

TEST_F(Conformance, Case78SchemaOfTheObservation) {
    const MoveServer server;
    const Json body = http_get(server.port(), "/schema").json();
    const Json& schema = body["observation"];
    EXPECT_EQ(schema["additionalProperties"], Json(false));
    EXPECT_EQ(schema["required"], Json::array({"response"}));
    EXPECT_THAT(
        keys_of(schema["properties"]),
        testing::ElementsAre("done", "reward", "metadata", "response", "board", "extra")
    );
    EXPECT_THAT(schema["properties"]["reward"], contains_json(R"({
        "anyOf":[{"type":"boolean"},{"type":"integer"},{"type":"number"},{"type":"null"}],
        "default":null,"title":"Reward"})"));
}

TEST_F(Conformance, Case79SchemaOfTheState) {
    const MoveServer server;
    const Json body = http_get(server.port(), "/schema").json();
    EXPECT_TRUE(body["state"]["properties"].contains("episode_id"));
    EXPECT_THAT(body["state"], contains_json(R"({
        "additionalProperties":true,"properties":{"step_count":{"minimum":0}}})"));
}

TEST_F(Conformance, Case81SchemaBuildsNoEnvironment) {
    const RunningServer server(fixture::bad_entry());
    EXPECT_EQ(http_get(server.port(), "/schema").status, 200);
}

TEST_F(Conformance, Case82OpenApi) {
    const MoveServer server;
    const HttpReply reply = http_get(server.port(), "/openapi.json");
    EXPECT_EQ(reply.status, 200);
    const Json body = reply.json();
    EXPECT_EQ(body["info"]["title"], Json("OpenEnv Environment HTTP API"));
    ASSERT_TRUE(body["info"]["version"].is_string());
    EXPECT_THAT(body["info"]["version"].as_string(), StartsWith("1."));
}

TEST_F(Conformance, Case83OpenApiPaths) {
    const MoveServer server;
    const Json body = http_get(server.port(), "/openapi.json").json();
    for (const char* path :
         {"/reset", "/step", "/state", "/health", "/metadata", "/schema", "/mcp"}) {
        EXPECT_TRUE(body["paths"].contains(path)) << path;
    }
}

TEST_F(Conformance, Case84OpenApiPathsInProduction) {
    ServerConfig config = quick_config(2);
    config.mode = ServerMode::production;
    const MoveServer server(config);
    const Json body = http_get(server.port(), "/openapi.json").json();
    for (const char* path : {"/reset", "/step", "/state"}) {
        EXPECT_FALSE(body["paths"].contains(path)) << path;
    }
    EXPECT_TRUE(body["paths"].contains("/health"));
}

}  // namespace
}  // namespace conformance
}  // namespace openenv
