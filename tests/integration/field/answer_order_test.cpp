// F01: the answers of a session are those of its requests, in their order.
#include "integration/support/admission.hpp"
#include "integration/support/probe_environment.hpp"
#include "integration/support/rounds.hpp"
#include "support/expect_json.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace openenv {
namespace test {
namespace {

/// A request and what its answer has to hold.
struct Exchange {
    std::string request;
    std::string answer;
};

/// Steps of random length, with states and resets among them. Says what each will be answered.
class Dialogue {
public:
    explicit Dialogue(std::uint64_t seed) : random_(seed), name_(std::to_string(seed)) {}

    Exchange next() {
        const std::string number = std::to_string(++number_);
        switch (random_() % 6) {
            case 0:
                return {
                    R"({"type":"state"})",
                    R"({"type":"state","data":{"episode_id":)" + episode_ + R"(,"step_count":)" +
                        std::to_string(steps_) + "}}"};
            case 1:
                episode_ = "\"episode " + name_ + "." + number + '"';
                steps_ = 0;
                return {
                    R"({"type":"reset","data":{"episode_id":)" + episode_ + "}}",
                    R"({"type":"observation","data":{"observation":{"text":""}}})"};
            default:
                break;
        }
        ++steps_;
        const std::string what = "\"step " + name_ + "." + number + '"';
        const std::string microseconds = std::to_string(random_() % 400);
        return {
            R"({"type":"step","data":{"what":)" + what + R"(,"size":)" + microseconds + "}}",
            R"({"type":"observation","data":{"observation":{"text":)" + what + "}}}"};
    }

private:
    std::mt19937_64 random_;
    std::string name_;
    std::string episode_ = "null";
    std::uint64_t number_ = 0;
    std::uint64_t steps_ = 0;
};

void expect_answers_in_order(EnvironmentEntry entry, std::size_t round_count) {
    constexpr std::size_t kSentAhead = 64;  // more than the server reads ahead
    RunningServer server(std::move(entry), quick_config(1));
    for (std::size_t round = 0; round != round_count; ++round) {
        SCOPED_TRACE(round);
        const auto session = wait_for_session(server.port(), 1);
        Dialogue dialogue(round);
        std::vector<Exchange> exchanges;
        for (std::size_t i = 0; i != kSentAhead; ++i) {
            exchanges.push_back(dialogue.next());
            session->send_text(exchanges.back().request);
        }
        for (const Exchange& exchange : exchanges) {
            ASSERT_THAT(session->receive_json(), contains_json(exchange.answer))
                << exchange.request;
        }
        session->expect_silence();
    }
}

TEST(Field, F01EveryAnswerIsTheAnswerOfItsRequest) {
    LogCapture log;
    Probe probe;
    expect_answers_in_order(probe_entry(probe), rounds(10, 1000));
    expect_answers_in_order(pinned_probe_entry(probe), rounds(10, 1000));
}

}  // namespace
}  // namespace test
}  // namespace openenv
