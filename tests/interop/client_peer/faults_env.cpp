// An environment that misbehaves on demand: the twin of tests/interop/reference_faults.py.
#include <openenv/server/serve.hpp>

#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

struct FaultsAction : openenv::Action {
    std::string message;

    static constexpr auto fields =
        openenv::fields(openenv::field("message", &FaultsAction::message));
};

struct FaultsObservation : openenv::Observation {
    std::string echoed_message;
    std::int64_t message_length = 0;
    std::string note = "more than a client of the echo environment knows";

    static constexpr auto fields = openenv::fields(
        openenv::field("echoed_message", &FaultsObservation::echoed_message).or_default(),
        openenv::field("message_length", &FaultsObservation::message_length).or_default(),
        openenv::field("note", &FaultsObservation::note).or_default()
    );
};

struct FaultsResetArgs {
    std::optional<std::string> fault;

    static constexpr auto fields =
        openenv::fields(openenv::field("fault", &FaultsResetArgs::fault).or_default());
};

std::optional<std::string> after(std::string_view prefix, const std::string& text) {
    if (!text.starts_with(prefix)) {
        return std::nullopt;
    }
    return text.substr(prefix.size());
}

openenv::Reward reward_named(const std::string& name) {
    if (name == "nan") {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (name == "inf") {
        return std::numeric_limits<double>::infinity();
    }
    if (name == "true") {
        return true;
    }
    if (name == "7") {
        return 7;
    }
    if (name == "none") {
        return {};
    }
    throw std::invalid_argument("no such reward: " + name);
}

class FaultsEnvironment final
    : public openenv::Environment<FaultsAction, FaultsObservation, FaultsResetArgs> {
public:
    static constexpr bool supports_concurrent_sessions = true;

    FaultsObservation reset(const openenv::ResetOptions<FaultsResetArgs>& options) override {
        if (options.args.fault) {
            throw std::invalid_argument(*options.args.fault);
        }
        state_ = {};
        state_.episode_id = options.episode_id;
        state_.extra["visits"] = openenv::Json::array({"first", nullptr, 2.5});
        return {};
    }

    FaultsObservation step(const FaultsAction& action, const openenv::StepOptions&) override {
        ++state_.step_count;
        FaultsObservation observation;
        observation.echoed_message = action.message;
        if (const auto text = after("raise:", action.message)) {
            throw std::invalid_argument(*text);
        }
        if (const auto path = after("wait:", action.message)) {
            std::ifstream(*path).get();  // a pipe: lasts until somebody has opened and closed it
        } else if (const auto times = after("repeat:", action.message)) {
            observation.echoed_message = std::string(std::stoul(*times), 'x');
        } else if (const auto name = after("reward:", action.message)) {
            observation.reward = reward_named(*name);
        } else if (action.message == "done") {
            observation.done = true;
            observation.metadata = openenv::Json::object({{"why", "asked to"}});
        }
        return observation;
    }

    [[nodiscard]] const openenv::State& state() const override { return state_; }

private:
    openenv::State state_;
};

}  // namespace

int main(int argc, char** argv) {
    return openenv::serve<FaultsEnvironment>("faults", argc, argv);
}
