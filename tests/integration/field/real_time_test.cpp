// F16 in real time: registered for `make soak` only.
#include "integration/support/eventually.hpp"
#include "integration/support/lost_sessions.hpp"
#include "integration/support/probe_environment.hpp"
#include "support/log_capture.hpp"
#include "support/running_server.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace openenv {
namespace test {
namespace {

TEST(Field, F16ShippedDefaultsFreeAPlaceWithin45Seconds) {
    constexpr std::size_t kLimit = 8;
    LogCapture log;
    Probe probe;
    ServerConfig config;
    config.port = 0;
    config.max_concurrent_envs = kLimit;
    RunningServer server(probe_entry(probe), config);
    const auto bound = kPromisedForLostPeers + std::chrono::seconds(15);
    lose_all_sessions(server.port(), kLimit, probe.life, bound);
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0; }));
}

}  // namespace
}  // namespace test
}  // namespace openenv
