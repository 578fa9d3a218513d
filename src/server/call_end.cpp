#include "server/call_end.hpp"

namespace openenv {
inline namespace v0 {
namespace server {

CallEnd call_end(const Result<CallOutcome>& outcome) noexcept {
    if (outcome) {
        switch (*outcome) {
            case CallOutcome::ok:
                return CallEnd::ok;
            case CallOutcome::invalid:
                return CallEnd::invalid;
            case CallOutcome::failed:
                return CallEnd::failed;
        }
        return CallEnd::failed;
    }
    switch (outcome.error().code) {
        case Errc::timeout:
            return CallEnd::timeout;
        case Errc::cancelled:
            return CallEnd::cancelled;
        case Errc::validation:
            return CallEnd::invalid;
        case Errc::factory_failed:
            return CallEnd::failed;
        default:
            return CallEnd::refused;
    }
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
