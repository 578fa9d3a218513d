#include "value_rule.hpp"

#include "unit/apps/schemas.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace cli {
namespace {

using openenv::Json;

ValueRule rule(const Json& schema) {
    return SchemaDocument(schema).rule_of(schema);
}

class EveryKind : public testing::Test {
protected:
    EveryKind() : schema_(test::every_kind()), document_(schema_) {
        for (const Field& field : document_.fields_of(schema_)) {
            fields_.emplace(field.name, field);
        }
    }

    const Json schema_;
    const SchemaDocument document_;
    std::map<std::string, Field> fields_;
};

TEST_F(EveryKind, IsReadAsWhatItIs) {
    const std::map<std::string, ValueKind> expected{
        {"metadata", ValueKind::object},
        {"flag", ValueKind::boolean},
        {"count", ValueKind::integer},
        {"ratio", ValueKind::number},
        {"name", ValueKind::text},
        {"note", ValueKind::text},
        {"colour", ValueKind::choice},
        {"hue", ValueKind::choice},
        {"level", ValueKind::choice},
        {"fixed", ValueKind::constant},
        {"words", ValueKind::array},
        {"table", ValueKind::object},
        {"either", ValueKind::alternatives},
        {"move", ValueKind::alternatives},
        {"maybe_move", ValueKind::alternatives},
        {"free", ValueKind::anything},
    };
    ASSERT_EQ(fields_.size(), expected.size());
    for (const auto& [name, kind] : expected) {
        EXPECT_EQ(fields_.at(name).rule.kind, kind) << name;
    }
}

TEST_F(EveryKind, KnowsWhatIsRequiredAndWhatIsDefault) {
    EXPECT_TRUE(fields_.at("count").required);
    EXPECT_EQ(fields_.at("count").default_value, std::nullopt);
    EXPECT_EQ(fields_.at("count").description, "How many");
    EXPECT_FALSE(fields_.at("flag").required);
    EXPECT_EQ(fields_.at("flag").default_value, Json(false));
    EXPECT_EQ(fields_.at("note").default_value, Json()) << "null is a default too";
    EXPECT_TRUE(fields_.at("note").rule.nullable);
    EXPECT_FALSE(fields_.at("name").rule.nullable);
}

TEST_F(EveryKind, KnowsAlternativesByNameAndTag) {
    const ValueRule& move = fields_.at("move").rule;
    ASSERT_EQ(move.alternatives.size(), 2U);
    EXPECT_EQ(move.alternatives[0].name, "Go");
    EXPECT_EQ(move.alternatives[0].tag, "go");
    EXPECT_EQ(move.alternatives[1].tag, "say") << "an enum of one value is a constant";
    EXPECT_FALSE(move.nullable);
    const ValueRule& maybe = fields_.at("maybe_move").rule;
    EXPECT_EQ(maybe.alternatives.size(), 2U);
    EXPECT_EQ(maybe.alternatives[1].tag, "say") << "without a discriminator as well";
    EXPECT_TRUE(maybe.nullable);
    const ValueRule& either = fields_.at("either").rule;
    EXPECT_EQ(either.alternatives[0].name, "integer");
    EXPECT_EQ(either.alternatives[1].name, "string");
}

TEST(ValueRule, ReadsListsOfTypesAndNulls) {
    const Json both = Json::parse(R"({"type":["integer","null"]})");
    EXPECT_EQ(rule(both).kind, ValueKind::integer);
    EXPECT_TRUE(rule(both).nullable);
    const Json nothing = Json::parse(R"({"type":"null"})");
    EXPECT_EQ(rule(nothing).kind, ValueKind::constant);
    const Json choice = Json::parse(R"({"enum":["a",null]})");
    EXPECT_EQ(rule(choice).kind, ValueKind::choice);
    EXPECT_EQ(rule(choice).choices.size(), 1U);
    EXPECT_TRUE(rule(choice).nullable);
    const Json constant_or_null = Json::parse(R"({"anyOf":[{"const":"a"},{"type":"null"}]})");
    EXPECT_EQ(rule(constant_or_null).kind, ValueKind::choice);
    const Json literals = Json::parse(R"({"anyOf":[{"const":"a"},{"enum":["b","c"]}]})");
    EXPECT_EQ(rule(literals).kind, ValueKind::choice);
    EXPECT_EQ(rule(literals).choices.size(), 3U);
}

TEST(ValueRule, FlattensAlternativesOfAlternatives) {
    const Json schema =
        Json::parse(R"({"anyOf":[{"type":"integer"},{"anyOf":[{"type":"string"},{"type":"null"}]},)"
                    R"({"oneOf":[{"type":"array"},{"type":"boolean"}]}]})");
    const ValueRule read = rule(schema);
    EXPECT_EQ(read.alternatives.size(), 4U);
    EXPECT_TRUE(read.nullable);
}

TEST(ValueRule, EndsWithSchemasThatHaveNoEnd) {
    const Json itself = Json::parse(R"({"$ref":"#"})");
    EXPECT_EQ(rule(itself).kind, ValueKind::anything);
    const Json round = Json::parse(
        R"({"$defs":{"A":{"anyOf":[{"$ref":"#/$defs/B"},{"$ref":"#/$defs/B"}]},)"
        R"("B":{"anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/A"}]}},"$ref":"#/$defs/A"})"
    );
    EXPECT_EQ(rule(round).kind, ValueKind::alternatives);
}

TEST(ValueRule, TakesSchemasThatMakeNoSense) {
    for (const char* text :
         {"5",
          "[]",
          R"({"$ref":"#/nowhere"})",
          R"({"$ref":"http://elsewhere/x"})",
          R"({"$ref":5})",
          R"({"anyOf":[]})",
          R"({"anyOf":[7,null]})",
          R"({"enum":[]})",
          R"({"type":"banana"})",
          R"({"type":[]})",
          R"({"properties":[]})"}) {
        const Json schema = Json::parse(text);
        const ValueKind kind = rule(schema).kind;
        EXPECT_TRUE(
            kind == ValueKind::anything || kind == ValueKind::object ||
            kind == ValueKind::alternatives
        ) << text;
        EXPECT_TRUE(SchemaDocument(schema).fields_of(schema).empty()) << text;
    }
}

}  // namespace
}  // namespace cli
