#pragma once

#include "bench/clock.hpp"
#include "bench/connection.hpp"
#include "bench/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace openenv::bench {

/// One session, as far as its connection knows it.
struct Member {
    bool alive = true;        ///< no failure so far
    bool asked = false;       ///< an answer is due
    bool done = false;        ///< its episode is over
    std::size_t actions = 0;  ///< of this episode, that were sent
};

/// The frames that all links of a run send, made once.
struct CommonFrames {
    explicit CommonFrames(const Plan& plan);

    std::string reset;               ///< of a connection without batches
    std::vector<std::string> steps;  ///< likewise, one for each action
    std::string close;
    std::string batch_step;  ///< of a connection whose sessions are all there, with one action
    std::size_t batch_size = 0;
};

/// A connection and the sessions on it, which take every step together.
struct Link {
    enum class Stage {
        unused,     ///< not begun
        opening,    ///< the socket, up to the answer to the upgrade
        resetting,  ///< a reset is out
        ready,      ///< nothing is out
        stepping,   ///< a step is out
        closing,    ///< our close frame is out
        parting,    ///< it was answered; the server ends the connection
        ended,      ///< done with, or failed
    };

    Stage stage = Stage::unused;
    Connection connection = {};
    std::vector<Member> members = {};
    std::size_t asked = 0;  ///< members with an answer due
    bool is_open = false;   ///< the first reset was answered
    bool watches_sending = false;
    std::uint64_t rounds = 0;         ///< steps that were measured
    Clock::time_point start = {};     ///< when it was meant to begin
    Clock::time_point asked_at = {};  ///< of what is out
    Clock::time_point due = {};       ///< of the step that is out, or of the next
    // Kept until it has completed, where only that counts.
    Nanoseconds connect_time{0};
    Nanoseconds reset_time{0};
    Nanoseconds step_time{0};

    [[nodiscard]] std::size_t alive() const;
    /// Whether it waits for the server, and can be let down.
    [[nodiscard]] bool waits() const;
    /// "stepping", for texts.
    [[nodiscard]] const char* stage_text() const;

    /// Asks every session that is alive, or of those the ones whose episode is over, to begin anew.
    void send_reset(const Plan& plan, const CommonFrames& frames, Clock::time_point now);
    /// Asks every session that is alive to take its next step.
    void send_step(const Plan& plan, const CommonFrames& frames, Clock::time_point now);
    void send_close(const CommonFrames& frames, Clock::time_point now);

private:
    [[nodiscard]] std::string batch_of_steps(const Plan& plan) const;
    void ask(Member& member);
};

}  // namespace openenv::bench
