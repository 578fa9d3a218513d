/// Types and rules beyond what the recordings of pydantic cover.

#include "unit/model/golden_fixtures.hpp"

#include <openenv/base/base64.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <unordered_map>

namespace openenv {
namespace {

using fixtures::brief_errors_of;
using fixtures::errors_of;
using testing::ElementsAre;
using testing::IsEmpty;

struct Widths {
    std::int8_t tiny = 0;
    std::uint8_t byte = 0;
    std::uint32_t word = 0;
    std::int64_t wide = 0;
    std::uint64_t widest = 0;
    float single = 0;

    static constexpr auto fields = openenv::fields(
        field("tiny", &Widths::tiny).or_default(),
        field("byte", &Widths::byte).or_default(),
        field("word", &Widths::word).or_default(),
        field("wide", &Widths::wide).or_default(),
        field("widest", &Widths::widest).or_default(),
        field("single", &Widths::single).or_default()
    );
};

TEST(Types, IntegersKeepTheirRange) {
    const auto read = [](std::string_view text) { return model::from_json<Widths>(text); };
    EXPECT_EQ(read(R"({"tiny":-128})").tiny, -128);
    EXPECT_EQ(read(R"({"byte":255})").byte, 255);
    EXPECT_EQ(read(R"({"word":"4294967295"})").word, UINT32_MAX);
    EXPECT_EQ(read(R"({"wide":-9223372036854775808})").wide, INT64_MIN);
    EXPECT_EQ(read(R"({"wide":"-9223372036854775808"})").wide, INT64_MIN);
    EXPECT_EQ(read(R"({"widest":18446744073709551615})").widest, UINT64_MAX);
    EXPECT_EQ(read(R"({"widest":"18446744073709551615"})").widest, UINT64_MAX);

    EXPECT_THAT(
        brief_errors_of<Widths>(
            R"({"tiny":128,"byte":-1,"word":4294967296,"wide":9223372036854775808,"widest":-1})"
        ),
        ElementsAre(
            "less_than_equal @ tiny",
            "greater_than_equal @ byte",
            "less_than_equal @ word",
            "less_than_equal @ wide",
            "greater_than_equal @ widest"
        )
    );
    EXPECT_THAT(
        brief_errors_of<Widths>(R"({"wide":-99999999999999999999,"widest":"18446744073709551616"})"
        ),
        ElementsAre("greater_than_equal @ wide", "less_than_equal @ widest")
    );
    EXPECT_EQ(errors_of<Widths>(R"({"tiny":-129})")[0]["ctx"], Json::object({{"ge", -128}}));
    EXPECT_EQ(errors_of<Widths>(R"({"widest":1e400})")[0]["type"], Json("finite_number"));
}

TEST(Types, FloatsKeepTheirRange) {
    EXPECT_EQ(model::from_json<Widths>(R"({"single":0.1})").single, 0.1F);
    EXPECT_TRUE(std::isinf(model::from_json<Widths>(R"({"single":Infinity})").single));
    EXPECT_THAT(
        brief_errors_of<Widths>(R"({"single":1e300})"), ElementsAre("less_than_equal @ single")
    );
    EXPECT_THAT(
        brief_errors_of<Widths>(R"({"single":-1e300})"), ElementsAre("greater_than_equal @ single")
    );
    Widths widths;
    widths.single = 0.1F;
    EXPECT_NE(model::to_json(widths).find(R"("single":0.1})"), std::string::npos);
}

TEST(Types, UnsignedIntegersPublishThatTheyAreNotNegative) {
    const Json properties = model::schema<Widths>()["properties"];
    EXPECT_EQ(properties["byte"]["minimum"], Json(0));
    EXPECT_FALSE(properties["tiny"].contains("minimum"));
}

struct Raw {
    Bytes image;
    static constexpr auto fields =
        openenv::fields(field("image", &Raw::image).length(1, 4).or_default());
};

TEST(Types, BytesAreBase64) {
    const Bytes hi = {{'h', 'i'}};
    EXPECT_EQ(model::to_json(Raw{hi}), R"({"image":"aGk="})");
    for (const std::string_view text : {"aGk=", "aGk", "aG k=\\n"}) {
        EXPECT_EQ(model::from_json<Raw>(R"({"image":")" + std::string(text) + R"("})").image, hi);
    }
    EXPECT_EQ(model::from_json<Raw>(R"({"image":"-_8="})").image, (Bytes{{0xFB, 0xFF}}));
    EXPECT_EQ(model::from_json<Raw>(R"({"image":"+/8="})").image, (Bytes{{0xFB, 0xFF}}));
    for (const std::string_view text :
         {"a", "a*b=", "aGk==", "a===", "=", "====", "QUJD====", "QUJD=", "aGk=aGk=", "\\u00e9"}) {
        EXPECT_THAT(
            brief_errors_of<Raw>(R"({"image":")" + std::string(text) + R"("})"),
            ElementsAre("base64_decode @ image")
        ) << text;
    }
    EXPECT_THAT(brief_errors_of<Raw>(R"({"image":5})"), ElementsAre("bytes_type @ image"));
    EXPECT_THAT(brief_errors_of<Raw>(R"({"image":""})"), ElementsAre("bytes_too_short @ image"));
    EXPECT_THAT(
        brief_errors_of<Raw>(R"({"image":"aGVsbG8="})"), ElementsAre("bytes_too_long @ image")
    );
    EXPECT_EQ(
        model::schema<Raw>()["properties"]["image"],
        Json::parse(R"({"default":"","format":"base64","maxLength":4,"minLength":1,
                        "title":"Image","type":"string"})")
    );
}

TEST(Types, EveryLengthOfBytesRoundTrips) {
    std::vector<std::uint8_t> data;
    for (unsigned i = 0; i != 300; ++i) {
        std::string text;
        append_base64(text, data);
        EXPECT_EQ(decode_base64(text), data);
        data.push_back(static_cast<std::uint8_t>(i * 37));
    }
}

struct Sequences {
    std::array<int, 3> three = {1, 2, 3};
    std::vector<bool> flags;
    std::unordered_map<std::string, std::optional<double>> by_name;
    std::vector<Json> anything;

