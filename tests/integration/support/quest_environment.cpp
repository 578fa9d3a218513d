#include "integration/support/quest_environment.hpp"

#include <openenv/env/typed_environment.hpp>

namespace openenv {
namespace test {

QuestObservation QuestEnvironment::reset(const ResetOptions& options) {
    state_ = QuestState();
    state_.episode_id = options.episode_id;
    state_.level = options.args.level;
    QuestObservation observation;
    observation.text = "level " + state_.level + ", seed " +
                       (options.seed ? std::to_string(*options.seed) : "none");
    return observation;
}

QuestObservation QuestEnvironment::step(const QuestAction& action, const StepOptions&) {
    ++state_.step_count;
    state_.last_item = action.item;
    ++state_.inventory[action.item];
    QuestObservation observation;
    observation.text = "took " + action.item;
    observation.reward = 1.0;
    return observation;
}

EnvironmentEntry quest_entry() {
    return environment_entry<QuestEnvironment>("quest");
}

EnvironmentEntry cautious_quest_entry() {
    return environment_entry<CautiousQuest>("cautious quest");
}

}  // namespace test
}  // namespace openenv
