// Many sessions as one object, whatever connects them.
#include "integration/client/echo_script.hpp"
#include "integration/client/outcome.hpp"
#include "integration/client/run_coroutine.hpp"
#include "integration/client/walk_environment.hpp"
#include "integration/support/eventually.hpp"
#include "support/expect_json.hpp"
#include "support/gate.hpp"
#include "support/log_capture.hpp"
#include "support/running_server.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/vector_env.hpp>

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

using namespace std::chrono_literals;
using boost::asio::use_future;
using testing::ElementsAre;
using testing::HasSubstr;

/// How the sessions of a test are connected.
enum class Way { one, many, one_in_process, many_in_process };

VectorOptions over(Way way, std::size_t sessions, const RunningServer& server) {
    VectorOptions options(sessions, quick());
    const bool one = way == Way::one || way == Way::one_in_process;
    options.connection = one ? VectorConnection::one : VectorConnection::many;
    if (way == Way::one_in_process || way == Way::many_in_process) {
        options.client.connector = server.connector();
    }
    return options;
}

class VectorEnvTest : public testing::TestWithParam<Way> {
protected:
    explicit VectorEnvTest(std::size_t places = 8)
        : server(walk_entry(gate), quick_config(places)) {}

    template <class Vector = Walkers>
    [[nodiscard]] std::unique_ptr<Vector> make(VectorOptions options) const {
        if (options.client.connector) {
            return std::make_unique<Vector>(std::move(options));
        }
        return std::make_unique<Vector>(server.url(), std::move(options));
    }
    template <class Vector = Walkers>
    [[nodiscard]] std::unique_ptr<Vector> make(std::size_t sessions) const {
        return make<Vector>(over(GetParam(), sessions, server));
    }

    LogCapture log;
    Gate gate;
    RunningServer server;
};

std::vector<std::int64_t> places(const Walkers::Batch& batch) {
    std::vector<std::int64_t> all;
    for (const auto& result : batch) {
        EXPECT_FALSE(result.error) << result.error->message;
        all.push_back(result.observation.at);
    }
    return all;
}

TEST_P(VectorEnvTest, EverySessionHasItsOwnEpisode) {
    const auto vector = make(3);
    auto& envs = vector->sync();
    EXPECT_EQ(vector->size(), 3U);
    EXPECT_THAT(places(envs.reset()), ElementsAre(0, 0, 0));
    EXPECT_THAT(places(envs.reset(3)), ElementsAre(3, 4, 5));
    const std::vector<std::int64_t> seeds{7, 0, 2};
    EXPECT_THAT(places(envs.reset(seeds)), ElementsAre(7, 0, 2));
    const std::vector<Json> arguments{openenv::seed(1), Json::object(), openenv::seed(4)};
    EXPECT_THAT(places(envs.reset(arguments)), ElementsAre(1, 0, 4));
    const auto batch = envs.step(walk({1, 2, 3}));
    EXPECT_THAT(places(batch), ElementsAre(2, 2, 7));
    EXPECT_EQ(batch[1].session, 1U);
    EXPECT_EQ(batch[2].reward, Reward(3.0));
    EXPECT_FALSE(batch[2].done());
    EXPECT_FALSE(batch[2].final_observation);
    EXPECT_EQ(batch.failed(), 0U);
    const auto states = envs.states();
    ASSERT_EQ(states.size(), 3U);
    EXPECT_EQ(states[2]->step_count, 1);
    EXPECT_EQ(server.active_sessions(), 3U);
    envs.close();
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0; }));
    EXPECT_THAT(places(envs.reset(1)), ElementsAre(1, 2, 3)) << "any reset connects anew";
}

TEST_P(VectorEnvTest, AnEpisodeThatIsOverIsFollowedByTheNext) {
    const auto vector = make(2);
    auto& envs = vector->sync();
    envs.reset();
    auto batch = envs.step(walk({12, 1}));
    EXPECT_TRUE(batch[0].terminated);
    EXPECT_FALSE(batch[0].truncated);
    EXPECT_EQ(batch[0].reward, Reward(12.0));
    EXPECT_EQ(batch[0].final_observation->at, 12);
    EXPECT_EQ(batch[0].observation.at, 0);
    EXPECT_FALSE(batch[0].observation.done);
    EXPECT_FALSE(batch[1].done());
    EXPECT_EQ(batch[1].observation.at, 1);
    for (int step = 2; step != 5; ++step) {
        batch = envs.step(walk({1, 1}));
    }
    EXPECT_FALSE(batch[1].done());
    batch = envs.step(walk({1, 1}));
    EXPECT_TRUE(batch[1].truncated);
    EXPECT_FALSE(batch[1].terminated);
    EXPECT_EQ(batch[1].final_observation->at, 5);
    EXPECT_EQ(batch[1].observation.at, 0);
    EXPECT_EQ(batch[0].observation.at, 4);
}

