#pragma once

#include "integration/support/admission.hpp"
#include "integration/support/probe_environment.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace openenv {
namespace test {

/// A server that is treated badly, and a session on it that must not notice: at the end it has to
/// answer, and so does /health.
class Victim {
public:
    explicit Victim(ServerConfig config = quick_config(8))
        : server_(probe_entry(probe), std::move(config)), bystander_(open_session(port())) {}

    ~Victim() {
        probe.gate.open();  // whatever still waits there may go
        expect_unharmed();
    }
    Victim(const Victim&) = delete;
    Victim& operator=(const Victim&) = delete;

    [[nodiscard]] std::uint16_t port() const { return server_.port(); }
    [[nodiscard]] std::size_t active_sessions() const { return server_.active_sessions(); }

    /// Fails the test unless the session that does no harm and /health answer.
    void expect_unharmed() {
        try {
            expect_alive(*bystander_);
            EXPECT_EQ(http_get(port(), "/health").status, 200);
        } catch (const std::exception& error) {
            ADD_FAILURE() << "others are not served any more: " << error.what();
        }
    }

    LogCapture log;
    Probe probe;

private:
    RunningServer server_;
    std::unique_ptr<RawWebSocket> bystander_;
};

}  // namespace test
}  // namespace openenv