    static constexpr auto fields = openenv::fields(
        field("three", &Sequences::three).or_default(),
        field("flags", &Sequences::flags).or_default(),
        field("by_name", &Sequences::by_name).or_default(),
        field("anything", &Sequences::anything).or_default()
    );
};

TEST(Types, ContainersOfEveryKind) {
    const auto value = model::from_json<Sequences>(
        R"({"three":[4,"5",6.0],"flags":[true,"no",1],"by_name":{"a":null,"b":1},
            "anything":[1,"x",{"y":NaN}]})"
    );
    EXPECT_EQ(value.three, (std::array<int, 3>{4, 5, 6}));
    EXPECT_EQ(value.flags, (std::vector<bool>{true, false, true}));
    EXPECT_EQ(value.by_name.at("a"), std::nullopt);
    EXPECT_EQ(value.by_name.at("b"), 1.0);
    EXPECT_EQ(value.anything[1], Json("x"));
    EXPECT_EQ(model::from_json<Sequences>(model::to_json(value)).flags, value.flags);
    EXPECT_THAT(
        brief_errors_of<Sequences>(
            R"({"three":[1,2],"flags":[2,"x"],"by_name":{"a":"x","\ud800":1},"anything":5})"
        ),
        ElementsAre(
            "too_short @ three",
            "bool_parsing @ flags,0",
            "bool_parsing @ flags,1",
            "float_parsing @ by_name,a",
            "string_unicode @ by_name,\xED\xA0\x80,[key]",
            "list_type @ anything"
        )
    );
    EXPECT_THAT(
        brief_errors_of<Sequences>(R"({"three":[1,2,3,"x"]})"), ElementsAre("too_long @ three")
    );
    const Json properties = model::schema<Sequences>()["properties"];
    EXPECT_EQ(
        properties["three"],
        Json::parse(R"({"default":[1,2,3],"items":{"type":"integer"},"maxItems":3,"minItems":3,
                        "title":"Three","type":"array"})")
    );
    EXPECT_EQ(
        properties["by_name"]["additionalProperties"],
        Json::parse(R"({"anyOf":[{"type":"number"},{"type":"null"}]})")
    );
    EXPECT_EQ(properties["anything"]["items"], Json::object());
}

