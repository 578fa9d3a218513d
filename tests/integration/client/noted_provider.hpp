#pragma once

#include "integration/client/notes.hpp"
#include "support/gate.hpp"

#include <openenv/provider/provider.hpp>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

namespace openenv {
namespace test {

class StartFailed : public std::runtime_error {
    using std::runtime_error::runtime_error;
};
class NeverReady : public std::runtime_error {
    using std::runtime_error::runtime_error;
};
class StopFailed : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Notes "start" and "ready" when it comes back from those, and "stop" when it is told to.
/// Thread: the client's workers; the flags may be set at any time, the gates before anything else.
class NotedProvider final : public Provider {
public:
    NotedProvider(Notes& notes, std::string url) : notes_(notes), url_(std::move(url)) {}

    std::string start() override {
        if (start_gate != nullptr) {
            start_gate->pass();
        }
        notes_.add("start");
        if (start_fails) {
            throw StartFailed("it cannot be started");
        }
        return url_;
    }
    void wait_until_ready(const std::string& url, std::chrono::milliseconds patience) override {
        notes_.add(url == url_ ? "ready" : "ready at another address: " + url);
        patience_given = patience;
        if (never_ready) {
            throw NeverReady("it never became ready");
        }
    }
    void stop() override {
        notes_.add("stop");
        if (stop_gate != nullptr) {
            stop_gate->pass();
        }
        if (stop_fails) {
            throw StopFailed("it cannot be stopped");
        }
    }

    Gate* start_gate = nullptr;
    Gate* stop_gate = nullptr;
    std::atomic<bool> start_fails{false};
    std::atomic<bool> never_ready{false};
    std::atomic<bool> stop_fails{false};
    std::atomic<std::chrono::milliseconds> patience_given{};

private:
    Notes& notes_;
    const std::string url_;
};

}  // namespace test
}  // namespace openenv
