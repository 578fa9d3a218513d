#pragma once

#include <openenv/base/json.hpp>
#include <openenv/client/options.hpp>
#include <openenv/client/pending.hpp>

#include <concepts>
#include <memory>

namespace openenv {
inline namespace v0 {

/// The blocking face of a client; see EnvClient::sync(). Every function waits for its answer.
/// Errors and Thread: as the client's; not on the client's own loop.
/// Lifetime: part of its client.
template <class Client>
class SyncClient {
public:
    explicit SyncClient(Client& owner) noexcept : client_(owner) {}
    SyncClient(const SyncClient&) = delete;
    SyncClient& operator=(const SyncClient&) = delete;

    void connect(CallOptions options = {}) { client_.connect(options).get(); }
    auto reset() { return client_.reset().get(); }
    auto reset(const auto& arguments, CallOptions options = {}) {
        return client_.reset(arguments, options).get();
    }
    /// Takes temporaries too.
    auto step(const typename Client::Action& action, CallOptions options = {}) {
        return client_.step(action, options).get();
    }
    auto state(CallOptions options = {}) { return client_.state(options).get(); }
    Json schema(CallOptions options = {}) { return client_.schema(options).get(); }
    void disconnect() { client_.disconnect().get(); }
    void close() { client_.close().get(); }
    template <std::derived_from<Client> Child = Client>
    std::unique_ptr<Child> new_session(CallOptions options = {}) {
        return client_.template new_session<Child>(options).get();
    }

    /// Waits for a call of a derived class: `client.sync().wait(client.guess("crane"))`.
    template <class T>
    T wait(Pending<T> call) {
        return call.get();
    }

    /// The client whose face this is.
    [[nodiscard]] Client& client() noexcept { return client_; }

private:
    Client& client_;
};

}  // namespace v0
}  // namespace openenv
