/// The words of errors where they hold more than plain names and small numbers. Checked against
/// pydantic 2.14.4.

#include "model/messages.hpp"
#include "unit/model/golden_fixtures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace openenv {
namespace {

using fixtures::brief_errors_of;
using fixtures::errors_of;
using testing::ElementsAre;

TEST(PythonRepr, QuotesAndEscapesAsPythonDoes) {
    struct Row {
        std::string_view text;
        std::string_view shown;
    };
    for (const Row& row : {
             Row{"", "''"},
             Row{"it's", R"("it's")"},
             Row{R"(say "x")", R"('say "x"')"},
             Row{R"(both'")", R"('both\'"')"},
             Row{R"(back\slash)", R"('back\\slash')"},
             Row{"\n\r\t", R"('\n\r\t')"},
             Row{"\x01\x7F", R"('\x01\x7f')"},
             Row{"\xC2\x85\xC2\xA0\xC2\xAD", R"('\x85\xa0\xad')"},
             Row{"\xE2\x80\x8B", R"('\u200b')"},
             Row{"\xF3\xA0\x80\x81", R"('\U000e0001')"},
             Row{"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "'\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80'"},
         }) {
        EXPECT_EQ(model::python_repr(row.text), row.shown);
    }
}

enum class Mood { fine, so_so };
constexpr auto enum_names(Mood) {
    return openenv::names<Mood>({{Mood::fine, "it's fine"}, {Mood::so_so, "so\\so"}});
}

struct Named {
    std::string text;
    Mood mood = Mood::fine;
    std::variant<Mood, int, std::vector<Mood>, std::map<std::string, Mood>, Literal<"it's">, Bytes>
        any;

    static constexpr auto fields = openenv::fields(
        field("text", &Named::text).choices("it's", "b").or_default(),
        field("mood", &Named::mood).or_default(),
        field("any", &Named::any).or_default()
    );
};

TEST(Wording, NamesAreShownAsPythonShowsThem) {
    const Json errors = errors_of<Named>(R"({"text":"q","mood":"q"})");
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_EQ(errors[0]["msg"], Json(R"(Input should be "it's" or 'b')"));
    EXPECT_EQ(errors[0]["ctx"]["expected"], Json(R"("it's" or 'b')"));
    EXPECT_EQ(errors[1]["msg"], Json(R"(Input should be "it's fine" or 'so\\so')"));
}

TEST(Wording, UnionsNameTheirAlternativesAsPydanticDoes) {
    EXPECT_THAT(
        brief_errors_of<Named>(R"({"any":"q"})"),
        ElementsAre(
            "enum @ any,enum[Mood]",
            "int_parsing @ any,int",
            "list_type @ any,list[enum[Mood]]",
            "dict_type @ any,dict[str,enum[Mood]]",
            R"(literal_error @ any,literal["it's"])",
            "base64_decode @ any,function-after[decode(), bytes]"
        )
    );
}

struct Quoted {
    Literal<"it's"> kind;
    static constexpr auto fields = openenv::fields(field("kind", &Quoted::kind));
};
struct Escaped {
    Literal<"b\\c\n"> kind;
    static constexpr auto fields = openenv::fields(field("kind", &Escaped::kind));
};
struct Tagged {
    std::variant<Quoted, Escaped> m;
    static constexpr auto fields = openenv::fields(field("m", &Tagged::m));
};

TEST(Wording, TagsAreShownAsPythonShowsThem) {
    struct Row {
        std::string_view raw;
        std::string_view shown;
    };
    for (const Row& row : {
             Row{R"("q's")", "q's"},
             Row{"5", "5"},
             Row{"-0", "0"},
             Row{"1.50", "1.5"},
             Row{"1e5", "100000.0"},
             Row{"1e16", "1e+16"},
             Row{"1E-7", "1e-07"},
             Row{"NaN", "nan"},
             Row{"Infinity", "inf"},
             Row{"-Infinity", "-inf"},
             Row{"12345678901234567890123", "12345678901234567890123"},
             Row{"null", "None"},
             Row{"true", "True"},
         }) {
        const Json error = errors_of<Tagged>(R"({"m":{"kind":)" + std::string(row.raw) + "}}")[0];
        EXPECT_EQ(error["type"], Json("union_tag_invalid"));
        EXPECT_EQ(error["ctx"]["tag"], Json(row.shown));
        EXPECT_EQ(error["ctx"]["expected_tags"], Json(R"("it's", 'b\\c\n')"));
    }
}

struct Limits {
    double tiny = 0;
    double big = 1e17;
    double huge = 0;
    double negative = 0;
    double many = 0;
    double zero = 1;
    double zeros = 1;

    static constexpr auto fields = openenv::fields(
        field("tiny", &Limits::tiny).le(1e-5).or_default(),
        field("big", &Limits::big).ge(1e16).or_default(),
        field("huge", &Limits::huge).le(1e300).or_default(),
        field("negative", &Limits::negative).gt(-0.0625).or_default(),
        field("many", &Limits::many).le(1234.5678).or_default(),
        field("zero", &Limits::zero).ge(0).lt(std::uint64_t{1} << 62U).or_default(),
        field("zeros", &Limits::zeros).ge(0.0).or_default()
    );
};

TEST(Wording, LimitsHaveNoExponent) {
    const Json errors = errors_of<Limits>(
        R"({"tiny":1,"big":1,"huge":1e308,"negative":-1,"many":1e9,"zero":-1,"zeros":-1})"
    );
    ASSERT_EQ(errors.size(), 7U);
    const std::string most = "Input should be less than or equal to ";
    const std::string least = "Input should be greater than or equal to ";
    EXPECT_EQ(errors[0]["msg"], Json(most + "0.00001"));
    EXPECT_EQ(errors[0]["ctx"].dump(), R"({"le":1e-05})");
    EXPECT_EQ(errors[1]["msg"], Json(least + "10000000000000000"));
    EXPECT_EQ(errors[1]["ctx"].dump(), R"({"ge":1e+16})");
    EXPECT_EQ(errors[2]["msg"], Json(most + "1" + std::string(300, '0')));
    EXPECT_EQ(errors[3]["msg"], Json("Input should be greater than -0.0625"));
    EXPECT_EQ(errors[4]["msg"], Json(most + "1234.5678"));
    EXPECT_EQ(errors[5]["msg"], Json(least + "0"));
    EXPECT_EQ(errors[5]["ctx"].dump(), R"({"ge":0.0})");
    EXPECT_EQ(errors[6]["msg"], Json(least + "0"));
}

TEST(Schema, LimitsStayAsTheyWereWritten) {
    const Json properties = model::schema<Limits>()["properties"];
    EXPECT_EQ(properties["zero"]["minimum"], Json(0));
    EXPECT_EQ(properties["zero"]["exclusiveMaximum"], Json(std::int64_t{1} << 62U));
    EXPECT_EQ(properties["zeros"]["minimum"], Json(0.0));
    EXPECT_EQ(properties["tiny"]["maximum"], Json(1e-5));
}

TEST(Wording, NumbersBeyondTheChoicesAreOtherValues) {
    for (const std::string_view raw :
         {"1e30", "-1e30", "1e19", "1.5", "Infinity", "-Infinity", "NaN", R"("1")", "null"}) {
        const Json errors = errors_of<fixtures::Numbers>(R"({"level":)" + std::string(raw) + "}");
        ASSERT_EQ(errors.size(), 1U) << raw;
        EXPECT_EQ(errors[0]["type"], Json("literal_error")) << raw;
        EXPECT_EQ(errors[0]["msg"], Json("Input should be 1, 2 or 3")) << raw;
    }
    EXPECT_THAT(
        brief_errors_of<fixtures::Numbers>(R"({"level":9223372036854775808})"),
        ElementsAre("int_parsing_size @ level")
    );
    EXPECT_EQ(model::from_json<fixtures::Numbers>(R"({"level":2.0})").level, 2);
    EXPECT_EQ(model::from_json<fixtures::Numbers>(R"({"level":true})").level, 1);
}

}  // namespace
}  // namespace openenv
