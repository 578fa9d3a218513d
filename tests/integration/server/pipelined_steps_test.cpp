// Steps that a peer has sent ahead, and then it is gone.
#include "integration/support/admission.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/probe_environment.hpp"
#include "support/gate.hpp"
#include "support/log_capture.hpp"
#include "support/open_at_end.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <openenv/env/typed_environment.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>

namespace openenv {
namespace test {
namespace {

class InlineProbe final : public ProbeEnvironment {
public:
    static constexpr Execution execution = Execution::inline_fast;
    using ProbeEnvironment::ProbeEnvironment;
};

EnvironmentEntry inline_probe_entry(Probe& probe) {
    return environment_entry<InlineProbe>("inline probe", [&probe] {
        return std::make_unique<InlineProbe>(probe);
    });
}

struct Policy {
    const char* name;
    EnvironmentEntry (*entry)(Probe&);
};

class PipelinedSteps : public testing::TestWithParam<Policy> {};

TEST_P(PipelinedSteps, AreNotAllDoneForAPeerThatIsGone) {
    constexpr std::size_t kAhead = 100;
    constexpr std::size_t kFew = 5;
    LogCapture log;  // an inline environment that waits is told about
    Probe probe;
    ServerConfig config = quick_config();
    config.inline_budget = kHangBound;  // it stays where it is
    RunningServer server(GetParam().entry(probe), config);
    const OpenAtEnd opening(probe.gate);
    const auto peer = open_session(server.port());
    peer->send_text(Probe::kWait);
    probe.gate.wait_for_arrivals(1);
    for (std::size_t i = 0; i != kAhead; ++i) {
        peer->send_text(Probe::kStep);
    }
    peer->socket().abort();
    probe.gate.open();
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0; }));
    probe.life.wait_for_live(0);
    EXPECT_LE(probe.life.steps(), kFew);
    EXPECT_EQ(probe.life.wrong_closes(), 0U);
    EXPECT_EQ(probe.life.closes(), 1U);
}

/// A text frame of a client, to be sent in one piece with others; masked, by zeros.
std::string client_frame(const std::string& text) {
    EXPECT_LT(text.size(), 126U);
    std::string frame{'\x81', static_cast<char>(0x80U | text.size())};
    return frame.append(4, '\0') + text;
}

TEST_P(PipelinedSteps, AreAnsweredInOrderWhateverTheSizes) {
    constexpr std::size_t kSizes[] = {1, 2, 90'000, 3, 60'000, 5'000, 4, 1'000'000, 5};
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config();
    config.inline_budget = kHangBound;
    RunningServer server(GetParam().entry(probe), config);
    const auto peer = open_session(server.port());
    for (int round = 0; round != 20; ++round) {
        std::string all;
        for (const std::size_t size : kSizes) {
            all += client_frame(Probe::bulk(size));
        }
        peer->send_raw(all);
        for (const std::size_t size : kSizes) {
            const Json answer = peer->receive_json();
            EXPECT_EQ(answer["data"]["observation"]["text"].as_string().size(), size);
        }
    }
    close_session(*peer);
}

TEST_P(PipelinedSteps, AreAnsweredBeforeTheGoodbyeThatCameWithThem) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config();
    config.inline_budget = kHangBound;
    RunningServer server(GetParam().entry(probe), config);
    const auto peer = open_session(server.port());
    constexpr int kSteps = 5;
    std::string all;
    for (int i = 0; i != kSteps; ++i) {
        all += client_frame(Probe::kStep);
    }
    peer->send_raw(all + client_frame(R"({"type":"close"})"));
    for (int i = 0; i != kSteps; ++i) {
        EXPECT_EQ(peer->receive_json()["type"], "observation");
    }
    EXPECT_EQ(peer->receive_close().code, 1000);
}

TEST_P(PipelinedSteps, OfAPeerThatReadsLateAreAnsweredAll) {
    constexpr int kSteps = 28;
    constexpr std::size_t kSize = 500'000;
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config();
    config.inline_budget = kHangBound;
    RunningServer server(GetParam().entry(probe), config);
    const auto peer = open_session(server.port());
    std::string all;
    for (int i = 0; i != kSteps; ++i) {
        all += client_frame(Probe::bulk(kSize)) + client_frame(Probe::kStep);
    }
    peer->send_raw(all);
    const auto other = open_session(server.port());
    expect_alive(*other);
    for (int i = 0; i != kSteps; ++i) {
        const Json large = peer->receive_json();
        EXPECT_EQ(large["data"]["observation"]["text"].as_string().size(), kSize);
        EXPECT_EQ(peer->receive_json()["data"]["observation"]["text"], "echo");
    }
    close_session(*peer);
}

INSTANTIATE_TEST_SUITE_P(
    Server,
    PipelinedSteps,
    testing::Values(
        Policy{"pooled", [](Probe& probe) { return probe_entry(probe); }},
        Policy{"pinned", pinned_probe_entry},
        Policy{"inline", inline_probe_entry}
    ),
    [](const testing::TestParamInfo<Policy>& chosen) { return std::string(chosen.param.name); }
);

}  // namespace
}  // namespace test
}  // namespace openenv