TEST_P(VectorEnvTest, WithoutAutoResetTheCallerResets) {
    VectorOptions options = over(GetParam(), 2, server);
    options.auto_reset = AutoReset::none;
    const auto vector = make(options);
    auto& envs = vector->sync();
    envs.reset();
    const auto batch = envs.step(walk({12, 1}));
    EXPECT_TRUE(batch[0].terminated);
    EXPECT_EQ(batch[0].observation.at, 12);
    EXPECT_FALSE(batch[0].final_observation);
    const std::vector<std::size_t> first{0};
    EXPECT_THAT(places(envs.reset_some(first)), ElementsAre(0));
    EXPECT_THAT(places(envs.step(walk({1, 1}))), ElementsAre(1, 2));
}

TEST_P(VectorEnvTest, ASessionFailsAlone) {
    const auto vector = make<GenericVectorEnv>(3);
    auto& envs = vector->sync();
    envs.reset();
    std::vector<Json> actions(3, Json::object({{"by", 2}}));
    actions[0] = Json::object({{"by", -1}});
    actions[1] = Json::object({{"by", "far"}});
    const auto batch = envs.step(actions);
    EXPECT_EQ(batch.failed(), 2U);
    EXPECT_EQ(batch[0].error->code, Errc::execution);
    EXPECT_THAT(batch[0].error->message, HasSubstr("no way back"));
    EXPECT_EQ(batch[1].error->code, Errc::validation);
    EXPECT_THAT(batch[1].error->errors, HasSubstr("int"));
    EXPECT_EQ(batch[2].observation["at"], 2);
    const std::vector<std::size_t> failed{1, 0};
    const std::vector<Json> seeds{openenv::seed(5), openenv::seed(6)};
    const auto revived = envs.reset_some(failed, seeds);
    EXPECT_EQ(revived[0].session, 1U);
    EXPECT_EQ(revived[0].observation["at"], 5);
    EXPECT_EQ(revived[1].observation["at"], 6);
    actions.assign(3, Json::object({{"by", 1}}));
    const auto next = envs.step(actions);
    EXPECT_EQ(next.failed(), 0U);
    EXPECT_EQ(next[0].observation["at"], 7);
    EXPECT_EQ(next[2].observation["at"], 3);
}

TEST_P(VectorEnvTest, FastSessionsNeedNotWaitForSlowOnes) {
    const auto vector = make(3);
    auto& envs = vector->sync();
    envs.reset();
    envs.send(walk({-2, 1, 2}));
    std::vector<std::size_t> ready;
    while (ready.size() != 2) {
        for (const auto& result : envs.receive()) {
            EXPECT_FALSE(result.error);
            ready.push_back(result.session);
        }
    }
    EXPECT_THAT(ready, testing::UnorderedElementsAre(1, 2));
    EXPECT_EQ(thrown_by<Exception>([&] { return envs.receive(2); }).code, Errc::usage)
        << "only one is under way";
    const std::vector<std::size_t> fast{2, 1};
    envs.send(fast, walk({3, 4}));
    EXPECT_EQ(
        thrown_by<Exception>([&] {
            return envs.step(walk({1, 1, 1}));
        }).code,
        Errc::usage
    ) << "a session is asked one thing at a time";
    EXPECT_EQ(thrown_by<Timeout>([&] { return envs.receive(3, 50ms); }).phase, "receiving");
    gate.open();
    const auto batch = envs.receive(3);
    ASSERT_EQ(batch.size(), 3U);
    for (const auto& result : batch) {
        constexpr std::int64_t kPlaces[] = {-2, 5, 5};
        EXPECT_EQ(result.observation.at, kPlaces[result.session]);
    }
    EXPECT_THAT(places(envs.step(walk({2, 1, 1}))), ElementsAre(0, 6, 6));
    envs.send_resets(fast);
    EXPECT_THAT(places(envs.receive(2)), ElementsAre(0, 0));
}

TEST_P(VectorEnvTest, CallsMayBeAwaited) {
    const auto vector = make(2);
    const auto play = [&]() -> Task<void> {
        const std::vector<WalkAction> actions = walk({1, 2});
        co_await vector->connect();
        co_await vector->reset(1);
        const auto batch = co_await vector->step(actions, 20s);
        EXPECT_THAT(places(batch), ElementsAre(2, 4));
        co_await vector->send(actions);
        const auto received = co_await vector->receive(2);
        EXPECT_EQ(received.size(), 2U);
        co_await vector->close();
    };
    run_coroutine(play());
}

