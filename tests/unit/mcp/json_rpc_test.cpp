#include "support/expect_json.hpp"

#include <openenv/mcp/json_rpc.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>

namespace openenv {
namespace {

using mcp::parse_request;
using mcp::RpcCode;
using mcp::RpcError;
using mcp::RpcRequest;
using test::equals_json;
using testing::HasSubstr;

RpcRequest accepted(std::string_view text) {
    const auto parsed = parse_request(text);
    if (const auto* error = std::get_if<RpcError>(&parsed)) {
        ADD_FAILURE() << text << " was refused: " << error->message;
        return {};
    }
    return std::get<RpcRequest>(parsed);
}

RpcError refused(std::string_view text) {
    const auto parsed = parse_request(text);
    if (std::holds_alternative<RpcRequest>(parsed)) {
        ADD_FAILURE() << text << " was accepted";
        return {};
    }
    return std::get<RpcError>(parsed);
}

std::string with_id(std::string_view id) {
    return R"({"jsonrpc":"2.0","method":"m","id":)" + std::string(id) + "}";
}

TEST(ParseRequest, ReadsEveryPart) {
    const RpcRequest request = accepted(
        R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"guess","n":[1]}})"
    );
    EXPECT_EQ(request.method, "tools/call");
    EXPECT_EQ(request.id, Json(7));
    EXPECT_THAT(request.params, equals_json(R"({"name":"guess","n":[1]})"));
}

TEST(ParseRequest, DoesWithoutParamsAndId) {
    const RpcRequest request = accepted(R"({"method":"ping","jsonrpc":"2.0"})");
    EXPECT_EQ(request.method, "ping");
    EXPECT_TRUE(request.id.is_null());
    EXPECT_EQ(request.params, Json::object());
    EXPECT_EQ(accepted(R"({"jsonrpc":"2.0","method":""})").method, "");
}

TEST(ParseRequest, RefusesWhatIsNotJson) {
    for (const std::string_view text :
         {"",
          " ",
          "{",
          "{bad",
          R"({"jsonrpc":"2.0","method":"m"} x)",
          R"({"jsonrpc":"2.0","method":"m",})",
          R"({'jsonrpc':'2.0'})",
          "{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}"}) {
        const RpcError error = refused(text);
        EXPECT_EQ(error.code, RpcCode::parse_error) << text;
        EXPECT_EQ(error.message, "Parse error") << text;
        EXPECT_TRUE(error.id.is_null()) << text;
    }
}

TEST(ParseRequest, RefusesWhatIsNoObject) {
    for (const std::string_view text :
         {"null", "1", "true", R"("2.0")", "[]", R"([{"jsonrpc":"2.0","method":"m","id":1}])"}) {
        const RpcError error = refused(text);
        EXPECT_EQ(error.code, RpcCode::invalid_request) << text;
        EXPECT_THAT(error.message, HasSubstr("object")) << text;
        EXPECT_TRUE(error.id.is_null()) << text;
    }
}

TEST(ParseRequest, RefusesAnotherVersionAndKeepsTheId) {
    for (const std::string_view text :
         {R"({"method":"m","id":3})",
          R"({"jsonrpc":"1.0","method":"m","id":3})",
          R"({"jsonrpc":"2","method":"m","id":3})",
          R"({"jsonrpc":2.0,"method":"m","id":3})",
          R"({"jsonrpc":null,"method":"m","id":3})"}) {
        const RpcError error = refused(text);
        EXPECT_EQ(error.code, RpcCode::invalid_request) << text;
        EXPECT_THAT(error.message, HasSubstr("jsonrpc")) << text;
        EXPECT_EQ(error.id, Json(3)) << text;
    }
}

TEST(ParseRequest, RefusesAMethodThatIsNoText) {
    for (const std::string_view text :
         {R"({"jsonrpc":"2.0","id":"a"})",
          R"({"jsonrpc":"2.0","id":"a","method":null})",
          R"({"jsonrpc":"2.0","id":"a","method":1})",
          R"({"jsonrpc":"2.0","id":"a","method":["m"]})"}) {
        const RpcError error = refused(text);
        EXPECT_EQ(error.code, RpcCode::invalid_request) << text;
        EXPECT_THAT(error.message, HasSubstr("method")) << text;
        EXPECT_EQ(error.id, "a") << text;
    }
}

