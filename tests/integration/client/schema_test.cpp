// schema(): what a client makes of a server's answer over HTTP, and of one that never comes.
#include "integration/client/counting.hpp"
#include "integration/client/outcome.hpp"
#include "integration/client/run_coroutine.hpp"
#include "integration/client/variables.hpp"
#include "support/fixtures/slow.hpp"
#include "support/open_at_end.hpp"
#include "support/running_server.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>
#include <openenv/provider/provider.hpp>

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kDocument = R"({"action":{"title":"A"},"observation":{},"state":{}})";

std::string answer(
    const std::string& body, const char* type = "application/json", const char* status = "200 OK"
) {
    return std::string("HTTP/1.1 ") + status + "\r\ncontent-type: " + type +
           "\r\ncontent-length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// Sends these bytes for an answer and closes.
ScriptedServer::Plain sends(std::string bytes) {
    return {[bytes = std::move(bytes)](ScriptedPeer& peer) { peer.send_bytes(bytes); }};
}

/// Sends these bytes, and then nothing until the client leaves.
ScriptedServer::Plain sends_and_waits(std::string bytes) {
    return {[bytes = std::move(bytes)](ScriptedPeer& peer) {
        peer.send_bytes(bytes);
        peer.wait_for_end();
    }};
}

struct Failure {
    Errc code = Errc::usage;
    std::string text;
    std::string phase;
    bool is_connect_failed = false;
};

Failure failure_of(const std::string& url, ClientOptions options = {}) {
    GenericEnvClient client(url, std::move(options));
    try {
        const Json document = client.sync().schema();
        return {Errc::usage, "no failure but " + document.dump(), "", false};
    } catch (const ConnectFailed& error) {
        return {error.code(), error.what(), error.error().phase, true};
    } catch (const Exception& error) {
        return {error.code(), error.what(), error.error().phase, false};
    }
}

TEST(ClientSchema, IsAskedForWithPathQueryTokenAndHeaders) {
    std::mutex mutex;  // the script runs on a thread of the server's
    std::string asked;
    ScriptedServer server(ScriptedServer::Plain{[&](ScriptedPeer& peer) {
        const std::scoped_lock lock(mutex);
        asked = peer.target() + " " + peer.header("authorization") + " " + peer.header("x-mine");
        peer.send_bytes(answer(kDocument));
    }});
    ClientOptions options;
    options.token = "secret";
    options.headers = {{"X-Mine", "yes"}};
    GenericEnvClient client(server.url() + "/prefix/?key=1", options);
    EXPECT_EQ(client.sync().schema()["action"]["title"], "A");
    const std::scoped_lock lock(mutex);
    EXPECT_EQ(asked, "/prefix/schema?key=1 Bearer secret yes");
    EXPECT_EQ(server.connections(), 1U);
}

TEST(ClientSchema, LiesBesideTheSocketWhereTheAddressNamesThat) {
    std::string asked;
    {
        ScriptedServer server(ScriptedServer::Plain{[&](ScriptedPeer& peer) {
            asked = peer.target();
            peer.send_bytes(answer(kDocument));
        }});
        GenericEnvClient client("ws://127.0.0.1:" + std::to_string(server.port()) + "/prefix/ws");
        (void)client.sync().schema();
    }
    EXPECT_EQ(asked, "/prefix/schema");
}

TEST(ClientSchema, ComesInBothStyles) {
    RunningServer server(fixture::move_entry());
    const std::string url = server.url();
    GenericEnvClient blocking(url);
    const Json document = blocking.sync().schema();
    EXPECT_EQ(document["action"]["title"], "MoveAction");
    EXPECT_TRUE(document["observation"].contains("properties"));
    EXPECT_TRUE(document["state"].contains("properties"));
    EXPECT_EQ(server.active_sessions(), 0U) << "it needs no session";
    EXPECT_THROW((void)blocking.schema().async(boost::asio::use_future), Exception)
        << "the other style";

    CountClient async(url);
    Json awaited;
    run_coroutine([](CountClient& client, Json& out) -> Task<void> {
        out = co_await client.schema();
    }(async, awaited));
    EXPECT_EQ(awaited, document);
}

TEST(ClientSchema, WaitsForNoStepThatIsUnderWay) {
    Gate gate;
    RunningServer server(fixture::slow_entry(gate));
    GenericEnvClient client(server.url());
    client.sync().reset();
    const Json action = Json::object({{"message", "wait"}});
    std::future<void> step = std::async(std::launch::async, [&] { client.sync().step(action); });
    const OpenAtEnd opening(gate);
    gate.wait_for_arrivals(1);
    EXPECT_EQ(client.sync().schema()["action"]["title"], "MoveAction");
    gate.open();
    step.get();
    EXPECT_EQ(client.sync().state()["step_count"], 1) << "the session is the same";
}

TEST(ClientSchema, MayComeInChunks) {
    const std::string head =
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    const std::size_t half = kDocument.size() / 2;
    std::string bytes = head;
    for (const std::string& part : {kDocument.substr(0, half), kDocument.substr(half)}) {
        char size[16];
        std::snprintf(size, sizeof size, "%zx", part.size());
        bytes += std::string(size) + ";extension\r\n" + part + "\r\n";
    }
    ScriptedServer server(sends(bytes + "0\r\ntrailer: x\r\n\r\n"));
    EXPECT_EQ(GenericEnvClient(server.url()).sync().schema(), Json::parse(kDocument));
    ScriptedServer torn(sends(bytes));
    EXPECT_THAT(failure_of(torn.url()).text, HasSubstr("in the middle"));
}

TEST(ClientSchema, MayEndWithTheConnection) {
    ScriptedServer server(sends("HTTP/1.0 200 OK\r\n\r\n" + kDocument));
    EXPECT_EQ(GenericEnvClient(server.url()).sync().schema(), Json::parse(kDocument));
}

TEST(ClientSchema, OtherAnswersAreToldPrecisely) {
    struct Case {
        std::string bytes;
        std::vector<const char*> told;
    };
    const std::vector<Case> cases{
        {answer(R"({"detail":"Not Found"})", "application/json", "404 Not Found"),
         {"404", "no OpenEnv server", "application/json", R"({"detail":"Not Found"})"}},
        {answer("", "text/plain", "401 Unauthorized"), {"401", "token", "text/plain", "empty"}},
        {answer("gone\r\n\x1b[2Jaway", "text/html", "503 Later"), {"503", "gone   [2Jaway"}},
        {"HTTP/1.1 307 There\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n", {"307"}},
        {answer(std::string(5000, 'x'), "text/plain", "500 Oh"), {"500", "xxx..."}},
    };
    for (const Case& one : cases) {
        ScriptedServer server(sends(one.bytes));
        const Failure failure = failure_of(server.url());
        EXPECT_TRUE(failure.is_connect_failed) << failure.text;
        EXPECT_THAT(failure.text, StartsWith("Failed to get " + server.url() + "/schema: "));
        EXPECT_LT(failure.text.size(), 400U);
        for (const char* part : one.told) {
            EXPECT_THAT(failure.text, HasSubstr(part));
        }
    }
}

TEST(ClientSchema, AnswersThatAreNoSchemaAreToldPrecisely) {
    struct Case {
        std::string bytes;
        std::vector<const char*> told;
    };
    const std::vector<Case> cases{
        {answer("<html>", "text/html"), {"line 1 column 1", "text/html: <html>"}},
        {answer(""), {"line 1 column 1", "empty"}},
        {answer("[]"), {"no object 'action'", "application/json: []"}},
        {answer(R"({"action":{},"observation":7})"), {"no object 'observation'"}},
        {answer(R"({"action":{},"observation":{}})"), {"no object 'state'"}},
        {answer("\xff\xfe"), {"cannot be read"}},
    };
    for (const Case& one : cases) {
        ScriptedServer server(sends(one.bytes));
        const Failure failure = failure_of(server.url());
        EXPECT_EQ(failure.code, Errc::invalid_json) << failure.text;
        for (const char* part : one.told) {
            EXPECT_THAT(failure.text, HasSubstr(part));
        }
    }
}

TEST(ClientSchema, ALargerAnswerThanAllowedIsNotRead) {
    ClientOptions options;
    options.max_message_bytes = 100;
    const std::string large(1000, ' ');
    for (const std::string& bytes :
         {answer(large),
          "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3e8\r\n" + large + "\r\n0\r\n\r\n",
          "HTTP/1.1 200 OK\r\n\r\n" + large}) {
        ScriptedServer server(sends(bytes));
        const Failure failure = failure_of(server.url(), options);
        EXPECT_TRUE(failure.is_connect_failed);
        EXPECT_THAT(failure.text, HasSubstr("larger than 100 bytes"));
    }
    ScriptedServer header(sends("HTTP/1.1 200 OK\r\nx: " + std::string(100'000, 'x')));
    EXPECT_TRUE(failure_of(header.url()).is_connect_failed);
}

TEST(ClientSchema, AConnectionThatEndsTooEarlyIsAFailure) {
    struct Case {
        std::string bytes;
        const char* told;
    };
    const std::vector<Case> cases{
        {"", "without one"},
        {"HTTP/1.1 200 O", "in the middle"},
        {"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{}", "in the middle"},
        {"SSH-2.0-OpenSSH\r\n", "reading the answer"},
    };
    for (const Case& one : cases) {
        ScriptedServer server(sends(one.bytes));
        const Failure failure = failure_of(server.url());
        EXPECT_TRUE(failure.is_connect_failed) << failure.text;
        EXPECT_EQ(failure.phase, "reading the schema");
        EXPECT_THAT(failure.text, HasSubstr(one.told));
    }
}

TEST(ClientSchema, NobodyThereIsAFailureToConnect) {
    const std::string url = url_of_nobody();
    const Failure failure = failure_of(url);
    EXPECT_TRUE(failure.is_connect_failed);
    EXPECT_EQ(failure.phase, "connecting");
    EXPECT_THAT(failure.text, StartsWith("Failed to connect to " + url + "/schema: connecting: "));
}

TEST(ClientSchema, AnAnswerThatNeverComesRunsOutOfTime) {
    for (const char* beginning : {"", "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"}) {
        ScriptedServer server(sends_and_waits(beginning));
        GenericEnvClient client(server.url());
        try {
            client.sync().schema(500ms);
            FAIL() << "nobody has answered";
        } catch (const Timeout& error) {
            EXPECT_EQ(error.error().phase, "reading the schema");
            EXPECT_STREQ(error.what(), "schema ran out of time while reading the schema");
        }
    }
}

TEST(ClientSchema, EndsWhenItIsCancelledOrItsClientGoes) {
    enum class End { cancelled, closed, disconnected, destroyed };
    for (const End end : {End::cancelled, End::closed, End::disconnected, End::destroyed}) {
        std::promise<void> asked;
        ScriptedServer server(ScriptedServer::Plain{[&](ScriptedPeer& peer) {
            asked.set_value();
            peer.wait_for_end();
        }});
        auto client = std::make_unique<GenericEnvClient>(server.url());
        Pending<Json> call = client->schema();
        const Canceller cancel = call.canceller();
        std::future<Json> answer = call.async(boost::asio::use_future);
        asked.get_future().get();
        std::future<void> closed;
        if (end == End::cancelled) {
            cancel();
        } else if (end == End::closed) {
            closed = client->close().async(boost::asio::use_future);
        } else if (end == End::disconnected) {
            closed = client->disconnect().async(boost::asio::use_future);
        } else {
            client.reset();
        }
        try {
            (void)answer.get();
            ADD_FAILURE() << "there was no answer";
        } catch (const Exception& error) {
            EXPECT_EQ(error.code(), Errc::cancelled);
        }
        if (closed.valid()) {
            closed.get();
        }
    }
}

TEST(ClientSchema, CancelledBeforeItBeginsItAsksNobody) {
    ScriptedServer server(sends(answer(kDocument)));
    GenericEnvClient client(server.url());
    Pending<Json> call = client.schema();
    call.canceller()();
    EXPECT_EQ(thrown_by<Exception>([&] { return call.get(); }).code, Errc::cancelled);
    EXPECT_EQ(server.connections(), 0U);
}

class StartedServer final : public Provider {
public:
    explicit StartedServer(std::string url) : url_(std::move(url)) {}

    std::string start() override {
        ++starts;
        return url_;
    }
    void wait_until_ready(const std::string&, std::chrono::milliseconds) override {}
    void stop() override { ++stops; }

    int starts = 0;
    int stops = 0;

private:
    std::string url_;
};

TEST(ClientSchema, StartsTheProviderOnce) {
    ScriptedServer server(sends(answer(kDocument)));
    const auto provider = std::make_shared<StartedServer>(server.url());
    ClientOptions options;
    options.provider = provider;
    GenericEnvClient client(options);
    (void)client.sync().schema();
    (void)client.sync().schema();
    client.sync().close();
    EXPECT_EQ(provider->starts, 1);
    EXPECT_EQ(provider->stops, 1);
}

TEST(ClientSchema, AsksTheProxyOfTheVariables) {
    std::string asked;
    {
        ScriptedServer proxy(ScriptedServer::Plain{[&](ScriptedPeer& peer) {
            asked = peer.target() + " " + peer.header("host");
            peer.send_bytes("HTTP/1.1 407 Who are you\r\ncontent-length: 0\r\n\r\n");
        }});
        const NoProxies others;
        const Variable variable("http_proxy", proxy.url());
        const Failure failure = failure_of("http://env.example:8000/prefix");
        EXPECT_TRUE(failure.is_connect_failed);
        EXPECT_THAT(failure.text, HasSubstr("proxy 127.0.0.1"));
        EXPECT_THAT(failure.text, HasSubstr("407"));
    }
    EXPECT_EQ(asked, "env.example:8000 env.example:8000");
}

}  // namespace
}  // namespace test
}  // namespace openenv
