#pragma once

#include <openenv/client/env_client.hpp>

namespace cli {

/// Says goodbye to the server when it goes, however the command ends.
class Farewell {
public:
    explicit Farewell(openenv::GenericEnvClient& client) : client_(client) {}
    ~Farewell();
    Farewell(const Farewell&) = delete;
    Farewell& operator=(const Farewell&) = delete;

private:
    openenv::GenericEnvClient& client_;
};

}  // namespace cli
