#pragma once

#include <openenv/client/options.hpp>

#include <cstddef>
#include <utility>

namespace openenv {
inline namespace v0 {

/// How the sessions of a VectorEnv reach the server.
enum class VectorConnection {
    automatic,  ///< over one connection where the server grants `batch`, otherwise over many
    one,        ///< one for all; Exception (usage) where the server does not grant that
    many,       ///< each has its own: what every server knows
};

/// What a VectorEnv does with a session whose episode is over.
enum class AutoReset {
    none,       ///< nothing: the caller resets it before its next step
    same_step,  ///< it is reset at once; see VectorResult::final_observation
};

/// Every setting of a VectorEnv, with its default. See ClientOptions for why this is no aggregate.
class VectorOptions {
public:
    VectorOptions() = default;
    /// Implicit, so that a VectorEnv can be made of a number.
    VectorOptions(std::size_t count, ClientOptions settings = {})
        : sessions(count), client(std::move(settings)) {}

    std::size_t sessions = 1;  ///< 1 to 65536
    VectorConnection connection = VectorConnection::automatic;
    AutoReset auto_reset = AutoReset::same_step;
    ClientOptions client;  ///< as of every client; `extensions.batch` is said by `connection`
};

}  // namespace v0
}  // namespace openenv
