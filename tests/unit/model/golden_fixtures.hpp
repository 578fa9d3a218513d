#pragma once

#include "unit/model/fixtures.hpp"

/// The twins of the models in tests/golden/pydantic/record.py.
namespace fixtures {

struct Numbers {
    std::int64_t i = 0;
    double f = 0.5;
    bool b = false;
    int limited = 0;
    int positive = 5;
    double ratio = 1.0;
    double step = 0.5;
    int level = 1;
    std::optional<int> maybe;

    static constexpr auto fields = openenv::fields(
        openenv::field("i", &Numbers::i).or_default(),
        openenv::field("f", &Numbers::f).or_default(),
        openenv::field("b", &Numbers::b).or_default(),
        openenv::field("limited", &Numbers::limited).ge(0).le(10).multiple_of(3).or_default(),
        openenv::field("positive", &Numbers::positive).gt(0).lt(100).or_default(),
        openenv::field("ratio", &Numbers::ratio).gt(0.0).lt(1.5).or_default(),
        openenv::field("step", &Numbers::step).ge(0.5).multiple_of(0.5).or_default(),
        openenv::field("level", &Numbers::level).choices(1, 2, 3).or_default(),
        openenv::field("maybe", &Numbers::maybe).ge(0)
    );
};

struct Texts {
    std::string s = "abc";
    std::string one = "x";
    std::string three = "a";
    openenv::Literal<"only"> single;
    Color color = Color::blue;
    std::string free;

    static constexpr auto fields = openenv::fields(
        openenv::field("s", &Texts::s).length(2, 4).pattern("^a").or_default(),
        openenv::field("one", &Texts::one).length(1, 1).or_default(),
        openenv::field("three", &Texts::three).choices("a", "b", "c").or_default(),
        openenv::field("single", &Texts::single).or_default(),
        openenv::field("color", &Texts::color).or_default(),
        openenv::field("free", &Texts::free).or_default()
    );
};

struct Containers {
    std::vector<int> numbers = {1, 2};
    std::vector<int> one = {1};
    std::vector<Point> points;
    std::vector<std::vector<int>> matrix;
    std::map<std::string, std::string> entries = {{"k", "v"}};
    std::map<std::string, std::vector<int>> lists;
    openenv::Json anything;
    openenv::Json object = openenv::Json::object();
    Point place = {1, 2.0};
    std::map<std::string, Point> places;

    static constexpr auto fields = openenv::fields(
        openenv::field("numbers", &Containers::numbers).length(2, 3).or_default(),
        openenv::field("one", &Containers::one).length(1, 1).or_default(),
        openenv::field("points", &Containers::points).or_default(),
        openenv::field("matrix", &Containers::matrix).or_default(),
        openenv::field("entries", &Containers::entries).length(1, 2).or_default(),
        openenv::field("lists", &Containers::lists).or_default(),
        openenv::field("anything", &Containers::anything).or_default(),
        openenv::field("object", &Containers::object).object().or_default(),
        openenv::field("place", &Containers::place).or_default(),
        openenv::field("places", &Containers::places).or_default()
    );
};

struct Jump {
    openenv::Literal<"jump"> kind;
    int height = 0;

    static constexpr auto fields = openenv::fields(
        openenv::field("kind", &Jump::kind).or_default(), openenv::field("height", &Jump::height)
    );
};

/// Its tag is a text with one choice, which serves as well as a Literal.
struct Walk {
    std::string kind = "walk";
    int steps = 1;

    static constexpr auto fields = openenv::fields(
        openenv::field("kind", &Walk::kind).choices("walk").or_default(),
        openenv::field("steps", &Walk::steps).or_default()
    );
};

using Motion = std::variant<Jump, Walk>;

struct Unions {
    Motion motion = Walk{};
    std::optional<Motion> maybe;
    std::vector<Motion> motions;
    std::variant<int, std::string> id = 0;
    std::optional<std::variant<int, double, bool>> amount;
    std::variant<Point, std::vector<int>> shape = std::vector<int>{1};

    static constexpr auto fields = openenv::fields(
        openenv::field("motion", &Unions::motion).or_default(),
        openenv::field("maybe", &Unions::maybe),
        openenv::field("motions", &Unions::motions).or_default(),
        openenv::field("id", &Unions::id).or_default(),
        openenv::field("amount", &Unions::amount),
        openenv::field("shape", &Unions::shape).or_default()
    );
};

struct Strict {
    int a = 0;

    static constexpr auto extra_fields = openenv::ExtraFields::forbid;
    static constexpr auto fields = openenv::fields(openenv::field("a", &Strict::a));
};

struct Holder {
    Strict strict;
    std::optional<Strict> spare;
    std::optional<int> needed_or_null;
    int odd = 1;

    static constexpr std::string_view description = "Holds others.";
    static constexpr auto fields = openenv::fields(
        openenv::field("strict", &Holder::strict).describe("must be exact"),
        openenv::field("spare", &Holder::spare).describe("may be null"),
        openenv::field("needed_or_null", &Holder::needed_or_null).required(),
        openenv::field("e_2_b__c", &Holder::odd).describe("an odd name").or_default()
    );
};

struct Open {
    std::optional<std::string> episode_id;
    std::int64_t step_count = 0;
    openenv::Json extra = openenv::Json::object();

    static constexpr auto extra_member = &Open::extra;
    static constexpr auto fields = openenv::fields(
        openenv::field("episode_id", &Open::episode_id),
        openenv::field("step_count", &Open::step_count).ge(0).or_default()
    );
};

struct Tree {
    int value = 0;
    std::vector<Tree> children;

    static constexpr auto fields = openenv::fields(
        openenv::field("value", &Tree::value),
        openenv::field("children", &Tree::children).or_default()
    );
};

struct Checked {
    int n = 0;
    int m = 0;

    static std::optional<std::string> not_big(int value) {
        return value > 5 ? std::optional<std::string>("too big") : std::nullopt;
    }
    static std::optional<std::string> check(const Checked& self) {
        return self.n == self.m && self.n != 0 ? std::optional<std::string>("n and m must differ")
                                               : std::nullopt;
    }
    static constexpr auto fields = openenv::fields(
        openenv::field("n", &Checked::n).check(&Checked::not_big).or_default(),
        openenv::field("m", &Checked::m).check(&Checked::not_big).or_default()
    );
};

}  // namespace fixtures
