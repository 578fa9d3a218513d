#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace wordle_demo {

/// Where an environment's WebSocket is found.
struct Endpoint {
    std::string host;
    std::string port = "8000";
    std::string path = "/ws";
};

/// Reads `ws://HOST[:PORT][/PATH]`.  Errors: throws std::invalid_argument with what is wrong.
[[nodiscard]] Endpoint parse_url(std::string_view url);

/// What the environment answers to a reset or a step.
struct Turn {
    std::string transcript;  ///< all that was said in this episode
    double reward = 0.0;
    bool done = false;
};

/// One session with the environment over one WebSocket. The protocol is a handful of JSON messages;
/// this class shows all that a client needs of it.
/// Errors: every call throws std::runtime_error (or what Boost throws for a broken socket); the
/// connection is of no use afterwards.
/// Thread: one thread at a time.  Blocking: every call waits for the server, without a limit.
class EnvConnection {
public:
    explicit EnvConnection(const Endpoint& endpoint);
    ~EnvConnection();
    EnvConnection(const EnvConnection&) = delete;
    EnvConnection& operator=(const EnvConnection&) = delete;

    Turn reset(std::int64_t seed);
    Turn step(std::string_view message);
    /// Ends the session politely.
    void close();

private:
    struct Socket;
    std::unique_ptr<Socket> socket_;
};

}  // namespace wordle_demo
