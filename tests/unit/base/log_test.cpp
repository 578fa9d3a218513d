#include <openenv/base/log.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace openenv {
namespace {

/// Takes what is logged while it lives.
class Lines {
public:
    Lines() { set_log_sink(&Lines::take, this); }
    ~Lines() { set_log_sink(nullptr); }
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;

    std::vector<std::string> texts;

private:
    static void take(LogLevel, std::string_view text, void* self) {
        static_cast<Lines*>(self)->texts.emplace_back(text);
    }
};

TEST(Log, FieldsFollowTheMessage) {
    const Lines lines;
    log(LogLevel::warning, "slow", {{"call", "step"}, {"duration_s", 1.5}, {"calls", 7U}});
    log(LogLevel::warning, "plain");
    EXPECT_EQ(
        lines.texts, (std::vector<std::string>{"slow call=step duration_s=1.5 calls=7", "plain"})
    );
}

TEST(Log, ValuesThatWouldRunTogetherAreQuoted) {
    const Lines lines;
    log(LogLevel::warning,
        "m",
        {{"a", "two words"}, {"b", ""}, {"c", "x=\"y\"\n"}, {"d", -1}, {"e", true}});
    ASSERT_EQ(lines.texts.size(), 1U);
    EXPECT_EQ(lines.texts[0], R"(m a="two words" b="" c="x=\"y\"\n" d=-1 e=true)");
}

TEST(Log, LevelsBelowTheLimitAreDropped) {
    const Lines lines;
    set_log_level(LogLevel::error);
    EXPECT_FALSE(logs(LogLevel::warning));
    log(LogLevel::warning, "dropped", {{"a", 1}});
    set_log_level(LogLevel::info);
    EXPECT_TRUE(logs(LogLevel::warning));
    EXPECT_TRUE(lines.texts.empty());
}

TEST(Log, FormatsHaveNames) {
    EXPECT_EQ(log_format_named("JSON"), LogFormat::json);
    EXPECT_EQ(log_format_named("text"), LogFormat::text);
    EXPECT_EQ(log_format_named("xml"), std::nullopt);
    EXPECT_EQ(log_format_named("json5"), std::nullopt);
    EXPECT_EQ(log_format_named(""), std::nullopt);
}

}  // namespace
}  // namespace openenv
