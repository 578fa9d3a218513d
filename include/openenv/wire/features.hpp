#pragma once

#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace wire {

/// The header, and for those who cannot send headers the query's key, by which a client asks for
/// extensions of the protocol, and the header that grants them (docs/protocol.md, Extensions).
inline constexpr std::string_view kAcceptHeader = "OpenEnv-Accept";
inline constexpr std::string_view kAcceptQuery = "openenv-accept";
inline constexpr std::string_view kFeaturesHeader = "OpenEnv-Features";

/// Extensions of the protocol: those asked for, or those that hold on a connection.
struct Features {
    bool ids = false;       ///< messages have ids, and answers name them
    bool deadline = false;  ///< calls have time limits and extra arguments
    bool batch = false;     ///< many sessions share the connection

    [[nodiscard]] bool any() const noexcept { return ids || deadline || batch; }
    bool operator==(const Features&) const = default;
};

/// What both have.
[[nodiscard]] constexpr Features operator&(Features a, Features b) noexcept {
    return {a.ids && b.ids, a.deadline && b.deadline, a.batch && b.batch};
}

/// Reads a list such as "ids, deadline"; names that nobody knows are passed over.
[[nodiscard]] Features parse_features(std::string_view list);
/// "ids, deadline"; empty when there are none.
[[nodiscard]] std::string to_text(Features features);

}  // namespace wire
}  // namespace v0
}  // namespace openenv
