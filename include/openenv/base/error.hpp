#pragma once

#include <boost/system/result.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace openenv {
inline namespace v0 {

/// Every kind of failure the library reports. Closed: `docs/errors.md` maps each to the wire.
enum class Errc {
    invalid_json,      ///< the text is not JSON, or is deeper or larger than allowed
    unknown_type,      ///< an envelope whose `type` nobody knows
    validation,        ///< well-formed JSON that does not fit the model it is meant for
    execution,         ///< the environment threw
    capacity_reached,  ///< every session slot is taken
    factory_failed,    ///< the environment could not be built
    session,           ///< the session is gone or cannot be used any more
    timeout,           ///< a deadline passed; the message names the phase
    cancelled,         ///< the peer left, or the server is stopping
    configuration,     ///< a setting that cannot be; the message says the way out
    network,           ///< a socket could not be opened, bound, read or written
    usage,             ///< a call that cannot be made this way; the message says the way out
};

/// The stable name of a code, for logs and documentation ("invalid_json").
[[nodiscard]] const char* name_of(Errc code) noexcept;

/// An expected failure. `message` may reach the peer, `detail` goes to the log only.
struct Error {
    Errc code = Errc::session;
    std::string message;
    std::string detail = {};
    // Of calls that a client made:
    std::string server_code = {};  ///< the code that the server sent, such as "EXECUTION_ERROR"
    std::string errors = {};       ///< what the server found wrong, as a JSON array; or empty
    std::string phase = {};        ///< what a call was doing when it ended: "connecting"
};

/// A value or an Error; for outcomes that a caller is expected to handle.
template <class T>
using Result = boost::system::result<T, Error>;

/// What public calls throw: an Error with `what()` being its message.
class Exception : public std::runtime_error {
public:
    explicit Exception(Error error);
    [[nodiscard]] Errc code() const noexcept { return error_.code; }
    [[nodiscard]] const Error& error() const noexcept { return error_; }

private:
    Error error_;
};

/// A setting that cannot be. The message names the setting and how to get out.
class ConfigError : public Exception {
public:
    explicit ConfigError(std::string message);
};

/// Thrown by an environment's author to refuse a call with a text meant for the peer.
/// The session stays alive; the peer reads the text with code EXECUTION_ERROR.
class UserError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Lets `result.value()` throw our Exception (found by Boost.System through ADL).
[[noreturn]] void throw_exception_from_error(
    const Error& error, const boost::source_location& where
);

}  // namespace v0
}  // namespace openenv