TEST(Types, LoneSurrogatesAreNoText) {
    EXPECT_THAT(
        brief_errors_of<fixtures::Texts>(R"({"free":"\ud800","three":"\udfff","color":"\ud800"})"),
        ElementsAre("string_unicode @ three", "string_unicode @ color", "string_unicode @ free")
    );
    EXPECT_EQ(
        errors_of<fixtures::Texts>(R"({"free":"a\ud800"})")[0]["input"], Json("a\xED\xA0\x80")
    );
    // Free-form JSON keeps them.
    const auto value = model::from_json<fixtures::Containers>(R"({"anything":"\ud800"})");
    EXPECT_EQ(value.anything.dump(), R"("\ud800")");
}

struct Shape {
    enum class Kind { round, square };
    friend constexpr auto enum_names(Kind) {
        return openenv::names<Kind>({{Kind::round, "round"}, {Kind::square, "square"}});
    }
    Kind kind = Kind::square;
    static constexpr auto fields = openenv::fields(field("kind", &Shape::kind).or_default());
};

TEST(Types, EnumsInsideStructs) {
    EXPECT_EQ(model::to_json(Shape{}), R"({"kind":"square"})");
    EXPECT_EQ(model::from_json<Shape>(R"({"kind":"round"})").kind, Shape::Kind::round);
    EXPECT_EQ(model::to_json(Shape{static_cast<Shape::Kind>(7)}), R"({"kind":null})");
    EXPECT_TRUE(model::schema<Shape>()["$defs"].contains("Kind"));
}

}  // namespace

namespace other {

struct Point {
    std::string name;
    static constexpr auto fields = openenv::fields(field("name", &Point::name));
};

}  // namespace other

