#include "support/expect_json.hpp"

#include <openenv/wire/frame.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace openenv {
namespace {

using test::contains_json;
using test::equals_json;
using test::has_errors;
using testing::StartsWith;
using wire::Frame;
using wire::FrameError;
using wire::FrameErrorCode;
using wire::FrameKind;
using wire::parse_frame;

Frame accepted(std::string_view text) {
    const auto parsed = parse_frame(text);
    if (const auto* error = std::get_if<FrameError>(&parsed)) {
        ADD_FAILURE() << text << " was refused: " << error->message << " " << error->errors;
        return {};
    }
    return std::get<Frame>(parsed);
}

FrameError refused(std::string_view text) {
    const auto parsed = parse_frame(text);
    if (std::holds_alternative<Frame>(parsed)) {
        ADD_FAILURE() << text << " was accepted";
        return {};
    }
    return std::get<FrameError>(parsed);
}

TEST(ParseFrame, ReadsEveryKind) {
    EXPECT_EQ(accepted(R"({"type":"reset","data":{}})").kind, FrameKind::reset);
    EXPECT_EQ(accepted(R"({"type":"step","data":{}})").kind, FrameKind::step);
    EXPECT_EQ(accepted(R"({"type":"state"})").kind, FrameKind::state);
    EXPECT_EQ(accepted(R"({"type":"close"})").kind, FrameKind::close);
    EXPECT_EQ(accepted(R"({"type":"mcp","data":{}})").kind, FrameKind::mcp);
}

TEST(ParseFrame, KeepsTheTextOfData) {
    EXPECT_EQ(
        accepted(R"( {"data" : {"message": "hi", "n": [1, NaN]} , "type":"step"} )").data,
        R"({"message": "hi", "n": [1, NaN]})"
    );
}

TEST(ParseFrame, GivesAResetWithoutDataAnEmptyObject) {
    EXPECT_EQ(accepted(R"({"type":"reset"})").data, "{}");
}

TEST(ParseFrame, LeavesStateAndCloseWithoutData) {
    EXPECT_EQ(accepted(R"({"type":"state"})").data, "");
    EXPECT_EQ(accepted(R"({"type":"close"})").data, "");
}

TEST(ParseFrame, LetsACloseHaveData) {
    EXPECT_EQ(accepted(R"({"type":"close","data":{}})").kind, FrameKind::close);
    EXPECT_EQ(accepted(R"({"type":"close","data":null})").kind, FrameKind::close);
}

TEST(ParseFrame, ReadsKeysAndTypeThroughTheirEscapes) {
    EXPECT_EQ(accepted(R"({"\u0074ype":"\u0073tate"})").kind, FrameKind::state);
}

TEST(ParseFrame, TakesTheLastOfEqualKeys) {
    EXPECT_EQ(accepted(R"({"type":"bogus","type":"state"})").kind, FrameKind::state);
    EXPECT_EQ(accepted(R"({"type":"step","data":5,"data":{"a":1}})").data, R"({"a":1})");
}

TEST(ParseFrame, RefusesWhatIsNotJson) {
    for (const std::string_view text : {
             "",
             "   ",
             "{bad",
             "{",
             "[1,2",
             R"({"type":"state"}x)",
             R"({"type":"state"}{"type":"state"})",
             R"({"type":"state",})",
             R"({"type":"reset","data":{"a":1,}})",
             R"({"type":"reset","data":{"a":[1,]}})",
             R"({"type":"reset","data":{"a" 1}})",
             R"({"type":"reset","data":{a:1}})",
             R"({"type":"reset","data":nil})",
             R"({"type":"reset","data":{"a":01}})",
             R"({'type':'state'})",
             R"({"type":"state"} // comment)",
             "\xEF\xBB\xBF{\"type\":\"state\"}",
             "{\"type\":\"sta\tte\"}",
             "{\"type\":\"reset\",\"data\":{\"a\":\"\n\"}}",
             R"({"type":"reset","data":{"a":"\x"}})",
             R"({"type":"reset","data":{"a":"\u12"}})",
             "{\"type\":\"reset\",\"data\":{\"a\":\"\xFF\"}}",
             R"(NULL)",
             R"("no end)",
         }) {
        SCOPED_TRACE(text);
        const FrameError error = refused(text);
        EXPECT_EQ(error.code, FrameErrorCode::invalid_json);
        EXPECT_THAT(error.message, StartsWith("Invalid JSON: "));
        EXPECT_EQ(error.errors, "");
    }
}

TEST(ParseFrame, FindsBrokenJsonBehindEveryOtherMistake) {
    EXPECT_EQ(refused(R"({"type":"bogus","data":[1,})").code, FrameErrorCode::invalid_json);
    EXPECT_EQ(refused(R"({"type":"state","data":{}} x)").code, FrameErrorCode::invalid_json);
}

