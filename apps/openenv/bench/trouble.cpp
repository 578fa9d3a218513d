#include "bench/trouble.hpp"

namespace openenv::bench {

std::string_view name_of(Reason reason) noexcept {
    switch (reason) {
        case Reason::connect_refused:
            return "connect_refused";
        case Reason::connect_failed:
            return "connect_failed";
        case Reason::upgrade_refused:
            return "upgrade_refused";
        case Reason::capacity:
            return "capacity";
        case Reason::timeout:
            return "timeout";
        case Reason::closed:
            return "closed";
        case Reason::error_frame:
            return "error_frame";
        case Reason::wrong_answer:
            return "wrong_answer";
        case Reason::protocol:
            return "protocol";
        case Reason::local:
            return "local";
    }
    return "unknown";
}

}  // namespace openenv::bench