namespace {

struct TwoPoints {
    fixtures::Point first;
    other::Point second;
    std::vector<fixtures::Point> more;
    static constexpr std::string_view schema_title = "Pair";
    static constexpr auto fields = openenv::fields(
        field("first", &TwoPoints::first),
        field("second", &TwoPoints::second),
        field("more", &TwoPoints::more)
    );
};

TEST(Schema, StructsOfOneNameAreKeptApart) {
    const Json schema = model::schema<TwoPoints>();
    EXPECT_EQ(schema["title"], Json("Pair"));
    EXPECT_EQ(schema["$defs"].size(), 2U);
    EXPECT_EQ(schema["properties"]["first"]["$ref"], Json("#/$defs/Point"));
    const std::string second = schema["properties"]["second"]["$ref"].as_string();
    EXPECT_NE(second, "#/$defs/Point");
    EXPECT_TRUE(schema["$defs"][second.substr(8)]["properties"].contains("name"));
    EXPECT_EQ(schema["properties"]["more"]["items"]["$ref"], Json("#/$defs/Point"));
}

TEST(Schema, FieldTitles) {
    EXPECT_EQ(model::field_title("episode_id"), "Episode Id");
    EXPECT_EQ(model::field_title("e_2_b__c"), "E 2 B  C");
    EXPECT_EQ(model::field_title("fooBar"), "Foobar");
    EXPECT_EQ(model::field_title("x2y"), "X2Y");
    EXPECT_EQ(model::field_title("_private_"), "Private");
    EXPECT_EQ(model::field_title("_"), "");
}

struct Derived : fixtures::BaseAction {
    static constexpr auto fields = openenv::no_fields<Derived, fixtures::BaseAction>();
};

struct Middle : fixtures::BaseAction {
    int level = 1;
    static constexpr auto fields = openenv::fields(
        openenv::inherit<fixtures::BaseAction>(), field("level", &Middle::level).or_default()
    );
};

struct Leaf : Middle {
    int depth = 2;
    static constexpr std::string_view description = "The end of a line.";
    static constexpr auto fields =
        openenv::fields(openenv::inherit<Middle>(), field("depth", &Leaf::depth).or_default());
};

TEST(Bases, FieldsComeFromTheRootDown) {
    EXPECT_EQ(model::to_json(Leaf{}), R"({"metadata":{},"level":1,"depth":2})");
    EXPECT_EQ(model::from_json<Leaf>(R"({"level":5,"depth":6})").level, 5);
    EXPECT_THAT(
        brief_errors_of<Leaf>(R"({"x":1,"depth":"q","level":"q","metadata":1})"),
        ElementsAre(
            "dict_type @ metadata",
            "int_parsing @ level",
            "int_parsing @ depth",
            "extra_forbidden @ x"
        )
    );
}

TEST(Bases, AStructMayAddNothing) {
    EXPECT_EQ(model::to_json(Derived{}), R"({"metadata":{}})");
    EXPECT_THAT(brief_errors_of<Derived>(R"({"x":1})"), ElementsAre("extra_forbidden @ x"));
    EXPECT_EQ(model::schema<Derived>()["title"], Json("Derived"));
}

TEST(Bases, DescriptionAndTitleAreNotInherited) {
    EXPECT_EQ(model::schema<Leaf>()["description"], Json("The end of a line."));
    EXPECT_FALSE(model::schema<Middle>().contains("description"));
    EXPECT_EQ(model::schema<Middle>()["title"], Json("Middle"));
    EXPECT_EQ(model::schema<fixtures::BaseAction>()["description"], Json("What an agent does."));
}

TEST(Bases, OwnFieldsLeaveOutTheBase) {
    const auto written = [](auto write) {
        std::string text;
        JsonWriter writer(text);
        writer.begin_object();
        write(writer);
        writer.end_object();
        return text;
    };
    const Leaf leaf;
    EXPECT_EQ(
        written([&](JsonWriter& w) { model::write_own_fields<fixtures::BaseAction>(w, leaf); }),
        R"({"level":1,"depth":2})"
    );
    EXPECT_EQ(
        written([&](JsonWriter& w) { model::write_own_fields<Middle>(w, leaf); }), R"({"depth":2})"
    );
    EXPECT_EQ(
        written([&](JsonWriter& w) { model::write_all_fields(w, leaf); }),
        R"({"metadata":{},"level":1,"depth":2})"
    );
    EXPECT_EQ(
        written([&](JsonWriter& w) {
            model::write_own_fields<fixtures::BaseAction>(w, fixtures::BaseAction{});
        }),
        "{}"
    );
}

TEST(ReadOptions, ClientsPassOverUnknownKeys) {
    fixtures::Strict strict;
    model::ValidationErrors errors;
    const std::string_view text = R"({"a":1,"newer":{"x":[1]}})";
    EXPECT_FALSE(model::read(text, strict, errors));
    errors.clear();
    EXPECT_TRUE(model::read(text, strict, errors, {.ignore_extra = true}));
    EXPECT_EQ(strict.a, 1);
}

TEST(ReadOptions, ABodyThatIsNoObject) {
    fixtures::Strict strict;
    model::ValidationErrors errors;
    EXPECT_FALSE(model::read(std::string_view("[1]"), strict, errors, {.root_is_body = true}));
    EXPECT_EQ(
        Json::parse(errors.to_json(model::kBodyErrors)),
        Json::parse(R"([{"type":"model_attributes_type","loc":["body"],"msg":
            "Input should be a valid dictionary or object to extract fields from","input":[1]}])")
    );
}

TEST(Read, LosesWhatWasThereBefore) {
    fixtures::MoveAction action;
    action.tags = {"old"};
    action.count = 9;
    model::ValidationErrors errors;
    ASSERT_TRUE(model::read(std::string_view(R"({"message":"x"})"), action, errors));
    EXPECT_THAT(action.tags, IsEmpty());
    EXPECT_EQ(action.count, 1);
}