TEST(ParseRequest, RefusesParamsThatAreNoObject) {
    for (const std::string_view params : {"null", "[]", "1", R"("x")"}) {
        const RpcError error = refused(
            R"({"jsonrpc":"2.0","method":"m","id":1,"params":)" + std::string(params) + "}"
        );
        EXPECT_EQ(error.code, RpcCode::invalid_request) << params;
        EXPECT_THAT(error.message, HasSubstr("params")) << params;
        EXPECT_EQ(error.id, Json(1)) << params;
    }
}

TEST(ParseRequest, EchoesAnIdAsItReads) {
    struct Row {
        std::string_view given;
        std::string_view echoed;
    };
    for (const Row& row :
         {Row{"null", "null"},
          Row{"0", "0"},
          Row{"-5", "-5"},
          Row{"18446744073709551615", "18446744073709551615"},
          Row{"123456789012345678901234567890", "123456789012345678901234567890"},
          Row{"1.0", "1"},
          Row{"-2e3", "-2000"},
          Row{"true", "1"},
          Row{"false", "0"},
          Row{R"("")", R"("")"},
          Row{R"("a\u00e9\ud83d\ude00")", "\"a\xC3\xA9\xF0\x9F\x98\x80\""}}) {
        EXPECT_EQ(accepted(with_id(row.given)).id.dump(), row.echoed) << row.given;
    }
}

TEST(ParseRequest, RefusesWhatIsNoId) {
    for (const std::string_view id :
         {"1.5", "1e300", "-1e300", "NaN", "Infinity", "[]", "[1]", "{}", R"({"a":1})"}) {
        const RpcError error = refused(with_id(id));
        EXPECT_EQ(error.code, RpcCode::invalid_request) << id;
        EXPECT_THAT(error.message, HasSubstr("id")) << id;
        EXPECT_TRUE(error.id.is_null()) << id;
    }
}

TEST(ParseRequest, RefusesOtherKeysAndRepeatsLittleOfThem) {
    const RpcError error =
        refused(R"({"jsonrpc":"2.0","method":"m","id":9,"params":{},"extra":1})");
    EXPECT_EQ(error.code, RpcCode::invalid_request);
    EXPECT_THAT(error.message, HasSubstr("'extra'"));
    EXPECT_EQ(error.id, Json(9));
    const std::string letters(100'000, 'x');
    EXPECT_LT(
        refused(R"({"jsonrpc":"2.0","method":"m",")" + letters + R"(":1})").message.size(), 300U
    );
}

TEST(ParseRequest, TakesTheLastOfEqualKeys) {
    const RpcRequest request =
        accepted(R"({"jsonrpc":"1.0","jsonrpc":"2.0","method":1,"method":"m","id":[],"id":4})");
    EXPECT_EQ(request.method, "m");
    EXPECT_EQ(request.id, Json(4));
}

TEST(ParseRequest, RefusesDeepNestingWithoutRecursion) {
    const std::size_t depth = 1'000'000;
    const std::string deep = std::string(depth, '[') + std::string(depth, ']');
    EXPECT_EQ(refused(deep).code, RpcCode::parse_error);
    EXPECT_EQ(refused(with_id(deep)).code, RpcCode::parse_error);
    const std::string within = std::string(900, '[') + std::string(900, ']');
    const RpcRequest request =
        accepted(R"({"jsonrpc":"2.0","method":"m","params":{"a":)" + within + "}}");
    EXPECT_EQ(request.params["a"].dump(), within);
}

TEST(AppendError, WritesTheFourPartsBehindWhatIsThere) {
    std::string out = "x";
    mcp::append_error(out, {RpcCode::method_not_found, "no \"m\"", Json(1), Json("why")});
    EXPECT_EQ(
        out,
        R"(x{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no \"m\"","data":"why"}})"
    );
}

TEST(AppendError, IsJsonWhateverThePeerSent) {
    // A key is cut after so many bytes, here within a character.
    std::string key = "x";
    for (int i = 0; i != 100; ++i) {
        key += "\xF0\x9F\x98\x80";
    }
    std::string out;
    mcp::append_error(out, refused(R"({"jsonrpc":"2.0","method":"m",")" + key + R"(":1})"));
    EXPECT_EQ(Json::parse(out)["error"]["code"], Json(-32600));  // parsing is strict about UTF-8
}

}  // namespace
}  // namespace openenv
