#include "conformance/conformance_test.hpp"

namespace openenv {
namespace conformance {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// What a session that is alive says to a state message.
testing::Matcher<const Json&> is_state() {
    return contains_json(R"({"type":"state"})");
}
testing::Matcher<const Json&> is_observation() {
    return contains_json(R"({"type":"observation"})");
}

std::string step_frame(std::string_view message) {
    return R"({"type":"step","data":{"message":")" + std::string(message) + R"("}})";
}

/// `{"type":"reset","data":<data>}`
std::string reset_frame(std::string_view data) {
    return R"({"type":"reset","data":)" + std::string(data) + "}";
}

constexpr std::string_view kFreshObservation = R"({"type":"observation","data":{
    "observation":{"metadata":{},"response":"seed=None ep=None diff=easy","board":[],"extra":null},
    "reward":null,"done":false}})";

TEST_F(Conformance, Case86NoGreeting) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_EQ(socket.handshake_reply().status, 101);
    EXPECT_THAT(socket.ask(kState), is_state());  // the session is there
    socket.expect_silence();
}

TEST_F(Conformance, Case87Reset) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.ask(kReset), equals_json(kFreshObservation));
}

TEST_F(Conformance, Case88ResetWithoutData) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.ask(R"({"type":"reset"})"), equals_json(kFreshObservation));
}

TEST_F(Conformance, Case89ResetArguments) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    const Json reply = socket.ask(reset_frame(R"({"seed":42,"episode_id":"e1","unknown":1})"));
    EXPECT_EQ(response_of(reply), "seed=42 ep=e1 diff=easy");
}

TEST_F(Conformance, Case90ResetMetadata) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.ask(reset_frame(R"({"difficulty":"meta"})")), contains_json(R"({
        "data":{"metadata":{"k":1},"observation":{"metadata":{"k":1}}}})"));
}

TEST_F(Conformance, Case91SeedBelowZero) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_EQ(response_of(socket.ask(reset_frame(R"({"seed":-5})"))), "seed=-5 ep=None diff=easy");
}

TEST_F(Conformance, Case94ResetThrows) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.ask(reset_frame(R"({"difficulty":"boom"})")), equals_json(R"({
        "type":"error","data":{"message":"reset exploded","code":"EXECUTION_ERROR"}})"));
    EXPECT_THAT(socket.ask(kReset), is_observation());
}

TEST_F(Conformance, Case95StepWithoutReset) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.ask(kHi), equals_json(R"({"type":"observation","data":{
        "observation":{"metadata":{},"response":"echo:hi timeout=None","board":[],"extra":null},
        "reward":1.0,"done":false}})"));
}

struct WrongMessage {
    const char* name;
    const char* message;
    std::vector<std::string> errors;
    const char* first_error = "{}";  // what the first error contains
};
void PrintTo(const WrongMessage& row, std::ostream* out) {
    *out << row.message;
}

class RefusedMessage : public Conformance, public testing::WithParamInterface<WrongMessage> {};

/// Messages that MOVE answers by a validation error and no more.
TEST_P(RefusedMessage, Case) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    const Json reply = socket.ask(GetParam().message);
    ASSERT_THAT(reply, is_validation_error(GetParam().errors));
    EXPECT_THAT(reply["data"]["errors"][0], contains_json(GetParam().first_error));
    EXPECT_THAT(socket.ask(kState), contains_json(R"({"type":"state","data":{"step_count":0}})"));
}

INSTANTIATE_TEST_SUITE_P(
    Conformance,
    RefusedMessage,
    testing::Values(
        WrongMessage{"Case92NullForData", R"({"type":"reset","data":null})", {"dict_type @ data"}},
        WrongMessage{"Case92ArrayForData", R"({"type":"reset","data":[]})", {"dict_type @ data"}},
        WrongMessage{
            "Case96ActionWrapped",
            R"({"type":"step","data":{"action":{"message":"hi"}}})",
            {"missing @ message", "extra_forbidden @ action"}},
        WrongMessage{
            "Case97StepWithoutData",
            R"({"type":"step"})",
            {"missing @ data"},
            R"({"input":{"type":"step"}})"},
        WrongMessage{"Case98TextForData", R"({"type":"step","data":"x"})", {"dict_type @ data"}},
        WrongMessage{
            "Case99FieldsBeforeUnknownKeys",
            R"({"type":"step","data":{"message":"","bogus":1}})",
            {"string_too_short @ message", "extra_forbidden @ bogus"}},
        WrongMessage{
            "Case100NoTimeoutInTheEnvelope",
            R"({"type":"step","data":{"message":"hi"},"timeout_s":5})",
            {"extra_forbidden @ timeout_s"}},
        WrongMessage{
            "Case107StateWithData", R"({"type":"state","data":{}})", {"extra_forbidden @ data"}},
        WrongMessage{"Case131McpWithoutData", R"({"type":"mcp"})", {"missing @ data"}},
        WrongMessage{"Case132ArrayForMcpData", R"({"type":"mcp","data":[]})", {"dict_type @ data"}}
    ),
    [](const auto& row) { return row.param.name; }
);

