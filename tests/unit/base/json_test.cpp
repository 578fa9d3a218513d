#include "openenv/base/json.hpp"

#include "openenv/base/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

namespace openenv {
namespace {

TEST(Json, IsTwoWords) {
    EXPECT_EQ(sizeof(Json), 16U);
}

TEST(Json, HoldsEveryKind) {
    EXPECT_EQ(Json().kind(), Json::Kind::null);
    EXPECT_EQ(Json(nullptr).kind(), Json::Kind::null);
    EXPECT_TRUE(Json(true).as_bool());
    EXPECT_EQ(Json(-7).as_int64(), -7);
    EXPECT_EQ(Json(UINT64_MAX).as_uint64(), UINT64_MAX);
    EXPECT_EQ(Json(1.5).as_double(), 1.5);
    EXPECT_EQ(Json(3).as_double(), 3.0);
    EXPECT_EQ(Json("text").as_string(), "text");
    EXPECT_EQ(Json::array({1, "two", nullptr}).dump(), R"([1,"two",null])");
    EXPECT_EQ(Json::object({{"k", 1}, {"l", Json::array()}}).dump(), R"({"k":1,"l":[]})");
    EXPECT_EQ(Json::object().dump(), "{}");
}

TEST(Json, KeepsBigIntegersExactly) {
    const std::string digits = "-123456789012345678901234567890";
    const Json value = Json::parse(digits);
    EXPECT_TRUE(value.is_integer());
    EXPECT_EQ(value.integer_text(), digits);
    EXPECT_EQ(value.dump(), digits);
    EXPECT_DOUBLE_EQ(value.as_double(), -123456789012345678901234567890.0);
    EXPECT_THROW((void)value.as_int64(), Exception);
    EXPECT_EQ(value, Json::integer_from_text(digits));
    EXPECT_EQ(Json::integer_from_text("12"), Json(12));
    EXPECT_THROW((void)Json::integer_from_text("1.5"), Exception);
    EXPECT_THROW((void)Json::integer_from_text(" 1"), Exception);
    EXPECT_THROW((void)Json::integer_from_text("x"), Exception);
}

TEST(Json, RoundTripsText) {
    const std::string text =
        R"({"a":[1,2.0,-3.5e+30,true,false,null,"x\ny"],"b":{"c":{}},"é":"\ud800"})";
    EXPECT_EQ(Json::parse(text).dump(), text);
}

TEST(Json, NotFiniteNumbersPrintAsNull) {
    EXPECT_EQ(Json::parse("[NaN,Infinity,-Infinity,1e999]").dump(), "[null,null,null,null]");
}

TEST(Json, LastDuplicateWinsInFirstPlace) {
    EXPECT_EQ(Json::parse(R"({"a":1,"b":2,"a":[3]})").dump(), R"({"a":[3],"b":2})");
}

TEST(Json, ParseThrowsPythonsMessage) {
    try {
        (void)Json::parse("{\"a\":}");
        FAIL();
    } catch (const Exception& e) {
        EXPECT_EQ(e.code(), Errc::invalid_json);
        EXPECT_STREQ(e.what(), "Expecting value: line 1 column 6 (char 5)");
    }
}

TEST(Json, ManyKeysStayFindable) {
    Json object;
    for (int i = 0; i != 2000; ++i) {
        object["key" + std::to_string(i % 1000)] = i;
    }
    EXPECT_EQ(object.size(), 1000U);
    EXPECT_EQ(object["key7"], Json(1007));
    EXPECT_FALSE(object.contains("key1000"));
    EXPECT_EQ(object.items()[0].key, "key0");

    Json copy = object;
    EXPECT_EQ(copy, object);
    EXPECT_TRUE(copy.erase("key0"));
    EXPECT_FALSE(copy.erase("key0"));
    EXPECT_EQ(copy.items()[0].key, "key1");
    EXPECT_EQ(*copy.find("key999"), Json(1999));
    EXPECT_NE(copy, object);
    while (copy.size() > 3) {
        copy.erase(std::string(copy.items()[0].key));
    }
    EXPECT_EQ(copy["key998"], Json(1998));
}

TEST(Json, EqualityIsOfKindAndValue) {
    EXPECT_NE(Json(1), Json(1.0));
    EXPECT_NE(Json(1), Json(true));
    EXPECT_EQ(Json(1U), Json(1));
    EXPECT_EQ(Json::parse(R"({"a":1,"b":2})"), Json::parse(R"({"b":2,"a":1})"));
    EXPECT_NE(Json::parse(R"({"a":1})"), Json::parse(R"({"b":1})"));
    EXPECT_NE(Json::parse("[1,2]"), Json::parse("[2,1]"));
    EXPECT_NE(Json(std::nan("")), Json(std::nan("")));
}

TEST(Json, GrowsFromNull) {
    Json value;
    value["list"].push_back(1);
    value["list"].push_back(Json::object({{"x", nullptr}}));
    EXPECT_EQ(value.dump(), R"({"list":[1,{"x":null}]})");
    EXPECT_EQ(value["list"][1]["x"], Json());
}

TEST(Json, WrongUseThrows) {
    const Json number = 1;
    EXPECT_THROW((void)number.as_string(), Exception);
    EXPECT_THROW((void)number.as_bool(), Exception);
    EXPECT_THROW((void)number.elements(), Exception);
    EXPECT_THROW((void)number.items(), Exception);
    EXPECT_THROW((void)number["x"], Exception);
    EXPECT_EQ(number.find("x"), nullptr);
    EXPECT_THROW((void)Json("x").as_double(), Exception);
    EXPECT_THROW((void)Json(-1).as_uint64(), Exception);
    EXPECT_THROW(Json("x").push_back(1), Exception);
    const Json array = Json::array({1});
    EXPECT_THROW((void)array[1], Exception);
    const Json object = Json::object();
    EXPECT_THROW((void)object["x"], Exception);
}

TEST(Json, CopiesAndMovesOwnTheirValue) {
    Json a = Json::object({{"k", Json::array({1, 2})}});
    Json b = a;
    b["k"].push_back(3);
    EXPECT_EQ(a.dump(), R"({"k":[1,2]})");
    Json c = std::move(b);
    EXPECT_EQ(c.dump(), R"({"k":[1,2,3]})");
    Json& self = c;
    c = self;
    EXPECT_EQ(c["k"].size(), 3U);
    // A value may be replaced by a part of itself.
    c = std::move(c["k"]);
    EXPECT_EQ(c.dump(), "[1,2,3]");
    c = c[2];
    EXPECT_EQ(c, Json(3));
}

TEST(Json, ElementsAreFoundByIntegersOfEveryType) {
    Json list = Json::array({1, 2});
    const Json& constant = list;
    EXPECT_EQ(list[1], Json(2));
    EXPECT_EQ(constant[1U], Json(2));
    EXPECT_EQ(list[1L], Json(2));
    EXPECT_EQ(list[std::int64_t{1}], Json(2));
    EXPECT_EQ(list[std::uint8_t{0}], Json(1));
    EXPECT_EQ(constant[std::size_t{0}], Json(1));
    list[0U] = 5;
    EXPECT_EQ(list[0], Json(5));
    EXPECT_THROW((void)list[-1], Exception);
    EXPECT_THROW((void)constant[2U], Exception);
}

}  // namespace
}  // namespace openenv
