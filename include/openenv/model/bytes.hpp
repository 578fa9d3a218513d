#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace openenv {
inline namespace v0 {

/// Raw bytes; a base64 text in JSON.
struct Bytes {
    std::vector<std::uint8_t> data = {};

    [[nodiscard]] std::size_t size() const noexcept { return data.size(); }
    bool operator==(const Bytes&) const = default;
};

}  // namespace v0
}  // namespace openenv
