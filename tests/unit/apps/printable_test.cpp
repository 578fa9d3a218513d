#include "printable.hpp"

#include <openenv/base/json.hpp>

#include <gtest/gtest.h>

#include <string>

namespace cli {
namespace {

using openenv::Json;

TEST(Printable, LeavesTextsOfAnyLanguageAlone) {
    const std::string text = "cr\u00e4ne \u2713 \u4f60\u597d \U0001F600 \"quoted\" \\ {}";
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesWhatATerminalWouldObey) {
    EXPECT_EQ(printable("\x1b[2J"), "\\u001b[2J");
    EXPECT_EQ(printable("a\nb\rc\td"), "a\\nb\\u000dc\\u0009d");
    EXPECT_EQ(printable("\x7f"), "\\u007f");
    EXPECT_EQ(printable("\u009b31m"), "\\u009b31m") << "a control sequence in one character";
    EXPECT_EQ(printable("\u202eexe"), "\\u202eexe") << "turns the direction";
    EXPECT_EQ(printable("\u2066\u2028\u200f"), "\\u2066\\u2028\\u200f");
    EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\u0000b");
}

TEST(Printable, EscapesBytesThatAreNoUtf8) {
    EXPECT_EQ(
        printable("a\xff"
                  "b\xc3"),
        "a\\xffb\\xc3"
    );
    EXPECT_EQ(
        printable("\x9b"
                  "1m"),
        "\\x9b1m"
    ) << "a bare control character of Latin-1";
}

TEST(Printable, KeepsJsonTheSame) {
    const Json value = Json::object({{"k", "\u009b\u202e\x7f\x1b \u4f60"}});
    EXPECT_EQ(Json::parse(printable(value.dump())), value);
}

TEST(Printable, KeepsLinesBehindTheirIndent) {
    EXPECT_EQ(printable_lines("one\n\x1btwo\n", "> "), "> one\n> \\u001btwo\n");
    EXPECT_EQ(printable_lines("", "> "), "> \n");
}

TEST(Printable, ShortensByCharacters) {
    EXPECT_EQ(shortened("\u00e4\u00f6\u00fc", 3), "\u00e4\u00f6\u00fc");
    EXPECT_EQ(shortened("\u00e4\u00f6\u00fc", 2), "\u00e4\u00f6...");
    EXPECT_EQ(shortened("", 2), "");
}

}  // namespace
}  // namespace cli
