#pragma once

#include "bench/trouble.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace openenv::bench {

/// What a server said to one session.  Lifetime: views into the message.
struct Answer {
    enum class Kind : std::uint8_t { observation, error, other };

    std::size_t session = 0;  ///< its number on the connection; 0 without batches
    Kind kind = Kind::other;
    bool done = false;           ///< only where that was asked for
    std::string_view text = {};  ///< of the whole message, or of the session's part of a batch
    std::string_view data = {};  ///< of an error
};

/// Reads a message. One that begins as observations do is not read further, because that would cost
/// more than sending the step did, unless `wants_done`.
/// Errors: Trouble, wrong_answer, when it is no answer at all.
[[nodiscard]] Answer read_answer(std::string_view message, bool wants_done);

/// Reads a message that answers several sessions, or the connection as a whole.
/// Errors: Trouble: wrong_answer, or what an error frame for the whole connection says.
[[nodiscard]] std::vector<Answer> read_batch(std::string_view message, bool wants_done);

/// The failure that an answer of the kind `error` tells of.
[[nodiscard]] Trouble trouble_of(const Answer& answer);

}  // namespace openenv::bench
