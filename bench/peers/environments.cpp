// Two environments that only a benchmark wants, served like any other:
//   large_text  answers with a text of as many bytes as the action says
//   napper      an ordinary environment, whose step blocks its thread

#include <openenv/env/environment.hpp>
#include <openenv/server/serve.hpp>

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct LargeTextAction : openenv::Action {
    int bytes = 0;

    static constexpr auto fields = openenv::fields(openenv::field("bytes", &LargeTextAction::bytes)
                                                       .describe("How long the text is")
                                                       .ge(0)
                                                       .le(64 << 20));
};

struct LargeTextObservation : openenv::Observation {
    std::string text;

    static constexpr auto fields =
        openenv::fields(openenv::field("text", &LargeTextObservation::text));
};

class LargeText final : public openenv::Environment<LargeTextAction, LargeTextObservation> {
public:
    static constexpr bool supports_concurrent_sessions = true;
    static constexpr openenv::Execution execution = openenv::Execution::inline_fast;

    LargeTextObservation reset(const ResetOptions&) override { return {}; }
    LargeTextObservation step(const LargeTextAction& action, const StepOptions&) override {
        LargeTextObservation observation;
        observation.text.assign(static_cast<std::size_t>(action.bytes), 'x');
        return observation;
    }
    [[nodiscard]] const openenv::State& state() const override { return state_; }

private:
    openenv::State state_;
};

struct NapAction : openenv::Action {
    double seconds = 0;

    static constexpr auto fields = openenv::fields(
        openenv::field("seconds", &NapAction::seconds).describe("How long to sleep").ge(0).le(60)
    );
};

struct NapObservation : openenv::Observation {
    static constexpr auto fields = openenv::no_fields<NapObservation>();
};

/// Says nothing about how it is executed, as most environments do, and blocks where it likes.
class Napper final : public openenv::Environment<NapAction, NapObservation> {
public:
    static constexpr bool supports_concurrent_sessions = true;

    NapObservation reset(const ResetOptions&) override { return {}; }
    NapObservation step(const NapAction& action, const StepOptions&) override {
        if (action.seconds > 0) {
            std::this_thread::sleep_for(std::chrono::duration<double>(action.seconds));
        }
        return {};
    }
    [[nodiscard]] const openenv::State& state() const override { return state_; }

private:
    openenv::State state_;
};

openenv::EnvironmentEntry find(const std::string& name, const std::vector<std::string>&) {
    if (name == "large_text") {
        return openenv::environment_entry<LargeText>(name);
    }
    if (name == "napper") {
        return openenv::environment_entry<Napper>(name);
    }
    throw openenv::ConfigError("there is large_text and napper, not '" + name + "'");
}

}  // namespace

int main(int argc, char** argv) {
    openenv::EnvironmentChoice choice;
    choice.find = find;
    choice.help = "Environments: large_text, napper.";
    return openenv::serve_chosen(choice, argc, argv);
}
