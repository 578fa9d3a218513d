#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace openenv::bench {

/// What a peer answers, whatever was asked: the texts that our own server sent when it was asked
/// the same.
struct Answers {
    std::string reset;
    std::string step;
    std::string state;
    std::string other =
        R"({"type":"error","data":{"message":"Unknown message type","code":"UNKNOWN_TYPE"}})";
};

/// Reads `reset.json`, `step.json` and `state.json` of a directory.
/// Errors: std::runtime_error for a file that cannot be read or is empty.
[[nodiscard]] Answers read_answers(const std::filesystem::path& directory);

/// The answer to a message by its type alone, which is looked for where an envelope begins.
[[nodiscard]] std::string_view answer_to(const Answers& answers, std::string_view message);

}  // namespace openenv::bench
