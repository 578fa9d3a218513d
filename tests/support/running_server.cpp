#include "support/running_server.hpp"

#include <chrono>
#include <utility>

namespace openenv {
namespace test {

ServerConfig quick_config() {
    ServerConfig config;
    config.port = 0;
    config.tick = std::chrono::milliseconds(10);
    return config;
}

ServerConfig quick_config(std::size_t max_concurrent_envs) {
    ServerConfig config = quick_config();
    config.max_concurrent_envs = max_concurrent_envs;
    return config;
}

RunningServer::RunningServer(EnvironmentEntry entry, ServerConfig config)
    : server_(std::move(entry), std::move(config)) {
    server_.start();
}

}  // namespace test
}  // namespace openenv
