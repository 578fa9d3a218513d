#pragma once

#include "server/caller.hpp"

#include <openenv/base/error.hpp>
#include <openenv/net/sweeper.hpp>
#include <openenv/session/execution.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace server {

/// The body of GET /metadata. Asking an environment needs an instance, so one is built at the first
/// request, once, however many ask at the same time; a failure is told and not remembered.
/// Thread: any io thread.
class MetadataCache {
public:
    /// `readme` stands in where the environment brings none.
    MetadataCache(session::EnvironmentHost& host, std::optional<std::string> readme);

    [[nodiscard]] net::io_awaitable<Result<std::string>> get(Caller& caller);

private:
    struct Waiter;

    [[nodiscard]] net::io_awaitable<Result<std::string>> ask(Caller& caller);
    void finish(const Result<std::string>& answer);

    session::EnvironmentHost& host_;
    const std::optional<std::string> readme_;
    std::mutex mutex_;
    bool asking_ = false;
    std::optional<std::string> known_;
    std::vector<std::shared_ptr<Waiter>> waiters_;  // shared with the coroutines that wait
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