TEST(Read, LastOfEqualKeysCounts) {
    const auto tree = model::from_json<fixtures::Tree>(
        R"({"value":"x","children":[{"value":1}],"value":2,"children":[]})"
    );
    EXPECT_EQ(tree.value, 2);
    EXPECT_THAT(tree.children, IsEmpty());
    EXPECT_EQ(
        model::from_json<fixtures::Holder>(
            R"({"needed_or_null":1,"strict":{"b":1},"strict":{"a":3}})"
        )
            .strict.a,
        3
    );
}

TEST(Read, ATextThatIsNotJsonIsOneError) {
    const Json errors = errors_of<fixtures::MoveAction>(R"({"message":5,"count":"x",})");
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0]["type"], Json("json_invalid"));
    EXPECT_EQ(errors[0]["loc"], Json::array());
    EXPECT_EQ(
        errors_of<fixtures::MoveAction>(R"({"message":"a"} x)")[0]["type"], Json("json_invalid")
    );
    EXPECT_EQ(errors_of<fixtures::MoveAction>("")[0]["type"], Json("json_invalid"));
}

TEST(Read, FromAReaderInTheMiddleOfAText) {
    JsonReader reader(R"({"type":"step","data":{"message":"hi"},"more":1})");
    reader.enter_object();
    reader.next_key();
    reader.skip();
    reader.next_key();
    fixtures::MoveAction action;
    model::ValidationErrors errors;
    EXPECT_TRUE(model::read(reader, action, errors));
    EXPECT_EQ(action.message, "hi");
    EXPECT_EQ(reader.next_key(), "more");
}

TEST(Read, FromJsonThrowsWhatIsWrong) {
    try {
        (void)model::from_json<fixtures::MoveAction>(R"({"count":11,"tags":[1]})");
        FAIL();
    } catch (const Exception& error) {
        EXPECT_EQ(error.code(), Errc::validation);
        EXPECT_STREQ(
            error.what(),
            "message: Field required; count: Input should be less than or equal to 10; "
            "tags.0: Input should be a valid string"
        );
    }
}

TEST(Read, RecursionEndsAtTheDepthLimit) {
    std::string text;
    for (int i = 0; i != 5000; ++i) {
        text += R"({"value":1,"children":[)";
    }
    EXPECT_EQ(errors_of<fixtures::Tree>(text)[0]["type"], Json("json_invalid"));
}

TEST(Check, RunsOnlyOnWhatIsOtherwiseRight) {
    EXPECT_THAT(
        brief_errors_of<fixtures::Checked>(R"({"n":9,"m":null})"),
        ElementsAre("value_error @ n", "int_type @ m")
    );
    EXPECT_THAT(
        brief_errors_of<fixtures::Checked>(R"({"n":2,"m":2})"), ElementsAre("value_error @ ")
    );
}

/// Could be read in exponential time: both alternatives hold the union again.
struct Fork;
struct Left {
    std::vector<Fork> next;
    static constexpr auto fields = openenv::fields(field("next", &Left::next));
};
struct Right {
    std::vector<Fork> next;
    static constexpr auto fields = openenv::fields(field("next", &Right::next));
};
struct Fork {
    std::variant<Left, Right> way;
    static constexpr auto fields = openenv::fields(field("way", &Fork::way));
};

TEST(Read, UnionsMayNestEightDeep) {
    const auto reads = [](int levels) {
        std::string text;
        for (int i = 1; i != levels; ++i) {
            text += R"({"way":{"next":[)";
        }
        text += R"({"way":{"next":[]}})";
        for (int i = 1; i != levels; ++i) {
            text += "]}}";
        }
        Fork fork;
        model::ValidationErrors errors;
        return model::read(text, fork, errors);
    };
    EXPECT_TRUE(reads(8));
    EXPECT_FALSE(reads(9));
}

TEST(Read, NestedUnionsHaveABound) {
    std::string text;
    for (int i = 0; i != 300; ++i) {
        text += R"({"way":{"next":[)";
    }
    text += "5";
    for (int i = 0; i != 300; ++i) {
        text += "]}}";
    }
    Fork fork;
    model::ValidationErrors errors;
    EXPECT_FALSE(model::read(std::string_view(text), fork, errors));
    ASSERT_FALSE(errors.empty());
    EXPECT_EQ(errors[0].msg, "Value error, unions are nested too deeply");
}

