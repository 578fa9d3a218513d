#include "unit/model/fixtures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace openenv {
namespace {

using fixtures::brief_errors_of;
using fixtures::errors_of;
using fixtures::MoveAction;
using testing::ElementsAre;

TEST(Conformance, Case52MissingField) {
    EXPECT_EQ(
        errors_of<MoveAction>("{}"),
        Json::parse(R"([{"type":"missing","loc":["message"],"msg":"Field required","input":{},
                         "url":"https://errors.pydantic.dev/2.14/v/missing"}])")
    );
}

TEST(Conformance, Case54TextTooLong) {
    const Json errors = errors_of<MoveAction>(R"({"message":"toolongmessage"})");
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0]["type"], Json("string_too_long"));
    EXPECT_EQ(errors[0]["ctx"], Json::parse(R"({"max_length":8})"));
}

TEST(Conformance, Case55NotAText) {
    EXPECT_THAT(
        brief_errors_of<MoveAction>(R"({"message":5})"), ElementsAre("string_type @ message")
    );
    EXPECT_THAT(
        brief_errors_of<MoveAction>(R"({"message":null})"), ElementsAre("string_type @ message")
    );
}

TEST(Conformance, Case56UnknownField) {
    const Json errors = errors_of<MoveAction>(R"({"message":"hi","bogus":1})");
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0]["type"], Json("extra_forbidden"));
    EXPECT_EQ(errors[0]["loc"], Json::array({"bogus"}));
    EXPECT_EQ(errors[0]["msg"], Json("Extra inputs are not permitted"));
    EXPECT_EQ(errors[0]["input"], Json(1));
}

TEST(Conformance, Case57ElevenErrorsInOrder) {
    const std::string_view text =
        R"({"message":"hi","count":11,"kind":"z","color":"green","tags":[1],"point":{"y":"q"},
            "opt":"x","flag":"maybe","ratio":"abc","table":{"a":"b"},"metadata":5})";
    EXPECT_THAT(
        brief_errors_of<MoveAction>(text),
        ElementsAre(
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
            "int_parsing @ table,a"
        )
    );
    const Json errors = errors_of<MoveAction>(text);
    EXPECT_EQ(errors[4]["ctx"]["expected"], Json("'a' or 'b'"));
    EXPECT_EQ(errors[5]["ctx"]["expected"], Json("'red' or 'blue'"));
}

TEST(Conformance, Case58ConvertsTexts) {
    const auto action =
        model::from_json<MoveAction>(R"({"message":"hi","count":"3","flag":"true","ratio":"1.5"})");
    EXPECT_EQ(action.count, 3);
    EXPECT_TRUE(action.flag);
    EXPECT_EQ(action.ratio, 1.5);
}

TEST(Conformance, Case59IntegersFromOtherKinds) {
    EXPECT_EQ(model::from_json<MoveAction>(R"({"message":"hi","count":2.0})").count, 2);
    EXPECT_EQ(model::from_json<MoveAction>(R"({"message":"hi","count":true})").count, 1);
    EXPECT_THAT(
        brief_errors_of<MoveAction>(R"({"message":"hi","count":2.5})"),
        ElementsAre("int_from_float @ count")
    );
}

TEST(Conformance, Case60TwoIsNoBoolean) {
    EXPECT_THAT(
        brief_errors_of<MoveAction>(R"({"message":"hi","flag":2})"),
        ElementsAre("bool_parsing @ flag")
    );
}

TEST(Conformance, Case62MetadataIsKept) {
    const auto action = model::from_json<MoveAction>(R"({"message":"hi","metadata":{"m":1}})");
    EXPECT_EQ(action.metadata, Json::object({{"m", 1}}));
}

TEST(Conformance, Case63OwnCheck) {
    const Json errors = errors_of<fixtures::ValAction>(R"({"n":9})");
    EXPECT_EQ(
        errors,
        Json::parse(R"([{"type":"value_error","loc":["n"],"msg":"Value error, n too big","input":9,
                         "ctx":{"error":"n too big"},
                         "url":"https://errors.pydantic.dev/2.14/v/value_error"}])")
    );
    EXPECT_EQ(model::from_json<fixtures::ValAction>(R"({"n":5})").n, 5);
}

