#include "play.hpp"

#include "solver.hpp"

#include <boost/system/system_error.hpp>
#include <fmt/core.h>

#include <exception>
#include <utility>

namespace wordle_demo {
namespace {

using Clock = std::chrono::steady_clock;

// More than any game takes; a server that never says done must not keep us forever.
constexpr std::size_t kMostSteps = 2 * wordle::kMaxGuesses;

Episode play_episode(
    EnvConnection& connection, std::int64_t seed, std::vector<std::chrono::nanoseconds>& step_times
) {
    Episode episode{.seed = seed};
    std::vector<std::string> refused;
    Turn turn = connection.reset(seed);
    auto clues = read_clues(turn.transcript);
    while (!turn.done && episode.guesses < kMostSteps) {
        const std::string guess(next_guess(wordle::accepted_words(), clues, refused));
        if (guess.empty()) {
            break;  // the secret is no word of ours: give up
        }
        const std::string message = fmt::format("[{}]", guess);
        const auto sent = Clock::now();
        turn = connection.step(message);
        step_times.push_back(Clock::now() - sent);
        ++episode.guesses;
        episode.last_guess = guess;
        auto known = read_clues(turn.transcript);
        if (known.size() == clues.size() && !turn.done) {
            refused.push_back(guess);  // no marks: the game does not know the word
        }
        clues = std::move(known);
    }
    episode.finished = turn.done;
    episode.reward = turn.reward;
    episode.solved = turn.done && turn.reward == 1.0;
    return episode;
}

}  // namespace

SessionResult play_session(const Endpoint& endpoint, const SessionPlan& plan) {
    SessionResult result;
    try {
        EnvConnection connection(endpoint);
        std::int64_t seed = plan.first_seed;
        for (std::size_t i = 0; i < plan.episodes; ++i) {
            result.episodes.push_back(play_episode(connection, seed++, result.step_times));
        }
        connection.close();
    } catch (const boost::system::system_error& error) {
        result.failure = error.code().message();
    } catch (const std::exception& error) {
        result.failure = error.what();
    }
    return result;
}

}  // namespace wordle_demo
