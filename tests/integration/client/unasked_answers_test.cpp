// Servers that say what nobody asked, or answer another question.
#include "integration/client/echo_script.hpp"
#include "integration/client/outcome.hpp"
#include "integration/support/rounds.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <future>
#include <memory>
#include <string>

namespace openenv {
namespace test {
namespace {

using testing::HasSubstr;

constexpr const char* kMcpFrame = R"({"type":"mcp","data":{"jsonrpc":"2.0","id":1,"result":{}}})";

TEST(Client, AnAnswerThatArrivesBeforeTheQuestionIsNotTaken) {
    for (std::size_t i = 0; i != rounds(20, 1000); ++i) {
        std::promise<void> sent;
        ScriptedServer server([&](ScriptedPeer& peer) {
            peer.send(observation_frame(R"({"k":1})"));
            if (peer.number() == 0) {
                sent.set_value();
            }
            echo(peer);
        });
        ClientOptions options = quick();
        options.loop = std::make_shared<ClientLoop>();
        GenericEnvClient client(server.url(), options);
        client.sync().connect();
        sent.get_future().get();
        wait_for_loop(*options.loop);
        EXPECT_THROW(client.sync().step(numbered(2)), SessionLost);
    }
}

TEST(Client, AnAnswerThatIsSentTwiceIsNotTakenForTheNext) {
    ScriptedServer server([](ScriptedPeer& peer) {
        if (peer.number() == 0) {
            (void)peer.read();
            peer.send(observation_frame(R"({"k":1})"));
            peer.send(observation_frame(R"({"k":1})"));
            peer.wait_for_close();
            return;
        }
        echo(peer);
    });
    GenericEnvClient client(server.url(), quick());
    EXPECT_EQ(client.sync().reset().observation["k"], 1);
    // It has arrived, or arrives as the answer to this: no state either way.
    EXPECT_THROW(client.sync().state(), SessionLost);
    EXPECT_THROW(client.sync().step(numbered(2)), SessionLost);
    EXPECT_EQ(client.sync().reset(numbered(9)).observation["k"], 9);
    EXPECT_EQ(server.connections(), 2U);
}

TEST(Client, AServerThatSendsALotUnaskedIsGivenUp) {
    std::promise<void> left;
    ScriptedServer server([&](ScriptedPeer& peer) {
        if (peer.number() != 0) {
            echo(peer);
            return;
        }
        try {
            (void)peer.answer(observation_frame(R"({"k":0})"));
            for (int i = 0; i != 100; ++i) {
                peer.send(observation_frame(R"({"k":1})"));
            }
            peer.wait_for_close();
        } catch (const std::exception&) {
            // The client has left already.
        }
        left.set_value();
    });
    GenericEnvClient client(server.url(), quick());
    EXPECT_EQ(client.sync().reset().observation["k"], 0);
    std::future<void> has_left = left.get_future();
    outcome(has_left);  // with nobody calling
    const Error error = thrown_by<SessionLost>([&] { return client.sync().step(numbered(2)); });
    EXPECT_THAT(error.message, HasSubstr("nobody had asked for"));
    EXPECT_EQ(client.sync().reset(numbered(3)).observation["k"], 3);
}

enum class Question { reset, step, state };

void ask(GenericEnvClient& client, Question what) {
    switch (what) {
        case Question::reset:
            (void)client.sync().reset();
            break;
        case Question::step:
            (void)client.sync().step(numbered(1));
            break;
        case Question::state:
            (void)client.sync().state();
            break;
    }
}

TEST(Client, AnAnswerToAnotherQuestionCostsTheConnection) {
    struct Mistake {
        Question question;
        std::string answer;
    };
    const Mistake mistakes[] = {
        {Question::reset, state_frame()},
        {Question::step, state_frame()},
        {Question::state, observation_frame()},
        {Question::reset, kMcpFrame},
        {Question::step, kMcpFrame},
        {Question::state, kMcpFrame},
    };
    for (const Mistake& mistake : mistakes) {
        SCOPED_TRACE(mistake.answer);
        ScriptedServer server([&mistake](ScriptedPeer& peer) {
            if (peer.number() == 0) {
                (void)peer.answer(observation_frame());
                (void)peer.answer(mistake.answer);
                peer.wait_for_close();
                return;
            }
            echo(peer);
        });
        GenericEnvClient client(server.url(), quick());
        client.sync().reset();
        EXPECT_THROW(ask(client, mistake.question), SessionLost);
        EXPECT_THROW(ask(client, Question::step), SessionLost);
        EXPECT_THROW(ask(client, Question::state), SessionLost);
        EXPECT_EQ(client.sync().reset(numbered(3)).observation["k"], 3);
        EXPECT_EQ(server.connections(), 2U);
    }
}

}  // namespace
}  // namespace test
}  // namespace openenv
