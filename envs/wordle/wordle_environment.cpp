#include "wordle_environment.hpp"

#include "game_texts.hpp"
#include "player_message.hpp"

#include <openenv/env/episode_id.hpp>

#include <utility>

namespace wordle {
namespace {

using openenv::Json;

constexpr std::string_view kEnvId = "Wordle-v0";
constexpr const char* kCategory = "MESSAGE";
constexpr std::int64_t kGameId = -1;
constexpr std::int64_t kPlayerId = 0;

std::string_view stripped(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\n\r\f\v";
    const auto first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

Json to_json(const RewardSignals& signals) {
    return Json::object(
        {{"wordle.greens", signals.greens},
         {"wordle.yellows", signals.yellows},
         {"wordle.repetitions", signals.repetitions},
         {"wordle.correct", signals.correct}}
    );
}

Json to_json(const Guess& guess) {
    Json marks = Json::array();
    for (const Mark mark : guess.feedback) {
        marks.push_back(std::string(1, static_cast<char>(mark)));
    }
    return Json::array({guess.word, std::move(marks)});
}

}  // namespace

WordleEnvironment::WordleEnvironment() : game_(secret_for(seeds_.next())) {
    state_.env_id = kEnvId;
    transcript_.add(rules_text());
}

WordleObservation WordleEnvironment::reset(const ResetOptions& options) {
    const std::uint64_t seed =
        options.seed ? static_cast<std::uint64_t>(*options.seed) : seeds_.next();
    start(secret_for(seed));
    state_.episode_id = options.episode_id ? *options.episode_id : openenv::new_episode_id();
    state_.step_count = 0;
    return observation();
}

WordleObservation WordleEnvironment::step(const WordleAction& action, const StepOptions&) {
    ++state_.step_count;
    if (!game_.over()) {
        play(action.message);
    }
    return observation();
}

const WordleState& WordleEnvironment::state() const {
    state_.turn = static_cast<std::int64_t>(game_.turn());
    state_.last_reward = game_.score();
    state_.last_info = info();
    state_.raw_state = raw_state();
    return state_;
}

void WordleEnvironment::start(std::string_view secret) {
    game_ = Game(secret);
    transcript_ = Transcript();
    transcript_.add(rules_text());
    signal_counter_ = SignalCounter();
    signals_.reset();
}

void WordleEnvironment::play(std::string_view message) {
    const std::string taken = taken_message(message);
    const auto word = bracketed_word(taken);
    const auto fault = game_.play(word);
    transcript_.add(kept_message(taken));
    transcript_.add(answer_text(game_, word, fault));
    signals_ = signal_counter_.after_move(game_, word);
}

WordleObservation WordleEnvironment::observation() const {
    WordleObservation seen;
    const std::string history = transcript_.text();
    seen.prompt = game_.turn() == 0 ? stripped(history) : kEnvId;
    seen.messages.push_back({kGameId, history, kCategory});
    seen.current_player_id = kPlayerId;
    seen.legal_players = {kPlayerId};
    seen.info = info();
    seen.reward = game_.score();
    seen.done = game_.over();
    seen.metadata = info();
    seen.metadata["env_id"] = kEnvId;
    seen.metadata["turn"] = game_.turn();
    seen.metadata["raw_messages"] = Json::array(
        {Json::object({{"sender_id", kGameId}, {"content", history}, {"category", kCategory}})}
    );
    return seen;
}

Json WordleEnvironment::info() const {
    Json info = Json::object();
    if (signals_) {
        info["reward_signals"] = to_json(*signals_);
    }
    return info;
}

Json WordleEnvironment::raw_state() const {
    Json history = Json::array();
    for (const Guess& guess : game_.guesses()) {
        history.push_back(to_json(guess));
    }
    Json logs = Json::array();
    for (const std::string& entry : transcript_.entries()) {
        logs.push_back(Json::array({kGameId, entry}));
    }
    Json player = Json::object(
        {{"role", "Player 0"},
         {"invalid_move", game_.phase() == Phase::forfeited},
         {"turn_count", game_.turn()}}
    );
    Json raw = info();
    raw["turn"] = game_.turn();
    raw["game_state"] = Json::object(
        {{"guess_history", std::move(history)},
         {"word_length", kWordLength},
         {"num_guesses", kMaxGuesses}}
    );
    raw["logs"] = std::move(logs);
    raw["rewards"] = game_.over() ? Json::object({{"0", game_.score()}}) : Json();
    raw["done"] = game_.over();
    raw["role_mapping"] = Json::object({{"0", "Player"}, {"-1", "GAME"}});
    raw["game_info"] = Json::object({{"0", std::move(player)}});
    raw["step_info"] = Json::object();
    return raw;
}

}  // namespace wordle
