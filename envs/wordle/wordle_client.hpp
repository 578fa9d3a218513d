#pragma once

#include "wordle_messages.hpp"

#include <openenv/client/env_client.hpp>

#include <string>
#include <string_view>

namespace wordle {

/// A session with a server of Wordle: this one, or textarena_env's.
class WordleClient : public openenv::EnvClient<WordleAction, WordleObservation, WordleState> {
public:
    using EnvClient::EnvClient;

    /// Guesses a word, such as "crane".
    [[nodiscard]] openenv::Pending<Result> guess(std::string_view word) {
        WordleAction action;
        action.message = "[" + std::string(word) + "]";
        return step(action);
    }
};

/// All that was said in the episode: the one message of an observation.
[[nodiscard]] inline const std::string& transcript_of(const WordleObservation& seen) {
    static const std::string nothing;
    return seen.messages.empty() ? nothing : seen.messages.front().content;
}

}  // namespace wordle
