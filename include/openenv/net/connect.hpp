#pragma once

#include <openenv/base/error.hpp>
#include <openenv/net/connection.hpp>
#include <openenv/net/http.hpp>
#include <openenv/net/url.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace net {

/// The certificates that servers are checked against. Thread: any. Shared by all attempts of a
/// client, because reading them takes milliseconds.
class TlsTrust;
/// The system's certificates, or those of a file (PEM).  Blocking: reads files.
/// Errors: ConfigError when the file cannot be read or holds none.
[[nodiscard]] std::shared_ptr<TlsTrust> trust_in(const std::string& ca_file);

/// How to reach servers.
struct DialOptions {
    std::shared_ptr<TlsTrust> trust = nullptr;  ///< needed for https and wss
    /// Sent with every upgrade and request.
    std::vector<std::pair<std::string, std::string>> headers = {};
};

/// Whether a header has that name, in whatever letter case.
[[nodiscard]] bool is_header(std::string_view given, std::string_view name);
/// Whether these may be sent with a request, whatever a user has put into them.
/// Errors: ConfigError for a name that is none or belongs to the request itself, and for a value
/// with control characters; values are not shown.
void check_headers(const std::vector<std::pair<std::string, std::string>>& headers);

/// What may be behind a status that is none of those wanted, in brackets and with a blank before;
/// empty where nothing is known.
[[nodiscard]] std::string status_hint(unsigned status);

/// One attempt to reach a server. Nothing of it is shared with other attempts, and it can be ended
/// at every point: whoever waits for it then reads an error.
/// Thread: its io thread. Lifetime: longer than the coroutine that waits for it.
class Dial {
public:
    class Impl;
    /// `sweeper` watches the WebSockets made with it, and outlives the attempt.
    Dial(
        IoExecutor io,
        DialOptions options,
        std::shared_ptr<const ConnectionLimits> limits,
        Sweeper& sweeper
    );
    ~Dial();
    Dial(const Dial&) = delete;
    Dial& operator=(const Dial&) = delete;

    /// Connects, through TLS and a proxy where the URL and the environment variables say so, and
    /// asks for a WebSocket at `url.target("ws")`.
    /// Errors: network, configuration; the text says which step failed. cancelled after abort().
    [[nodiscard]] io_awaitable<Result<std::unique_ptr<MessageStream>>> websocket(Url url);

    /// Connects likewise, makes one HTTP request and reads the whole answer, at most
    /// `limits.body_bytes` of it; redirections are not followed. `target` is the path and query as
    /// sent. How long it may take is for the caller to say, by abort().  Errors: as websocket();
    /// any status is an answer.
    [[nodiscard]] io_awaitable<Result<HttpResponse>> request(
        Url url, std::string method, std::string target, std::string body
    );
    /// Whether request() has connected.
    [[nodiscard]] bool is_connected() const noexcept;

    /// What the attempt is doing: "starting", "resolving", "connecting", "asking the proxy",
    /// "securing", "upgrading", "waiting for the answer".
    [[nodiscard]] std::string_view step() const noexcept;
    /// Ends the attempt; does nothing when it has ended.
    void abort() noexcept;

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace net
}  // namespace v0
}  // namespace openenv
