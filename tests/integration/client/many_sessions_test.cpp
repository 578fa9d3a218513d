// F60: many sessions and calls of one client.
#include "integration/client/echo_script.hpp"
#include "integration/support/probe_environment.hpp"
#include "integration/support/rounds.hpp"
#include "support/log_capture.hpp"
#include "support/running_server.hpp"

#include <openenv/client/env_client.hpp>

#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace openenv {
namespace test {
namespace {

using namespace std::chrono_literals;
using boost::asio::use_future;

TEST(Field, F60ManyCallsOnManySessions) {
    constexpr std::size_t kCallsEach = 4;
    const std::size_t sessions = rounds(64, 4096);
    rlimit descriptors{};
    ::getrlimit(RLIMIT_NOFILE, &descriptors);
    if (descriptors.rlim_max < 2 * sessions + 100) {
        GTEST_SKIP() << "both ends of " << sessions << " connections need more descriptors than "
                     << descriptors.rlim_max << " (ulimit -Hn)";
    }
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(sessions));
    GenericEnvClient parent(server.url(), quick(600s));
    std::vector<std::future<std::unique_ptr<GenericEnvClient>>> opening;
    for (std::size_t i = 0; i != sessions; ++i) {
        opening.push_back(parent.new_session<GenericEnvClient>().async(use_future));
    }
    std::vector<std::unique_ptr<GenericEnvClient>> clients;
    for (auto& session : opening) {
        clients.push_back(session.get());
    }
    std::vector<std::future<GenericEnvClient::Result>> results;
    for (std::size_t call = 0; call != kCallsEach; ++call) {
        for (const auto& client : clients) {
            Json action = Json::object();
            action["what"] = std::to_string(results.size());
            results.push_back(client->step(action).async(use_future));
        }
    }
    for (std::size_t i = 0; i != results.size(); ++i) {
        ASSERT_EQ(results[i].get().observation["text"], std::to_string(i));
    }
    EXPECT_EQ(server.active_sessions(), sessions);
    parent.close().async(use_future).get();
    probe.life.wait_for_live(0, 600s);
}

}  // namespace
}  // namespace test
}  // namespace openenv
