#include "integration/support/probe_environment.hpp"

#include "support/hang_bound.hpp"

#include <openenv/env/typed_environment.hpp>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <utility>

namespace openenv {
namespace test {

namespace {

/// Returns once `stop` was triggered.
void wait_for(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any triggered;
    std::unique_lock lock(mutex);
    triggered.wait_for(lock, stop, kHangBound, [] { return false; });
    if (!stop.stop_requested()) {
        throw UserError("the stop token was never triggered");
    }
}

/// A step that takes so long, unless it is told to stop.
void linger(std::chrono::microseconds time, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any told;
    std::unique_lock lock(mutex);
    told.wait_for(lock, stop, time, [] { return false; });
}

}  // namespace

std::string Probe::bulk(std::size_t size) {
    return R"({"type":"step","data":{"what":"bulk","size":)" + std::to_string(size) + "}}";
}

ProbeEnvironment::ProbeEnvironment(Probe& probe) : probe_(probe) {
    probe_.life.built();
}

ProbeEnvironment::~ProbeEnvironment() {
    probe_.life.destroyed(this);
}

ProbeObservation ProbeEnvironment::reset(const ResetOptions& options) {
    state_.episode_id = options.episode_id;
    state_.step_count = 0;
    return {};
}

ProbeObservation ProbeEnvironment::step(const ProbeAction& action, const StepOptions& options) {
    probe_.life.stepped();
    ++state_.step_count;
    return answer(action, options);
}

ProbeObservation ProbeEnvironment::answer(const ProbeAction& action, const StepOptions& options) {
    ProbeObservation observation;
    observation.text = action.what;
    if (action.what == "wait") {
        probe_.gate.pass();
    } else if (action.what == "wait_for_stop") {
        wait_for(options.stop);
        probe_.life.stopped();
    } else if (action.what == "bulk") {
        observation.text.assign(static_cast<std::size_t>(action.size), 'x');
    } else if (action.what == "throw") {
        throw std::runtime_error("step failed");
    } else if (action.what == "throw_number") {
        throw 42;
    } else if (action.what == "throw_bad_text") {
        throw std::runtime_error("bad \xff\xfe bytes \xc3");
    } else if (action.size != 0) {
        linger(std::chrono::microseconds(action.size), options.stop);
    }
    return observation;
}

void ProbeEnvironment::close() noexcept {
    if (probe_.slow_closing) {
        probe_.close_gate.pass();
    }
    probe_.life.closed(this, right_thread());
}

EnvironmentEntry probe_entry(Probe& probe, std::function<void()> factory) {
    return environment_entry<ProbeEnvironment>("probe", [&probe, factory = std::move(factory)] {
        factory();
        return std::make_unique<ProbeEnvironment>(probe);
    });
}

EnvironmentEntry pinned_probe_entry(Probe& probe) {
    return environment_entry<PinnedProbe>("pinned probe", [&probe] {
        return std::make_unique<PinnedProbe>(probe);
    });
}

}  // namespace test
}  // namespace openenv
