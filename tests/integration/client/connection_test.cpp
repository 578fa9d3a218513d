// How clients are made and connect (conformance cases 248 to 263).
#include "integration/client/answering.hpp"
#include "integration/client/counting.hpp"
#include "integration/client/deaf_server.hpp"
#include "integration/client/echo_script.hpp"
#include "integration/client/one_by_one.hpp"
#include "integration/client/variables.hpp"
#include "support/expect_json.hpp"
#include "support/gate.hpp"
#include "support/hang_bound.hpp"
#include "support/log_capture.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace openenv {
namespace test {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kModeVariable = "OPENENV_CLIENT_MODE";

/// Why a client with these options is refused; empty when it is not.
std::string refusal_of(const ClientOptions& options) {
    try {
        GenericEnvClient client("h", options);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

ClientMode mode_of(const ClientOptions& options = {}) {
    return GenericEnvClient("h", options).mode();
}

TEST(Conformance, Case248TheBaseUrlIsReadableWithoutSlashesAtItsEnd) {
    EXPECT_EQ(GenericEnvClient("http://h/").base_url(), "http://h");
    EXPECT_EQ(GenericEnvClient("http://h//").base_url(), "http://h");
}

TEST(Conformance, Case249TheModeIsSimulationUnlessSomethingElseIsSaid) {
    const Variable unset(kModeVariable, std::nullopt);
    EXPECT_EQ(mode_of(), ClientMode::simulation);
    const Variable empty(kModeVariable, "");
    EXPECT_EQ(mode_of(), ClientMode::simulation);
}

TEST(Conformance, Case250TheModeComesFromTheVariableUnlessItIsGiven) {
    const Variable variable(kModeVariable, "PRODUCTION");
    EXPECT_EQ(mode_of(), ClientMode::production);
    ClientOptions options;
    options.mode = "simulation";
    EXPECT_EQ(mode_of(options), ClientMode::simulation);
}

TEST(Conformance, Case251ModesInAnyLetterCaseAndNoOthers) {
    const auto names_the_way_out =
        AllOf(HasSubstr("'simulation' or 'production'"), HasSubstr(kModeVariable));
    const Variable unset(kModeVariable, std::nullopt);
    ClientOptions options;
    options.mode = "SIMULATION";
    EXPECT_EQ(mode_of(options), ClientMode::simulation);
    options.mode = "x";
    EXPECT_THAT(refusal_of(options), AllOf(names_the_way_out, HasSubstr("'x'")));
    const Variable invalid(kModeVariable, "invalid");
    EXPECT_THAT(refusal_of(ClientOptions()), AllOf(names_the_way_out, HasSubstr("'invalid'")));
}

template <class Client>
concept HasMutableMode = requires(Client& client) {
    client.mode() = ClientMode::production;
}
|| requires(Client& client) {
    client.mode(ClientMode::production);
}
|| requires(Client& client) {
    client.set_mode(ClientMode::production);
};

TEST(Conformance, Case252TheModeOfAClientDoesNotChange) {
    static_assert(!HasMutableMode<GenericEnvClient>);
    static_assert(!std::is_assignable_v<GenericEnvClient&, GenericEnvClient>);
    const Variable unset(kModeVariable, std::nullopt);
    ClientOptions options;
    GenericEnvClient client("h", options);
    options.mode = "production";
    const Variable later(kModeVariable, "production");
    EXPECT_EQ(client.mode(), ClientMode::simulation);
}

TEST(Conformance, Case254AnAddressOrAProviderIsNeeded) {
    try {
        GenericEnvClient client{ClientOptions()};
        FAIL() << "nothing to connect to";
    } catch (const ConfigError& error) {
        EXPECT_STREQ(error.what(), "EnvClient requires either base_url or provider.");
    }
}

TEST(Conformance, Case255Defaults) {
    const ClientOptions options;
    EXPECT_EQ(options.connect_timeout, 10s);
    EXPECT_EQ(options.message_timeout, 60s);
    EXPECT_EQ(options.max_message_bytes, 100U * 1024 * 1024);
    EXPECT_EQ(options.ping_interval, std::optional<milliseconds>(20s));
    EXPECT_EQ(options.ping_timeout, std::optional<milliseconds>(20s));
}

/// The error of connecting to that port, whose text names the address.
Error failure_of(GenericEnvClient& client, const std::string& port) {
    try {
        client.sync().connect();
    } catch (const ConnectFailed& error) {
        EXPECT_THAT(
            error.what(), StartsWith("Failed to connect to ws://127.0.0.1:" + port + "/ws: ")
        );
        EXPECT_EQ(error.error().phase, "connecting");
        return error.error();
    }
    ADD_FAILURE() << "connected";
    return {};
}

TEST(Conformance, Case258NobodyListens) {
    const std::string url = url_of_nobody();
    GenericEnvClient client(url);
    EXPECT_THAT(
        failure_of(client, url.substr(url.rfind(':') + 1)).message, HasSubstr("connecting: ")
    );
}

TEST(Conformance, Case259UpgradesThatAreRefused) {
    for (const std::string status :
         {"200 OK", "400 Bad Request", "403 Forbidden", "426 Upgrade Required", "500 Oops"}) {
        ScriptedServer server(
            ScriptedServer::Refusal("HTTP/1.1 " + status + "\r\ncontent-length: 0\r\n\r\n")
        );
        GenericEnvClient client(server.url());
        EXPECT_THAT(
            failure_of(client, std::to_string(server.port())).message,
            HasSubstr("upgrading: the server answered " + status)
        );
    }
}

TEST(Conformance, Case259ServersThatDoNotSpeakHttp) {
    for (const std::string sent : {"", "garbage\r\n\r\n", "HTTP/1.1 101 Switching"}) {
        ScriptedServer server{ScriptedServer::Refusal(sent)};
        GenericEnvClient client(server.url());
        EXPECT_THAT(
            failure_of(client, std::to_string(server.port())).message, HasSubstr("upgrading: ")
        ) << sent;
    }
}

TEST(Conformance, Case260AServerThatNeverUpgrades) {
    DeafServer deaf;
    ClientOptions options;
    options.connect_timeout = 300ms;
    GenericEnvClient client(deaf.url(), options);
    const auto start = std::chrono::steady_clock::now();
    const Error failure = failure_of(client, std::to_string(deaf.port()));
    const auto took = std::chrono::steady_clock::now() - start;
    EXPECT_THAT(
        failure.message,
        AllOf(HasSubstr("within the connect timeout"), HasSubstr("while upgrading"))
    );
    EXPECT_GE(took, 300ms);
    EXPECT_LT(took, kHangBound);
}

TEST(Conformance, Case262TheFirstCallConnects) {
    Answering server({observation_frame()});
    GenericEnvClient client(server.url());
    EXPECT_EQ(server.connections(), 0U);
    client.sync().reset();
    EXPECT_EQ(server.connections(), 1U);
    ASSERT_EQ(server.asked().size(), 1U);
    EXPECT_THAT(server.asked()[0], equals_json(R"({"type":"reset","data":{}})"));
}

/// watchful(), for clients on one loop.
ClientOptions watchful_on_a_loop() {
    ClientOptions options = watchful();
    options.loop = std::make_shared<ClientLoop>();
    return options;
}

/// A clock: returns once a client with these options has given up a server that fell silent. By
/// then any other of its loop has pinged, or given up, that would.
void give_up_a_server(const ClientOptions& options) {
    Gate gate;
    ScriptedServer silent([&](ScriptedPeer& peer) { fall_silent(peer, gate); });
    GenericEnvClient client(silent.url(), options);
    client.sync().reset();
    EXPECT_THROW(client.sync().step(Json::object()), SessionLost);
    gate.open();
}

/// The pings that a server which falls silent after the first answer gets from a client with these
/// options, while others of its loop give up theirs.
std::size_t pings_of(const ClientOptions& options) {
    Gate gate;
    std::promise<std::size_t> pings;
    ScriptedServer silent([&](ScriptedPeer& peer) {
        fall_silent(peer, gate);
        (void)peer.read();  // and what was sent before
        pings.set_value(peer.pings());
        peer.send(observation_frame());
        peer.wait_for_close();
    });
    GenericEnvClient client(silent.url(), options);
    client.sync().reset();
    ClientOptions clock = watchful();
    clock.loop = options.loop;
    give_up_a_server(clock);
    gate.open();
    client.sync().step(Json::object());
    EXPECT_EQ(silent.connections(), 1U);
    return pings.get_future().get();
}

TEST(Conformance, Case263WithoutAnIntervalThereAreNoPings) {
    ClientOptions options = watchful_on_a_loop();
    options.ping_interval = std::nullopt;
    EXPECT_EQ(pings_of(options), 0U);
}

TEST(Client, WithoutAPingTimeoutASilentServerIsNeverGivenUp) {
    ClientOptions options = watchful_on_a_loop();
    options.ping_timeout = std::nullopt;
    EXPECT_GE(pings_of(options), 1U);
}

/// A client class with a constructor of its own, beside those that it takes over.
class LocalClient : public CountClient {
public:
    using CountClient::CountClient;
    explicit LocalClient(std::uint16_t port)
        : CountClient("http://127.0.0.1:" + std::to_string(port), quick()) {}
};

TEST(Conformance, Case305AClientWithAConstructorOfItsOwnOpensSessionsOfItsClass) {
    LogCapture log;  // the echo tells more than an observation has
    ScriptedServer server([](ScriptedPeer& peer) { echo(peer); });
    LocalClient parent(server.port());
    const std::unique_ptr<LocalClient> child = parent.sync().new_session<LocalClient>();
    EXPECT_EQ(server.connections(), 1U) << "the child's alone";
    EXPECT_EQ(child->base_url(), parent.base_url());
    EXPECT_EQ(child->sync().wait(child->count(1)).observation.count, 0);
    parent.sync().close();
}

TEST(Client, TimesThatCannotBeAreRefusedByName) {
    const std::vector<std::pair<const char*, std::function<void(ClientOptions&)>>> negatives{
        {"connect_timeout", [](ClientOptions& options) { options.connect_timeout = -1ms; }},
        {"message_timeout", [](ClientOptions& options) { options.message_timeout = -1ms; }},
        {"close_timeout", [](ClientOptions& options) { options.close_timeout = -1ms; }},
        {"ready_timeout",
         [](ClientOptions& options) { options.ready_timeout = milliseconds::min(); }},
        {"ping_interval", [](ClientOptions& options) { options.ping_interval = -1ms; }},
        {"ping_timeout", [](ClientOptions& options) { options.ping_timeout = -1ms; }},
        {"max_message_bytes", [](ClientOptions& options) { options.max_message_bytes = 0; }},
    };
    for (const auto& [name, change] : negatives) {
        ClientOptions options;
        change(options);
        EXPECT_THAT(refusal_of(options), HasSubstr(name));
    }
    EXPECT_EQ(refusal_of(ClientOptions()), "");
}

TEST(Client, TheLongestTimesAreNoLimit) {
    Answering server({observation_frame(), observation_frame()});
    ClientOptions options;
    options.connect_timeout = milliseconds::max();
    options.message_timeout = milliseconds::max();
    options.close_timeout = milliseconds::max();
    options.ready_timeout = milliseconds::max();
    options.ping_interval = milliseconds::max();
    options.ping_timeout = milliseconds::max();
    GenericEnvClient client(server.url(), options);
    client.sync().reset();
    client.sync().step(Json::object(), milliseconds::max());
    client.sync().close();
}

TEST(Client, SendsTheTokenAndOtherHeaders) {
    std::promise<std::string> seen;
    OneByOne server([&](OneByOne::Socket socket) { seen.set_value(read_request(socket)); });
    ClientOptions options;
    options.token = "secret";
    options.headers = {
        {"X-Run", "7"}, {"X-Part", "one\ttwo"}, {"x-run", "8"}, {"User-Agent", "me"}};
    GenericEnvClient client("http://127.0.0.1:" + server.port() + "/prefix/?q=1", options);
    EXPECT_THROW(client.sync().connect(), ConnectFailed);
    const std::string request = seen.get_future().get();
    EXPECT_THAT(
        request,
        AllOf(
            StartsWith("GET /prefix/ws?q=1 HTTP/1.1\r\n"),
            HasSubstr("\r\nHost: 127.0.0.1:" + server.port() + "\r\n"),
            HasSubstr("\r\nAuthorization: Bearer secret\r\n"),
            HasSubstr("\r\nX-Run: 7\r\n"),
            HasSubstr("\r\nx-run: 8\r\n"),
            HasSubstr("\r\nX-Part: one\ttwo\r\n"),
            HasSubstr("\r\nUser-Agent: me\r\n"),
            Not(HasSubstr("openenv-cpp"))
        )
    );
}

TEST(Client, HeadersThatCannotBeSentAreRefusedAndTheirValuesNotShown) {
    const auto told = [](std::string name, std::string value) {
        ClientOptions options;
        options.headers.emplace_back(std::move(name), std::move(value));
        std::string text = refusal_of(options);
        EXPECT_THAT(text, Not(HasSubstr("secret")));
        return text;
    };
    for (const char* name : {"", "X Run", "X:", "X-Run\r\nY", "X\"", "X\x80", "\x7F"}) {
        EXPECT_THAT(told(name, "secret"), HasSubstr("cannot be the name of a header")) << name;
    }
    for (const char* name :
         {"Host",
          "hOST",
          "Connection",
          "Upgrade",
          "Content-Length",
          "Transfer-Encoding",
          "Sec-WebSocket-Key",
          "sec-websocket-extensions"}) {
        EXPECT_THAT(told(name, "secret"), HasSubstr("is set by the client itself")) << name;
    }
    const std::string with_null("secret\0", 7);
    for (const std::string& value :
         {std::string("secret\n"),
          std::string("secret\r\nY: 1"),
          with_null,
          std::string("secret\x7F")}) {
        EXPECT_THAT(told("X-Run", value), AllOf(HasSubstr("X-Run"), HasSubstr("line break")));
    }
    EXPECT_THAT(told("X-Run", "secret" + std::string(16 * 1024, 'x')), HasSubstr("longer than"));
    EXPECT_EQ(told("X-Run", "a\tb \xC3\xA4"), "");

    ClientOptions options;
    options.token = "secret\n";
    EXPECT_THAT(
        refusal_of(options),
        AllOf(HasSubstr("Authorization"), HasSubstr("line break"), Not(HasSubstr("secret")))
    );
}

TEST(Client, ATokenBesideAHeaderOfTheSamePurposeIsRefused) {
    for (const char* name : {"Authorization", "authorization", "AUTHORIZATION"}) {
        ClientOptions options;
        options.headers.emplace_back(name, "Basic secret");
        EXPECT_EQ(refusal_of(options), "") << "a header alone";
        options.token = "secret";
        EXPECT_THAT(
            refusal_of(options),
            AllOf(HasSubstr("token"), HasSubstr("Authorization"), Not(HasSubstr("secret")))
        );
    }
}

}  // namespace
}  // namespace test
}  // namespace openenv
