#pragma once

#include <chrono>
#include <string>

namespace openenv {
inline namespace v0 {

/// Starts what a client connects to, such as a container, and stops it again.
/// Errors: every function throws; the client passes that on as it is.
/// Thread: one call at a time, from a worker thread of the client: each may block, but has to come
/// back. A client's call that is given up does not end it.
/// A client that is destroyed without close() stops nothing: the destructor has to.
class Provider {
public:
    virtual ~Provider() = default;

    /// Starts the server and returns its base URL; it need not answer yet.
    virtual std::string start() = 0;
    /// Returns once the server at `base_url` answers.  Errors: throws when it does not in time.
    virtual void wait_until_ready(
        const std::string& base_url, std::chrono::milliseconds patience
    ) = 0;
    /// Stops what start() has started.
    virtual void stop() = 0;
};

}  // namespace v0
}  // namespace openenv
