#include "openenv/base/utf8.hpp"

#include <gtest/gtest.h>

#include <string>

namespace openenv {
namespace {

TEST(Utf8, CountsCodePoints) {
    EXPECT_EQ(utf8_length(""), 0U);
    EXPECT_EQ(utf8_length("abc"), 3U);
    EXPECT_EQ(utf8_length("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), 4U);
}

TEST(Utf8, AcceptsEverySequenceLength) {
    EXPECT_TRUE(is_utf8("plain \" \\ \n text that is longer than one block of sixteen bytes"));
    EXPECT_TRUE(
        is_utf8("\xC2\x80 \xDF\xBF \xE0\xA0\x80 \xEF\xBF\xBF \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF")
    );
}

TEST(Utf8, RefusesWhatIsNot) {
    for (const std::string_view bad :
         {"\x80",
          "\xC0\x80",
          "\xC1\xBF",
          "\xE0\x9F\xBF",
          "\xED\xA0\x80",
          "\xF0\x8F\xBF\xBF",
          "\xF4\x90\x80\x80",
          "\xF5\x80\x80\x80",
          "\xFF",
          "\xC3",
          "\xE2\x82",
          "\xF0\x9F\x98",
          "\xE2\x28\xA1"}) {
        EXPECT_FALSE(is_utf8(bad));
        EXPECT_EQ(utf8_valid_prefix("abc" + std::string(bad)), 3U);
    }
}

TEST(Utf8, AppendsCodePoints) {
    std::string text;
    for (const char32_t c : {U'a', U'\u00E9', U'\u20AC', U'\U0001F600'}) {
        append_code_point(text, c);
    }
    EXPECT_EQ(text, "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    text.clear();
    append_code_point(text, 0xD800);
    EXPECT_EQ(text, "\xED\xA0\x80");
}

}  // namespace
}  // namespace openenv
