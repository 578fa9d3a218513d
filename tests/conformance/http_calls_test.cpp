#include "conformance/conformance_test.hpp"

namespace openenv {
namespace conformance {
namespace {

struct Accepted {
    const char* name;
    const char* path;
    std::string body;
    std::string response;  // what the environment tells of the call
};
void PrintTo(const Accepted& row, std::ostream* out) {
    *out << row.path << " " << row.body;
}

class AcceptedCall : public Conformance, public testing::WithParamInterface<Accepted> {};

/// Calls to MOVE that are answered by 200.
TEST_P(AcceptedCall, Case) {
    const MoveServer server;
    const HttpReply reply = http_post(server.port(), GetParam().path, GetParam().body);
    EXPECT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(response_of(reply.json()), GetParam().response);
}

const Accepted kAccepted[] = {
    {"Case22ResetArguments",
     "/reset",
     R"({"seed":42,"episode_id":"e1","unknown":1})",
     "seed=42 ep=e1 diff=easy"},
    {"Case23OwnArgument", "/reset", R"({"difficulty":"hard"})", "seed=None ep=None diff=hard"},
    {"Case27Nulls", "/reset", R"({"seed":null,"episode_id":null})", "seed=None ep=None diff=easy"},
    {"Case30SeedAsText", "/reset", R"({"seed":"7"})", "seed=7 ep=None diff=easy"},
    {"Case30SeedAsBool", "/reset", R"({"seed":true})", "seed=1 ep=None diff=easy"},
    {"Case30SeedAsFloat", "/reset", R"({"seed":7.0})", "seed=7 ep=None diff=easy"},
    {"Case36LastOfTwoSeeds", "/reset", R"({"seed":1,"seed":2})", "seed=2 ep=None diff=easy"},
    {"Case42StepArguments",
     "/step",
     R"({"action":{"message":"hi"},"timeout_s":2.5,"request_id":"r1","foo":1})",
     "echo:hi timeout=2.5"},
    {"Case58Converted",
     "/step",
     R"({"action":{"message":"hi","count":"3","flag":"true","ratio":"1.5"}})",
     "echo:hi timeout=None"},
    {"Case59IntegralFloat",
     "/step",
     R"({"action":{"message":"hi","count":2.0}})",
     "echo:hi timeout=None"},
    {"Case59BoolAsInteger",
     "/step",
     R"({"action":{"message":"hi","count":true}})",
     "echo:hi timeout=None"},
    {"Case62ActionMetadata",
     "/step",
     R"({"action":{"message":"hi","metadata":{"m":1}}})",
     "echo:hi timeout=None"},
};

INSTANTIATE_TEST_SUITE_P(
    Conformance,
    AcceptedCall,
    testing::ValuesIn(kAccepted),
    [](const auto& row) { return row.param.name; }
);

struct Refused {
    const char* name;
    const char* path;
    std::string body;
    std::vector<std::string> errors;
    const char* first_error = "{}";  // what the first error contains
};
void PrintTo(const Refused& row, std::ostream* out) {
    *out << row.path << " " << row.body;
}

class RefusedCall : public Conformance, public testing::WithParamInterface<Refused> {};

/// Calls to MOVE that are answered by 422.
TEST_P(RefusedCall, Case) {
    const MoveServer server;
    const HttpReply reply = http_post(server.port(), GetParam().path, GetParam().body);
    EXPECT_EQ(reply.status, 422);
    EXPECT_EQ(reply.header("content-type"), "application/json");
    const Json body = reply.json();
    ASSERT_TRUE(body.contains("detail")) << reply.body;
    const Json& errors = body["detail"];
    ASSERT_THAT(errors, has_errors(GetParam().errors));
    EXPECT_THAT(errors[0], contains_json(GetParam().first_error));
}

const Refused kRefused[] = {
    {"Case31EpisodeOf256Characters",
     "/reset",
     R"({"episode_id":")" + std::string(256, 'e') + R"("})",
     {"string_too_long @ body,episode_id"},
     R"({"ctx":{"max_length":255}})"},
    {"Case32EpisodeIsNoText", "/reset", R"({"episode_id":5})", {"string_type @ body,episode_id"}},
    {"Case33TwoErrors",
     "/reset",
     R"({"seed":-1,"episode_id":5})",
     {"greater_than_equal @ body,seed", "string_type @ body,episode_id"}},
    {"Case34Array", "/reset", "[]", {"model_attributes_type @ body"}, R"({"input":[]})"},
    {"Case34Text", "/reset", R"("str")", {"model_attributes_type @ body"}, R"({"input":"str"})"},
    {"Case47ActionIsText", "/step", R"({"action":"x"})", {"dict_type @ body,action"}},
    {"Case47ActionIsNull", "/step", R"({"action":null})", {"dict_type @ body,action"}},
    {"Case48Array", "/step", "[1]", {"model_attributes_type @ body"}},
    {"Case50NoTime",
     "/step",
     R"({"action":{"message":"hi"},"timeout_s":0})",
     {"greater_than @ body,timeout_s"},
     R"({"ctx":{"gt":0.0}})"},
    {"Case51TwoErrors",
     "/step",
     R"({"action":{"message":"hi"},"timeout_s":-1,"request_id":")" + std::string(256, 'r') +
         R"("})",
     {"greater_than @ body,timeout_s", "string_too_long @ body,request_id"}},
    {"Case52FieldMissing",
     "/step",
     R"({"action":{}})",
     {"missing @ message"},
     R"({"type":"missing","loc":["message"],"msg":"Field required","input":{}})"},
    {"Case54TextTooLong",
     "/step",
     R"({"action":{"message":"toolongmessage"}})",
     {"string_too_long @ message"},
     R"({"ctx":{"max_length":8}})"},
    {"Case55NumberForText", "/step", R"({"action":{"message":5}})", {"string_type @ message"}},
    {"Case55NullForText", "/step", R"({"action":{"message":null}})", {"string_type @ message"}},
    {"Case56UnknownField",
     "/step",
     R"({"action":{"message":"hi","bogus":1}})",
     {"extra_forbidden @ bogus"},
     R"({"msg":"Extra inputs are not permitted","input":1})"},
    {"Case59FractionForInteger",
     "/step",
     R"({"action":{"message":"hi","count":2.5}})",
     {"int_from_float @ count"}},
    {"Case60TwoForBool",
     "/step",
     R"({"action":{"message":"hi","flag":2}})",
     {"bool_parsing @ flag"}},
    {"Case71NoToolsAmongOtherActions",
     "/step",
     R"({"action":{"type":"list_tools"}})",
     {"missing @ message", "extra_forbidden @ type"}},
};

