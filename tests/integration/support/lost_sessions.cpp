#include "integration/support/lost_sessions.hpp"

#include "integration/support/admission.hpp"
#include "integration/support/tcp_proxy.hpp"
#include "support/raw_websocket.hpp"

#include <memory>
#include <vector>

namespace openenv {
namespace test {

void lose_all_sessions(
    std::uint16_t port, std::size_t max_sessions, LifeCount& life, std::chrono::seconds bound
) {
    TcpProxy proxy(port);
    {
        std::vector<std::unique_ptr<RawWebSocket>> sessions;
        for (std::size_t i = 0; i != max_sessions; ++i) {
            sessions.push_back(open_session(proxy.port()));
        }
        proxy.cut();
    }
    life.wait_for_live(0, bound);
    const auto next = wait_for_session(port, max_sessions);
    close_session(*next);
}

}  // namespace test
}  // namespace openenv
