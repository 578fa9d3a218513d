#pragma once

#include <openenv/env/entry.hpp>
#include <openenv/env/environment.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace openenv {
namespace test {

struct QuestAction : Action {
    std::string item;

    static constexpr auto fields = openenv::fields(field("item", &QuestAction::item));
};

struct QuestObservation : Observation {
    std::string text;

    static constexpr auto fields = openenv::fields(field("text", &QuestObservation::text));
};

struct QuestState : State {
    std::string level = "a";
    std::map<std::string, std::int64_t> inventory{{"lamp", 1}};
    std::optional<std::string> last_item;

    static constexpr auto fields = openenv::fields(
        field("level", &QuestState::level),
        field("inventory", &QuestState::inventory),
        field("last_item", &QuestState::last_item)
    );
};

struct QuestResetArgs {
    std::string level = "a";

    static constexpr auto fields =
        openenv::fields(field("level", &QuestResetArgs::level).choices("a", "b").or_default());
};

/// Collects items. Its state has more than the library's own, its reset takes a level.
class QuestEnvironment : public Environment<QuestAction, QuestObservation, QuestResetArgs> {
public:
    static constexpr bool supports_concurrent_sessions = true;

    QuestObservation reset(const ResetOptions& options) override;
    QuestObservation step(const QuestAction& action, const StepOptions&) override;
    [[nodiscard]] const QuestState& state() const override { return state_; }

private:
    QuestState state_;
};

/// The same, but refuses a step before the first reset.
class CautiousQuest final : public QuestEnvironment {
public:
    static constexpr bool requires_reset = true;
};

[[nodiscard]] EnvironmentEntry quest_entry();
[[nodiscard]] EnvironmentEntry cautious_quest_entry();

}  // namespace test
}  // namespace openenv
