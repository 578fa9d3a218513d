#pragma once

/// The version of the library, as numbers for the preprocessor and as text.
#define OPENENV_VERSION_MAJOR 0
#define OPENENV_VERSION_MINOR 1
#define OPENENV_VERSION_PATCH 0

namespace openenv {
inline namespace v0 {

/// "MAJOR.MINOR.PATCH", as `openenv --version` prints it.
inline constexpr const char* kVersion = "0.1.0";

}  // namespace v0
}  // namespace openenv
