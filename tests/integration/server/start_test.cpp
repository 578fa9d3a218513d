// Starting a server, and the settings it starts with.
#include "integration/support/probe_environment.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/running_server.hpp"

#include <openenv/base/error.hpp>
#include <openenv/server/server.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>

namespace openenv {
namespace test {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(ServerStart, CanBeTriedAgainWhenThePortWasTaken) {
    Probe probe;
    auto other = std::make_unique<RunningServer>(probe_entry(probe), quick_config());
    ServerConfig config = quick_config();
    config.port = other->port();
    Server server(probe_entry(probe), config);
    EXPECT_THROW(server.start(), Exception);
    EXPECT_THROW(server.start(), Exception);
    other.reset();
    server.start();
    EXPECT_EQ(http_get(server.port(), "/health").status, 200);
    EXPECT_EQ(server.stop(), 0U);
}

TEST(ServerStart, RefusesSettingsThatCannotBe) {
    using Change = std::function<void(ServerConfig&)>;
    const Change changes[] = {
        [](ServerConfig& config) { config.ping_interval = milliseconds(0); },
        [](ServerConfig& config) { config.ping_timeout = milliseconds(-1); },
        [](ServerConfig& config) { config.request_timeout = milliseconds::max(); },
        [](ServerConfig& config) { config.body_timeout = milliseconds(0); },
        [](ServerConfig& config) { config.session_timeout = milliseconds(0); },
        [](ServerConfig& config) { config.call_timeout = milliseconds::max(); },
        [](ServerConfig& config) { config.tick = milliseconds(0); },
        [](ServerConfig& config) { config.max_message_bytes = 0; },
        [](ServerConfig& config) { config.max_message_bytes = std::size_t{1} << 40; },
        [](ServerConfig& config) { config.max_header_bytes = std::size_t{1} << 32; },
        [](ServerConfig& config) { config.max_stateless_calls = 0; },
        [](ServerConfig& config) { config.max_connections = 0; },
        [](ServerConfig& config) { config.workers = 0; },
        [](ServerConfig& config) { config.busy_poll = std::chrono::microseconds(-1); },
        [](ServerConfig& config) { config.busy_poll = minutes(1); },
    };
    Probe probe;
    for (const Change& change : changes) {
        ServerConfig config = quick_config();
        change(config);
        EXPECT_THROW(Server(probe_entry(probe), config), ConfigError)
            << "change " << &change - std::begin(changes);
    }
}

/// A variable of the environment, for as long as this lives.
class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
    ~Variable() { ::unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
};

TEST(ServerStart, AVariableReplacesOneSettingAndLeavesTheOthers) {
    const Variable limit("MAX_CONCURRENT_ENVS", "8");
    ServerConfig both;
    both.concurrency = ConcurrencyConfig{64, minutes(5)};
    apply_environment_variables(both);
    EXPECT_EQ(both.max_concurrent_envs, 8U);
    EXPECT_EQ(both.session_timeout, minutes(5));

    ServerConfig apart;
    apart.concurrency = ConcurrencyConfig{4, std::nullopt};
    apart.session_timeout = seconds(60);
    apply_environment_variables(apart);
    EXPECT_EQ(apart.max_concurrent_envs, 8U);
    EXPECT_EQ(apart.session_timeout, seconds(60));
}

TEST(ServerStart, WhatIsSetLaterWinsOverAConcurrencyConfiguration) {
    ServerConfig config;
    config.concurrency = ConcurrencyConfig{64, minutes(5)};
    apply_environment_variables(config);
    config.session_timeout = seconds(10);  // as a flag does
    EXPECT_EQ(config.max_concurrent_envs, 64U);
    EXPECT_EQ(config.session_timeout, seconds(10));
    EXPECT_FALSE(config.concurrency.has_value());
}

}  // namespace
}  // namespace test
}  // namespace openenv
