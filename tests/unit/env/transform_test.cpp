#include <openenv/env/transform.hpp>
#include <openenv/env/typed_environment.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace openenv {
namespace {

struct WordAction : Action {
    std::string word;

    static constexpr auto fields = openenv::fields(field("word", &WordAction::word));
};

struct WordObservation : Observation {
    std::string word;

    static constexpr auto fields = openenv::fields(field("word", &WordObservation::word));
};

class WordEnvironment final : public Environment<WordAction, WordObservation> {
public:
    WordObservation reset(const ResetOptions&) override {
        state_ = {};
        WordObservation observation;
        observation.word = "start";
        return observation;
    }
    WordObservation step(const WordAction& action, const StepOptions&) override {
        ++state_.step_count;
        WordObservation observation;
        observation.word = action.word;
        observation.reward = 1;
        return observation;
    }
    [[nodiscard]] const State& state() const override { return state_; }

private:
    State state_;
};

/// Marks what it has seen; refuses "forbidden".
class Mark final : public Transform<WordObservation> {
public:
    void apply(WordObservation& observation) const override {
        if (observation.word == "forbidden") {
            throw std::runtime_error("that word cannot be shown");
        }
        observation.word += ", marked";
        observation.reward = 0.5;
        observation.metadata = Json::object({{"marked", true}});
    }
};

std::unique_ptr<AnyEnvironment> marked_environment() {
    const EnvironmentEntry entry = environment_entry<WordEnvironment>("word", [] {
        auto environment = std::make_unique<WordEnvironment>();
        environment->set_transform(std::make_shared<const Mark>());
        return environment;
    });
    return entry.make();
}

struct Answer {
    CallOutcome outcome;
    std::string text;
};

Answer step(AnyEnvironment& environment, const std::string& word) {
    std::string out;
    const std::string action = R"({"word":")" + word + R"("})";
    const CallOutcome outcome = environment.step(action, {}, ResultForm::websocket, out);
    return {outcome, std::move(out)};
}

TEST(Transform, ChangesTheObservationsOfStep) {
    const auto environment = marked_environment();
    const Answer answer = step(*environment, "hello");
    EXPECT_EQ(answer.outcome, CallOutcome::ok);
    const Json result = Json::parse(answer.text);
    EXPECT_EQ(result["observation"]["word"], "hello, marked");
    EXPECT_EQ(result["reward"], Json(0.5));
    EXPECT_EQ(result["metadata"]["marked"], Json(true));
}

TEST(Transform, LeavesTheObservationOfResetAlone) {
    const auto environment = marked_environment();
    std::string out;
    EXPECT_EQ(environment->reset("{}", {}, ResultForm::websocket, out), CallOutcome::ok);
    EXPECT_EQ(Json::parse(out)["observation"]["word"], "start");
}

TEST(Transform, FailsTheStepAndNothingElseWhenItThrows) {
    const auto environment = marked_environment();
    const Answer refused = step(*environment, "forbidden");
    EXPECT_EQ(refused.outcome, CallOutcome::failed);
    EXPECT_EQ(refused.text, "that word cannot be shown");
    EXPECT_EQ(step(*environment, "hello").outcome, CallOutcome::ok);
    std::string state;
    EXPECT_EQ(environment->state(state), CallOutcome::ok);
    EXPECT_EQ(Json::parse(state)["step_count"], Json(2)) << "the step itself was made";
}

TEST(Transform, IsSharedByCopiesAndCanBeTakenAway) {
    WordEnvironment environment;
    EXPECT_EQ(environment.transform(), nullptr);
    environment.set_transform(std::make_shared<const Mark>());
    const WordEnvironment copy = environment;
    EXPECT_NE(copy.transform(), nullptr);
    EXPECT_EQ(copy.transform(), environment.transform());
    environment.set_transform(nullptr);
    EXPECT_EQ(environment.transform(), nullptr);
    EXPECT_NE(copy.transform(), nullptr);
}

}  // namespace
}  // namespace openenv