TEST(ParseFrame, RefusesDeepNestingWithoutRecursion) {
    const std::size_t depth = 1'000'000;
    const std::string text =
        R"({"type":"reset","data":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
    const FrameError error = refused(text);
    EXPECT_EQ(error.code, FrameErrorCode::invalid_json) << error.message;
}

TEST(ParseFrame, RefusesWhatIsNoObject) {
    for (const std::string_view text : {"[]", "null", "5", "-0.5", R"("str")", "true", "NaN"}) {
        SCOPED_TRACE(text);
        const FrameError error = refused(text);
        EXPECT_EQ(error.code, FrameErrorCode::validation_error);
        EXPECT_EQ(error.message, "Invalid message");
        EXPECT_THAT(Json::parse(error.errors), has_errors({"dict_type @"}));
    }
}

TEST(ParseFrame, NamesTheUnknownType) {
    struct Row {
        std::string_view text;
        std::string_view message;
    };
    for (const Row& row : {
             Row{R"({"type":"bogus"})", "Unknown message type: bogus"},
             Row{R"({"type":"STATE"})", "Unknown message type: STATE"},
             Row{R"({"type":" state"})", "Unknown message type:  state"},
             Row{R"({"type":""})", "Unknown message type: "},
             Row{"{}", "Unknown message type: "},
             Row{R"({"data":{}})", "Unknown message type: "},
             Row{R"({"type":null})", "Unknown message type: None"},
             Row{R"({"type":true})", "Unknown message type: True"},
             Row{R"({"type":false})", "Unknown message type: False"},
             Row{R"({"type":5})", "Unknown message type: 5"},
             Row{R"({"type":"caf\u00e9"})", "Unknown message type: caf\xC3\xA9"},
         }) {
        SCOPED_TRACE(row.text);
        const FrameError error = refused(row.text);
        EXPECT_EQ(error.code, FrameErrorCode::unknown_type);
        EXPECT_EQ(error.message, row.message);
        EXPECT_EQ(error.errors, "");
    }
    EXPECT_EQ(refused(R"({"type":["state"]})").code, FrameErrorCode::unknown_type);
    EXPECT_EQ(refused(R"({"type":{"a":1}})").code, FrameErrorCode::unknown_type);
}

TEST(ParseFrame, RepeatsLittleOfALongType) {
    const std::string letters(100'000, 'x');
    EXPECT_LT(refused(R"({"type":")" + letters + R"("})").message.size(), 1000U);
    EXPECT_LT(refused(R"({"type":[")" + letters + R"("]})").message.size(), 1000U);
}

TEST(ParseFrame, CutsALongTypeBetweenCharacters) {
    for (const std::string_view lead : {"", "x", "xx", "xxx"}) {
        std::string type(lead);
        for (int i = 0; i != 100; ++i) {
            type += "\xF0\x9F\x98\x80";
        }
        const FrameError error = refused(R"({"type":")" + type + R"("})");
        // Json::parse refuses what is not UTF-8.
        EXPECT_NO_THROW((void)Json::parse(wire::error_frame(error))) << lead;
    }
}

TEST(ParseFrame, ShowsALoneSurrogateInATypeAsText) {
    const FrameError error = refused(R"({"type":"\ud800"})");
    EXPECT_EQ(error.code, FrameErrorCode::unknown_type);
    EXPECT_NO_THROW((void)Json::parse(wire::error_frame(error)));
}

TEST(ParseFrame, RefusesAWrongEnvelope) {
    struct Row {
        std::string_view text;
        std::vector<std::string> errors;
    };
    for (const Row& row : {
             Row{R"({"type":"step"})", {"missing @ data"}},
             Row{R"({"type":"mcp"})", {"missing @ data"}},
             Row{R"({"type":"step","data":null})", {"dict_type @ data"}},
             Row{R"({"type":"step","data":"x"})", {"dict_type @ data"}},
             Row{R"({"type":"mcp","data":[]})", {"dict_type @ data"}},
             Row{R"({"type":"reset","data":null})", {"dict_type @ data"}},
             Row{R"({"type":"reset","data":[{}]})", {"dict_type @ data"}},
             Row{R"({"type":"reset","data":false})", {"dict_type @ data"}},
             Row{R"({"type":"state","data":{}})", {"extra_forbidden @ data"}},
             Row{R"({"type":"state","data":null})", {"extra_forbidden @ data"}},
             Row{R"({"type":"step","data":{},"timeout_s":5})", {"extra_forbidden @ timeout_s"}},
             Row{R"({"type":"close","bogus":1})", {"extra_forbidden @ bogus"}},
             Row{R"({"a":1,"type":"step","b":2})",
                 {"missing @ data", "extra_forbidden @ a", "extra_forbidden @ b"}},
             Row{R"({"a":1,"type":"reset","data":5})", {"dict_type @ data", "extra_forbidden @ a"}},
         }) {
        SCOPED_TRACE(row.text);
        const FrameError error = refused(row.text);
        EXPECT_EQ(error.code, FrameErrorCode::validation_error);
        EXPECT_EQ(error.message, "Invalid message");
        EXPECT_THAT(Json::parse(error.errors), has_errors(row.errors));
    }
}

TEST(ParseFrame, ReportsARepeatedUnknownKeyOnce) {
    const FrameError error = refused(R"({"type":"state","a":1,"a":2})");
    const Json errors = Json::parse(error.errors);
    ASSERT_THAT(errors, has_errors({"extra_forbidden @ a"}));
    EXPECT_EQ(errors[0]["input"], Json(2));
}

TEST(ParseFrame, ReportsUnknownKeysInTheirOrder) {
    EXPECT_THAT(
        Json::parse(refused(R"({"a":1,"data":{},"type":"state","b":2,"a":3,"data":1})").errors),
        has_errors({"extra_forbidden @ a", "extra_forbidden @ data", "extra_forbidden @ b"})
    );
    EXPECT_THAT(
        Json::parse(refused(R"({"b":1,"type":"state","data":{}})").errors),
        has_errors({"extra_forbidden @ b", "extra_forbidden @ data"})
    );
}

TEST(ParseFrame, CutsALongKeyOnce) {
    const std::string key(100'000, 'x');
    const Json errors = Json::parse(refused(R"({"type":"state",")" + key + R"(":1})").errors);
    EXPECT_EQ(errors[0]["loc"][0].as_string().substr(1024), "... (cut, 100000 bytes in all)");
}

TEST(ParseFrame, EchoesTheWholeMessageWhenDataIsMissing) {
    EXPECT_THAT(Json::parse(refused(R"({"type":"step"})").errors), contains_json(R"([{
        "type":"missing","loc":["data"],"msg":"Field required","input":{"type":"step"}}])"));
}

TEST(ParseFrame, EchoesLittleOfALargeInput) {
    const std::string large(100'000, 'x');
    const FrameError error = refused(R"({"type":"state","data":")" + large + R"("})");
    EXPECT_LT(error.errors.size(), 50'000U);
    EXPECT_THAT(Json::parse(error.errors), has_errors({"extra_forbidden @ data"}));
}

TEST(ErrorFrame, HasErrorsOnlyWhereThereAreAny) {
    EXPECT_EQ(
        wire::error_frame({FrameErrorCode::execution_error, "step \"exploded\""}),
        R"({"type":"error","data":{"message":"step \"exploded\"","code":"EXECUTION_ERROR"}})"
    );
    EXPECT_EQ(
        wire::error_frame({FrameErrorCode::validation_error, "Invalid message", "[{}]"}),
        R"({"type":"error","data":{"message":"Invalid message","code":"VALIDATION_ERROR","errors":[{}]}})"
    );
}