INSTANTIATE_TEST_SUITE_P(
    Conformance,
    RefusedCall,
    testing::ValuesIn(kRefused),
    [](const auto& row) { return row.param.name; }
);

constexpr std::string_view kFreshReset = R"({
    "observation":{"metadata":{},"response":"seed=None ep=None diff=easy","board":[],"extra":null},
    "reward":null,"done":false,"metadata":null})";

TEST_F(Conformance, Case18ResetWithoutArguments) {
    const MoveServer server;
    const HttpReply reply = http_post(server.port(), "/reset", "{}");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.header("content-type"), "application/json");
    EXPECT_THAT(reply.json(), equals_json(kFreshReset));
}

TEST_F(Conformance, Case19ResetWithoutBody) {
    const MoveServer server;
    const HttpReply reply =
        http_bytes(server.port(), "POST /reset HTTP/1.1\r\nhost: localhost\r\n\r\n");
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(reply.json(), equals_json(kFreshReset));
}

TEST_F(Conformance, Case20ResetWithEmptyJsonBody) {
    const MoveServer server;
    const HttpReply reply =
        http(server.port(), "POST", "/reset", "", {{"content-type", "application/json"}});
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(reply.json(), equals_json(kFreshReset));
}

TEST_F(Conformance, Case24ResetMetadata) {
    const MoveServer server;
    const HttpReply reply = http_post(server.port(), "/reset", R"({"difficulty":"meta"})");
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(
        reply.json(), contains_json(R"({"metadata":{"k":1},"observation":{"metadata":{"k":1}}})")
    );
}

