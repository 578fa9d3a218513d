#pragma once

#include <cstddef>

namespace openenv {
namespace test {

/// The open descriptors of this process.
[[nodiscard]] std::size_t open_descriptors();

/// How many descriptors this process may have open.
[[nodiscard]] std::size_t descriptor_limit();

/// The threads of this process.
[[nodiscard]] std::size_t threads_of_this_process();

/// The memory of this process that is in RAM, in bytes.
[[nodiscard]] std::size_t resident_bytes();

}  // namespace test
}  // namespace openenv
