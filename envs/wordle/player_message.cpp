#include "player_message.hpp"

#include <algorithm>

namespace wordle {
namespace {

bool is_continuation_byte(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

bool is_word_character(char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

char lowered(char c) {
    return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// At most `limit` bytes from the start, ending with a whole character.
std::string_view start_of(std::string_view text, std::size_t limit) {
    if (text.size() <= limit) {
        return text;
    }
    std::size_t end = limit;
    while (end > 0 && is_continuation_byte(text[end])) {
        --end;
    }
    return text.substr(0, end);
}

void drop_tag_at_end(std::string& text, std::string_view tag) {
    if (text.ends_with(tag)) {
        text.resize(text.size() - tag.size());
    }
}

}  // namespace

std::string taken_message(std::string_view message) {
    std::string taken(start_of(message, kMaxRead));
    if (taken.find_first_of("[]") == std::string::npos) {
        taken.insert(taken.begin(), '[');
        taken.push_back(']');
    }
    return taken;
}

std::optional<std::string> bracketed_word(std::string_view message) {
    std::size_t open = message.find('[');
    while (open != std::string_view::npos) {
        std::size_t end = open + 1;
        while (end < message.size() && is_word_character(message[end])) {
            ++end;
        }
        if (end > open + 1 && end < message.size() && message[end] == ']') {
            std::string word(message.substr(open + 1, end - open - 1));
            std::ranges::transform(word, word.begin(), lowered);
            return word;
        }
        open = message.find('[', end);
    }
    return std::nullopt;
}

std::string kept_message(std::string_view taken) {
    const std::string_view start = start_of(taken, kMaxKept);
    std::string kept;
    kept.reserve(start.size());
    for (const char c : start) {
        kept.push_back(c);
        if (c == ']') {
            // Looking at the end of what is kept also catches a tag that the removal of another
            // one has formed.
            drop_tag_at_end(kept, "[GAME]");
            drop_tag_at_end(kept, "[Player]");
        }
    }
    return kept;
}

}  // namespace wordle
