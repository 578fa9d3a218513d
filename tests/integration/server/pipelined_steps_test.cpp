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
