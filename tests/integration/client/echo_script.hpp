#pragma once

#include "support/gate.hpp"
#include "support/scripted_server.hpp"

#include <openenv/base/json.hpp>
#include <openenv/client/options.hpp>

#include <chrono>

namespace openenv {
namespace test {

/// An action or an argument that its answer can be told by.
[[nodiscard]] Json numbered(int k);
/// The same, for which echo() waits at its gate.
[[nodiscard]] Json waiting(int k);

/// The script of a server that answers every reset and step with what it was called with, and says
/// goodbye properly.
void echo(ScriptedPeer& peer, Gate& gate);
/// Without a gate: nothing waits.
void echo(ScriptedPeer& peer);

/// The script of a server that answers one message and falls silent: until the gate is open it
/// reads nothing, so it answers no ping.
void fall_silent(ScriptedPeer& peer, Gate& gate);

/// Options whose calls end within the hang bound.
[[nodiscard]] ClientOptions quick(
    std::chrono::milliseconds message_timeout = std::chrono::seconds(20)
);
[[nodiscard]] ClientOptions quick(Reconnect reconnect);
/// Options that give up a silent peer soon, and not yet one whose machine stands still for half a
/// second.
[[nodiscard]] ClientOptions watchful();

/// Longer than any test lasts: what ends before was ended by something else.
inline constexpr std::chrono::milliseconds kForEver = std::chrono::hours(1);

}  // namespace test
}  // namespace openenv
