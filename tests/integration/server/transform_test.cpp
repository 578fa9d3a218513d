#include "integration/support/probe_environment.hpp"
#include "support/expect_json.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <openenv/env/transform.hpp>
#include <openenv/env/typed_environment.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

namespace openenv {
namespace test {
namespace {

class Censor final : public Transform<ProbeObservation> {
public:
    void apply(ProbeObservation& observation) const override {
        if (observation.text == "secret") {
            throw std::runtime_error("censored");
        }
        observation.text += "!";
    }
};

EnvironmentEntry censored_entry(Probe& probe) {
    return environment_entry<ProbeEnvironment>("censored", [&probe] {
        auto environment = std::make_unique<ProbeEnvironment>(probe);
        environment->set_transform(std::make_shared<const Censor>());
        return environment;
    });
}

TEST(TransformServed, ThatThrowsIsAnErrorAndTheSessionLives) {
    LogCapture log;
    Probe probe;
    RunningServer server(censored_entry(probe));
    RawWebSocket session(server.port());
    const Json reset = session.ask(R"({"type":"reset"})");
    EXPECT_EQ(reset["data"]["observation"]["text"], "");
    const Json failed = session.ask(R"({"type":"step","data":{"what":"secret"}})");
    EXPECT_THAT(failed, is_error("EXECUTION_ERROR"));
    EXPECT_EQ(failed["data"]["message"], "censored");
    const Json next = session.ask(R"({"type":"step","data":{"what":"hello"}})");
    EXPECT_EQ(next["data"]["observation"]["text"], "hello!");
    const Json state = session.ask(R"({"type":"state"})");
    EXPECT_EQ(state["data"]["step_count"], Json(2)) << "it is the same environment still";
}

TEST(TransformServed, AppliesOverHttpAsWell) {
    LogCapture log;
    Probe probe;
    RunningServer server(censored_entry(probe));
    const HttpReply reply = http_post(server.port(), "/step", R"({"action":{"what":"hello"}})");
    EXPECT_EQ(reply.json()["observation"]["text"], "hello!");
}

}  // namespace
}  // namespace test
}  // namespace openenv
