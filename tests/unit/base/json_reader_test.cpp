#include "openenv/base/json_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace openenv {
namespace {

std::string repeat(std::string_view part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i != times; ++i) {
        text += part;
    }
    return text;
}

/// The error of passing over `text` as one whole JSON text; empty when there is none.
std::string error_of(std::string_view text) {
    JsonReader reader(text);
    reader.skip();
    reader.finish();
    return reader.error_text();
}

TEST(JsonReader, ReadsAnObjectMemberByMember) {
    JsonReader reader(R"( { "a" : 1 , "b" : [ true , null , "x" ] , "c" : { } } )");
    ASSERT_TRUE(reader.enter_object());
    EXPECT_EQ(reader.next_key(), "a");
    EXPECT_EQ(reader.read_number().int64, 1);
    EXPECT_EQ(reader.next_key(), "b");
    ASSERT_EQ(reader.peek(), JsonToken::array);
    ASSERT_TRUE(reader.enter_array());
    ASSERT_TRUE(reader.next_item());
    EXPECT_TRUE(reader.read_bool());
    ASSERT_TRUE(reader.next_item());
    EXPECT_TRUE(reader.read_null());
    ASSERT_TRUE(reader.next_item());
    EXPECT_EQ(reader.read_string(), "x");
    EXPECT_FALSE(reader.next_item());
    EXPECT_EQ(reader.next_key(), "c");
    ASSERT_TRUE(reader.enter_object());
    EXPECT_EQ(reader.next_key(), std::nullopt);
    EXPECT_EQ(reader.next_key(), std::nullopt);
    EXPECT_TRUE(reader.finish());
}

TEST(JsonReader, SkipReturnsTheTextOfTheValue) {
    JsonReader reader(R"({"a": {"b": [1, {"c": "]}"}]} , "d":2})");
    reader.enter_object();
    reader.next_key();
    EXPECT_EQ(reader.skip(), R"({"b": [1, {"c": "]}"}]})");
    EXPECT_EQ(reader.next_key(), "d");
    EXPECT_EQ(reader.skip(), "2");
    EXPECT_EQ(reader.next_key(), std::nullopt);
    EXPECT_TRUE(reader.finish());
}

