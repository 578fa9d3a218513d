#pragma once

#include "integration/support/life_count.hpp"
#include "support/gate.hpp"

#include <openenv/env/entry.hpp>
#include <openenv/env/environment.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

namespace openenv {
namespace test {

struct ProbeAction : Action {
    std::string what;
    std::int64_t size = 0;

    static constexpr auto fields = openenv::fields(
        field("what", &ProbeAction::what), field("size", &ProbeAction::size).or_default()
    );
};

struct ProbeObservation : Observation {
    std::string text;

    static constexpr auto fields = openenv::fields(field("text", &ProbeObservation::text));
};

/// What a test and its ProbeEnvironments share. Lifetime: outlives the server.
struct Probe {
    LifeCount life;
    Gate gate;                              ///< of steps
    Gate close_gate;                        ///< of close(), with slow_closing
    std::atomic<bool> slow_closing{false};  ///< close() waits at its gate

    /// Steps, as text frames.
    static constexpr const char* kStep = R"({"type":"step","data":{"what":"echo"}})";
    static constexpr const char* kWait = R"({"type":"step","data":{"what":"wait"}})";
    static constexpr const char* kWaitForStop =
        R"({"type":"step","data":{"what":"wait_for_stop"}})";
    /// A step that is answered with a text of `size` bytes.
    [[nodiscard]] static std::string bulk(std::size_t size);
};

/// Does what a step's `what` says, and tells all that happens to it to a LifeCount:
/// "wait": waits at the gate; "wait_for_stop": waits for its stop token; "bulk": answers with
/// `size` letters; "throw", "throw_number", "throw_bad_text": throws; everything else is sent back,
/// after `size` microseconds unless it is told to stop before.
class ProbeEnvironment : public Environment<ProbeAction, ProbeObservation> {
public:
    static constexpr bool supports_concurrent_sessions = true;

    explicit ProbeEnvironment(Probe& probe);
    ~ProbeEnvironment() override;

    ProbeObservation reset(const ResetOptions& options) override;
    ProbeObservation step(const ProbeAction& action, const StepOptions& options) override;
    [[nodiscard]] const State& state() const override { return state_; }
    void close() noexcept override;

protected:
    /// True when close() is on a thread that it may be on.
    [[nodiscard]] virtual bool right_thread() const noexcept { return true; }
    [[nodiscard]] std::thread::id builder() const noexcept { return builder_; }

private:
    ProbeObservation answer(const ProbeAction& action, const StepOptions& options);

    Probe& probe_;
    const std::thread::id builder_ = std::this_thread::get_id();
    State state_;
};

/// The same, pinned to one thread.
class PinnedProbe final : public ProbeEnvironment {
public:
    static constexpr Execution execution = Execution::pinned;
    using ProbeEnvironment::ProbeEnvironment;

protected:
    [[nodiscard]] bool right_thread() const noexcept override {
        return builder() == std::this_thread::get_id();
    }
};

/// `factory` is called before each is built and may wait or throw.
[[nodiscard]] EnvironmentEntry probe_entry(
    Probe& probe, std::function<void()> factory = [] {}
);
[[nodiscard]] EnvironmentEntry pinned_probe_entry(Probe& probe);

}  // namespace test
}  // namespace openenv