TEST_P(VectorEnvTest, ASlowSessionRunsOutOfTimeAlone) {
    const auto vector = make(2);
    auto& envs = vector->sync();
    envs.reset();
    const auto batch = envs.step(walk({-2, 1}), 200ms);
    ASSERT_TRUE(batch[0].error);
    EXPECT_EQ(batch[0].error->code, Errc::timeout);
    EXPECT_EQ(batch[1].observation.at, 1);
    gate.open();
    const std::vector<std::size_t> both{0, 1};
    EXPECT_TRUE(eventually([&] { return envs.reset_some(both).failed() == 0; }));
    EXPECT_THAT(places(envs.step(walk({3, 4}))), ElementsAre(3, 4));
}

TEST_P(VectorEnvTest, ExtraArgumentsReachEverySession) {
    const auto vector = make(2);
    auto& envs = vector->sync();
    envs.reset();
    CallOptions options;
    options.extra = Json::object({{"more", 3}});
    EXPECT_THAT(places(envs.step(walk({1, 2}), options)), ElementsAre(4, 5));
    EXPECT_EQ(thrown_by<Exception>([&] { return envs.reset(1, options); }).code, Errc::usage);
}

TEST_P(VectorEnvTest, ExtraArgumentsThatTheServerDoesNotKnowFailAlone) {
    VectorOptions options = over(GetParam(), 2, server);
    options.client.extensions.deadline = false;
    const auto vector = make(options);
    auto& envs = vector->sync();
    envs.reset();
    const std::vector<std::size_t> first{0};
    const std::vector<std::size_t> second{1};
    envs.send(first, walk({-2}));
    CallOptions extra;
    extra.extra = Json::object({{"more", 3}});
    envs.send(second, walk({1}), extra);
    const auto refused = envs.receive(1);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].session, 1U);
    ASSERT_TRUE(refused[0].error);
    EXPECT_EQ(refused[0].error->code, Errc::usage);
    gate.open();
    EXPECT_THAT(places(envs.receive(1)), ElementsAre(-2));
    EXPECT_THAT(places(envs.step(walk({1, 1}))), ElementsAre(-1, 1));
}

TEST_P(VectorEnvTest, AServerThatGoesTakesAllSessionsWithIt) {
    VectorOptions options = over(GetParam(), 2, server);
    options.client.close_timeout = 100ms;
    const auto vector = make(options);
    auto& envs = vector->sync();
    envs.reset();
    server.stop();
    const auto batch = envs.step(walk({1, 1}));
    ASSERT_EQ(batch.failed(), 2U);
    EXPECT_EQ(batch[0].error->code, Errc::session);
    EXPECT_EQ(batch[1].error->code, Errc::session);
    EXPECT_THROW(envs.reset(), ConnectFailed);
    const auto states = envs.states();
    EXPECT_FALSE(states[0].has_value());
}

TEST_P(VectorEnvTest, CallsUnderWayEndWithTheObject) {
    auto vector = make(2);
    vector->reset().async(use_future).get();
    auto step = vector->step(walk({-2, -2})).async(use_future);
    gate.wait_for_arrivals(1);
    vector.reset();
    EXPECT_EQ(failure<Exception>(step).code, Errc::cancelled);
    gate.open();
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0; }));
}

TEST_P(VectorEnvTest, CallsUnderWayEndWithClose) {
    const auto vector = make(2);
    vector->reset().async(use_future).get();
    auto step = vector->step(walk({-2, -2})).async(use_future);
    gate.wait_for_arrivals(1);
    auto closing = vector->close().async(use_future);
    EXPECT_EQ(failure<Exception>(step).code, Errc::cancelled);
    gate.open();
    outcome(closing);
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0; }));
    vector->send(walk({1, 1})).async(use_future).get();
    EXPECT_EQ(vector->receive(2).async(use_future).get().size(), 2U);
}

TEST_P(VectorEnvTest, ACancelledStepLeavesItsSessionsUsable) {
    const auto vector = make(2);
    vector->reset().async(use_future).get();
    auto stuck = vector->step(walk({-2, 1}));
    const Canceller cancel = stuck.canceller();
    auto ended = stuck.async(use_future);
    gate.wait_for_arrivals(1);
    cancel();
    EXPECT_EQ(failure<Exception>(ended).code, Errc::cancelled);
    gate.open();
    EXPECT_TRUE(eventually([&] { return vector->reset().async(use_future).get().failed() == 0; }));
}

