#include "openenv/env/typed_environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace openenv {
namespace {

struct Move : Action {
    std::vector<int> v;
    std::string level = "a";

    static constexpr auto fields = openenv::fields(
        field("v", &Move::v).or_default(),
        field("level", &Move::level).pattern("^[a-z]+$").or_default()
    );
};

struct Seen : Observation {
    std::string level;
    static constexpr auto fields = openenv::fields(field("level", &Seen::level));
};

struct Start {
    std::vector<int> v;
    std::string level = "a";
    std::vector<Start> others;

    static constexpr auto fields = openenv::fields(
        field("v", &Start::v).or_default(),
        field("level", &Start::level).pattern("^[a-z]+$").or_default(),
        field("others", &Start::others).or_default()
    );
};

class Levels : public Environment<Move, Seen, Start> {
public:
    Seen reset(const ResetOptions& options) override { return seen(options.args.level); }
    Seen step(const Move& action, const StepOptions&) override { return seen(action.level); }
    const State& state() const override { return state_; }

private:
    static Seen seen(std::string level) {
        Seen made;
        made.level = std::move(level);
        return made;
    }
    State state_;
};

/// A list that fills the errors, a wrong level, and the list once more without errors.
std::string wrong_level_behind_many_errors() {
    std::string text = R"({"v":[)";
    for (int i = 0; i != 256; ++i) {
        text += R"("x",)";
    }
    return text + R"("x"],"level":"../../etc","v":[]})";
}

TEST(TypedEnvironment, RunsNothingWhenAnErrorFoundNoRoom) {
    const auto environment = environment_entry<Levels>("levels").make();
    const std::string text = wrong_level_behind_many_errors();
    for (const ResultForm form : {ResultForm::websocket, ResultForm::http}) {
        std::string out;
        EXPECT_EQ(environment->reset(text, {}, form, out), CallOutcome::invalid) << out;
        EXPECT_EQ(Json::parse(out).size(), 1U);
        out.clear();
        EXPECT_EQ(environment->step(text, StepOptions(), form, out), CallOutcome::invalid) << out;
        EXPECT_EQ(Json::parse(out).size(), 1U);
    }
    std::string out;
    EXPECT_EQ(
        environment->reset(R"({"level":"b"})", {}, ResultForm::websocket, out), CallOutcome::ok
    );
    EXPECT_EQ(Json::parse(out)["observation"]["level"], Json("b"));
}

TEST(EnvironmentEntry, TakesResetArgumentsThatMentionThemselves) {
    const Json schema = Json::parse(environment_entry<Levels>("levels").schemas.reset);
    EXPECT_EQ(schema["title"], Json("ResetArguments"));
    EXPECT_TRUE(schema["properties"].contains("seed"));
    EXPECT_TRUE(schema["properties"].contains("level"));
    EXPECT_EQ(schema["properties"]["others"]["items"]["$ref"], Json("#/$defs/Start"));
    EXPECT_TRUE(schema["$defs"]["Start"]["properties"].contains("level"));
}

struct BadMove : Action {
    std::string text;
    static constexpr auto fields = openenv::fields(field("text", &BadMove::text).pattern("("));
};

class BadPattern : public Environment<BadMove, Seen> {
public:
    Seen reset(const ResetOptions&) override { return {}; }
    Seen step(const BadMove&, const StepOptions&) override { return {}; }
    const State& state() const override { return state_; }

private:
    State state_;
};

TEST(EnvironmentEntry, RefusesAPatternThatIsNone) {
    EXPECT_THROW((void)environment_entry<BadPattern>("bad"), ConfigError);
}

}  // namespace
}  // namespace openenv
