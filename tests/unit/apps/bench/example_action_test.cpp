#include "bench/example_action.hpp"

#include "bench/actions.hpp"
#include "unit/apps/schemas.hpp"
#include "wrong_usage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace openenv::bench {
namespace {

using testing::HasSubstr;

Json action_for(const char* properties, const char* required) {
    return example_action(Json::parse(
        std::string(R"({"type":"object","properties":)") + properties + R"(,"required":)" +
        required + "}"
    ));
}

TEST(ExampleAction, HasTheRequiredFieldsAndNoOthers) {
    EXPECT_EQ(
        action_for(
            R"({"message":{"type":"string"},"metadata":{"type":"object"}})", R"(["message"])"
        ),
        Json::object({{"message", "hello"}})
    );
    EXPECT_EQ(example_action(Json::parse(R"({"type":"object"})")), Json::object());
}

TEST(ExampleAction, KeepsToEveryKindOfRule) {
    const Json action = example_action(cli::test::every_kind());
    EXPECT_EQ(action["count"], 1);
    EXPECT_EQ(action["name"], "hell");
    EXPECT_EQ(action["colour"], "red");
    EXPECT_EQ(action["level"], 3);
    EXPECT_EQ(action["fixed"], "it");
    EXPECT_EQ(action["either"], 0);
    EXPECT_EQ(action["move"], Json::parse(R"({"kind":"go","steps":1})"));
    EXPECT_EQ(action.size(), 7U);
}

TEST(ExampleAction, KeepsToLimits) {
    const Json action = action_for(
        R"({
            "a": {"type": "integer", "exclusiveMinimum": 4},
            "b": {"type": "integer", "maximum": -2.5},
            "c": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
            "d": {"type": "number", "minimum": 3},
            "e": {"type": "string", "minLength": 8},
            "f": {"type": "string", "maxLength": 0},
            "g": {"type": "array", "minItems": 2, "items": {"type": "boolean"}},
            "h": {"type": "number", "exclusiveMinimum": 2}
        })",
        R"(["a","b","c","d","e","f","g","h"])"
    );
    EXPECT_EQ(
        action,
        Json::parse(
            R"({"a":5,"b":-3,"c":0.5,"d":3.0,"e":"helloxxx","f":"","g":[false,false],"h":3.0})"
        )
    );
}

TEST(ExampleAction, SaysWhichFieldItCannotMakeUp) {
    const auto refused = [](const char* properties) -> std::string {
        try {
            static_cast<void>(action_for(properties, R"(["a"])"));
        } catch (const cli::WrongUsage& error) {
            return error.what();
        }
        return "nothing";
    };
    EXPECT_THAT(
        refused(R"({"a":{"type":"string","pattern":"^[a-z]$"}})"),
        HasSubstr("a takes texts of a certain form only; give one with --step")
    );
    EXPECT_THAT(
        refused(R"({"a":{"type":"integer","minimum":5,"maximum":4}})"), HasSubstr("leave nothing")
    );
    EXPECT_THAT(
        refused(R"({"a":{"type":"object","properties":{"b":{"$ref":"#/properties/a"}},
                    "required":["b"]}})"),
        HasSubstr("refers to itself")
    );
}

TEST(ExampleAction, ASmallSchemaCannotAskForAnActionWithoutEnd) {
    std::string schema = R"({"type":"boolean"})";
    for (int level = 0; level < 6; ++level) {
        schema = R"({"type":"array","minItems":100,"items":)" + schema + "}";
    }
    EXPECT_THROW(
        static_cast<void>(action_for((R"({"a":)" + schema + "}").c_str(), R"(["a"])")),
        cli::WrongUsage
    );
}

TEST(TextField, IsTheFirstThatTakesAText) {
    EXPECT_EQ(
        text_field_of(Json::parse(
            R"({"properties":{"n":{"type":"integer"},"say":{"type":"string"},"b":{"type":"string"}}})"
        )),
        "say"
    );
    EXPECT_THROW(
        static_cast<void>(text_field_of(Json::parse(R"({"properties":{}})"))), cli::WrongUsage
    );
}

TEST(WaitingAction, PutsTheSecondsIntoTheTemplate) {
    EXPECT_EQ(waiting_action(R"({"seconds":%})", 1.5), R"({"seconds":1.5})");
    EXPECT_EQ(waiting_action(R"({"a":{"ms":%000}})", 2), R"({"a":{"ms":2000}})");
    EXPECT_THROW(static_cast<void>(waiting_action(R"({"seconds":1})", 1)), cli::WrongUsage);
    EXPECT_THROW(static_cast<void>(waiting_action("%", 1)), cli::WrongUsage);
}

}  // namespace
}  // namespace openenv::bench
