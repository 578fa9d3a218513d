#include "openenv/base/json_writer.hpp"

#include "openenv/base/json.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <string_view>

namespace openenv {
namespace {

using namespace std::string_view_literals;

template <class Write>
std::string written(Write write) {
    std::string text;
    JsonWriter writer(text);
    write(writer);
    return text;
}

std::string number(double value) {
    return written([&](JsonWriter& w) { w.number(value); });
}

std::string string(std::string_view value) {
    return written([&](JsonWriter& w) { w.string(value); });
}

TEST(JsonWriter, PlacesCommas) {
    EXPECT_EQ(
        written([](JsonWriter& w) {
            w.begin_object();
            w.key("a");
            w.integer(1);
            w.key("b");
            w.begin_array();
            w.null();
            w.begin_object();
            w.end_object();
            w.boolean(true);
            w.begin_array();
            w.end_array();
            w.end_array();
            w.key("c");
            w.raw("[1]");
            w.end_object();
        }),
        R"({"a":1,"b":[null,{},true,[]],"c":[1]})"
    );
}

TEST(JsonWriter, AppendsToWhatIsThere) {
    std::string text = "x";
    JsonWriter(text).integer(7U);
    EXPECT_EQ(text, "x7");
}

TEST(JsonWriter, NumbersKeepAFraction) {
    EXPECT_EQ(number(1), "1.0");
    EXPECT_EQ(number(0), "0.0");
    EXPECT_EQ(number(-0.0), "-0.0");
    EXPECT_EQ(number(0.1), "0.1");
    EXPECT_EQ(number(100000), "100000.0");
    EXPECT_EQ(number(123456789012345.0), "123456789012345.0");
    EXPECT_EQ(number(1e16), "1e+16");
    EXPECT_EQ(number(1e300), "1e+300");
    EXPECT_EQ(number(0.0001), "0.0001");
    EXPECT_EQ(number(0.00001), "1e-05");
    EXPECT_EQ(number(5e-324), "5e-324");
    EXPECT_EQ(number(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
    EXPECT_EQ(written([](JsonWriter& w) { w.number(0.1F); }), "0.1");
}

TEST(JsonWriter, NumbersWithFewDigitsAreTheShortestThatReadBack) {
    const auto as_chars_says = [](double value) {
        char text[64];
        const auto [end, error] =
            std::to_chars(std::begin(text), std::end(text), value, std::chars_format::fixed);
        std::string shortest(text, end);
        return shortest.find('.') == std::string::npos ? shortest + ".0" : shortest;
    };
    std::mt19937_64 random(5489);
    for (int i = 0; i != 20'000; ++i) {
        const auto units = static_cast<double>(random() % (std::uint64_t{1} << (random() % 52)));
        for (const double scale : {1.0, 10.0, 100.0, 1000.0, 10000.0, 3.0, 1024.0}) {
            const double value = units / scale;
            const double next = std::nextafter(value, 1e300);
            for (const double each : {value, -value, next}) {
                if (std::abs(each) >= 1e-4 && std::abs(each) < 1e16) {
                    ASSERT_EQ(number(each), as_chars_says(each));
                }
            }
        }
    }
    EXPECT_EQ(number(999999999999999.0), "999999999999999.0");
    EXPECT_EQ(number(99999999999999.9), "99999999999999.9");
    EXPECT_EQ(number(0.001), "0.001");
    EXPECT_EQ(number(0.0), "0.0");
    EXPECT_EQ(number(-0.0), "-0.0");
}

TEST(JsonWriter, TakesKeysThatAreReady) {
    EXPECT_EQ(
        written([](JsonWriter& w) {
            w.begin_object();
            w.ready_key(R"(,"a":)");
            w.integer(1);
            w.ready_key(R"(,"b":)");
            w.integer(2);
            w.end_object();
        }),
        R"({"a":1,"b":2})"
    );
}

TEST(JsonWriter, QuotesTextsOfEveryLength) {
    for (std::size_t size = 0; size != 200; ++size) {
        std::string text(size, 'a');
        const std::string quoted = '"' + text + '"';
        EXPECT_EQ(string(text), quoted);
        const auto two = [&](JsonWriter& w) {
            w.begin_object();
            w.key(text);
            w.string(text);
            w.key("b");
            w.string(text);
            w.end_object();
        };
        EXPECT_EQ(written(two), "{" + quoted + ":" + quoted + R"(,"b":)" + quoted + "}");
        if (size != 0) {
            text.back() = '\n';
            EXPECT_EQ(string(text), '"' + std::string(size - 1, 'a') + R"(\n")");
        }
    }
}

TEST(JsonWriter, NotFiniteBecomesNull) {
    EXPECT_EQ(number(std::nan("")), "null");
    EXPECT_EQ(number(HUGE_VAL), "null");
    EXPECT_EQ(number(-HUGE_VAL), "null");
    EXPECT_EQ(written([](JsonWriter& w) { w.number(-HUGE_VALF); }), "null");
}

TEST(JsonWriter, Integers) {
    EXPECT_EQ(written([](JsonWriter& w) { w.integer(INT64_MIN); }), "-9223372036854775808");
    EXPECT_EQ(written([](JsonWriter& w) { w.integer(UINT64_MAX); }), "18446744073709551615");
    EXPECT_EQ(written([](JsonWriter& w) { w.integer(std::int8_t{-3}); }), "-3");
}

TEST(JsonWriter, EscapesOnlyWhatMustBe) {
    EXPECT_EQ(string("a/\x7F\xC3\xA9"), "\"a/\x7F\xC3\xA9\"");
    EXPECT_EQ(string("\"\\\b\f\n\r\t\x01\x1F"), R"("\"\\\b\f\n\r\t\u0001\u001f")");
    EXPECT_EQ(string("\0"sv), R"("\u0000")");
}

TEST(JsonWriter, NeverWritesInvalidUtf8) {
    EXPECT_EQ(string("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
    EXPECT_EQ(string("\xC3"), "\"\xEF\xBF\xBD\"");
    EXPECT_EQ(string("\xED\xA0\x80"), R"("\ud800")");
    EXPECT_EQ(string("\xED\xBF\xBF!"), R"("\udfff!")");
    EXPECT_EQ(string("\xED\xA0"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(JsonWriter, FindsSpecialBytesAnywhereInALongString) {
    for (std::size_t length = 0; length != 70; ++length) {
        const std::string plain(length, 'x');
        EXPECT_EQ(string(plain), "\"" + plain + "\"");
        EXPECT_EQ(string(plain + "\n" + plain), "\"" + plain + "\\n" + plain + "\"");
        EXPECT_EQ(string(plain + "\xC3\xA9" + plain), "\"" + plain + "\xC3\xA9" + plain + "\"");
    }
}

}  // namespace
}  // namespace openenv