TEST(Conformance, Case71ToolActionIsNothingSpecial) {
    EXPECT_THAT(
        brief_errors_of<MoveAction>(R"({"type":"list_tools"})"),
        ElementsAre("missing @ message", "extra_forbidden @ type")
    );
}

TEST(MoveAction, ReadsEveryField) {
    const auto action = model::from_json<MoveAction>(
        R"({"table":{"b":2,"a":1},"point":{"x":3,"later":1},"opt":null,"tags":["x","y"],
            "color":"blue","kind":"b","flag":true,"ratio":2,"count":7,"message":"héllo"})"
    );
    EXPECT_EQ(action.message, "h\xC3\xA9llo");
    EXPECT_EQ(action.count, 7);
    EXPECT_EQ(action.ratio, 2.0);
    EXPECT_EQ(action.kind, "b");
    EXPECT_EQ(action.color, fixtures::Color::blue);
    EXPECT_THAT(action.tags, ElementsAre("x", "y"));
    EXPECT_EQ(action.opt, std::nullopt);
    EXPECT_EQ(action.point, (fixtures::Point{3, 0.5}));
    EXPECT_EQ(action.table, (std::map<std::string, int>{{"a", 1}, {"b", 2}}));
}

TEST(MoveAction, EveryMemberIsCounted) {
    EXPECT_EQ(model::own_member_count<MoveAction>(), 10U);
    EXPECT_EQ(model::own_member_count<fixtures::BaseAction>(), 1U);
    EXPECT_EQ(model::own_member_count<fixtures::Point>(), 2U);
}

TEST(MoveAction, WritesInOrderOfDeclaration) {
    MoveAction action;
    action.message = "hi";
    EXPECT_EQ(
        model::to_json(action),
        R"({"metadata":{},"message":"hi","count":1,"ratio":1.0,"flag":false,"kind":"a",)"
        R"("color":"red","tags":[],"opt":null,"point":null,"table":{}})"
    );
    EXPECT_EQ(
        model::to_json(model::from_json<MoveAction>(model::to_json(action))), model::to_json(action)
    );
}

TEST(MoveAction, SchemaIsTheReferences) {
    const Json expected = Json::parse(R"(
        {"$defs":{"Color":{"enum":["red","blue"],"title":"Color","type":"string"},
                  "Point":{"properties":{"x":{"title":"X","type":"integer"},
                                         "y":{"default":0.5,"title":"Y","type":"number"}},
                           "required":["x"],"title":"Point","type":"object"}},
         "additionalProperties":false,
         "properties":{
          "metadata":{"additionalProperties":true,"title":"Metadata","type":"object"},
          "message":{"maxLength":8,"minLength":1,"title":"Message","type":"string"},
          "count":{"default":1,"maximum":10,"minimum":0,"title":"Count","type":"integer"},
          "ratio":{"default":1.0,"title":"Ratio","type":"number"},
          "flag":{"default":false,"title":"Flag","type":"boolean"},
          "kind":{"default":"a","enum":["a","b"],"title":"Kind","type":"string"},
          "color":{"$ref":"#/$defs/Color","default":"red"},
          "tags":{"items":{"type":"string"},"title":"Tags","type":"array"},
          "opt":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null,"title":"Opt"},
          "point":{"anyOf":[{"$ref":"#/$defs/Point"},{"type":"null"}],"default":null},
          "table":{"additionalProperties":{"type":"integer"},"default":{},"title":"Table","type":"object"}},
         "required":["message"],"title":"MoveAction","type":"object"})");
    // The text is compared, not the value: the order of keys is part of what is promised.
    EXPECT_EQ(model::schema<MoveAction>().dump(), expected.dump());
}

}  // namespace
}  // namespace openenv
