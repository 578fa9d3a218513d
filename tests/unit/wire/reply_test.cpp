#include <openenv/wire/reply.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace openenv::wire {
namespace {

TEST(ParseReply, TellsTheKindAndTheData) {
    const std::vector<std::pair<const char*, ReplyKind>> kinds{
        {"observation", ReplyKind::observation},
        {"state", ReplyKind::state},
        {"mcp", ReplyKind::mcp},
        {"error", ReplyKind::error},
        {"closed", ReplyKind::closed},
        {"batch", ReplyKind::batch},
        {"whatever", ReplyKind::other},
    };
    for (const auto& [type, kind] : kinds) {
        const std::string text =
            R"( {"more":[1], "type":")" + std::string(type) + R"(","data": {"a": 1}, "x":null} )";
        const Result<Reply> reply = parse_reply(text);
        ASSERT_TRUE(reply.has_value()) << type;
        EXPECT_EQ(reply->kind, kind);
        EXPECT_EQ(reply->data, R"({"a": 1})");
        EXPECT_EQ(reply->x, "");
    }
}

TEST(ParseReply, TellsWhatExtensionsAdd) {
    EXPECT_EQ(parse_reply(R"({"x": {"id":7} ,"type":"state"})")->x, R"({"id":7})");
    EXPECT_EQ(parse_reply(R"({"x":"id"})")->x, "");
}

TEST(ParseReply, IsLenient) {
    EXPECT_EQ(parse_reply("{}")->data, "{}");
    EXPECT_EQ(parse_reply(R"({"type":7})")->kind, ReplyKind::other);
    EXPECT_EQ(parse_reply(R"({"data":{"a":NaN}})")->data, R"({"a":NaN})");
    EXPECT_EQ(parse_reply(R"({"data":{},"data":{"b":2}})")->data, R"({"b":2})");
}

TEST(ParseReply, RefusesWhatIsNoAnswer) {
    for (const char* text :
         {"",
          "[]",
          "1",
          "null",
          "{",
          R"({"type":"state")",
          R"({"data":[]})",
          R"({"data":1})",
          R"({"data":null})",
          R"({} {})",
          "\xff"}) {
        const Result<Reply> reply = parse_reply(text);
        ASSERT_FALSE(reply.has_value()) << text;
        EXPECT_EQ(reply.error().code, Errc::invalid_json) << text;
    }
}

TEST(ReplyError, IsMadeOfTheFrame) {
    const Error error =
        to_error(R"({"message":"m","code":"VALIDATION_ERROR","errors":[{"type":"missing"}],"a":1})"
        );
    EXPECT_EQ(error.code, Errc::validation);
    EXPECT_EQ(error.message, "Server error: m (code: VALIDATION_ERROR)");
    EXPECT_EQ(error.server_code, "VALIDATION_ERROR");
    EXPECT_EQ(error.errors, R"([{"type":"missing"}])");
    EXPECT_EQ(to_error("{}").message, "Server error: Unknown error (code: UNKNOWN)");
    EXPECT_EQ(to_error(R"({"code":7,"message":null})").message, "Server error: null (code: 7)");
}

TEST(ReplyError, KnowsTheCodesOfServers) {
    const std::vector<std::pair<const char*, Errc>> codes{
        {"CAPACITY_REACHED", Errc::capacity_reached},
        {"VALIDATION_ERROR", Errc::validation},
        {"INVALID_JSON", Errc::invalid_json},
        {"UNKNOWN_TYPE", Errc::unknown_type},
        {"FACTORY_ERROR", Errc::factory_failed},
        {"SESSION_ERROR", Errc::session},
        {"EXECUTION_ERROR", Errc::execution},
        {"SOMETHING_NEW", Errc::execution},
    };
    for (const auto& [name, code] : codes) {
        EXPECT_EQ(to_error(R"({"code":")" + std::string(name) + R"("})").code, code) << name;
    }
    EXPECT_TRUE(ends_session("SESSION_ERROR"));
    EXPECT_FALSE(ends_session("EXECUTION_ERROR"));
}

}  // namespace
}  // namespace openenv::wire
