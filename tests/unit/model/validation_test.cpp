#include "openenv/model/validation.hpp"

#include "unit/model/golden_fixtures.hpp"

#include <gtest/gtest.h>

namespace openenv {
namespace {

using fixtures::errors_of;

TEST(ValidationErrors, PrintInTwoForms) {
    model::ValidationErrors errors;
    errors.add(
        {.type = "missing", .loc = {"a", std::size_t{0}}, .msg = "Field required", .input = "{}"}
    );
    EXPECT_EQ(
        errors.to_json(),
        R"([{"type":"missing","loc":["a",0],"msg":"Field required","input":{},)"
        R"("url":"https://errors.pydantic.dev/2.14/v/missing"}])"
    );
    EXPECT_EQ(
        errors.to_json(model::kBodyErrors),
        R"([{"type":"missing","loc":["body","a",0],"msg":"Field required","input":{}}])"
    );
    EXPECT_EQ(model::ValidationErrors().to_json(), "[]");
}

TEST(ValidationErrors, LongTextsAreCut) {
    const std::string text(5'000'000, 'x');
    const Json input =
        errors_of<fixtures::MoveAction>(R"({"message":")" + text + R"("})")[0]["input"];
    EXPECT_EQ(input.as_string().substr(0, 1024), text.substr(0, 1024));
    EXPECT_EQ(input.as_string().substr(1024), "... (cut, 5000000 bytes in all)");
}

TEST(ValidationErrors, LongKeysAndTagsAreCutToo) {
    const std::string text(1'000'000, 'x');
    for (const std::string& input :
         {R"({"message":"hi",")" + text + R"(":1})",
          R"({"message":"hi","table":{")" + text + R"(":"q"}})"}) {
        const Json errors = errors_of<fixtures::MoveAction>(input);
        ASSERT_EQ(errors.size(), 1U);
        EXPECT_LT(errors.dump().size(), 3000U);
    }
    const Json extra = errors_of<fixtures::MoveAction>(R"({"message":"hi",")" + text + R"(":1})");
    EXPECT_EQ(extra[0]["loc"][0].as_string().substr(1024), "... (cut, 1000000 bytes in all)");
    const Json errors = errors_of<fixtures::Unions>(R"({"motion":{"kind":")" + text + R"("}})");
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_LT(errors.dump().size(), 5000U);
}

TEST(ValidationErrors, ACutEndsBetweenCharacters) {
    std::string text = "xx";
    while (text.size() < 4000) {
        text += "\xE2\x82\xAC";
    }
    const Json input =
        errors_of<fixtures::MoveAction>(R"({"message":")" + text + R"("})")[0]["input"];
    EXPECT_EQ(input.as_string().substr(0, 1022), text.substr(0, 1022));
    EXPECT_EQ(input.as_string().substr(1022, 4), "... ");
}

TEST(ValidationErrors, LargeContainersAreNotRepeated) {
    const std::string text(10'000, 'x');
    const Json errors = errors_of<fixtures::MoveAction>(R"({"unknown":[")" + text + R"("]})");
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_EQ(errors[0]["input"], Json("(object not repeated, 10016 bytes in all)"));
    EXPECT_EQ(errors[1]["input"], Json("(array not repeated, 10004 bytes in all)"));
}

TEST(ValidationErrors, InputsStayJson) {
    const Json errors =
        errors_of<fixtures::MoveAction>(R"({"message":[NaN,Infinity,"\ud800",1e400,{"a":1,"a":2}]})"
        );
    EXPECT_EQ(errors[0]["input"].dump(), R"([null,null,"\ud800",null,{"a":2}])");
}

TEST(ValidationErrors, AreLimitedInNumber) {
    std::string text = R"({"message":"x","tags":[)";
    for (int i = 0; i != 100'000; ++i) {
        text += "1,";
    }
    text += "1]}";
    EXPECT_EQ(errors_of<fixtures::MoveAction>(text).size(), model::kMaxValidationErrors);
}

TEST(ValidationErrors, AReplacedListLeavesNoErrors) {
    std::string many;
    for (int i = 0; i != 1000; ++i) {
        many += "1,";
    }
    const std::string start = R"({"message":"x","tags":[)" + many + R"(1],"tags":)";
    EXPECT_EQ(errors_of<fixtures::MoveAction>(start + R"(["a"]})"), Json::array());
    EXPECT_EQ(errors_of<fixtures::MoveAction>(start + R"([1,2]})").size(), 2U);
}

}  // namespace
}  // namespace openenv
