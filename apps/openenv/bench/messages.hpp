#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace openenv::bench {

/// What a session of a batch is sent. `data` is the text of a JSON object.
struct BatchEntry {
    std::size_t session = 0;
    std::string_view data;
};

/// `{"type":"step","data":{...}}` as the frame that carries it.
[[nodiscard]] std::string message_frame(std::string_view type, std::string_view data);

/// `{"type":"step","x":{"batch":[{"session":0,"data":{...}}]}}` as the frame that carries it.
[[nodiscard]] std::string batch_frame(std::string_view type, std::span<const BatchEntry> entries);

/// The frame that says goodbye.
[[nodiscard]] std::string close_frame();

/// The answer to a ping.
[[nodiscard]] std::string pong_frame(std::string_view payload);

}  // namespace openenv::bench
