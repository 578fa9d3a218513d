#include "server/shard_counters.hpp"

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

template <class Enum>
using Names = std::array<std::string_view, CounterFor<Enum>::kSize>;

template <class Enum>
std::string_view look_up(const Names<Enum>& names, Enum value) noexcept {
    return names[static_cast<std::size_t>(value)];
}

constexpr Names<SessionState> kStates{"waiting", "creating", "idle", "queued", "busy", "given_up"};
constexpr Names<CallKind> kKinds{"reset", "step", "state", "mcp"};
constexpr Names<CallEnd> kCallEnds{"ok", "invalid", "failed", "timeout", "refused", "cancelled"};
constexpr Names<Refusal> kRefusals{
    "capacity",
    "queue_timeout",
    "per_peer",
    "creation",
    "descriptors",
    "connections",
    "draining",
    "unauthorized"};
constexpr Names<SessionEnd> kSessionEnds{
    "peer_gone", "close_requested", "idle", "server_stops", "released", "fault"};
constexpr Names<Transport> kTransports{"websocket", "batch", "in_process", "http", "mcp"};

}  // namespace

std::string_view name_of(SessionState state) noexcept {
    return look_up(kStates, state);
}
std::string_view name_of(CallKind kind) noexcept {
    return look_up(kKinds, kind);
}
std::string_view name_of(CallEnd end) noexcept {
    return look_up(kCallEnds, end);
}
std::string_view name_of(Refusal reason) noexcept {
    return look_up(kRefusals, reason);
}
std::string_view name_of(SessionEnd end) noexcept {
    return look_up(kSessionEnds, end);
}
std::string_view name_of(Transport transport) noexcept {
    return look_up(kTransports, transport);
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
