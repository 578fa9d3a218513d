#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace openenv {
namespace test {

/// One client of a ScriptedServer, as its script sees it. Blocking: every operation.
/// Errors: every operation throws when the connection has ended.
class ScriptedPeer {
public:
    class Impl;
    explicit ScriptedPeer(Impl& impl, std::size_t number) : impl_(impl), number_(number) {}

    /// Which connection of the server it is, from 0.
    [[nodiscard]] std::size_t number() const noexcept { return number_; }
    /// The header of that name in the request, or an empty text.
    [[nodiscard]] std::string header(std::string_view name) const;
    /// The path and query of the request.
    [[nodiscard]] std::string target() const;
    /// "GET", "POST", ...
    [[nodiscard]] std::string method() const;
    /// What came after the header of the request.
    [[nodiscard]] const std::string& body() const;

    /// The next message.
    [[nodiscard]] std::string read();
    void send(std::string_view message);
    /// The same in a binary frame, which no server of environments sends.
    void send_binary(std::string_view message);
    /// read(), then send().
    std::string answer(std::string_view message);
    /// Sends a close frame, and waits for the client's.
    void close(std::uint16_t code, std::string_view reason = {});
    /// Reads until the client closes, and returns the code of its close frame; 0 without one.
    std::uint16_t wait_for_close();
    /// The code of the client's close frame, once read() has thrown because of it; 0 without one.
    [[nodiscard]] std::uint16_t close_code() const;
    /// Ends the TCP connection without a close frame: properly, or by a reset.
    void drop();
    void reset();
    /// Makes a WebSocket of it after all, in a script for plain HTTP.
    void accept();
    /// Sends bytes as they are, in no frame.
    void send_bytes(std::string_view bytes);
    /// Returns once the client has ended the TCP connection, by whatever means.
    void wait_for_end();
    /// Pings that the client has sent so far; those are answered while something is read.
    [[nodiscard]] std::size_t pings() const noexcept;

private:
    Impl& impl_;
    std::size_t number_;
};

/// A server that does to each client what a script says, on a thread of its own, once it has read a
/// request: over a WebSocket, or as plain HTTP. At its end it drops what is left and waits for the
/// scripts.
class ScriptedServer {
public:
    using Script = std::function<void(ScriptedPeer&)>;
    /// Bytes that are sent to a client instead of an upgrade; its request is read before.
    using Refusal = std::string;
    /// A script that answers the request itself, by send_bytes() or accept().
    struct Plain {
        Script script;
    };

    /// A script for a server that grants extensions: what it sends as `OpenEnv-Features`.
    struct Granting {
        std::string features;
        Script script;
    };

    explicit ScriptedServer(Script script, std::uint16_t port = 0);
    explicit ScriptedServer(Granting granting);
    explicit ScriptedServer(Plain plain);
    explicit ScriptedServer(Refusal refusal);
    ~ScriptedServer();
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;

    [[nodiscard]] std::uint16_t port() const noexcept;
    /// "http://127.0.0.1:PORT".
    [[nodiscard]] std::string url() const;
    /// Connections accepted so far.
    [[nodiscard]] std::size_t connections() const;
    /// Ends, at once and without a close frame, the connections that are open; the scripts see
    /// that.
    void drop_all();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// "http://127.0.0.1:PORT" of a server that has gone: nobody listens there.
[[nodiscard]] std::string url_of_nobody();

/// Frames that servers send.
[[nodiscard]] std::string observation_frame(
    std::string_view observation = "{}", std::string_view beside = R"("reward":null,"done":false)"
);
[[nodiscard]] std::string state_frame(
    std::string_view state = R"({"episode_id":null,"step_count":0})"
);
[[nodiscard]] std::string error_frame(std::string_view code, std::string_view message);

}  // namespace test
}  // namespace openenv
