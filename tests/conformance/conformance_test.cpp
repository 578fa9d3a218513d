#include "conformance/conformance_test.hpp"

#include "support/hang_bound.hpp"

#include <chrono>
#include <stdexcept>

namespace openenv {
namespace conformance {

FreeSession connect_when_free(std::uint16_t port) {
    using std::chrono::steady_clock;
    const auto deadline = steady_clock::now() + test::kHangBound;
    while (steady_clock::now() < deadline) {
        FreeSession session;
        session.socket = std::make_unique<RawWebSocket>(port);
        session.reply = session.socket->ask(kState);
        if (!testing::Matches(is_error("CAPACITY_REACHED"))(session.reply)) {
            return session;
        }
    }
    throw std::runtime_error("no place became free");
}

std::string response_of(const Json& reply) {
    const Json* result = reply.contains("data") ? reply.find("data") : &reply;
    const Json* observation = result->find("observation");
    const Json* response = observation ? observation->find("response") : nullptr;
    return response != nullptr && response->is_string() ? response->as_string()
                                                        : "no response in " + reply.dump();
}

}  // namespace conformance
}  // namespace openenv
