#pragma once

#include <openenv/net/executors.hpp>
#include <openenv/net/peer.hpp>
#include <openenv/session/session.hpp>

#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

struct Shard;

/// Who waits for the answer to an HTTP request, and the call into an environment that is made for
/// it, if any. Thread: its io thread.
class Caller {
public:
    Caller(net::IoExecutor io, Shard& shard, net::Peer peer)
        : io_(io), shard_(shard), peer_(std::move(peer)) {}
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    [[nodiscard]] net::IoExecutor io() const { return io_; }
    [[nodiscard]] Shard& shard() const noexcept { return shard_; }
    [[nodiscard]] const net::Peer& peer() const noexcept { return peer_; }

    /// Names the session that works for a caller, while it does.
    class Working {
    public:
        Working(Caller& caller, session::Session& session) : caller_(caller) {
            caller_.session_ = &session;
        }
        ~Working() { caller_.session_ = nullptr; }
        Working(const Working&) = delete;
        Working& operator=(const Working&) = delete;

    private:
        Caller& caller_;
    };

    /// The caller has left: asks the environment to stop early.
    void gone() {
        if (session_ != nullptr) {
            session_->request_stop();
        }
    }
    /// Nobody can wait any longer: the call is given up.
    void give_up() {
        if (session_ != nullptr) {
            session_->request_stop();
            session_->give_up();
        }
    }

private:
    net::IoExecutor io_;
    Shard& shard_;
    const net::Peer peer_;
    session::Session* session_ = nullptr;
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
