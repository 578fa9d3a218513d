#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace openenv::bench {

/// Why a session failed. The names are part of what `openenv bench --json` prints.
enum class Reason : std::uint8_t {
    connect_refused,
    connect_failed,   ///< no way there, or no TLS
    upgrade_refused,  ///< an HTTP answer that opens no WebSocket
    capacity,         ///< the server has no place free
    timeout,          ///< no answer in time
    closed,           ///< the server ended the connection
    error_frame,      ///< the server answered with an error
    wrong_answer,     ///< an answer that was not asked for
    protocol,         ///< broken framing, or a message beyond the limit
    local,            ///< this machine has no descriptors or no ports left
};

/// "connect_refused" and so on.
[[nodiscard]] std::string_view name_of(Reason reason) noexcept;

/// The end of a session before its time. `code` is the server's, of an error frame.
class Trouble : public std::runtime_error {
public:
    Trouble(Reason why, const std::string& text, std::string server_code = {})
        : std::runtime_error(text), reason(why), code(std::move(server_code)) {}

    Reason reason;
    std::string code;
};

}  // namespace openenv::bench
