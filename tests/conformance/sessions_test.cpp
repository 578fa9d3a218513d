#include "conformance/conformance_test.hpp"

#include <openenv/env/typed_environment.hpp>

#include <chrono>
#include <memory>
#include <set>
#include <thread>

namespace openenv {
namespace conformance {
namespace {

using std::chrono::milliseconds;
using test::Opcode;
using testing::HasSubstr;

testing::Matcher<const Json&> is_state() {
    return contains_json(R"({"type":"state"})");
}

constexpr std::string_view kFull = R"({"type":"error","data":{
    "message":"Server at capacity: 2/2 sessions active. Cannot accept new connections.",
    "code":"CAPACITY_REACHED","active_sessions":2,"max_sessions":2}})";

/// Settings under which a refused peer that says nothing is closed soon.
ServerConfig impatient_config(std::size_t max_concurrent_envs) {
    ServerConfig config = quick_config(max_concurrent_envs);
    config.refusal_linger = milliseconds(50);
    return config;
}

/// MOVE with both of its places taken.
class FullServer : public MoveServer {
public:
    explicit FullServer(ServerConfig config = quick_config(2))
        : MoveServer(config), first(port()), second(port()) {
        EXPECT_THAT(first.ask(kState), is_state());
        EXPECT_THAT(second.ask(kState), is_state());
    }

    RawWebSocket first;
    RawWebSocket second;
};

TEST_F(Conformance, Case147CapacityFrameWhenFull) {
    const FullServer server(impatient_config(2));
    RawWebSocket third(server.port());
    EXPECT_EQ(third.handshake_reply().status, 101);
    EXPECT_THAT(third.receive_json(), equals_json(kFull));
    EXPECT_EQ(third.receive_close(), kNormalClose);
}

TEST_F(Conformance, Case150HttpIsNotCounted) {
    const FullServer server;
    EXPECT_EQ(http_post(server.port(), "/reset", "{}").status, 200);
}

TEST_F(Conformance, Case151PlaceIsFreedByClosing) {
    FullServer server;
    server.first.send_text(R"({"type":"close"})");
    EXPECT_EQ(server.first.receive_close(), kNormalClose);
    EXPECT_THAT(connect_when_free(server.port()).reply, is_state());
}

TEST_F(Conformance, Case153CapacityFrameIsStillThereLater) {
    const FullServer server;
    RawWebSocket third(server.port());
    third.wait_readable();  // the refusal has come; only then does the client speak
    third.send_text(kReset);
    EXPECT_THAT(third.receive_json(), equals_json(kFull));
    EXPECT_EQ(third.receive_close(), kNormalClose);
}

TEST_F(Conformance, Case154ReconnectDuringTheStepOfALostClient) {
    SlowServer server(quick_config(1));
    {
        RawWebSocket lost(server.port());
        lost.send_text(kWait);
        server.gate.wait_for_arrivals(1);
        lost.socket().abort();
    }
    // The environment cannot be stopped in its step, so its place stays taken.
    RawWebSocket early(server.port());
    EXPECT_THAT(early.ask(kState), is_error("CAPACITY_REACHED"));
    server.gate.open();
    EXPECT_THAT(connect_when_free(server.port()).reply, is_state());
}

TEST_F(Conformance, Case155PlaceIsFreedByAReset) {
    const MoveServer server(quick_config(1));
    RawWebSocket lost(server.port());
    EXPECT_THAT(lost.ask(kState), is_state());
    lost.socket().abort();
    EXPECT_THAT(connect_when_free(server.port()).reply, is_state());
}

TEST_F(Conformance, Case156EnvironmentCannotBeBuilt) {
    log.expect_error("BadEnv");
    const RunningServer server(fixture::bad_entry(), impatient_config(1));
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.receive_json(), equals_json(R"({"type":"error","data":{
        "message":"Environment factory 'BadEnv' failed to create instance.",
        "code":"FACTORY_ERROR","factory_name":"BadEnv"}})"));
    EXPECT_EQ(server.active_sessions(), 0U);
    EXPECT_EQ(socket.receive_close(), kNormalClose);
}

std::string configuration_error(EnvironmentEntry entry, ServerConfig config) {
    try {
        const Server server(std::move(entry), std::move(config));
        return "the configuration was accepted";
    } catch (const ConfigError& error) {
        return error.what();
    }
}

TEST_F(Conformance, Case159TwoPlacesForOneAtATime) {
    const std::string error = configuration_error(fixture::val_entry(), quick_config(2));
    EXPECT_THAT(error, HasSubstr("ValEnvironment"));
    EXPECT_THAT(error, HasSubstr("max_concurrent_envs=2"));
    EXPECT_THAT(error, HasSubstr("SUPPORTS_CONCURRENT_SESSIONS"));
}

TEST_F(Conformance, Case160LimitGivenTwice) {
    ServerConfig config = quick_config(2);
    config.concurrency = ConcurrencyConfig{.max_concurrent_envs = 2};
    EXPECT_THAT(configuration_error(move_entry(), config), HasSubstr("max_concurrent_envs"));
}

