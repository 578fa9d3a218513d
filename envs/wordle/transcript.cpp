#include "transcript.hpp"

#include <cstddef>
#include <string_view>

namespace wordle {

std::string Transcript::text() const {
    constexpr std::string_view kTag = "\n[GAME] ";
    std::size_t size = 0;
    for (const std::string& entry : entries_) {
        size += kTag.size() + entry.size();
    }
    std::string text;
    text.reserve(size);
    for (const std::string& entry : entries_) {
        text.append(kTag).append(entry);
    }
    return text;
}

}  // namespace wordle
