#pragma once

#include <openenv/base/error.hpp>
#include <openenv/base/json.hpp>

#include <string>

namespace openenv {
inline namespace v0 {

/// The server has no free place for a session. Worth another try later.
class CapacityReached : public Exception {
public:
    using Exception::Exception;
};

/// An action or argument that the server refused (`errors()` lists why), or an answer that does not
/// fit the types of the client.
class ValidationFailed : public Exception {
public:
    using Exception::Exception;
    /// What the server found wrong, each with type, loc, msg and input; empty for an answer.
    [[nodiscard]] Json errors() const {
        return error().errors.empty() ? Json::array() : Json::parse(error().errors);
    }
    /// The same for people, such as "amount: Input should be less than or equal to 10"; what() when
    /// there is no list.
    [[nodiscard]] std::string reasons() const;
};

/// The environment threw; the message is its own. The session goes on.
class ExecutionFailed : public Exception {
public:
    using Exception::Exception;
};

/// The connection that held the session is gone, and with it the episode. `reset` begins anew.
class SessionLost : public Exception {
public:
    using Exception::Exception;
};

/// The call took longer than it may. `error().phase` says what it was doing: "queued" (for its turn
/// on the client), "starting the server", "connecting": then nothing was sent and a session stays
/// as it is. "resetting", "stepping", "reading the state": then whether it was carried out is
/// unknown, and the session is lost unless the server grants `ids`. "reading the schema",
/// "receiving" (of a VectorEnv): nothing is lost by that. With a server_code it is the server that
/// says so, and "queued", "creating" or "running" its phase.
class Timeout : public Exception {
public:
    using Exception::Exception;
};

/// The server could not be reached; the message says at which step.
class ConnectFailed : public Exception {
public:
    using Exception::Exception;
};

}  // namespace v0
}  // namespace openenv
