#include "classic_control/acrobot.hpp"
#include "classic_control/cartpole.hpp"
#include "classic_control/classic_control_entries.hpp"
#include "classic_control/mountain_car.hpp"
#include "classic_control/mountain_car_continuous.hpp"
#include "classic_control/pendulum.hpp"

#include <openenv/base/error.hpp>
#include <openenv/base/json.hpp>
#include <openenv/env/typed_environment.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace classic_control {
namespace {

using openenv::CallOutcome;
using openenv::Json;
using testing::HasSubstr;

template <class E, class Number>
typename E::Observation step(E& environment, Number number) {
    typename E::Action action;
    action.action = static_cast<decltype(action.action)>(number);
    return environment.step(action, {});
}

template <class E>
typename E::ResetOptions with_seed(std::int64_t seed) {
    return typename E::ResetOptions(seed);
}

/// The answers of an environment behind JSON, as a session gets them.
class Spoken {
public:
    explicit Spoken(const openenv::EnvironmentEntry& entry) : environment_(entry.make()) {}

    CallOutcome reset(std::string_view arguments) {
        answer_.clear();
        return environment_->reset(arguments, {}, openenv::ResultForm::websocket, answer_);
    }
    CallOutcome step(std::string_view action) {
        answer_.clear();
        return environment_->step(action, {}, openenv::ResultForm::websocket, answer_);
    }
    Json state() {
        answer_.clear();
        EXPECT_EQ(environment_->state(answer_), CallOutcome::ok);
        return answer();
    }
    [[nodiscard]] Json answer() const { return Json::parse(answer_); }
    [[nodiscard]] const std::string& text() const { return answer_; }

private:
    std::unique_ptr<openenv::AnyEnvironment> environment_;
    std::string answer_;
};

template <class E>
class EveryControl : public testing::Test {};
using Environments =
    testing::Types<Acrobot, CartPole, MountainCar, MountainCarContinuous, Pendulum>;
TYPED_TEST_SUITE(EveryControl, Environments);

TYPED_TEST(EveryControl, TheSameSeedGivesTheSameEpisode) {
    TypeParam one;
    TypeParam other;
    (void)other.reset({});
    EXPECT_EQ(
        one.reset(with_seed<TypeParam>(7)).observation,
        other.reset(with_seed<TypeParam>(7)).observation
    );
    for (int i = 0; i != 20; ++i) {
        EXPECT_EQ(step(one, i % 2).observation, step(other, i % 2).observation);
    }
}

TYPED_TEST(EveryControl, AResetWithoutASeedGoesOnWithTheSameRandomNumbers) {
    TypeParam one;
    TypeParam other;
    const auto first = one.reset(with_seed<TypeParam>(7)).observation;
    const auto second = one.reset({}).observation;
    EXPECT_NE(first, second);
    (void)other.reset(with_seed<TypeParam>(7));
    (void)step(other, 1);
    EXPECT_EQ(other.reset({}).observation, second);
}

TYPED_TEST(EveryControl, WithoutAnySeedEpisodesDiffer) {
    TypeParam one;
    TypeParam other;
    EXPECT_NE(one.reset({}).observation, other.reset({}).observation);
}

TYPED_TEST(EveryControl, RefusesANegativeSeedAndStaysAsItWas) {
    TypeParam environment;
    (void)environment.reset(with_seed<TypeParam>(7));
    (void)step(environment, 1);
    TypeParam untouched = environment;
    EXPECT_THROW((void)environment.reset(with_seed<TypeParam>(-1)), openenv::UserError);
    EXPECT_EQ(environment.state().step_count, 1);
    EXPECT_EQ(step(environment, 1).observation, step(untouched, 1).observation);
    EXPECT_EQ(environment.reset({}).observation, untouched.reset({}).observation);
}

TYPED_TEST(EveryControl, TheLimitOfStepsTruncatesAndDoesNotTerminate) {
    TypeParam environment;
    const std::int64_t most = environment.state().max_episode_steps;
    for (int round = 0; round != 2; ++round) {
        (void)environment.reset(with_seed<TypeParam>(round));
        for (std::int64_t i = 1; i != most; ++i) {
            ASSERT_FALSE(step(environment, 1).truncated) << i;
        }
        for (int beyond = 0; beyond != 2; ++beyond) {
            const auto last = step(environment, 1);
            EXPECT_TRUE(last.truncated);
            EXPECT_TRUE(last.done);
        }
    }
}

TYPED_TEST(EveryControl, AResetEndsTheEpisodeBefore) {
    TypeParam environment;
    (void)environment.reset(with_seed<TypeParam>(7));
    for (int i = 0; i != 30; ++i) {
        (void)step(environment, 0);
    }
    const auto again = environment.reset(with_seed<TypeParam>(7));
    EXPECT_FALSE(again.done);
    EXPECT_FALSE(again.terminated);
    EXPECT_EQ(again.reward, openenv::Reward(0.0));
    EXPECT_EQ(environment.state().step_count, 0);
    TypeParam fresh;
    (void)fresh.reset(with_seed<TypeParam>(7));
    EXPECT_EQ(step(environment, 1).observation, step(fresh, 1).observation);
}

TYPED_TEST(EveryControl, ACopyGoesOnByItself) {
    TypeParam environment;
    (void)environment.reset(with_seed<TypeParam>(7));
    (void)step(environment, 1);
    TypeParam copy = environment;
    for (int i = 0; i != 5; ++i) {
        (void)step(environment, 0);
    }
    TypeParam again;
    (void)again.reset(with_seed<TypeParam>(7));
    (void)step(again, 1);
    EXPECT_EQ(step(copy, 1).observation, step(again, 1).observation);
    EXPECT_EQ(copy.state().step_count, 2);
}

TYPED_TEST(EveryControl, KeepsTheEpisodeIdOrMakesOne) {
    TypeParam environment;
    EXPECT_EQ(environment.state().episode_id, std::nullopt);
    (void)environment.reset({});
    const auto made = environment.state().episode_id;
    ASSERT_TRUE(made.has_value());
    EXPECT_THAT(*made, testing::SizeIs(36));
    typename TypeParam::ResetOptions named;
    named.episode_id = "mine";
    (void)environment.reset(named);
    EXPECT_EQ(environment.state().episode_id, "mine");
}

TEST(ClassicControl, EveryEnvironmentIsServedToManyInPlace) {
    std::string names;
    for (const openenv::EnvironmentEntry& entry : classic_control_entries()) {
        EXPECT_EQ(entry.traits.execution, openenv::Execution::inline_fast) << entry.name;
        EXPECT_TRUE(entry.traits.supports_concurrent_sessions) << entry.name;
        EXPECT_THAT(entry.summary, HasSubstr("Gymnasium's")) << entry.name;
        names += entry.name + " ";
    }
    EXPECT_EQ(names, "acrobot cartpole mountain_car mountain_car_continuous pendulum ");
}

TEST(ClassicControl, AStepNeedsAReset) {
    for (const openenv::EnvironmentEntry& entry : classic_control_entries()) {
        Spoken environment(entry);
        EXPECT_EQ(environment.step(R"({"action":1})"), CallOutcome::failed) << entry.name;
        EXPECT_THAT(environment.text(), HasSubstr("call reset first"));
        EXPECT_EQ(environment.reset("{}"), CallOutcome::ok);
        EXPECT_EQ(environment.step(R"({"action":1})"), CallOutcome::ok);
    }
}

TEST(ClassicControl, BadActionsAreRefusedAndTheEpisodeGoesOn) {
    struct Row {
        const char* action;
        const char* type;
    };
    for (const openenv::EnvironmentEntry& entry : classic_control_entries()) {
        const bool continuous = entry.name == "pendulum" || entry.name == "mountain_car_continuous";
        const auto rows = continuous
                              ? std::array{
                                    Row{R"({"action":NaN})", "value_error"},
                                    Row{R"({"action":-Infinity})", "value_error"},
                                    Row{R"({"action":1e39})", "less_than_equal"},
                                    Row{R"({"action":[0.5]})", "float_type"},
                                    Row{R"({})", "missing"},
                                    Row{R"({"action":0.5,"force":1})", "extra_forbidden"}}
                              : std::array{
                                    Row{R"({"action":3})", "less_than_equal"},
                                    Row{R"({"action":-1})", "greater_than_equal"},
                                    Row{R"({"action":0.5})", "int_from_float"},
                                    Row{R"({"action":[1]})", "int_type"},
                                    Row{R"({})", "missing"},
                                    Row{R"({"action":1,"force":1})", "extra_forbidden"}};
        Spoken environment(entry);
        Spoken untouched(entry);
        ASSERT_EQ(environment.reset(R"({"seed":7})"), CallOutcome::ok);
        ASSERT_EQ(untouched.reset(R"({"seed":7})"), CallOutcome::ok);
        for (const Row& row : rows) {
            EXPECT_EQ(environment.step(row.action), CallOutcome::invalid) << row.action;
            ASSERT_EQ(environment.answer().size(), 1U) << environment.text();
            EXPECT_EQ(environment.answer()[0]["type"], row.type) << environment.text();
        }
        EXPECT_EQ(environment.state()["step_count"], 0);
        EXPECT_EQ(environment.step(R"({"action":1})"), CallOutcome::ok);
        EXPECT_EQ(untouched.step(R"({"action":1})"), CallOutcome::ok);
        EXPECT_EQ(environment.text(), untouched.text()) << entry.name;
    }
}

TEST(ClassicControl, BadStartsAreRefusedAndTheEpisodeGoesOn) {
    struct Row {
        const char* arguments;
        const char* text;
    };
    for (const Row& row :
         {Row{R"({"low":1,"high":0.5})",
              "the lower bound of the start, 1.0, is above the upper bound, 0.5"},
          Row{R"({"low":-Infinity})", "must be finite numbers"},
          Row{R"({"high":NaN})", "must be finite numbers"},
          Row{R"({"low":-1e308,"high":1e308})", "not too far apart"},
          Row{R"({"seed":-3})", "the seed must be at least 0, and -3 is not"}}) {
        for (const openenv::EnvironmentEntry& entry : classic_control_entries()) {
            if (entry.name == "pendulum") {
                continue;  // it has other arguments
            }
            Spoken environment(entry);
            ASSERT_EQ(environment.reset(R"({"episode_id":"kept"})"), CallOutcome::ok);
            EXPECT_EQ(environment.reset(row.arguments), CallOutcome::failed) << row.arguments;
            EXPECT_THAT(environment.text(), HasSubstr(row.text));
            EXPECT_EQ(environment.state()["episode_id"], "kept");
            EXPECT_EQ(environment.step(R"({"action":1})"), CallOutcome::ok);
        }
    }
    Spoken pendulum(pendulum_entry());
    EXPECT_EQ(pendulum.reset(R"({"x_init":-1})"), CallOutcome::invalid);
    EXPECT_EQ(pendulum.reset(R"({"y_init":Infinity})"), CallOutcome::failed);
    EXPECT_EQ(pendulum.reset(R"({"x_init":0,"y_init":0})"), CallOutcome::ok);
    EXPECT_EQ(pendulum.answer()["observation"]["observation"], Json::array({1.0, 0.0, 0.0}));
}

TEST(ClassicControl, ObservationAndStateTellWhatATrainerNeeds) {
    Spoken environment(cartpole_entry());
    ASSERT_EQ(environment.reset(R"({"seed":0,"low":0.125,"high":0.125})"), CallOutcome::ok);
    const Json seen = environment.answer()["observation"];
    EXPECT_EQ(seen["observation"], Json::array({0.125, 0.125, 0.125, 0.125}));
    EXPECT_EQ(seen["terminated"], false);
    EXPECT_EQ(seen["truncated"], false);
    const Json state = environment.state();
    EXPECT_EQ(state["step_count"], 0);
    EXPECT_EQ(state["env_id"], "CartPole-v1");
    EXPECT_EQ(state["max_episode_steps"], 500);
}

TEST(CartPole, IsWorthNothingOnceThePoleFell) {
    CartPole environment;
    (void)environment.reset(with_seed<CartPole>(0));
    CartPoleObservation seen;
    while (!seen.terminated) {
        seen = step(environment, 1);
        EXPECT_EQ(seen.reward, openenv::Reward(1.0));
    }
    EXPECT_TRUE(seen.done);
    seen = step(environment, 1);
    EXPECT_TRUE(seen.terminated);
    EXPECT_EQ(seen.reward, openenv::Reward(0.0));
    (void)environment.reset(with_seed<CartPole>(0));
    EXPECT_EQ(step(environment, 1).reward, openenv::Reward(1.0));
}

TEST(MountainCar, StopsAtTheLeftEnd) {
    MountainCar environment;
    MountainCar::ResetOptions options;
    options.args = {0.4, 0.4};
    MountainCarObservation seen = environment.reset(options);
    while (!seen.done && seen.observation[0] != -1.2F) {
        seen = step(environment, 0);
    }
    EXPECT_FALSE(seen.done);
    EXPECT_EQ(seen.observation[1], 0.0F);
}

TEST(MountainCarContinuous, AForceOutOfRangeActsAsTheLargestAndCostsItsSquare) {
    MountainCarContinuous one;
    MountainCarContinuous other;
    (void)one.reset(with_seed<MountainCarContinuous>(0));
    (void)other.reset(with_seed<MountainCarContinuous>(0));
    const auto strong = step(one, 3.0F);
    const auto largest = step(other, 1.0F);
    EXPECT_NEAR(strong.observation[1], largest.observation[1], 1e-9);
    EXPECT_DOUBLE_EQ(strong.reward.as_number(), -0.9);
    EXPECT_DOUBLE_EQ(largest.reward.as_number(), -0.1);
}

TEST(Pendulum, ATorqueOutOfRangeIsTakenAsTheLargest) {
    Pendulum one;
    Pendulum other;
    (void)one.reset(with_seed<Pendulum>(0));
    (void)other.reset(with_seed<Pendulum>(0));
    const PendulumObservation strong = step(one, -1e30F);
    const PendulumObservation largest = step(other, -2.0F);
    EXPECT_EQ(strong.observation, largest.observation);
    EXPECT_EQ(strong.reward, largest.reward);
}

/// Gymnasium would go round for ever.
TEST(Acrobot, TakesAStartOfAnySpeed) {
    Acrobot environment;
    for (const double far : {1e3, 1e30, 1e307}) {
        Acrobot::ResetOptions options;
        options.args = {far, far};
        (void)environment.reset(options);
        for (int i = 0; i != 3; ++i) {
            (void)step(environment, 2);
        }
    }
    (void)environment.reset(with_seed<Acrobot>(0));
    EXPECT_LT(std::abs(step(environment, 2).observation[4]), 1.0F);
}

}  // namespace
}  // namespace classic_control