TEST(ErrorFrame, NamesEveryCode) {
    struct Row {
        FrameErrorCode code;
        std::string_view name;
    };
    for (const Row& row : {
             Row{FrameErrorCode::invalid_json, "INVALID_JSON"},
             Row{FrameErrorCode::unknown_type, "UNKNOWN_TYPE"},
             Row{FrameErrorCode::validation_error, "VALIDATION_ERROR"},
             Row{FrameErrorCode::execution_error, "EXECUTION_ERROR"},
             Row{FrameErrorCode::capacity_reached, "CAPACITY_REACHED"},
             Row{FrameErrorCode::factory_error, "FACTORY_ERROR"},
             Row{FrameErrorCode::session_error, "SESSION_ERROR"},
         }) {
        EXPECT_EQ(wire::name_of(row.code), row.name);
        const Json frame = Json::parse(wire::error_frame({row.code, ""}));
        EXPECT_EQ(frame["data"]["code"], Json(row.name));
    }
}

TEST(CapacityFrame, TellsTheNumbers) {
    EXPECT_THAT(Json::parse(wire::capacity_frame(2, 3)), equals_json(R"({
        "type":"error","data":{
            "message":"Server at capacity: 2/3 sessions active. Cannot accept new connections.",
            "code":"CAPACITY_REACHED","active_sessions":2,"max_sessions":3}})"));
}

TEST(FactoryFrame, TellsTheFactory) {
    EXPECT_THAT(
        Json::parse(wire::factory_frame("Environment factory 'E' failed to create instance.", "E")),
        equals_json(R"({"type":"error","data":{
            "message":"Environment factory 'E' failed to create instance.",
            "code":"FACTORY_ERROR","factory_name":"E"}})")
    );
}

TEST(Envelope, IsCompleteAroundWhatAnEnvironmentWrites) {
    for (const std::string_view prefix :
         {wire::kObservationPrefix, wire::kStatePrefix, wire::kMcpPrefix}) {
        const std::string frame = std::string(prefix) + "{}" + std::string(wire::kSuffix);
        EXPECT_THAT(Json::parse(frame), contains_json(R"({"data":{}})"));
    }
}

}  // namespace
}  // namespace openenv