TEST_F(Conformance, Case102Rewards) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(
        socket.ask(step_frame("bool")), contains_json(R"({"data":{"reward":true,"done":true}})")
    );
    EXPECT_THAT(
        socket.ask(step_frame("int")), contains_json(R"({"data":{"reward":3,"done":false}})")
    );
    EXPECT_THAT(socket.ask(step_frame("nan")), contains_json(R"({"data":{"reward":null}})"));
}

TEST_F(Conformance, Case103DoneAfterThreeSteps) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.ask(kHi), contains_json(R"({"data":{"done":false}})"));
    EXPECT_THAT(socket.ask(kHi), contains_json(R"({"data":{"done":false}})"));
    EXPECT_THAT(socket.ask(kHi), contains_json(R"({"data":{"done":true}})"));
    EXPECT_THAT(socket.ask(kState), contains_json(R"({"data":{"step_count":3}})"));
}

TEST_F(Conformance, Case104StepAfterDone) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    for (int i = 0; i != 4; ++i) {
        EXPECT_THAT(socket.ask(kHi), is_observation()) << "step " << i;
    }
    EXPECT_THAT(socket.ask(kState), contains_json(R"({"data":{"step_count":4}})"));
}

TEST_F(Conformance, Case105CheckOfTheAction) {
    const RunningServer server(fixture::val_entry());
    RawWebSocket socket(server.port());
    const Json reply = socket.ask(R"({"type":"step","data":{"n":9}})");
    ASSERT_THAT(reply, is_validation_error({"value_error @ n"}));
    EXPECT_EQ(reply["data"]["errors"][0]["msg"], Json("Value error, n too big"));
    EXPECT_THAT(socket.ask(kState), is_state());
}

TEST_F(Conformance, Case106State) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.ask(kState), equals_json(R"({"type":"state","data":{
        "episode_id":null,"step_count":0,"score":0.5,"extra_key":{"a":[1,2]}}})"));
}

TEST_F(Conformance, Case108StateThrows) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.ask(reset_frame(R"({"episode_id":"nostate"})")), is_observation());
    EXPECT_THAT(socket.ask(kState), equals_json(R"({
        "type":"error","data":{"message":"no state","code":"EXECUTION_ERROR"}})"));
    EXPECT_THAT(socket.ask(kReset), is_observation());
}

TEST_F(Conformance, Case110ResetStartsCountingAnew) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    (void)socket.ask(kReset);
    (void)socket.ask(kHi);
    (void)socket.ask(kHi);
    EXPECT_THAT(socket.ask(kState), contains_json(R"({"data":{"step_count":2}})"));
    (void)socket.ask(kReset);
    EXPECT_THAT(socket.ask(kState), contains_json(R"({"data":{"step_count":0}})"));
}

TEST_F(Conformance, Case111UnknownType) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.ask(R"({"type":"bogus"})"), equals_json(R"({
        "type":"error","data":{"message":"Unknown message type: bogus","code":"UNKNOWN_TYPE"}})"));
    EXPECT_THAT(socket.ask(kState), is_state());
}

TEST_F(Conformance, Case112NoType) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    for (const char* message : {"{}", R"({"data":{}})"}) {
        EXPECT_THAT(
            socket.ask(message), equals_json(R"({
            "type":"error","data":{"message":"Unknown message type: ","code":"UNKNOWN_TYPE"}})")
        ) << message;
        EXPECT_THAT(socket.ask(kState), is_state());
    }
}

TEST_F(Conformance, Case113TypeIsNoText) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    for (const char* message : {R"({"type":null})", R"({"type":5})", R"({"type":["a"]})"}) {
        EXPECT_THAT(socket.ask(message), is_error("UNKNOWN_TYPE")) << message;
        EXPECT_THAT(socket.ask(kState), is_state());
    }
}

struct BrokenText {
    const char* name;
    const char* message;
};
void PrintTo(const BrokenText& row, std::ostream* out) {
    *out << row.message;
}

class NotJson : public Conformance, public testing::WithParamInterface<BrokenText> {};

TEST_P(NotJson, Case) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    const Json reply = socket.ask(GetParam().message);
    ASSERT_THAT(reply, is_error("INVALID_JSON"));
    EXPECT_THAT(reply["data"]["message"].as_string(), StartsWith("Invalid JSON: "));
    EXPECT_THAT(socket.ask(kState), is_state());
}