TEST(JsonReader, RefusesInPythonsWords) {
    const std::vector<std::pair<std::string_view, std::string_view>> cases = {
        {"", "Expecting value: line 1 column 1 (char 0)"},
        {"  ", "Expecting value: line 1 column 3 (char 2)"},
        {"nul", "Expecting value: line 1 column 1 (char 0)"},
        {"-NaN", "Expecting value: line 1 column 1 (char 0)"},
        {"-", "Expecting value: line 1 column 1 (char 0)"},
        {"01", "Extra data: line 1 column 2 (char 1)"},
        {"1.", "Extra data: line 1 column 2 (char 1)"},
        {"1e+", "Extra data: line 1 column 2 (char 1)"},
        {"1 2", "Extra data: line 1 column 3 (char 2)"},
        {"[1,]", "Expecting value: line 1 column 4 (char 3)"},
        {"[1 2]", "Expecting ',' delimiter: line 1 column 4 (char 3)"},
        {"[", "Expecting value: line 1 column 2 (char 1)"},
        {"[1", "Expecting ',' delimiter: line 1 column 3 (char 2)"},
        {"{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"},
        {"{\"a\":1,}",
         "Expecting property name enclosed in double quotes: line 1 column 8 (char 7)"},
        {"{1:2}", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"},
        {"{\"a\" 1}", "Expecting ':' delimiter: line 1 column 6 (char 5)"},
        {"{\"a\":", "Expecting value: line 1 column 6 (char 5)"},
        {"\"a", "Unterminated string starting at: line 1 column 1 (char 0)"},
        {"\"a\\", "Unterminated string starting at: line 1 column 1 (char 0)"},
        {"\"\\x\"", "Invalid \\escape: line 1 column 2 (char 1)"},
        {"\"\\u12\"", "Invalid \\uXXXX escape: line 1 column 3 (char 2)"},
        {"\"a\nb\"", "Invalid control character at: line 1 column 3 (char 2)"},
        {"[\n\"\xC3\xA9\",\n \"\xC3\xA9\" x]",
         "Expecting ',' delimiter: line 3 column 6 (char 12)"},
        {"// no\n1", "Expecting value: line 1 column 1 (char 0)"},
        {"\xEF\xBB\xBF"
         "1",
         "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)"},
    };
    for (const auto& [text, error] : cases) {
        EXPECT_EQ(error_of(text), error) << text;
    }
}

TEST(JsonReader, RefusesInvalidUtf8) {
    EXPECT_EQ(error_of("\"ab\xFF\""), "Invalid UTF-8: line 1 column 4 (char 3)");
    EXPECT_EQ(error_of("\"\xED\xA0\x80\""), "Invalid UTF-8: line 1 column 2 (char 1)");
    EXPECT_EQ(error_of("\"\xC3"), "Invalid UTF-8: line 1 column 2 (char 1)");
}

TEST(JsonReader, ReadsNumbersOfEveryKind) {
    const auto read = [](std::string_view text) { return JsonReader(text).read_number(); };
    EXPECT_EQ(read("9223372036854775807").int64, INT64_MAX);
    EXPECT_EQ(read("-9223372036854775808").int64, INT64_MIN);
    EXPECT_EQ(read("9223372036854775808").kind, JsonNumber::Kind::uint64);
    EXPECT_EQ(read("18446744073709551615").uint64, UINT64_MAX);
    EXPECT_EQ(read("18446744073709551616").kind, JsonNumber::Kind::big);
    EXPECT_EQ(read("18446744073709551616").text, "18446744073709551616");
    EXPECT_DOUBLE_EQ(read("-18446744073709551616").real, -18446744073709551616.0);
    EXPECT_EQ(read("1.5").kind, JsonNumber::Kind::real);
    EXPECT_EQ(read("1.5").real, 1.5);
    EXPECT_EQ(read("1E2").real, 100.0);
    EXPECT_EQ(read("-0.0").real, 0.0);
    EXPECT_TRUE(std::signbit(read("-0.0").real));
    EXPECT_TRUE(std::isnan(read("NaN").real));
    EXPECT_EQ(read("Infinity").real, HUGE_VAL);
    EXPECT_EQ(read("-Infinity").real, -HUGE_VAL);
    EXPECT_EQ(read("1e400").real, HUGE_VAL);
    EXPECT_EQ(read("-1e400").real, -HUGE_VAL);
    EXPECT_EQ(read("0.00001e400").real, HUGE_VAL);
    EXPECT_EQ(read("1e-400").real, 0.0);
    EXPECT_EQ(read("10000e-400").real, 0.0);
    EXPECT_EQ(read("1e99999999999999999999").real, HUGE_VAL);
    const std::string nines = repeat("9", 400) + ".5";
    EXPECT_EQ(read(nines).real, HUGE_VAL);
}

TEST(JsonReader, LimitsTheDigitsOfAnInteger) {
    EXPECT_EQ(error_of(repeat("1", kMaxIntegerDigits)), "");
    EXPECT_EQ(error_of("-" + repeat("1", kMaxIntegerDigits)), "");
    EXPECT_NE(error_of(repeat("1", kMaxIntegerDigits + 1)), "");
}

TEST(JsonReader, UnescapesStrings) {
    const auto read = [](std::string_view text) {
        return std::string(JsonReader(text).read_string());
    };
    EXPECT_EQ(read(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
    EXPECT_EQ(
        read(R"("a\u0041\u00e9\u20AC\ud83d\ude00z")"), "aA\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z"
    );
    EXPECT_EQ(read(R"("\u0000")"), std::string(1, '\0'));
    EXPECT_EQ(read(R"("\ud800")"), "\xED\xA0\x80");
    EXPECT_EQ(read(R"("\udc00\ud800")"), "\xED\xB0\x80\xED\xA0\x80");
    EXPECT_EQ(read(R"("\ud800\ud83d\ude00")"), "\xED\xA0\x80\xF0\x9F\x98\x80");
    EXPECT_EQ(read("\"\x7F\""), "\x7F");
}

TEST(JsonReader, FindsSpecialBytesAnywhereInALongString) {
    for (std::size_t length = 0; length != 70; ++length) {
        const std::string plain(length, 'x');
        const std::string quoted = "\"" + plain + "\"";
        EXPECT_EQ(JsonReader(quoted).read_string(), plain);
        const std::string text = "\"" + plain + "\\n" + plain + "\xC3\xA9\"";
        JsonReader reader(text);
        EXPECT_EQ(reader.read_string(), plain + "\n" + plain + "\xC3\xA9");
        EXPECT_FALSE(error_of("\"" + plain + "\x1F\"").empty());
        EXPECT_FALSE(error_of("\"" + plain).empty());
    }
}

TEST(JsonReader, LimitsDepthWithoutRecursion) {
    EXPECT_EQ(error_of(repeat("[", 1000) + repeat("]", 1000)), "");
    EXPECT_EQ(
        error_of(repeat("[", 1001) + repeat("]", 1001)),
        "Nested too deeply: line 1 column 1001 (char 1000)"
    );
    EXPECT_EQ(error_of(repeat("{\"a\":", 1000) + "1" + repeat("}", 1000)), "");
    EXPECT_NE(error_of(repeat("[", 10'000'000)), "");
    const std::string mixed = repeat("[{\"a\":", 500) + "1" + repeat("}]", 500);
    EXPECT_EQ(error_of(mixed), "");
    EXPECT_NE(error_of(repeat("[{\"a\":", 500) + "1" + repeat("]}", 500)), "");

    const std::string deep = repeat("[", kMaxJsonDepth) + repeat("]", kMaxJsonDepth);
    JsonReader deepest(deep, 1'000'000);
    EXPECT_EQ(deepest.skip(), deep);
}

TEST(JsonReader, DepthCountsOpenContainersAroundASkip) {
    const std::string text = "[" + repeat("[", 1000) + repeat("]", 1000) + "]";
    JsonReader reader(text);
    ASSERT_TRUE(reader.enter_array());
    ASSERT_TRUE(reader.next_item());
    reader.skip();
    EXPECT_FALSE(reader.ok());
}

TEST(JsonReader, FirstErrorSticks) {
    JsonReader reader("[1,x,2]");
    reader.enter_array();
    ASSERT_TRUE(reader.next_item());
    EXPECT_EQ(reader.read_number().int64, 1);
    ASSERT_TRUE(reader.next_item());
    EXPECT_EQ(reader.peek(), JsonToken::error);
    EXPECT_EQ(reader.read_string(), "");
    EXPECT_FALSE(reader.next_item());
    EXPECT_EQ(reader.next_key(), std::nullopt);
    EXPECT_FALSE(reader.enter_object());
    EXPECT_EQ(reader.skip(), "");
    EXPECT_FALSE(reader.finish());
    EXPECT_EQ(reader.error_text(), "Expecting value: line 1 column 4 (char 3)");
}

TEST(JsonReader, RefusesAValueOfAnotherKind) {
    EXPECT_FALSE(JsonReader("1").read_bool());
    for (const std::string_view text : {"1", "\"x\"", "{}"}) {
        JsonReader reader(text);
        reader.enter_array();
        EXPECT_FALSE(reader.ok());
    }
    JsonReader reader("true");
    reader.read_number();
    EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace openenv