struct BadPattern {
    std::string text;
    static constexpr auto fields = openenv::fields(field("text", &BadPattern::text).pattern("("));
};

TEST(Pattern, MustBeAnExpression) {
    EXPECT_THROW((void)model::from_json<BadPattern>(R"({"text":"x"})"), ConfigError);
}

TEST(Pattern, IsTriedWhenTheSchemaIsMade) {
    EXPECT_THROW((void)model::schema<BadPattern>(), ConfigError);
}

struct FreeForm {
    std::optional<Json> any;
    std::optional<Json> object;
    std::map<std::string, std::optional<Json>> table;

    static constexpr auto fields = openenv::fields(
        field("any", &FreeForm::any),
        field("object", &FreeForm::object).object(),
        field("table", &FreeForm::table)
    );
};

TEST(Schema, OptionalFreeFormJson) {
    const Json properties = model::schema<FreeForm>()["properties"];
    EXPECT_EQ(
        properties["any"],
        Json::parse(R"({"anyOf":[{},{"type":"null"}],"default":null,"title":"Any"})")
    );
    EXPECT_EQ(
        properties["object"]["anyOf"],
        Json::parse(R"([{"additionalProperties":true,"type":"object"},{"type":"null"}])")
    );
    EXPECT_EQ(
        properties["table"]["additionalProperties"],
        Json::parse(R"({"anyOf":[{},{"type":"null"}]})")
    );
}

/// Has members of the names that a struct also uses to tell about itself.
struct Product {
    std::string description;
    std::string schema_title;
    bool check = false;

    static constexpr auto fields = openenv::fields(
        field("description", &Product::description),
        field("schema_title", &Product::schema_title),
        field("check", &Product::check).or_default()
    );
};

TEST(Schema, NamesOfItsOwnMayBeFields) {
    const Json schema = model::schema<Product>();
    EXPECT_EQ(schema["title"], Json("Product"));
    EXPECT_FALSE(schema.contains("description"));
    EXPECT_EQ(
        model::from_json<Product>(R"({"description":"a","schema_title":"b"})").description, "a"
    );
}

/// A type of someone else's.
struct Celsius {
    double degrees = 0;
};

struct Weather {
    Celsius outside;
    std::optional<Celsius> inside;
    static constexpr auto fields =
        openenv::fields(field("outside", &Weather::outside), field("inside", &Weather::inside));
};

}  // namespace

template <>
struct model::ValueTraits<Celsius> {
    static constexpr Shape shape = Shape::string;
    static constexpr bool titled = true;
    static bool read(ReadContext& context, Celsius& out, const Constraints& limits) {
        return ValueTraits<double>::read(context, out.degrees, limits);
    }
    static void write(JsonWriter& writer, const Celsius& value) { writer.number(value.degrees); }
    static Json describe(SchemaBuilder& builder, const Constraints& limits) {
        Json schema = ValueTraits<double>::describe(builder, limits);
        schema["format"] = "celsius";
        return schema;
    }
    static std::string label() { return "celsius"; }
};

namespace {

TEST(ValueTraits, TeachesATypeOfOnesOwn) {
    EXPECT_EQ(
        model::from_json<Weather>(R"({"outside":"-3.5","inside":null})").outside.degrees, -3.5
    );
    EXPECT_EQ(model::to_json(Weather{{1}, Celsius{2}}), R"({"outside":1.0,"inside":2.0})");
    EXPECT_EQ(
        model::schema<Weather>()["properties"]["outside"],
        Json::parse(R"({"format":"celsius","title":"Outside","type":"number"})")
    );
}

TEST(TypeName, LeavesOutNamespaces) {
    EXPECT_EQ(model::short_type_name<fixtures::Point>(), "Point");
    EXPECT_EQ(model::short_type_name<Weather>(), "Weather");
    EXPECT_EQ(model::short_type_name<std::vector<fixtures::Point>>().substr(0, 7), "vector<");
    EXPECT_NE(model::qualified_type_name<other::Point>, model::qualified_type_name<fixtures::Point>);
}

}  // namespace
}  // namespace openenv
