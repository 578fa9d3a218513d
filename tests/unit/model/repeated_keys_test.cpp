/// Of equal keys the last one counts: what that means for the errors of those before it.

#include "unit/model/golden_fixtures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace openenv {
namespace {

using fixtures::brief_errors_of;
using fixtures::errors_of;
using testing::ElementsAre;

struct Level {
    std::vector<int> v;
    std::string level;

    static constexpr auto fields = openenv::fields(
        field("v", &Level::v), field("level", &Level::level).pattern("^[a-z]+$").or_default()
    );
};

std::string repeated(std::string_view text, int count) {
    std::string all;
    for (int i = 0; i != count; ++i) {
        all += text;
    }
    return all;
}

/// How long reading takes; for what would take minutes if it were done badly.
template <class T>
std::chrono::seconds time_to_read(const std::string& text) {
    const auto start = std::chrono::steady_clock::now();
    T value{};
    model::ValidationErrors errors;
    (void)model::read(text, value, errors);
    return std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::steady_clock::now() - start
    );
}
constexpr std::chrono::seconds kHang{30};

TEST(RepeatedKeys, AnErrorThatFoundNoRoomStillRefuses) {
    const std::string text =
        R"({"v":[)" + repeated(R"("x",)", 255) + R"("x"],"level":"../../etc","v":[]})";
    const Json errors = errors_of<Level>(text);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0]["type"], Json("value_error"));
    EXPECT_EQ(errors[0]["loc"], Json::array());
}

TEST(RepeatedKeys, AnErrorThatFoundNoRoomIsForgottenToo) {
    const std::string text =
        R"({"v":[)" + repeated(R"("x",)", 255) + R"("x"],"level":"../../etc","level":"a","v":[]})";
    EXPECT_EQ(errors_of<Level>(text), Json::array());
}

TEST(RepeatedKeys, LeaveTheErrorsOfOthers) {
    EXPECT_THAT(
        brief_errors_of<fixtures::MoveAction>(
            R"({"message":"","count":"x","tags":[1],"message":"a","count":11,"point":{"x":"x"}})"
        ),
        ElementsAre("less_than_equal @ count", "string_type @ tags,0", "int_parsing @ point,x")
    );
    EXPECT_THAT(
        brief_errors_of<fixtures::Containers>(
            R"({"places":{"a":{"x":"q","y":"q"},"b":{"x":"q"},"a":{"y":"q","x":1},"c":{}}})"
        ),
        ElementsAre(
            "float_parsing @ places,a,y", "int_parsing @ places,b,x", "missing @ places,c,x"
        )
    );
}

TEST(RepeatedKeys, AreToldApartHoweverLong) {
    const std::string key(2000, 'x');
    const std::string text = R"({"message":"a","table":{")" + key + R"(1":"q",")" + key +
                             R"(2":"q",")" + key + R"(1":1}})";
    EXPECT_EQ(errors_of<fixtures::MoveAction>(text).size(), 1U);
    EXPECT_EQ(
        errors_of<fixtures::Strict>(
            R"({"a":1,")" + key + R"(1":1,")" + key + R"(2":2,")" + key + R"(1":3})"
        )
            .size(),
        2U
    );
}

TEST(RepeatedKeys, KeepTheirFirstPlace) {
    const Json errors = errors_of<fixtures::Strict>(R"({"k1":1,"k2":2,"a":1,"k1":3})");
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_EQ(errors[0]["loc"], Json::array({"k1"}));
    EXPECT_EQ(errors[0]["input"], Json(3));
    EXPECT_EQ(errors[1]["loc"], Json::array({"k2"}));

    using Table = std::map<std::string, int>;
    EXPECT_THAT(
        brief_errors_of<Table>(R"({"k1":"x","k2":"y","k1":"z"})"),
        ElementsAre("int_parsing @ k1", "int_parsing @ k2")
    );
    EXPECT_THAT(
        brief_errors_of<Table>(R"({"k1":1,"\ud800":1,"k2":"y","k1":null,"k3":[],"k2":{}})"),
        ElementsAre(
            "int_type @ k1", "string_unicode @ \xED\xA0\x80,[key]", "int_type @ k2", "int_type @ k3"
        )
    );
}

TEST(RepeatedKeys, StayRefusedWhenThereAreTooMany) {
    const std::string wrong = repeated(R"("message":"",)", 5000);
    const Json errors = errors_of<fixtures::MoveAction>("{" + wrong + R"("message":"a"})");
    EXPECT_EQ(errors.size(), model::kMaxValidationErrors);
    EXPECT_EQ(
        errors_of<fixtures::Containers>(
            R"({"lists":{)" + repeated(R"("a":1,)", 5000) + R"("a":[]}})"
        )
            .size(),
        model::kMaxValidationErrors
    );
}

TEST(RepeatedKeys, CostNoMoreBesideManyErrorsFarDown) {
    constexpr int depth = 490;
    const std::string text = repeated(R"({"value":1,"children":[)", depth) +
                             repeated(R"({"value":"x"},)", 254) + R"({"value":"x"}],)" +
                             repeated(R"("value":1,)", 200'000) + R"("value":1)" +
                             repeated("}]", depth - 1) + "}";
    EXPECT_LT(time_to_read<fixtures::Tree>(text), kHang);
}

TEST(RepeatedKeys, CostNoMoreBehindALongKey) {
    const std::string text = R"({"\u0041)" + std::string(8U << 20U, 'x') + R"(":0,)" +
                             repeated(R"("level":1,)", 100'000) + R"("level":1})";
    EXPECT_LT(time_to_read<fixtures::Numbers>(text), kHang);
}

}  // namespace
}  // namespace openenv