TEST_F(Conformance, Case25ResetTakesAnyKeyword) {
    const RunningServer server(fixture::var_entry());
    const HttpReply reply = http_post(server.port(), "/reset", R"({"seed":1,"a":2})");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(response_of(reply.json()), "a=2, seed=1");
}

TEST_F(Conformance, Case26ResetTakesNoKeyword) {
    const RunningServer server(fixture::nokw_entry());
    const HttpReply reply = http_post(server.port(), "/reset", R"({"seed":1,"a":2})");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(response_of(reply.json()), "reset");
}

TEST_F(Conformance, Case28SeedBelowZero) {
    const MoveServer server;
    const HttpReply reply = http_post(server.port(), "/reset", R"({"seed":-1})");
    EXPECT_EQ(reply.status, 422);
    EXPECT_THAT(reply.json(), equals_json(R"({"detail":[{
        "type":"greater_than_equal","loc":["body","seed"],
        "msg":"Input should be greater than or equal to 0","input":-1,"ctx":{"ge":0}}]})"));
}

TEST_F(Conformance, Case31EpisodeOf255Characters) {
    const MoveServer server;
    const std::string longest(255, 'e');
    const HttpReply reply =
        http_post(server.port(), "/reset", R"({"episode_id":")" + longest + R"("})");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(response_of(reply.json()), "seed=None ep=" + longest + " diff=easy");
}

TEST_F(Conformance, Case35BrokenJson) {
    const MoveServer server;
    const HttpReply reply = http_post(server.port(), "/reset", "{bad");
    EXPECT_EQ(reply.status, 422);
    const Json body = reply.json();
    ASSERT_THAT(body, contains_json(R"({"detail":[{
        "type":"json_invalid","loc":["body",1],"msg":"JSON decode error","input":{}}]})"));
    EXPECT_TRUE(body["detail"][0]["ctx"]["error"].is_string()) << reply.body;
}

TEST_F(Conformance, Case38EnvironmentCannotBeBuilt) {
    log.expect_error("BadEnv");
    const RunningServer server(fixture::bad_entry());
    EXPECT_EQ(http_post(server.port(), "/reset", "{}").status, 500);
}

TEST_F(Conformance, Case39ResetWithOtherContentType) {
    const MoveServer server;
    const HttpReply reply =
        http(server.port(), "POST", "/reset", "{}", {{"content-type", "text/plain"}});
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(reply.json(), equals_json(kFreshReset));
}

TEST_F(Conformance, Case40EveryCallBuildsAndClosesOne) {
    log.expect_error("asked to fail");
    LifeLog life;
    const RunningServer server(life_entry(life));
    EXPECT_EQ(http_post(server.port(), "/reset", "{}").status, 200);
    EXPECT_EQ(http_post(server.port(), "/reset", R"({"fail":true})").status, 500);
    life.wait_for("destroyed", 2);
    for (const char* what : {"built", "reset", "close", "destroyed"}) {
        EXPECT_EQ(life.count(what), 2U) << what;
    }
}

TEST_F(Conformance, Case41Step) {
    const MoveServer server;
    const HttpReply reply = http_post(server.port(), "/step", R"({"action":{"message":"hi"}})");
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(reply.json(), equals_json(R"({
        "observation":{"metadata":{},"response":"echo:hi timeout=None","board":[],"extra":null},
        "reward":1.0,"done":false,"metadata":null})"));
}

TEST_F(Conformance, Case43StepTakesAnyKeyword) {
    const RunningServer server(fixture::var_entry());
    const HttpReply reply = http_post(
        server.port(),
        "/step",
        R"({"action":{"message":"m"},"timeout_s":1,"zz":[1],"request_id":"r"})"
    );
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(response_of(reply.json()), R"(request_id="r", timeout_s=1.0, zz=[1])");
}

TEST_F(Conformance, Case44StepsAreStateless) {
    const MoveServer server;
    for (int i = 0; i != 3; ++i) {
        const HttpReply reply = http_post(server.port(), "/step", R"({"action":{"message":"hi"}})");
        EXPECT_EQ(reply.status, 200);
        EXPECT_THAT(reply.json(), contains_json(R"({"reward":1.0,"done":false})"));
    }
}

