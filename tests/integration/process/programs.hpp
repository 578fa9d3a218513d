#pragma once

#include <string>

namespace openenv {
namespace test {

// The programs under test; CMake says where they are.
inline const std::string kOpenEnv = OPENENV_PROGRAM;
inline const std::string kEcho = OPENENV_ECHO_PROGRAM;
inline const std::string kStuck = OPENENV_STUCK_PROGRAM;
inline const std::string kStuckTask = OPENENV_STUCK_TASK_PROGRAM;

}  // namespace test
}  // namespace openenv
