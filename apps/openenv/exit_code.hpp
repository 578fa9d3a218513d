#pragma once

namespace cli {

// How the commands end.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;  // the server, the environment or the output
inline constexpr int kWrongUsage = 2;

}  // namespace cli
