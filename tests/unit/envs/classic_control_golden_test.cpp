/// Compares with what Gymnasium did; see tests/golden/classic_control/record.py.
///
/// Equal means equal: observations to the last bit of single precision, rewards to that of double
/// precision. A C library whose sine, cosine or power differ from glibc's may fail here.

#include "classic_control/acrobot.hpp"
#include "classic_control/cartpole.hpp"
#include "classic_control/mountain_car.hpp"
#include "classic_control/mountain_car_continuous.hpp"
#include "classic_control/pendulum.hpp"

#include <openenv/base/json.hpp>
#include <openenv/model/model.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace classic_control {
namespace {

using openenv::Json;

Json recorded(const std::string& name) {
    std::ifstream file(OPENENV_GOLDEN_DIR "/classic_control/" + name + ".json");
    std::stringstream text;
    text << file.rdbuf();
    return Json::parse(text.str());
}

template <class E>
typename E::ResetOptions reset_options(const Json& episode) {
    typename E::ResetOptions options;
    if (!episode["seed"].is_null()) {
        options.seed = episode["seed"].as_int64();
    }
    openenv::model::ValidationErrors errors;
    EXPECT_TRUE(openenv::model::read(episode["options"].dump(), options.args, errors));
    return options;
}

template <class Numbers>
void expect_observation(const Numbers& seen, const Json& expected) {
    ASSERT_EQ(seen.size(), expected.size());
    for (std::size_t i = 0; i != seen.size(); ++i) {
        EXPECT_EQ(seen[i], static_cast<float>(expected[i].as_double())) << "number " << i;
    }
}

template <class E>
void expect_step(E& environment, const Json& step) {
    typename E::Action action;
    action.action = static_cast<decltype(action.action)>(step[0].as_double());
    const typename E::Observation seen = environment.step(action, {});
    if (step.size() == 1) {
        EXPECT_FALSE(seen.done);
        return;
    }
    expect_observation(seen.observation, step[1]);
    EXPECT_EQ(seen.reward.as_number(), step[2].as_double());
    EXPECT_EQ(seen.terminated, step[3].as_bool());
    EXPECT_EQ(seen.truncated, step[4].as_bool());
    EXPECT_EQ(seen.done, seen.terminated || seen.truncated);
}

template <class E>
void replay(const std::string& name) {
    const Json golden = recorded(name);
    E environment;
    EXPECT_EQ(environment.state().env_id, golden["env_id"].as_string());
    ASSERT_GE(golden["episodes"].size(), 3U);
    std::size_t number = 0;
    for (const Json& episode : golden["episodes"].elements()) {
        SCOPED_TRACE("episode " + std::to_string(number++));
        expect_observation(
            environment.reset(reset_options<E>(episode)).observation, episode["start"]
        );
        for (const Json& step : episode["steps"].elements()) {
            SCOPED_TRACE("after " + std::to_string(environment.state().step_count) + " steps");
            expect_step(environment, step);
            if (testing::Test::HasFailure()) {
                return;
            }
        }
    }
}

TEST(ClassicControlGolden, Acrobot) {
    replay<Acrobot>("acrobot");
}
TEST(ClassicControlGolden, CartPole) {
    replay<CartPole>("cartpole");
}
TEST(ClassicControlGolden, MountainCar) {
    replay<MountainCar>("mountain_car");
}
TEST(ClassicControlGolden, MountainCarContinuous) {
    replay<MountainCarContinuous>("mountain_car_continuous");
}
TEST(ClassicControlGolden, Pendulum) {
    replay<Pendulum>("pendulum");
}

}  // namespace
}  // namespace classic_control
