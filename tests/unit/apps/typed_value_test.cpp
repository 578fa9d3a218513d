#include "typed_value.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace cli {
namespace {

using openenv::Json;
using testing::HasSubstr;

/// What `text` means for a value with this schema, as JSON; what is wrong when it means nothing.
std::string typed(const char* schema_text, std::string_view text) {
    const Json schema = Json::parse(schema_text);
    const SchemaDocument document(schema);
    const openenv::Result<Json> value = read_typed(document.rule_of(schema), text);
    return value ? value->dump() : "wrong: " + value.error().message;
}

TEST(TypedValue, BooleansAreYesAndNo) {
    constexpr const char* kBoolean = R"({"type":"boolean"})";
    for (const char* yes : {"y", "Y", "yes", "TRUE", " y "}) {
        EXPECT_EQ(typed(kBoolean, yes), "true") << yes;
    }
    for (const char* no : {"n", "No", "false"}) {
        EXPECT_EQ(typed(kBoolean, no), "false") << no;
    }
    for (const char* neither : {"", "1", "maybe", "null"}) {
        EXPECT_THAT(typed(kBoolean, neither), HasSubstr("y or n")) << neither;
    }
}

TEST(TypedValue, IntegersHaveNoFractionAndKeepTheirLimits) {
    constexpr const char* kLimited = R"({"type":"integer","minimum":1,"maximum":10})";
    EXPECT_EQ(typed(kLimited, "1"), "1");
    EXPECT_EQ(typed(kLimited, " 10 "), "10");
    EXPECT_EQ(typed(kLimited, "11"), "wrong: this has to keep to its limits: from 1 to 10");
    EXPECT_EQ(typed(kLimited, "0"), "wrong: this has to keep to its limits: from 1 to 10");
    for (const char* none : {"1.5", "1e2", "one", "\"1\"", "true", "", "1 2", "0x10"}) {
        EXPECT_EQ(typed(kLimited, none), "wrong: this takes a whole number") << none;
    }
    constexpr const char* kAny = R"({"type":"integer"})";
    EXPECT_EQ(typed(kAny, "123456789012345678901234567890"), "123456789012345678901234567890");
    EXPECT_EQ(typed(kAny, "-7"), "-7");
}

TEST(TypedValue, NumbersMayBeWhole) {
    constexpr const char* kOpen =
        R"({"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1.5})";
    EXPECT_EQ(typed(kOpen, "1"), "1");
    EXPECT_EQ(typed(kOpen, "0.25"), "0.25");
    EXPECT_EQ(typed(kOpen, "0"), "wrong: this has to keep to its limits: above 0, below 1.5");
    EXPECT_EQ(typed(kOpen, "1.5"), "wrong: this has to keep to its limits: above 0, below 1.5");
    EXPECT_THAT(typed(kOpen, "NaN"), HasSubstr("above 0"));
    EXPECT_EQ(typed(kOpen, "half"), "wrong: this takes a number");
}

TEST(TypedValue, TextsAreTakenAsTheyAreOrQuoted) {
    constexpr const char* kText = R"({"type":"string"})";
    EXPECT_EQ(typed(kText, "[crane]"), R"("[crane]")");
    EXPECT_EQ(typed(kText, " two  words "), R"(" two  words ")");
    EXPECT_EQ(typed(kText, R"("")"), R"("")");
    EXPECT_EQ(typed(kText, R"(":quit")"), R"(":quit")");
    EXPECT_EQ(typed(kText, R"("a\nb")"), R"("a\nb")");
    EXPECT_EQ(typed(kText, R"("said" he "so")"), R"("\"said\" he \"so\"")") << "no JSON string";
    EXPECT_EQ(typed(kText, "null"), R"("null")");
    EXPECT_EQ(typed(R"({"type":["string","null"]})", "null"), "null");
    EXPECT_EQ(typed(R"({"type":["string","null"]})", R"("null")"), R"("null")");
    EXPECT_THAT(typed(kText, "\xff"), HasSubstr("UTF-8"));
}

TEST(TypedValue, LengthsAreCountedInCharacters) {
    constexpr const char* kShort = R"({"type":"string","minLength":2,"maxLength":3})";
    EXPECT_EQ(typed(kShort, "\u00e4\u00f6\u00fc"), "\"\u00e4\u00f6\u00fc\"");
    EXPECT_EQ(typed(kShort, "a"), "wrong: this has to keep to its limits: 2 to 3 characters");
    EXPECT_EQ(typed(kShort, "abcd"), "wrong: this has to keep to its limits: 2 to 3 characters");
}

TEST(TypedValue, ChoicesAreNamedOrCounted) {
    constexpr const char* kColour = R"({"enum":["red","green"]})";
    EXPECT_EQ(typed(kColour, "green"), R"("green")");
    EXPECT_EQ(typed(kColour, R"("green")"), R"("green")");
    EXPECT_EQ(typed(kColour, R"("green" )"), R"("green")");
    EXPECT_EQ(typed(kColour, "2"), R"("green")");
    for (const char* none : {"0", "3", "Green", "", "-1", "gre"}) {
        EXPECT_EQ(
            typed(kColour, none), R"(wrong: this takes one of "red", "green", by name or by number)"
        ) << none;
    }
    constexpr const char* kLevel = R"({"enum":[3,2,1]})";
    EXPECT_EQ(typed(kLevel, "3"), "3") << "a value comes before a number of the list";
    EXPECT_EQ(typed(kLevel, "1"), "1");
    EXPECT_EQ(typed(R"({"enum":["a",null]})", "null"), "null");
}

TEST(TypedValue, ArraysAndObjectsAreJson) {
    EXPECT_EQ(typed(R"({"type":"array"})", "[1, 2]"), "[1,2]");
    EXPECT_THAT(typed(R"({"type":"array"})", "{}"), HasSubstr("array"));
    EXPECT_THAT(typed(R"({"type":"array"})", "[1,"), HasSubstr("column 4"));
    EXPECT_EQ(typed(R"({"type":"object"})", R"({"a": 1})"), R"({"a":1})");
    EXPECT_THAT(typed(R"({"type":"object"})", "[]"), HasSubstr("object"));
    EXPECT_EQ(typed("{}", "[1]"), "[1]");
    EXPECT_THAT(typed("{}", "word"), HasSubstr("JSON"));
}

TEST(TypedValue, LimitsThatAreNoNumbersDoNotCount) {
    EXPECT_EQ(typed(R"({"type":"integer","minimum":"x","maximum":null})", "5"), "5");
}

}  // namespace
}  // namespace cli
