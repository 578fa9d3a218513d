// GET /metadata asks an environment once, whoever asks the server.
#include "integration/support/probe_environment.hpp"
#include "support/gate.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/running_server.hpp"
#include "support/socket.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

constexpr const char* kRequest = "GET /metadata HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(Metadata, IsAskedForOnceHoweverManyWantIt) {
    constexpr std::size_t kPeers = 32;
    LogCapture log;
    Probe probe;
    Gate factory_gate;
    RunningServer server(probe_entry(probe, [&] { factory_gate.pass(); }), quick_config());
    EXPECT_EQ(http_get(server.port(), "/health").status, 200);
    EXPECT_EQ(probe.life.built_so_far(), 0U) << "nobody has asked yet";

    std::vector<std::unique_ptr<Socket>> peers;
    for (std::size_t i = 0; i != kPeers; ++i) {
        peers.push_back(std::make_unique<Socket>(server.port()));
        peers.back()->send(kRequest);
    }
    factory_gate.wait_for_arrivals(1);
    factory_gate.open();
    std::string body;
    for (const auto& peer : peers) {
        std::string buffer;
        const HttpReply reply = read_http_reply(*peer, buffer);
        EXPECT_EQ(reply.status, 200);
        EXPECT_EQ(reply.json()["name"], "ProbeEnvironment");
        EXPECT_TRUE(body.empty() || body == reply.body);
        body = reply.body;
    }
    for (int i = 0; i != 10; ++i) {
        EXPECT_EQ(http_get(server.port(), "/metadata").body, body);
    }
    EXPECT_EQ(probe.life.built_so_far(), 1U);
    probe.life.wait_for_live(0);
    EXPECT_EQ(probe.life.wrong_closes(), 0U);
}

TEST(Metadata, AFailureIsToldAndNotRemembered) {
    LogCapture log;
    log.expect_error("no board today");
    Probe probe;
    std::atomic<int> calls{0};
    const auto factory = [&] {
        if (++calls == 1) {
            throw std::runtime_error("no board today");
        }
    };
    RunningServer server(probe_entry(probe, factory), quick_config());
    const HttpReply failed = http_get(server.port(), "/metadata");
    EXPECT_EQ(failed.status, 500);
    EXPECT_EQ(failed.body.find("board"), std::string::npos) << "the cause is for the log";
    EXPECT_EQ(http_get(server.port(), "/metadata").status, 200);
    EXPECT_EQ(http_get(server.port(), "/metadata").status, 200);
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(probe.life.built_so_far(), 1U);
}

}  // namespace
}  // namespace test
}  // namespace openenv
