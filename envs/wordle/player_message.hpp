#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// What a player's message says, and what of it is kept.
namespace wordle {

/// Only so much of a message is looked at and kept, in bytes: the transcript is sent with every
/// observation.
inline constexpr std::size_t kMaxMessage = 32 * 1024;

/// The message as the game takes it: cut to kMaxMessage at a character's edge, and put into square
/// brackets if it has none.
[[nodiscard]] std::string taken_message(std::string_view message);

/// The word in the first pair of square brackets that holds one word and nothing else, in lower
/// case: "I try [Crane]" -> "crane". Letters, digits, the underscore and all beyond ASCII make
/// words.
[[nodiscard]] std::optional<std::string> bracketed_word(std::string_view message);

/// The message without the tags that tell who speaks, `[GAME]` and `[Player]`: in a transcript only
/// the game may write them.
[[nodiscard]] std::string without_speaker_tags(std::string_view message);

}  // namespace wordle
