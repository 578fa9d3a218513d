#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// What a player's message says, and what of it is kept.
namespace wordle {

/// How much of a message is looked at, in bytes.
inline constexpr std::size_t kMaxRead = 32 * 1024;
/// How much of a message goes into the transcript, in bytes. The transcript is sent again with
/// every observation, so this bounds what a step can cost.
inline constexpr std::size_t kMaxKept = 4 * 1024;

/// The message as the game takes it: cut to kMaxRead at a character's edge, and put into square
/// brackets if it has none.
[[nodiscard]] std::string taken_message(std::string_view message);

/// The word in the first pair of square brackets that holds one word and nothing else, in lower
/// case: "I try [Crane]" -> "crane". Letters, digits, the underscore and all beyond ASCII make
/// words.
[[nodiscard]] std::optional<std::string> bracketed_word(std::string_view message);

/// What the transcript keeps of a taken message: its first kMaxKept bytes, without the tags that
/// tell who speaks, `[GAME]` and `[Player]`. Only the game may write those.
[[nodiscard]] std::string kept_message(std::string_view taken);

}  // namespace wordle
