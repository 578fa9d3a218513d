#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace openenv::bench {

/// What every peer is told on its command line.
struct PeerOptions {
    std::uint16_t port = 0;
    std::size_t threads = 1;
    std::filesystem::path answers;  ///< a directory, see read_answers
};

/// Nothing when the command line was wrong or asked for help, which has been printed then.
[[nodiscard]] std::optional<PeerOptions> read_options(
    const char* description, int argc, const char* const* argv
);

/// Lets this process open as many sockets as the system permits at all.
void raise_descriptor_limit();

/// Tells that connections are accepted, in the words of our server.
void announce(std::uint16_t port);

}  // namespace openenv::bench
