// Clients that are destroyed, whatever they are doing: each call under way ends with `cancelled`,
// at once.
#include "integration/client/deaf_server.hpp"
#include "integration/client/echo_script.hpp"
#include "integration/client/noted_provider.hpp"
#include "integration/client/notes.hpp"
#include "integration/client/outcome.hpp"
#include "integration/client/variables.hpp"
#include "support/gate.hpp"
#include "support/hang_bound.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <exception>
#include <future>
#include <memory>
#include <utility>
#include <vector>

namespace openenv {
namespace test {
namespace {

using boost::asio::use_future;
using Client = GenericEnvClient;

/// Nothing ends by itself.
ClientOptions patient() {
    ClientOptions options = quick(kForEver);
    options.connect_timeout = kForEver;
    options.close_timeout = kForEver;
    return options;
}

TEST(DestroyedClient, EndsTheCallsUnderWay) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) { echo(peer, gate); });
    std::vector<std::future<Client::Result>> ended;
    {
        Client client(server.url(), patient());
        for (int i = 0; i != 3; ++i) {
            ended.push_back(client.step(waiting(1)).async(use_future));
        }
        gate.wait_for_arrivals(1);
    }
    for (auto& call : ended) {
        EXPECT_EQ(failure<Exception>(call).code, Errc::cancelled);
    }
    gate.open();
}

TEST(DestroyedClient, EndsTheAttemptToConnect) {
    for (const char* scheme : {"ws", "wss"}) {
        SCOPED_TRACE(scheme);
        DeafServer server;
        auto client = std::make_unique<Client>(server.url(scheme), patient());
        auto connecting = client->connect().async(use_future);
        auto queued = client->reset().async(use_future);
        server.accept();
        server.wait_for_words();
        client = nullptr;
        EXPECT_EQ(failure<Exception>(connecting).code, Errc::cancelled);
        EXPECT_EQ(failure<Exception>(queued).code, Errc::cancelled);
        server.wait_for_end();
        EXPECT_FALSE(server.has_another());
    }
}

TEST(DestroyedClient, EndsTheAttemptToConnectThroughAProxy) {
    DeafServer proxy;
    const NoProxies others;
    const Variable variable("http_proxy", proxy.url("http"));
    auto client = std::make_unique<Client>("http://openenv.example", patient());
    auto connecting = client->connect().async(use_future);
    proxy.accept();
    proxy.wait_for_words();
    client = nullptr;
    EXPECT_EQ(failure<Exception>(connecting).code, Errc::cancelled);
    proxy.wait_for_end();
}

TEST(DestroyedClient, EndsACloseThatWaitsForTheHandshake) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) {
        (void)peer.answer(observation_frame());
        (void)peer.read();
        gate.pass();
    });
    auto client = std::make_unique<Client>(server.url(), patient());
    client->reset().async(use_future).get();
    auto closing = client->close().async(use_future);
    gate.wait_for_arrivals(1);
    client = nullptr;
    EXPECT_EQ(failure<Exception>(closing).code, Errc::cancelled);
    gate.open();
}

TEST(DestroyedClient, EndsACallThatWaitsForAnOldConnectionToEnd) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) {
        (void)peer.read();
        gate.pass();
    });
    auto client = std::make_unique<Client>(server.url(), patient());
    auto given_up = client->step(numbered(1));
    const Canceller cancel = given_up.canceller();
    auto ended = given_up.async(use_future);
    gate.wait_for_arrivals(1);
    cancel();
    EXPECT_EQ(failure<Exception>(ended).code, Errc::cancelled);
    auto next = client->reset().async(use_future);
    client = nullptr;
    EXPECT_EQ(failure<Exception>(next).code, Errc::cancelled);
    EXPECT_EQ(server.connections(), 1U);
    gate.open();
}

TEST(DestroyedClient, EndsACallThatWaitsForAProviderToStart) {
    Notes notes;
    Gate gate;
    ScriptedServer server([](ScriptedPeer& peer) { echo(peer); });
    const auto provider = std::make_shared<NotedProvider>(notes, server.url());
    provider->start_gate = &gate;
    ClientOptions options = patient();
    options.provider = provider;
    options.loop = std::make_shared<ClientLoop>();  // whose end waits for the provider
    auto client = std::make_unique<Client>(options);
    auto connecting = client->connect().async(use_future);
    auto queued = client->reset().async(use_future);
    gate.wait_for_arrivals(1);
    client = nullptr;
    EXPECT_EQ(failure<Exception>(connecting).code, Errc::cancelled);
    EXPECT_EQ(failure<Exception>(queued).code, Errc::cancelled);
    gate.open();
}