TEST_F(Conformance, Case46StepWithoutBody) {
    const MoveServer server;
    const HttpReply reply = http_post(server.port(), "/step", "");
    EXPECT_EQ(reply.status, 422);
    EXPECT_THAT(reply.json(), equals_json(R"({"detail":[{
        "type":"missing","loc":["body"],"msg":"Field required","input":null}]})"));
}

TEST_F(Conformance, Case49CommaTooMuch) {
    const MoveServer server;
    const HttpReply reply = http_post(server.port(), "/step", R"({"action": {"message": "a",}})");
    EXPECT_EQ(reply.status, 422);
    const Json body = reply.json();
    ASSERT_THAT(body, contains_json(R"({"detail":[{"type":"json_invalid"}]})"));
    EXPECT_EQ(body["detail"][0]["loc"][0], Json("body"));
}

TEST_F(Conformance, Case57ElevenErrorsInOrder) {
    const MoveServer server;
    const HttpReply reply = http_post(server.port(), "/step", R"({"action":{
        "message":"hi","count":11,"kind":"z","color":"green","tags":[1],"point":{"y":"q"},
        "opt":"x","flag":"maybe","ratio":"abc","table":{"a":"b"},"metadata":5}})");
    EXPECT_EQ(reply.status, 422);
    const Json body = reply.json();
    ASSERT_THAT(
        body["detail"],
        has_errors({
            "dict_type @ metadata",
            "less_than_equal @ count",
            "float_parsing @ ratio",
            "bool_parsing @ flag",
            "literal_error @ kind",
            "enum @ color",
            "string_type @ tags,0",
            "int_parsing @ opt",
            "missing @ point,x",
            "float_parsing @ point,y",
            "int_parsing @ table,a",
        })
    );
    EXPECT_EQ(body["detail"][4]["ctx"]["expected"], Json("'a' or 'b'"));
    EXPECT_EQ(body["detail"][5]["ctx"]["expected"], Json("'red' or 'blue'"));
}

TEST_F(Conformance, Case63CheckOfTheAction) {
    const RunningServer server(fixture::val_entry());
    const HttpReply reply = http_post(server.port(), "/step", R"({"action":{"n":9}})");
    EXPECT_EQ(reply.status, 422);
    EXPECT_THAT(reply.json(), contains_json(R"({"detail":[
        {"type":"value_error","loc":["n"],"msg":"Value error, n too big"}]})"));
}

TEST_F(Conformance, Case64BoolRewardIsANumberOverHttp) {
    const MoveServer server;
    const HttpReply reply = http_post(server.port(), "/step", R"({"action":{"message":"bool"}})");
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(reply.json(), contains_json(R"({"reward":1.0,"done":true})"));
}

TEST_F(Conformance, Case65IntegerRewardIsANumberOverHttp) {
    const MoveServer server;
    const HttpReply reply = http_post(server.port(), "/step", R"({"action":{"message":"int"}})");
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(reply.json(), contains_json(R"({"reward":3.0,"done":false})"));
}

TEST_F(Conformance, Case66NonFiniteRewardIsNull) {
    const MoveServer server;
    for (const char* message : {"nan", "inf"}) {
        SCOPED_TRACE(message);
        const HttpReply reply = http_post(
            server.port(), "/step", R"({"action":{"message":")" + std::string(message) + R"("}})"
        );
        EXPECT_EQ(reply.status, 200);
        EXPECT_THAT(reply.json(), contains_json(R"({"reward":null})"));
    }
}

TEST_F(Conformance, Case67StepThrows) {
    log.expect_error("step exploded");
    const MoveServer server;
    const HttpReply reply = http_post(server.port(), "/step", R"({"action":{"message":"boom"}})");
    EXPECT_EQ(reply.status, 500);
    EXPECT_EQ(reply.body, "Internal Server Error");
}

TEST_F(Conformance, Case70BareActionOfUnknownType) {
    const RunningServer server(fixture::bare_entry());
    const HttpReply reply = http_post(server.port(), "/step", R"({"action":{"type":"zzz"}})");
    EXPECT_EQ(reply.status, 422);
    EXPECT_THAT(reply.json()["detail"], has_errors({"extra_forbidden @ type"}));
}

}  // namespace
}  // namespace conformance
}  // namespace openenv
