#include "client/call_errors.hpp"

#include <openenv/client/errors.hpp>

#include <utility>

namespace openenv {
inline namespace v0 {

std::string ValidationFailed::reasons() const {
    std::string text;
    const auto text_of = [](const Json& part) {
        return part.is_string() ? part.as_string() : part.dump();
    };
    const Json list = errors();
    for (std::size_t i = 0; i != list.size(); ++i) {
        const Json& one = list[i];
        text += text.empty() ? "" : "; ";
        if (const Json* loc = one.find("loc"); loc != nullptr && loc->is_array()) {
            for (std::size_t part = 0; part != loc->size(); ++part) {
                text += (part == 0 ? "" : ".") + text_of((*loc)[part]);
            }
            text += loc->empty() ? "" : ": ";
        }
        if (const Json* message = one.find("msg")) {
            text += text_of(*message);
        }
    }
    return text.empty() ? what() : text;
}

namespace client {

void throw_client_error(Error error) {
    switch (error.code) {
        case Errc::capacity_reached:
            throw CapacityReached(std::move(error));
        case Errc::validation:
            throw ValidationFailed(std::move(error));
        case Errc::execution:
            throw ExecutionFailed(std::move(error));
        case Errc::session:
            throw SessionLost(std::move(error));
        case Errc::timeout:
            throw Timeout(std::move(error));
        case Errc::network:
            throw ConnectFailed(std::move(error));
        default:
            throw Exception(std::move(error));
    }
}

}  // namespace client

}  // namespace v0
}  // namespace openenv
