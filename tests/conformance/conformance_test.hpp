#pragma once

#include "support/expect_json.hpp"
#include "support/fixtures/life.hpp"
#include "support/fixtures/move.hpp"
#include "support/fixtures/slow.hpp"
#include "support/fixtures/small.hpp"
#include "support/gate.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <openenv/base/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace openenv {

/// The numbered cases of docs/conformance.md. Each fails on an error in the log that it does not
/// expect.
class Conformance : public testing::Test {
public:
    test::LogCapture log;
};

namespace conformance {

using fixture::life_entry;
using fixture::LifeLog;
using fixture::move_entry;
using test::contains_json;
using test::equals_json;
using test::Gate;
using test::has_errors;
using test::http;
using test::http_bytes;
using test::http_get;
using test::http_post;
using test::HttpReply;
using test::is_error;
using test::is_validation_error;
using test::quick_config;
using test::RawWebSocket;
using test::RunningServer;
using test::WsClose;
using test::WsFrame;

inline constexpr std::string_view kReset = R"({"type":"reset","data":{}})";
inline constexpr std::string_view kState = R"({"type":"state"})";
inline constexpr std::string_view kHi = R"({"type":"step","data":{"message":"hi"}})";
/// A step that waits at the gate of a SlowServer.
inline constexpr std::string_view kWait = R"({"type":"step","data":{"message":"wait"}})";

/// How a regular end looks.
inline const WsClose kNormalClose{1000, ""};

/// MOVE with room for two sessions, as the cases want it.
class MoveServer : public RunningServer {
public:
    explicit MoveServer(ServerConfig config = quick_config(2))
        : RunningServer(move_entry(), std::move(config)) {}
};

/// SLOW with its gate, which is opened at the end at the latest.
class SlowServer {
public:
    explicit SlowServer(ServerConfig config = quick_config(2))
        : server_(fixture::slow_entry(gate), std::move(config)) {}
    ~SlowServer() { gate.open(); }

    [[nodiscard]] std::uint16_t port() const { return server_.port(); }

    Gate gate;

private:
    RunningServer server_;
};

/// A connection to `/ws` of a server that may have to free a place first: connects again as long as
/// it is told that there is none. `reply` is the answer to a state message.
struct FreeSession {
    std::unique_ptr<RawWebSocket> socket;
    Json reply;
};
[[nodiscard]] FreeSession connect_when_free(std::uint16_t port);

/// The response text of an observation frame or of the body of a result.
[[nodiscard]] std::string response_of(const Json& reply);

}  // namespace conformance
}  // namespace openenv
