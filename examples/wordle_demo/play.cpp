#include "play.hpp"

#include "solver.hpp"

#include <exception>
#include <utility>

namespace wordle_demo {
namespace {

using Clock = std::chrono::steady_clock;

// More than any game takes; a server that never says done must not keep us forever.
constexpr std::size_t kMostSteps = 2 * wordle::kMaxGuesses;

Episode play_episode(
    wordle::WordleClient& client,
    std::int64_t seed,
    std::vector<std::chrono::nanoseconds>& step_times
) {
    auto& env = client.sync();
    Episode episode{.seed = seed};
    std::vector<std::string> refused;
    auto turn = env.reset(openenv::seed(seed));
    auto clues = read_clues(wordle::transcript_of(turn.observation));
    while (!turn.done && episode.guesses < kMostSteps) {
        const std::string guess(next_guess(wordle::accepted_words(), clues, refused));
        if (guess.empty()) {
            break;  // the secret is no word of ours: give up
        }
        const auto sent = Clock::now();
        turn = env.wait(client.guess(guess));
        step_times.push_back(Clock::now() - sent);
        ++episode.guesses;
        episode.last_guess = guess;
        auto known = read_clues(wordle::transcript_of(turn.observation));
        if (known.size() == clues.size() && !turn.done) {
            refused.push_back(guess);  // no marks: the game does not know the word
        }
        clues = std::move(known);
    }
    episode.finished = turn.done;
    episode.reward = turn.reward.is_null() ? 0.0 : turn.reward.as_number();
    episode.solved = turn.done && episode.reward == 1.0;
    return episode;
}

}  // namespace

SessionResult play_session(wordle::WordleClient& client, const SessionPlan& plan) {
    SessionResult result;
    try {
        std::int64_t seed = plan.first_seed;
        for (std::size_t i = 0; i < plan.episodes; ++i) {
            result.episodes.push_back(play_episode(client, seed++, result.step_times));
        }
        client.sync().close();
    } catch (const std::exception& error) {
        result.failure = error.what();
    }
    return result;
}

}  // namespace wordle_demo
