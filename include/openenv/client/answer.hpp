#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

/// What a client asks a server for.
enum class Ask { reset, step, state };

/// An answer that is no error. `data` is the text of its JSON object, a view into `message`.
struct Answer {
    Answer() = default;
    explicit Answer(std::string text) : message(std::move(text)) {}

    std::string message;
    std::size_t data_at = 0;
    std::size_t data_size = 0;

    [[nodiscard]] std::string_view data() const {
        return std::string_view(message).substr(data_at, data_size);
    }
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