TEST_F(Conformance, Case161LimitsOfZero) {
    EXPECT_THAT(
        configuration_error(move_entry(), quick_config(0)), HasSubstr("max_concurrent_envs is 0")
    );
    ServerConfig config = quick_config(2);
    config.session_timeout = milliseconds(0);
    EXPECT_THAT(configuration_error(move_entry(), config), HasSubstr("session_timeout"));
}

TEST_F(Conformance, Case162SessionsDoNotMix) {
    const MoveServer server;
    RawWebSocket first(server.port());
    RawWebSocket second(server.port());
    (void)first.ask(kHi);
    (void)second.ask(kHi);
    (void)first.ask(kHi);
    (void)first.ask(kHi);
    EXPECT_THAT(first.ask(kState), contains_json(R"({"data":{"step_count":3}})"));
    EXPECT_THAT(second.ask(kState), contains_json(R"({"data":{"step_count":1}})"));
}

TEST_F(Conformance, Case163PlaceIsTakenBeforeBuilding) {
    Gate gate;
    const auto build = [&gate] {
        gate.pass();
        return std::make_unique<fixture::MoveEnvironment>();
    };
    const RunningServer server(
        environment_entry<fixture::MoveEnvironment>("slow to build", build), quick_config(1)
    );
    RawWebSocket first(server.port());
    gate.wait_for_arrivals(1);
    RawWebSocket second(server.port());
    EXPECT_THAT(second.ask(kState), is_error("CAPACITY_REACHED"));
    gate.open();
    EXPECT_THAT(first.ask(kState), is_state());
}

TEST_F(Conformance, Case164OneThreadPerSession) {
    LifeLog life;
    const RunningServer server(life_entry(life), quick_config(2));
    constexpr std::string_view kStep = R"({"type":"step","data":{}})";
    constexpr std::string_view kClose = R"({"type":"close"})";
    RawWebSocket first(server.port());
    RawWebSocket second(server.port());
    for (const std::string_view message : {kReset, kStep}) {
        (void)first.ask(message);
        (void)second.ask(message);
    }
    first.send_text(kClose);
    second.send_text(kClose);
    life.wait_for("destroyed", 2);

    std::set<std::thread::id> threads{std::this_thread::get_id()};
    for (const int instance : {1, 2}) {
        std::vector<std::string> events;
        std::set<std::thread::id> own;
        for (const LifeLog::Event& event : life.events_of(instance)) {
            events.push_back(event.what);
            own.insert(event.thread);
        }
        EXPECT_THAT(events, testing::ElementsAre("built", "reset", "step", "close", "destroyed"));
        EXPECT_EQ(own.size(), 1U);
        threads.merge(own);
    }
    EXPECT_EQ(threads.size(), 3U);
}

testing::Matcher<const Json&> is_reaped() {
    return is_error("SESSION_ERROR");
}

/// Short enough to wait for, long enough for a busy machine to keep a session alive.
constexpr milliseconds kSessionTimeout{1000};

ServerConfig reaping_config(milliseconds session_timeout) {
    ServerConfig config = quick_config(2);
    config.session_timeout = session_timeout;
    return config;
}

TEST_F(Conformance, Case166IdleSessionIsReaped) {
    ServerConfig config = reaping_config(milliseconds(50));
    config.max_concurrent_envs = 1;
    const MoveServer server(config);
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.receive_json(), is_reaped());
    EXPECT_EQ(socket.receive_close().code, 1000);
    (void)connect_when_free(server.port());
}

TEST_F(Conformance, Case167StepsKeepASessionAlive) {
    const MoveServer server(reaping_config(kSessionTimeout));
    RawWebSocket idle(server.port());
    RawWebSocket active(server.port());
    // Steps until the other session has been reaped: longer than the limit.
    while (!idle.readable()) {
        ASSERT_THAT(active.ask(kHi), contains_json(R"({"type":"observation"})"));
    }
    EXPECT_THAT(idle.receive_json(), is_reaped());
    EXPECT_THAT(active.ask(kState), is_state());
}

TEST_F(Conformance, Case168NoLimitNoReaping) {
    EXPECT_FALSE(ServerConfig{}.session_timeout.has_value());
    ServerConfig config = quick_config(2);
    config.ping_interval = milliseconds(10);
    const MoveServer server(config);
    RawWebSocket socket(server.port());
    // Every ping is a round of the server's clock that could have ended the session.
    for (int i = 0; i != 10; ++i) {
        const WsFrame frame = socket.receive_frame();
        ASSERT_EQ(frame.opcode, Opcode::ping);
        socket.send_frame(Opcode::pong, frame.payload);
    }
    EXPECT_EQ(server.active_sessions(), 1U);
}

TEST_F(Conformance, Case169SessionWithWorkIsNotReaped) {
    SlowServer server(reaping_config(kSessionTimeout));
    RawWebSocket busy(server.port());
    busy.send_text(kWait);
    server.gate.wait_for_arrivals(1);
    busy.send_text(kState);  // waits its turn; so the session is not idle when the step ends
    // Another session that is reaped shows that the limit has passed and was looked at.
    RawWebSocket idle(server.port());
    EXPECT_THAT(idle.receive_json(), is_reaped());
    server.gate.open();
    EXPECT_EQ(response_of(busy.receive_json()), "echo:wait timeout=None");
    EXPECT_THAT(busy.receive_json(), is_state());
}

}  // namespace
}  // namespace conformance
}  // namespace openenv
