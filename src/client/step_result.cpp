#include "client/call_errors.hpp"

#include <openenv/base/json_reader.hpp>
#include <openenv/base/log.hpp>
#include <openenv/client/step_result.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

ResultParts read_parts(JsonReader& reader) {
    ResultParts parts;
    reader.enter_object();
    while (const auto key = reader.next_key()) {
        std::string_view* part = *key == "observation" ? &parts.observation
                                 : *key == "reward"    ? &parts.reward
                                 : *key == "done"      ? &parts.done
                                 : *key == "metadata"  ? &parts.metadata
                                                       : nullptr;
        const std::string_view value = reader.skip();
        if (part != nullptr) {
            *part = value;
        }
    }
    return parts;
}

ResultParts split_result(std::string_view data) {
    JsonReader reader(data);
    return read_parts(reader);
}

std::string unknown_keys(std::string_view text, const std::vector<std::string_view>& known) {
    constexpr std::size_t kMost = 200;
    std::string keys;
    JsonReader reader(text);
    reader.enter_object();
    while (const auto key = reader.next_key()) {
        if (std::find(known.begin(), known.end(), *key) == known.end() && keys.size() < kMost) {
            keys += (keys.empty() ? "" : ", ") + std::string(key->substr(0, kMost));
        }
        reader.skip();
    }
    return keys;
}

void warn_of_two(const char* what, bool& warned) {
    if (!std::exchange(warned, true)) {
        log(LogLevel::warning,
            std::string("the server sends one ") + what +
                " in the observation and another beside it; the one beside it counts");
    }
}

bool tells_done(std::string_view text) {
    return is_given(split_result(text).done);
}

void throw_unreadable(const char* what, const std::string& why) {
    throw_client_error(Error{
        Errc::validation, std::string("the server's ") + what + " does not fit: " + why});
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
