#pragma once

#include "support/scripted_server.hpp"

#include <openenv/base/json.hpp>

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace openenv {
namespace test {

/// A server that gives these answers in turn, whatever it is asked, and notes what that was.
class Answering {
public:
    explicit Answering(std::vector<std::string> answers)
        : answers_(std::move(answers)), server_([this](ScriptedPeer& peer) { serve(peer); }) {}

    [[nodiscard]] std::string url() const { return server_.url(); }
    [[nodiscard]] std::vector<Json> asked() const {
        const std::scoped_lock lock(mutex_);
        return asked_;
    }
    [[nodiscard]] std::size_t connections() const { return server_.connections(); }

private:
    void serve(ScriptedPeer& peer) {
        for (const std::string& answer : answers_) {
            const Json question = Json::parse(peer.read());
            {
                const std::scoped_lock lock(mutex_);
                asked_.push_back(question);
            }
            peer.send(answer);
        }
        peer.wait_for_close();
    }

    const std::vector<std::string> answers_;
    mutable std::mutex mutex_;  // the script runs on a thread of the server's
    std::vector<Json> asked_;
    ScriptedServer server_;
};

}  // namespace test
}  // namespace openenv