INSTANTIATE_TEST_SUITE_P(
    Conformance,
    NotJson,
    testing::Values(
        BrokenText{"Case114NoKey", "{bad"},
        BrokenText{"Case114Empty", ""},
        BrokenText{"Case114Blanks", "   "},
        BrokenText{"Case114NoEnd", "[1,2"},
        BrokenText{"Case120ByteOrderMark", "\xEF\xBB\xBF{\"type\":\"state\"}"},
        BrokenText{"Case121TabInAText", "{\"type\":\"sta\tte\"}"}
    ),
    [](const auto& row) { return row.param.name; }
);

class NoObject : public Conformance, public testing::WithParamInterface<BrokenText> {};

/// Our server stays open, as it may.
TEST_P(NoObject, Case) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.ask(GetParam().message), is_error("VALIDATION_ERROR"));
    EXPECT_THAT(socket.ask(kState), is_state());
}

INSTANTIATE_TEST_SUITE_P(
    Conformance,
    NoObject,
    testing::Values(
        BrokenText{"Case115Array", "[]"},
        BrokenText{"Case115Null", "null"},
        BrokenText{"Case115Number", "5"},
        BrokenText{"Case115Text", R"("str")"},
        BrokenText{"Case115Bool", "true"}
    ),
    [](const auto& row) { return row.param.name; }
);

TEST_F(Conformance, Case116BinaryFrame) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    socket.send_binary(kState);
    EXPECT_THAT(socket.receive_json(), is_state());
}

TEST_F(Conformance, Case118SeedIsNotANumber) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(
        socket.ask(reset_frame(R"({"seed":NaN})")),
        AnyOf(is_observation(), is_error("EXECUTION_ERROR"))
    );
    EXPECT_THAT(socket.ask(kState), is_state());
}

TEST_F(Conformance, Case119SeedIsHuge) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    for (const char* data : {R"({"seed":123456789012345678901234567890})", R"({"seed":1e400})"}) {
        EXPECT_THAT(
            socket.ask(reset_frame(data)), AnyOf(is_observation(), is_error("EXECUTION_ERROR"))
        ) << data;
        EXPECT_THAT(socket.ask(kState), is_state());
    }
}

TEST_F(Conformance, Case122BlanksAround) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.ask(" \t{\"type\" : \"state\"}\r\n"), is_state());
}

TEST_F(Conformance, Case123BytesOfCharacters) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    socket.send_text(step_frame(R"(\ud83d\ude00\u0001/\u007f)"));
    const std::string reply = socket.receive_text();
    EXPECT_THAT(reply, HasSubstr("echo:\xF0\x9F\x98\x80\\u0001/\x7F timeout=None"));
    EXPECT_EQ(response_of(Json::parse(reply)), "echo:\xF0\x9F\x98\x80\x01/\x7F timeout=None");
}

TEST_F(Conformance, Case124LoneSurrogate) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(
        socket.ask(step_frame(R"(h\ud800)")), is_validation_error({"string_unicode @ message"})
    );
    EXPECT_THAT(socket.ask(kState), is_state());
}

TEST_F(Conformance, Case126NoBlanks) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    socket.send_text(kState);
    EXPECT_EQ(
        socket.receive_text(),
        R"({"type":"state","data":{"episode_id":null,"step_count":0,"score":0.5,"extra_key":{"a":[1,2]}}})"
    );
    for (const std::string_view message : {kReset, kHi}) {
        socket.send_text(message);
        const std::string reply = socket.receive_text();
        EXPECT_THAT(reply, Not(AnyOf(HasSubstr(": "), HasSubstr(", "))));
    }
}

TEST_F(Conformance, Case127Close) {
    LifeLog life;
    const RunningServer server(life_entry(life));
    RawWebSocket socket(server.port());
    socket.send_text(R"({"type":"close"})");
    EXPECT_EQ(socket.receive_close(), kNormalClose);
    life.wait_for("destroyed", 1);
    EXPECT_EQ(life.count("close"), 1U);
}

TEST_F(Conformance, Case128CloseWithData) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    socket.send_text(R"({"type":"close","data":{}})");
    EXPECT_EQ(socket.receive_close(), kNormalClose);
}

TEST_F(Conformance, Case129AnswersInOrder) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    socket.send_text(kReset);
    socket.send_text(kState);
    EXPECT_THAT(socket.receive_json(), is_observation());
    EXPECT_THAT(socket.receive_json(), is_state());
}

TEST_F(Conformance, Case130NoTools) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    const Json reply = socket.ask(
        R"({"type":"mcp","data":{"jsonrpc":"2.0","method":"tools/list","params":{},"id":1}})"
    );
    EXPECT_THAT(reply, equals_json(R"({"type":"mcp","data":{"jsonrpc":"2.0","id":1,"error":{
        "code":-32603,"message":"Environment does not support MCP","data":null}}})"));
}

}  // namespace
}  // namespace conformance
}  // namespace openenv
