#pragma once

#include "action_prompt.hpp"
#include "dialogue.hpp"
#include "result_text.hpp"
#include "typed_command.hpp"

#include <openenv/base/error.hpp>
#include <openenv/base/json.hpp>
#include <openenv/client/env_client.hpp>

#include <ostream>
#include <string>

namespace cli {

/// Plays episodes: asks for actions, takes the steps and shows what they gave; to people as text,
/// to a script as lines of JSON.
/// Blocking: play().
class Player {
public:
    /// Lifetime: the client, the dialogue and the stream outlive it.
    Player(
        openenv::GenericEnvClient& client,
        openenv::Json schemas,
        openenv::Json reset_arguments,
        Dialogue& dialogue,
        std::ostream& out
    );
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    /// Until the input or the player has had enough.
    /// Errors: WrongUsage for a wrong line of a script; at a terminal it is told, and asked again.
    /// WrongUsage when the input cannot be read, OutputFailed when nothing can be shown.
    /// Exception when the connection cannot be made, and for every failure under a script.
    void play();

private:
    /// What is to happen next.
    enum class Next { act, begin, leave };

    [[nodiscard]] Next act();
    [[nodiscard]] Next after_episode();
    [[nodiscard]] Next reset(const openenv::Json& arguments);
    [[nodiscard]] Next step(const openenv::Json& action);
    /// What ends the asking for an action: ":quit", ":reset", ":json".
    [[nodiscard]] Next obey(const Command& command);
    /// What does not: ":help", ":schema", ":state". False for all others.
    bool answer_aside(const Command& command);
    /// A failure of a call: told at a terminal, thrown on under a script.
    void tell(const openenv::Exception& error);
    void show(const StepResult& result);
    [[nodiscard]] openenv::Json object_of(const Command& command) const;

    openenv::GenericEnvClient& client_;
    const openenv::Json schemas_;
    const openenv::Json reset_arguments_;
    Dialogue& dialogue_;
    std::ostream& out_;
    ActionPrompt prompt_;
    bool over_ = true;  // the episode; none has begun
};

}  // namespace cli
