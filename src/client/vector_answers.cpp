#include <openenv/base/json_reader.hpp>
#include <openenv/client/vector_answers.hpp>

namespace openenv {
inline namespace v0 {
namespace client {

namespace {

/// What an object says of `terminated` and `truncated`; nothing where it has neither.
std::optional<EpisodeEnd> read_end(std::string_view text) {
    if (text.empty()) {
        return std::nullopt;
    }
    EpisodeEnd end;
    bool told = false;
    JsonReader reader(text);
    reader.enter_object();
    while (const auto key = reader.next_key()) {
        bool* flag = *key == "terminated"  ? &end.terminated
                     : *key == "truncated" ? &end.truncated
                                           : nullptr;
        if (flag != nullptr && reader.peek() == JsonToken::boolean) {
            *flag = reader.read_bool();
            told = true;
        } else {
            reader.skip();
        }
    }
    return told ? std::optional(end) : std::nullopt;
}

}  // namespace

bool tells_end(const ResultParts& parts) {
    if (is_given(parts.done)) {
        return parts.done == "true";
    }
    return is_given(parts.observation) && split_result(parts.observation).done == "true";
}

EpisodeEnd end_of(const ResultParts& parts) {
    std::optional<EpisodeEnd> end = read_end(parts.observation);
    if (!end) {
        end = read_end(parts.metadata);
    }
    if (!end && is_given(parts.observation)) {
        end = read_end(split_result(parts.observation).metadata);
    }
    if (!end || (!end->terminated && !end->truncated)) {
        end = EpisodeEnd{.terminated = true};
    }
    return *end;
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
