#pragma once

#include <openenv/base/json.hpp>
#include <openenv/env/types.hpp>
#include <openenv/model/field.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wordle {

/// What the player says; the guess is the word in square brackets.
struct WordleAction : openenv::Action {
    std::string message;

    static constexpr auto fields =
        openenv::fields(openenv::field("message", &WordleAction::message)
                            .describe("A message with a guess in square brackets, such as [crane]")
        );
};

/// A part of what the player sees.
struct WordleMessage {
    std::int64_t sender_id = 0;
    std::string content;
    std::string category;

    static constexpr auto fields = openenv::fields(
        openenv::field("sender_id", &WordleMessage::sender_id).describe("-1 is the game"),
        openenv::field("content", &WordleMessage::content),
        openenv::field("category", &WordleMessage::category)
    );
};

/// What the player sees. Shape: exactly one message, the whole history of the episode.
struct WordleObservation : openenv::Observation {
    std::string prompt;
    std::vector<WordleMessage> messages;
    std::int64_t current_player_id = 0;
    std::vector<std::int64_t> legal_players;
    openenv::Json info = openenv::Json::object();

    static constexpr auto fields = openenv::fields(
        openenv::field("prompt", &WordleObservation::prompt)
            .describe("The rules; once a guess was taken, the name of the game"),
        openenv::field("messages", &WordleObservation::messages)
            .describe("One message with the whole history, which grows by appending")
            .or_hidden_default(),
        openenv::field("current_player_id", &WordleObservation::current_player_id).or_default(),
        openenv::field("legal_players", &WordleObservation::legal_players).or_hidden_default(),
        openenv::field("info", &WordleObservation::info)
            .object()
            .describe("After a step: reward_signals, what a trainer may shape its reward with")
            .or_hidden_default()
    );
};

/// Where the episode stands. The secret is no part of it: whoever can ask for the state could win.
struct WordleState : openenv::State {
    std::string env_id;
    std::int64_t num_players = 1;
    std::optional<std::int64_t> max_turns;
    std::int64_t turn = 0;
    double last_reward = 0.0;
    openenv::Json last_info = openenv::Json::object();
    openenv::Json raw_state = openenv::Json::object();

    static constexpr auto fields = openenv::fields(
        openenv::field("env_id", &WordleState::env_id),
        openenv::field("num_players", &WordleState::num_players),
        openenv::field("max_turns", &WordleState::max_turns).or_default(),
        openenv::field("turn", &WordleState::turn).describe("Moves that counted").or_default(),
        openenv::field("last_reward", &WordleState::last_reward).or_default(),
        openenv::field("last_info", &WordleState::last_info).object().or_hidden_default(),
        openenv::field("raw_state", &WordleState::raw_state)
            .object()
            .describe("The game as it stands, without the secret")
            .or_hidden_default()
    );
};

}  // namespace wordle
