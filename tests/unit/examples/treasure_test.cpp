#include "treasure/treasure.hpp"

#include "treasure/step_cost.hpp"

#include <openenv/env/typed_environment.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace treasure {
namespace {

using openenv::CallOutcome;
using openenv::Json;
using openenv::ResultForm;

/// What an environment that is served answers.
class Served {
public:
    explicit Served(const openenv::EnvironmentEntry& entry) : environment_(entry.make()) {}

    Json reset(const std::string& arguments) {
        std::string out;
        EXPECT_EQ(environment_->reset(arguments, {}, ResultForm::websocket, out), CallOutcome::ok)
            << out;
        return Json::parse(out);
    }
    Json step(const std::string& direction) {
        std::string out;
        const std::string action = R"({"direction":")" + direction + R"("})";
        EXPECT_EQ(environment_->step(action, {}, ResultForm::websocket, out), CallOutcome::ok)
            << out;
        return Json::parse(out);
    }

private:
    std::unique_ptr<openenv::AnyEnvironment> environment_;
};

TEST(Treasure, IsFoundByItsHints) {
    Served hunt(openenv::environment_entry<TreasureHunt>("treasure"));
    const Json start = hunt.reset(R"({"seed":3,"width":8})");
    EXPECT_EQ(start["observation"]["hint"], "it lies within 8 steps");
    EXPECT_TRUE(start["reward"].is_null());
    std::string direction = "left";
    Json seen = hunt.step(direction);
    if (seen["observation"]["hint"] == "colder") {
        EXPECT_EQ(seen["reward"], Json(-1));
        direction = "right";
    }
    int steps = 1;
    while (seen["observation"]["hint"] != "found") {
        ASSERT_LT(++steps, 20);
        seen = hunt.step(direction);
        EXPECT_EQ(seen["reward"], Json(1));
    }
    EXPECT_EQ(seen["done"], Json(true));
}

TEST(Treasure, CostsTheMoreTheLongerItTakes) {
    Served plain(openenv::environment_entry<TreasureHunt>("treasure"));
    Served costly(openenv::environment_entry<TreasureHunt>("treasure", hunt_with_step_cost));
    EXPECT_EQ(plain.reset(R"({"seed":3})"), costly.reset(R"({"seed":3})"))
        << "only steps are transformed";
    for (const char* direction : {"left", "right", "right"}) {
        const Json free = plain.step(direction);
        const Json paid = costly.step(direction);
        EXPECT_EQ(paid["reward"], Json(free["reward"].as_double() - 0.25));
        EXPECT_EQ(paid["observation"], free["observation"]);
    }
}

}  // namespace
}  // namespace treasure
