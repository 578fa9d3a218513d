// Clients and servers of one process, over no socket.
#include "integration/client/counting.hpp"
#include "integration/client/echo_script.hpp"
#include "integration/client/outcome.hpp"
#include "integration/client/run_coroutine.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/probe_environment.hpp"
#include "support/log_capture.hpp"
#include "support/running_server.hpp"

#include <openenv/client/env_client.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace openenv {
namespace test {
namespace {

using namespace std::chrono_literals;
using boost::asio::use_future;
using testing::HasSubstr;

ServerConfig unlistened(std::size_t sessions = 8) {
    ServerConfig config = quick_config(sessions);
    config.listen = false;
    config.shutdown_grace = 2s;
    return config;
}

ClientOptions within(const std::shared_ptr<net::Connector>& connector) {
    ClientOptions options = quick();
    options.connector = connector;
    return options;
}

Json doing(const std::string& what) {
    return Json::object({{"what", what}});
}

/// A server of probes that does not listen, and what they tell.
struct InProcess {
    explicit InProcess(ServerConfig config = unlistened())
        : server(std::in_place, probe_entry(probe), std::move(config)) {}

    [[nodiscard]] ClientOptions options() const { return within(server->connector()); }

    Probe probe;
    std::optional<RunningServer> server;
};

TEST(InProcess, AClientPlaysWithoutASocket) {
    InProcess local;
    EXPECT_EQ(local.server->port(), 0);
    GenericEnvClient client(local.options());
    EXPECT_FALSE(client.base_url().has_value());
    auto& env = client.sync();
    EXPECT_FALSE(env.reset(openenv::seed(7)).done);
    EXPECT_EQ(env.step(doing("hello")).observation["text"], "hello");
    EXPECT_TRUE(env.state().contains("step_count"));
    EXPECT_EQ(local.server->active_sessions(), 1U);
    env.close();
    local.probe.life.wait_for_live(0);
    EXPECT_FALSE(env.reset().done) << "any call connects anew";
}

TEST(InProcess, TypedClientsAndCoroutinesDoAsWell) {
    using Client = EnvClient<ProbeAction, ProbeObservation>;
    InProcess local;
    Client client(local.options());
    const auto play = [&]() -> Task<void> {
        co_await client.reset();
        ProbeAction action;
        action.what = "typed";
        const auto result = co_await client.step(action);
        EXPECT_EQ(result.observation.text, "typed");
        const auto child = co_await client.new_session();
        const auto answered = co_await child->step(action);
        EXPECT_EQ(answered.observation.text, "typed");
        EXPECT_EQ(local.server->active_sessions(), 2U);
        co_await client.close();
    };
    run_coroutine(play());
    local.probe.life.wait_for_live(0);
}

TEST(InProcess, TheSchemaIsThatOfTheServer) {
    InProcess local;
    GenericEnvClient client(local.options());
    const Json schema = client.sync().schema();
    EXPECT_TRUE(schema["action"]["properties"].contains("what"));
    EXPECT_EQ(local.server->active_sessions(), 0U);
    local.server.reset();
    EXPECT_THROW(client.sync().schema(), ConnectFailed);
}

TEST(InProcess, AServerMayListenAsWell) {
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(2));
    GenericEnvClient over_socket(server.url(), quick());
    GenericEnvClient within_process(within(server.connector()));
    over_socket.sync().reset();
    within_process.sync().reset();
    EXPECT_EQ(over_socket.sync().schema(), within_process.sync().schema());
    EXPECT_EQ(server.active_sessions(), 2U);
    GenericEnvClient third(within(server.connector()));
    LogCapture log;
    EXPECT_THROW(third.sync().reset(), CapacityReached);
}

TEST(InProcess, ErrorsAreThoseOfASocket) {
    InProcess local;
    GenericEnvClient client(local.options());
    auto& env = client.sync();
    env.reset();
    EXPECT_THROW(env.step(Json::object({{"wrong", 1}})), ValidationFailed);
    EXPECT_THROW(env.step(doing("throw")), ExecutionFailed);
    EXPECT_EQ(env.step(doing("still there")).observation["text"], "still there");
}

TEST(InProcess, MessagesAreAsLargeAsTheServerTakes) {
    ServerConfig config = unlistened();
    config.max_message_bytes = 3 << 20;
    InProcess local(config);
    GenericEnvClient client(local.options());
    auto& env = client.sync();
    env.reset();
    const std::string large(2 << 20, 'x');
    EXPECT_EQ(env.step(doing(large)).observation["text"].as_string(), large);
    const Error error =
        thrown_by<SessionLost>([&] { return env.step(doing(std::string(4 << 20, 'x'))); });
    EXPECT_THAT(error.message, HasSubstr("1009"));
    EXPECT_FALSE(env.reset().done);
}

TEST(InProcess, ACallThatRanOutOfTimeLeavesTheServerAtWork) {
    LogCapture log;
    InProcess local;
    GenericEnvClient client(local.options());
    auto& env = client.sync();
    env.reset();
    EXPECT_THROW(env.step(doing("wait_for_stop"), 50ms), Timeout);
    local.probe.gate.open();
    EXPECT_FALSE(env.reset().done);
    EXPECT_EQ(env.step(doing("next")).observation["text"], "next");
}

TEST(InProcess, ADestroyedClientFreesItsPlace) {
    InProcess local;
    auto client = std::make_unique<GenericEnvClient>(local.options());
    client->reset().async(use_future).get();
    auto stuck = client->step(doing("wait_for_stop")).async(use_future);
    local.probe.life.wait_for_steps(1);
    client.reset();
    EXPECT_EQ(failure<Exception>(stuck).code, Errc::cancelled);
    local.probe.life.wait_for_live(0);
    EXPECT_TRUE(eventually([&] { return local.server->active_sessions() == 0; }));
}

TEST(InProcess, AServerThatStopsTellsItsClients) {
    InProcess local;
    GenericEnvClient idle(local.options());
    GenericEnvClient busy(local.options());
    idle.sync().reset();
    busy.reset().async(use_future).get();
    auto step = busy.step(doing("wait")).async(use_future);
    local.probe.life.wait_for_steps(1);
    std::future<std::size_t> stopping =
        std::async(std::launch::async, [&] { return local.server->stop(); });
    local.probe.gate.open();
    EXPECT_EQ(outcome(step).observation["text"], "wait") << "what is under way is finished";
    EXPECT_EQ(outcome(stopping), 0U);
    EXPECT_THAT(
        thrown_by<SessionLost>([&] { return idle.sync().step(doing("late")); }).message,
        HasSubstr("1001")
    );
    EXPECT_THAT(
        thrown_by<ConnectFailed>([&] { return idle.sync().reset(); }).message,
        HasSubstr("does not run")
    );
}

TEST(InProcess, AServerMayGoBeforeItsClients) {
    InProcess local;
    const std::shared_ptr<net::Connector> connector = local.server->connector();
    GenericEnvClient client(within(connector));
    client.sync().reset();
    local.server.reset();
    EXPECT_THROW(client.sync().step(doing("late")), SessionLost);
    EXPECT_THROW(client.sync().reset(), ConnectFailed);
    GenericEnvClient another(within(connector));
    EXPECT_THROW(another.sync().connect(), ConnectFailed);
}

TEST(InProcess, AServerThatWasNotStartedTakesNobody) {
    Probe probe;
    Server server(probe_entry(probe), unlistened());
    GenericEnvClient client(within(server.connector()));
    EXPECT_THROW(client.sync().connect(), ConnectFailed);
    server.start();
    EXPECT_EQ(server.url(), "");
    EXPECT_FALSE(client.sync().reset().done);
}

TEST(InProcess, AConnectorTakesThePlaceOfAnAddress) {
    InProcess local;
    EXPECT_THROW(GenericEnvClient("localhost:8000", local.options()), ConfigError);
}

TEST(InProcess, ABurstDoesNotPassTheLimitOfConnections) {
    constexpr std::size_t kConnections = 4;
    ServerConfig config = unlistened(64);
    config.max_connections = kConnections;
    InProcess local(std::move(config));
    boost::asio::io_context io;
    std::vector<std::unique_ptr<net::MessageStream>> streams;
    const auto connect = [&]() -> net::io_awaitable<void> {
        for (int i = 0; i != 64; ++i) {  // faster than their sessions can begin
            auto stream = co_await local.server->connector()->connect(io.get_executor(), "");
            if (stream) {
                streams.push_back(std::move(*stream));
            } else {
                EXPECT_THAT(stream.error().message, HasSubstr("max_connections"));
            }
        }
    };
    boost::asio::co_spawn(io, connect, boost::asio::detached);
    io.run();
    EXPECT_EQ(streams.size(), kConnections);
}

TEST(InProcess, AThousandSessionsAtOnce) {
    constexpr std::size_t kSessions = 1000;
    ServerConfig config = unlistened(kSessions);
    config.threads = 2;
    InProcess local(config);
    GenericEnvClient parent(local.options());
    std::vector<std::future<std::unique_ptr<GenericEnvClient>>> opening;
    for (std::size_t i = 0; i != kSessions; ++i) {
        opening.push_back(parent.new_session<GenericEnvClient>().async(use_future));
    }
    std::vector<std::unique_ptr<GenericEnvClient>> clients;
    for (auto& session : opening) {
        clients.push_back(outcome(session));
    }
    std::vector<std::future<GenericEnvClient::Result>> results;
    for (std::size_t i = 0; i != kSessions; ++i) {
        results.push_back(clients[i]->step(doing(std::to_string(i))).async(use_future));
    }
    for (std::size_t i = 0; i != kSessions; ++i) {
        ASSERT_EQ(outcome(results[i]).observation["text"], std::to_string(i));
    }
    EXPECT_EQ(local.server->active_sessions(), kSessions);
    parent.close().async(use_future).get();
    local.probe.life.wait_for_live(0);
}

}  // namespace
}  // namespace test
}  // namespace openenv