TEST(DestroyedClient, EndsACloseThatWaitsForAProviderToStop) {
    Notes notes;
    Gate gate;
    ScriptedServer server([](ScriptedPeer& peer) { echo(peer); });
    const auto provider = std::make_shared<NotedProvider>(notes, server.url());
    provider->stop_gate = &gate;
    ClientOptions options = patient();
    options.provider = provider;
    options.loop = std::make_shared<ClientLoop>();
    auto client = std::make_unique<Client>(options);
    client->connect().async(use_future).get();
    auto closing = client->close().async(use_future);
    gate.wait_for_arrivals(1);
    client = nullptr;
    EXPECT_EQ(failure<Exception>(closing).code, Errc::cancelled);
    gate.open();
}

TEST(DestroyedClient, MayBeDestroyedUnderABlockingCallOfAnotherThread) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) { echo(peer, gate); });
    auto client = std::make_unique<Client>(server.url(), patient());
    Pending<Client::Result> call = client->step(waiting(1));
    auto blocked = std::async(std::launch::async, [&call] { return call.get(); });
    gate.wait_for_arrivals(1);
    client = nullptr;
    EXPECT_EQ(failure<Exception>(blocked).code, Errc::cancelled);
    gate.open();
}

TEST(DestroyedClient, MayBeDestroyedUnderItsBlockingFace) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) { echo(peer, gate); });
    auto client = std::make_unique<Client>(server.url(), patient());
    auto& env = client->sync();
    auto blocked = std::async(std::launch::async, [&env] { return env.step(waiting(1)); });
    gate.wait_for_arrivals(1);
    client = nullptr;
    EXPECT_EQ(failure<Exception>(blocked).code, Errc::cancelled);
    gate.open();
}

TEST(DestroyedClient, MayBeDestroyedFromItsOwnCallback) {
    ScriptedServer server([](ScriptedPeer& peer) { echo(peer); });
    for (int i = 0; i != 20; ++i) {
        auto client = std::make_shared<Client>(server.url(), quick());
        std::promise<void> gone;
        Client& env = *client;
        env.reset().async([&gone,
                           mine = std::move(client)](std::exception_ptr, Client::Result) mutable {
            mine.reset();
            gone.set_value();
        });
        std::future<void> is_gone = gone.get_future();
        outcome(is_gone);
    }
}

TEST(DestroyedClient, ACallMayOutliveIt) {
    ScriptedServer server([](ScriptedPeer& peer) { echo(peer); });
    auto client = std::make_unique<Client>(server.url(), quick());
    auto call = client->reset();
    auto never_made = client->reset();
    client.reset();
    EXPECT_EQ(thrown_by<Exception>([&] { return call.get(); }).code, Errc::cancelled);
    EXPECT_EQ(server.connections(), 0U);
}

TEST(Client, IsClosedBeforeTheContextThatAwaitsGoes) {
    Gate gate;
    ScriptedServer server([&](ScriptedPeer& peer) { echo(peer, gate); });
    Client client(server.url(), patient());
    Errc code = Errc::usage;
    std::future<void> closing;
    {
        boost::asio::io_context context;
        const auto play = [&]() -> Task<void> {
            const Json slow = waiting(1);
            try {
                co_await client.step(slow);
            } catch (const Exception& error) {
                code = error.code();
            }
        };
        boost::asio::co_spawn(context, play(), [](std::exception_ptr) {});
        context.poll();
        gate.wait_for_arrivals(1);
        closing = client.close().async(use_future);
        context.restart();
        context.run_for(kHangBound);
        EXPECT_TRUE(context.stopped()) << "the coroutine hangs";
    }
    EXPECT_EQ(code, Errc::cancelled);
    gate.open();
    outcome(closing);
}

}  // namespace
}  // namespace test
}  // namespace openenv