class FullVectorTest : public VectorEnvTest {
protected:
    FullVectorTest() : VectorEnvTest(2) {}
};

TEST_P(FullVectorTest, ASessionWithoutAPlaceFailsAlone) {
    const auto vector = make(3);
    auto& envs = vector->sync();
    const auto batch = envs.reset();
    ASSERT_EQ(batch.failed(), 1U);
    for (const auto& result : batch) {
        if (result.error) {
            EXPECT_EQ(result.error->code, Errc::capacity_reached);
        }
    }
}

std::string name_of_way(const testing::TestParamInfo<Way>& way) {
    switch (way.param) {
        case Way::one:
            return "One";
        case Way::many:
            return "Many";
        case Way::one_in_process:
            return "OneInProcess";
        case Way::many_in_process:
            return "ManyInProcess";
    }
    return "";
}

const auto kWays = testing::Values(Way::one, Way::many, Way::one_in_process, Way::many_in_process);
INSTANTIATE_TEST_SUITE_P(Vector, VectorEnvTest, kWays, name_of_way);
INSTANTIATE_TEST_SUITE_P(Vector, FullVectorTest, kWays, name_of_way);

TEST(VectorEnvUse, WhatCannotBeIsRefused) {
    EXPECT_THROW(Walkers("localhost", 0), ConfigError);
    EXPECT_THROW(Walkers("localhost", 65537), ConfigError);
    EXPECT_THROW(Walkers(VectorOptions(1)), ConfigError);
    Walkers vector("localhost", 2);
    const auto refused = [](auto call) { return thrown_by<Exception>(call).code; };
    EXPECT_EQ(refused([&] { return vector.step(walk({1})); }), Errc::usage);
    const std::vector<std::size_t> twice{1, 1};
    EXPECT_EQ(refused([&] { return vector.reset_some(twice); }), Errc::usage);
    const std::vector<std::size_t> beyond{2};
    EXPECT_EQ(refused([&] { return vector.reset_some(beyond); }), Errc::usage);
    const std::vector<std::int64_t> seeds{1, 2, 3};
    EXPECT_EQ(refused([&] { return vector.reset(seeds); }), Errc::usage);
    EXPECT_EQ(refused([&] { return vector.sync().receive(); }), Errc::usage);
}

TEST(VectorEnvUse, NobodyToConnectToIsThrown) {
    for (const auto connection : {VectorConnection::automatic, VectorConnection::many}) {
        VectorOptions options(2, quick());
        options.connection = connection;
        Walkers vector(url_of_nobody(), options);
        EXPECT_THROW(vector.sync().reset(), ConnectFailed);
        EXPECT_THROW(vector.sync().connect(), ConnectFailed);
    }
}

/// How an episode ended whose last answer is that.
std::string end_told_by(const std::string& data) {
    const client::ResultParts parts = client::split_result(data);
    if (!client::tells_end(parts)) {
        return "goes on";
    }
    const client::EpisodeEnd end = client::end_of(parts);
    return std::string(end.terminated ? "terminated " : "") + (end.truncated ? "truncated" : "");
}

TEST(VectorEnvUse, TerminatedAndTruncatedAreToldApart) {
    EXPECT_EQ(end_told_by(R"({"observation":{"truncated":true},"done":false})"), "goes on");
    EXPECT_EQ(end_told_by(R"({"observation":{}})"), "goes on");
    EXPECT_EQ(end_told_by(R"({"observation":{},"done":true})"), "terminated ");
    EXPECT_EQ(end_told_by(R"({"observation":{"done":true}})"), "terminated ");
    EXPECT_EQ(end_told_by(R"({"observation":{"truncated":true},"done":true})"), "truncated");
    EXPECT_EQ(
        end_told_by(R"({"observation":{"terminated":true,"truncated":true},"done":true})"),
        "terminated truncated"
    );
    EXPECT_EQ(end_told_by(R"({"observation":{"truncated":false},"done":true})"), "terminated ");
    EXPECT_EQ(end_told_by(R"({"observation":{"truncated":"yes"},"done":true})"), "terminated ");
    EXPECT_EQ(
        end_told_by(R"({"observation":{},"done":true,"metadata":{"truncated":true}})"), "truncated"
    );
    EXPECT_EQ(
        end_told_by(R"({"observation":{"metadata":{"truncated":true}},"done":true})"), "truncated"
    );
    EXPECT_EQ(
        end_told_by(
            R"({"observation":{"terminated":true},"done":true,"metadata":{"truncated":true}})"
        ),
        "terminated "
    );
}

}  // namespace
}  // namespace test
}  // namespace openenv
