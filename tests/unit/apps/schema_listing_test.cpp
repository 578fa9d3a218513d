#include "schema_listing.hpp"

#include "unit/apps/schemas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cli {
namespace {

using openenv::Json;
using testing::HasSubstr;
using testing::Not;

TEST(SchemaListing, ListsEveryKindOfField) {
    EXPECT_EQ(list_fields(test::every_kind(), ""), R"(metadata    object, optional
flag        boolean, default false
count       integer, required, from 1 to 10
            How many
ratio       number, default 0.5, above 0, below 1
name        string, required, 2 to 4 characters
note        string or null, default null
colour      one of "red", "green", required
hue         one of "red", "green", default "red"
level       one of 3, 2, 1, required
fixed       always "it", required
words       array of string, default []
table       object of integer, optional
either      integer or string, required
move        Go or Say, required
maybe_move  Go or Say or null, default null
free        anything, optional
Go is
  kind   always "go", default "go"
  steps  integer, required, at least 1
Say is
  kind  always "say", default "say"
  what  string, required
)");
}

TEST(SchemaListing, NamesThePartsThatTheServerTells) {
    const Json document = Json::parse(
        R"({"action":{"title":"Act","type":"object","properties":{"n":{"type":"integer"}}},)"
        R"("observation":{"title":"See","type":"object","properties":{}},)"
        R"("state":{"type":"object"},"more":{}})"
    );
    EXPECT_EQ(list_schemas(document), R"(action: Act
  n  integer, optional

observation: See
  no fields

state
  no fields
)");
}

TEST(SchemaListing, TellsOfActionsThatAreAlternatives) {
    const Json schema = Json::parse(
        R"({"oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{)"
        R"("A":{"type":"object","properties":{"a":{"type":"integer"}}},)"
        R"("B":{"type":"object","properties":{"b":{"type":"array","items":{"$ref":"#/$defs/A"}}}}}})"
    );
    EXPECT_EQ(list_fields(schema, "  "), R"(  A or B
  A is
    a  integer, optional
  B is
    b  array of A, optional
)");
}

TEST(SchemaListing, PrintsNothingThatATerminalWouldObey) {
    const Json schema = Json::parse(
        "{\"type\":\"object\",\"title\":\"\\u001b[1m\",\"properties\":{\"\\u001b[2J\":{"
        "\"type\":\"string\",\"description\":\"one\\n\\u001b[3Jtwo\",\"default\":\"\\u009b4m\","
        "\"pattern\":\"\\u007f\"}},\"$defs\":{\"\\u001bX\":{\"type\":\"object\",\"properties\":{"
        "\"c\":{\"enum\":[\"\\u001b\",\"\\u202e\"]}}}}}"
    );
    const Json document = Json::object({{"action", schema}});
    const std::string text = list_schemas(document);
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\x7f")));
    EXPECT_THAT(text, Not(HasSubstr("\u009b")));
    EXPECT_THAT(text, Not(HasSubstr("\u202e")));
    EXPECT_THAT(text, HasSubstr("\\u001b[2J"));
    EXPECT_THAT(text, HasSubstr("\\u001b[3Jtwo"));
}

TEST(SchemaListing, EndsWithTypesThatContainThemselves) {
    const Json tree = Json::parse(
        R"({"$defs":{"Tree":{"type":"object","properties":{"children":{"type":"array",)"
        R"("items":{"$ref":"#/$defs/Tree"}}}},"Deep":{"type":"array","items":{"$ref":"#/$defs/Deep"}}},)"
        R"("type":"object","properties":{"t":{"$ref":"#/$defs/Tree"},"d":{"$ref":"#/$defs/Deep"}}})"
    );
    EXPECT_EQ(list_fields(tree, ""), R"(t  Tree, optional
d  array of array of array of array, optional
Tree is
  children  array of Tree, optional
)");
}

}  // namespace
}  // namespace cli
