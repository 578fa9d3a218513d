#include "action_prompt.hpp"

#include "unit/apps/schemas.hpp"
#include "wrong_usage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <variant>

namespace cli {
namespace {

using openenv::Json;
using testing::HasSubstr;
using testing::Not;

/// What an asking came to, and what was shown on the way.
struct Asked {
    std::string outcome;  ///< the action as JSON, ":name rest", or "end"
    std::string shown;
};

Asked ask(const Json& schema, const std::string& lines, bool interactive = true) {
    std::istringstream in(lines);
    std::ostringstream out;
    Dialogue dialogue(in, out, interactive, "test");
    ActionPrompt prompt(schema, dialogue, [&dialogue](const Command& command) {
        dialogue.say(command.name == "help" ? "HELP\n" : "");
        return command.name == "help";
    });
    const ActionPrompt::Outcome outcome = prompt.ask();
    Asked asked{"end", out.str()};
    if (const auto* action = std::get_if<Json>(&outcome)) {
        asked.outcome = action->dump();
    } else if (const auto* command = std::get_if<Command>(&outcome)) {
        asked.outcome = ":" + command->name + " " + command->rest;
    }
    return asked;
}

std::string refusal_of(const Json& schema, const std::string& lines) {
    try {
        return "none: " + ask(schema, lines, false).outcome;
    } catch (const WrongUsage& error) {
        return error.what();
    }
}

Json two_fields() {
    return Json::parse(
        R"({"type":"object","properties":{"count":{"type":"integer","minimum":1,"maximum":10},)"
        R"("word":{"type":"string","default":"crane"}},"required":["count"]})"
    );
}

TEST(ActionPrompt, AsksForEveryFieldInOrder) {
    const Asked asked = ask(two_fields(), "3\nslate\n");
    EXPECT_EQ(asked.outcome, R"({"count":3,"word":"slate"})");
    EXPECT_EQ(asked.shown, "count (integer, from 1 to 10): word (string) [\"crane\"]: ");
}

TEST(ActionPrompt, AnEmptyLineTakesTheDefault) {
    EXPECT_EQ(ask(two_fields(), "3\n\n").outcome, R"({"count":3})");
}

TEST(ActionPrompt, ADefaultOfWhatIsRequiredIsSent) {
    const Json schema = Json::parse(
        R"({"type":"object","properties":{"n":{"type":"integer","default":4}},"required":["n"]})"
    );
    EXPECT_EQ(ask(schema, "\n").outcome, R"({"n":4})");
}

TEST(ActionPrompt, ListsOnlySoManyChoices) {
    Json schema = Json::parse(R"({"type":"object","properties":{"n":{"enum":[]}}})");
    for (int number = 1; number <= 1000; ++number) {
        schema["properties"]["n"]["enum"].push_back(number);
    }
    const Asked asked = ask(schema, "1000\n");
    EXPECT_EQ(asked.outcome, R"({"n":1000})");
    EXPECT_THAT(asked.shown, HasSubstr("  40) 40\n  ... up to 1000\nn (choose)"));
}

TEST(ActionPrompt, AsksAgainForWhatIsMissingOrWrong) {
    const Asked asked = ask(two_fields(), "\nmany\n11\n3\n\n");
    EXPECT_EQ(asked.outcome, R"({"count":3})");
    EXPECT_THAT(asked.shown, HasSubstr("this is required"));
    EXPECT_THAT(asked.shown, HasSubstr("this takes a whole number"));
    EXPECT_THAT(asked.shown, HasSubstr("this has to keep to its limits: from 1 to 10"));
}

TEST(ActionPrompt, GoesThroughEveryKind) {
    const std::string lines =
        "y\n5\n\nabc\nnull\n2\n\n3\n[\"a\"]\n{\"k\":1}\nstring\n12\nsay\nhello\nnull\n{\"x\":[]}\n";
    EXPECT_EQ(
        ask(test::every_kind(), lines).outcome,
        R"({"flag":true,"count":5,"name":"abc","note":null,"colour":"green","level":3,)"
        R"("fixed":"it","words":["a"],"table":{"k":1},"either":"12",)"
        R"("move":{"kind":"say","what":"hello"},"maybe_move":null,"free":{"x":[]}})"
    );
}

TEST(ActionPrompt, ListsChoicesAndAlternatives) {
    const Json choice = Json::parse(
        R"({"type":"object","properties":{"c":{"enum":["red","green"],"default":"red"}}})"
    );
    const Asked colour = ask(choice, "2\n");
    EXPECT_EQ(colour.outcome, R"({"c":"green"})");
    EXPECT_EQ(colour.shown, "  1) \"red\"\n  2) \"green\"\nc (choose) [\"red\"]: ");
    const Json action = Json::parse(
        R"({"oneOf":[{"$ref":"#/$defs/Go"},{"$ref":"#/$defs/Stop"}],"$defs":{)"
        R"("Go":{"type":"object","properties":{"kind":{"const":"go"},"n":{"type":"integer"}},)"
        R"("required":["kind","n"]},)"
        R"("Stop":{"type":"object","properties":{"kind":{"const":"stop"}}}}})"
    );
    const Asked go = ask(action, "5\n1\n4\n");
    EXPECT_EQ(go.outcome, R"({"kind":"go","n":4})");
    EXPECT_THAT(go.shown, HasSubstr("  1) Go (go)\n  2) Stop (stop)\n"));
    EXPECT_THAT(go.shown, HasSubstr("  this takes Go or Stop, by name or by number\n"));
    EXPECT_THAT(go.shown, HasSubstr("): n (integer): ")) << "of the whole action";
    EXPECT_EQ(ask(action, "stop\n").outcome, R"({"kind":"stop"})") << "by its tag";
    EXPECT_EQ(ask(action, "Stop\n").outcome, R"({"kind":"stop"})") << "by its name";
}

TEST(ActionPrompt, NamesTheFieldsOfAnAlternativeByTheirPath) {
    const std::string lines = "\n5\n\nabc\n\nred\n\n3\n\n\n1\n7\n1\n2\n\n\n";
    const Asked asked = ask(test::every_kind(), lines);
    EXPECT_THAT(asked.shown, HasSubstr("move.steps (integer, at least 1): "));
    EXPECT_THAT(asked.outcome, HasSubstr(R"("either":7,"move":{"kind":"go","steps":2}})"));
}

TEST(ActionPrompt, AFieldCalledActionIsAFieldLikeOthers) {
    const Json schema =
        Json::parse(R"({"type":"object","properties":{"action":{"anyOf":[{"$ref":"#/$defs/Go"},)"
                    R"({"type":"integer"}]}},"required":["action"],)"
                    R"("$defs":{"Go":{"type":"object","properties":{"n":{"type":"integer"}}}}})");
    const Asked asked = ask(schema, "1\n4\n");
    EXPECT_EQ(asked.outcome, R"({"action":{"n":4}})");
    EXPECT_THAT(asked.shown, HasSubstr("action.n (integer) [leave out]: "));
}

TEST(ActionPrompt, TakesCommandsAtEveryQuestion) {
    EXPECT_EQ(ask(two_fields(), ":quit\n").outcome, ":quit ");
    EXPECT_EQ(ask(two_fields(), "3\n:reset  {\"seed\": 7}\n").outcome, ":reset {\"seed\": 7}");
    const Asked aside = ask(two_fields(), "3\n:help\nx\n");
    EXPECT_EQ(aside.outcome, R"({"count":3,"word":"x"})") << "what was typed before is kept";
    EXPECT_THAT(aside.shown, HasSubstr("HELP\n"));
}

TEST(ActionPrompt, EndsWithTheInput) {
    EXPECT_EQ(ask(two_fields(), "").outcome, "end");
    EXPECT_EQ(ask(two_fields(), "3\n").outcome, "end");
    EXPECT_EQ(ask(two_fields(), "", false).outcome, "end");
}

TEST(ActionPrompt, AScriptSeesNoQuestionsAndIsNotAskedTwice) {
    const Asked asked = ask(two_fields(), "3\r\nslate\r\n", false);
    EXPECT_EQ(asked.outcome, R"({"count":3,"word":"slate"})");
    EXPECT_EQ(asked.shown, "");
    EXPECT_EQ(
        refusal_of(two_fields(), "11\n"),
        "line 1 of test: count: this has to keep to its limits: from 1 to 10"
    );
    EXPECT_EQ(refusal_of(two_fields(), "\n"), "line 1 of test: count: this is required");
    EXPECT_EQ(
        refusal_of(two_fields(), "3\n"),
        "test ends after line 1, within an action: 'word' is still missing"
    );
}

TEST(ActionPrompt, AnActionWithoutFieldsWaitsForEnter) {
    const Json empty =
        Json::parse(R"({"type":"object","properties":{"metadata":{"type":"object","default":{}},)"
                    R"("kind":{"const":"go"}}})");
    EXPECT_EQ(ask(empty, "\n").outcome, R"({"kind":"go"})");
    EXPECT_EQ(ask(empty, "").outcome, "end") << "no endless steps";
    EXPECT_EQ(ask(empty, ":quit\n").outcome, ":quit ");
    EXPECT_THAT(
        ask(empty, "x\n\n").shown, HasSubstr("this action asks for nothing: leave the line empty")
    );
}

TEST(ActionPrompt, AnActionThatNothingDescribesIsJson) {
    EXPECT_EQ(ask(Json::object(), "{\"a\":1}\n").outcome, R"({"a":1})");
    EXPECT_EQ(ask(Json::parse(R"({"type":"object"})"), "{}\n").outcome, "{}");
}

TEST(ActionPrompt, ShowsNothingThatATerminalWouldObey) {
    const Json schema = Json::parse(
        "{\"type\":\"object\",\"properties\":{\"\\u001b[2J\":{\"enum\":[\"\\u001b\",\"\\u009b\"],"
        "\"default\":\"\\u001b\"},\"u\":{\"anyOf\":[{\"type\":\"object\",\"title\":\"\\u001bA\"},"
        "{\"type\":\"object\",\"title\":\"B\"}]}}}"
    );
    const Asked asked = ask(schema, "x\n1\n1\n{}\n");
    EXPECT_THAT(asked.shown, Not(HasSubstr("\x1b")));
    EXPECT_THAT(asked.shown, Not(HasSubstr("\u009b")));
}

}  // namespace
}  // namespace cli
