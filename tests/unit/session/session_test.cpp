#include "support/log_capture.hpp"
#include "unit/session/session_fixture.hpp"

#include <openenv/session/session.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <ctime>
#include <future>
#include <string>
#include <thread>

namespace openenv::session {
namespace {

using namespace std::chrono_literals;

/// What the environment below was asked and did, and the gate that its steps may wait at.
struct Script {
    std::function<void()> on_build = [] {};
    std::function<std::string(std::string_view)> on_step = [](std::string_view action) {
        return std::string(action);
    };
    std::atomic<int> alive = 0;
    std::atomic<int> closed = 0;
    std::atomic<std::thread::id> built_on;
    std::atomic<std::thread::id> stepped_on;
    std::atomic<std::thread::id> destroyed_on;
};

class ScriptedEnvironment final : public AnyEnvironment {
public:
    explicit ScriptedEnvironment(Script& script) : script_(script) {
        script_.on_build();
        script_.built_on = std::this_thread::get_id();
        ++script_.alive;
    }
    ~ScriptedEnvironment() override {
        script_.destroyed_on = std::this_thread::get_id();
        --script_.alive;
    }
    CallOutcome reset(std::string_view, std::stop_token, ResultForm, std::string& out) override {
        out += "reset";
        return CallOutcome::ok;
    }
    CallOutcome step(
        std::string_view action, const StepOptions& options, ResultForm, std::string& out
    ) override {
        stop = options.stop;
        script_.stepped_on = std::this_thread::get_id();
        out += script_.on_step(action);
        return CallOutcome::ok;
    }
    CallOutcome state(std::string& out) override {
        out += "state";
        return CallOutcome::ok;
    }
    std::optional<EnvironmentMetadata> metadata() const override { return std::nullopt; }
    void close() noexcept override { ++script_.closed; }

    std::stop_token stop;

private:
    Script& script_;
};

class SessionTest : public SessionFixture {
protected:
    void host_with(Execution policy, ExecutionSettings settings = {}) {
        EnvironmentEntry entry;
        entry.name = "scripted";
        entry.class_name = "Scripted";
        entry.traits.execution = policy;
        entry.traits.supports_concurrent_sessions = several_at_once;
        entry.make = [this] { return std::make_unique<ScriptedEnvironment>(script); };
        host_entry(std::move(entry), settings);
    }

    bool several_at_once = true;  // what the environment declares
    Script script;
};

TEST_F(SessionTest, AnswersInPlaceWhenInline) {
    host_with(Execution::inline_fast);
    run([this](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        const Result<void> opened = co_await session.open();
        EXPECT_TRUE(opened.has_value());
        StepOptions options;
        const Result<CallOutcome> outcome =
            co_await session.step("hello", options, ResultForm::websocket);
        EXPECT_TRUE(outcome.has_value());
        EXPECT_EQ(session.output(), "hello");
        co_await session.end();
    });
    EXPECT_EQ(script.stepped_on.load(), std::this_thread::get_id());
    EXPECT_EQ(script.destroyed_on.load(), std::this_thread::get_id());
    EXPECT_EQ(script.closed, 1);
}

TEST_F(SessionTest, AnswersInPlaceWhenAwaitableWithoutTasks) {
    host_with(Execution::awaitable);
    run([this](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        co_await session.open();
        EXPECT_FALSE(session.is_in_place());
        StepOptions options;
        co_await session.step("hello", options, ResultForm::websocket);
        EXPECT_EQ(session.output(), "hello");
        co_await session.end();
    });
    EXPECT_EQ(script.stepped_on.load(), std::this_thread::get_id());
    EXPECT_EQ(script.closed, 1);
}

TEST_F(SessionTest, PinnedSessionsKeepOneThreadEachFromConstructorToDestructor) {
    host_with(Execution::pinned);
    run([this](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session first(*host, executor, std::nullopt);
        co_await first.open();
        const std::thread::id first_thread = script.built_on;
        Session second(*host, executor, std::nullopt);
        co_await second.open();
        const std::thread::id second_thread = script.built_on;
        EXPECT_NE(first_thread, second_thread);
        StepOptions options;
        co_await first.step("a", options, ResultForm::websocket);
        EXPECT_EQ(script.stepped_on.load(), first_thread);
        co_await second.step("b", options, ResultForm::websocket);
        EXPECT_EQ(script.stepped_on.load(), second_thread);
        co_await first.end();
        EXPECT_EQ(script.destroyed_on.load(), first_thread);
        co_await second.end();
        EXPECT_EQ(script.destroyed_on.load(), second_thread);
    });
}

TEST_F(SessionTest, SingleThreadServesEverySession) {
    host_with(Execution::single_thread);
    run([this](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session first(*host, executor, std::nullopt);
        co_await first.open();
        const std::thread::id thread = script.built_on;
        Session second(*host, executor, std::nullopt);
        co_await second.open();
        EXPECT_EQ(script.built_on.load(), thread);
        EXPECT_NE(thread, std::this_thread::get_id());
        co_await first.end();
        co_await second.end();
        EXPECT_EQ(script.destroyed_on.load(), thread);
    });
}

/// Keeps this thread busy for that much of its own time.
void compute_for(std::chrono::nanoseconds time) {
    const auto spent = [] {
        timespec now{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
    };
    for (const auto end = spent() + time; spent() < end;) {
    }
}

TEST_F(SessionTest, SlowInlineCallsDemoteTheEnvironmentForGood) {
    host_with(Execution::inline_fast, {.inline_budget = 10ms});
    script.on_build = [] { compute_for(15ms); };
    script.on_step = [](std::string_view) {
        compute_for(15ms);
        return std::string();
    };
    run([this](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        co_await session.open();
        EXPECT_EQ(host->policy(), Execution::inline_fast) << "once may be the system's doing";
        StepOptions options;
        co_await session.step("a", options, ResultForm::websocket);
        EXPECT_EQ(host->policy(), Execution::pooled);
        co_await session.step("b", options, ResultForm::websocket);
        EXPECT_NE(script.stepped_on.load(), std::this_thread::get_id());
        co_await session.end();
    });
}

TEST_F(SessionTest, AnInlineCallOfAHundredBudgetsDemotesAtOnce) {
    host_with(Execution::inline_fast, {.inline_budget = 10us});
    script.on_build = [] { compute_for(2ms); };
    run([this](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        co_await session.open();
        EXPECT_EQ(host->policy(), Execution::pooled);
        co_await session.end();
    });
}

TEST_F(SessionTest, FailedFactoryGivesItsPlaceBackAndTellsTheCauseOnlyInDetail) {
    host_with(Execution::pooled);
    script.on_build = [] { throw std::runtime_error("secret cause"); };
    Capacity capacity(1);
    run([&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, capacity.reserve());
        EXPECT_FALSE(capacity.reserve().has_value());
        const Result<void> opened = co_await session.open();
        EXPECT_FALSE(opened.has_value());
        EXPECT_EQ(opened.error().code, Errc::factory_failed);
        EXPECT_EQ(
            opened.error().message, "Environment factory 'Scripted' failed to create instance."
        );
        EXPECT_EQ(opened.error().detail, "secret cause");
    });
    EXPECT_EQ(capacity.active(), 0U);
}

TEST_F(SessionTest, GivenUpCreationKeepsItsPlaceUntilTheFactoryIsBack) {
    host_with(Execution::pooled, {.creation_timeout = 1s});  // by then the factory has to run
    std::promise<void> let_go;
    std::promise<void> entered;
    script.on_build = [&entered, gate = let_go.get_future().share()] {
        entered.set_value();
        gate.wait();
    };
    Capacity capacity(1);
    run([&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, capacity.reserve());
        const Result<void> opened = co_await session.open();
        EXPECT_FALSE(opened.has_value());
        EXPECT_EQ(opened.error().code, Errc::timeout);
    });
    EXPECT_EQ(entered.get_future().wait_for(0s), std::future_status::ready);
    EXPECT_EQ(capacity.active(), 1U);
    let_go.set_value();
    host->close();
    EXPECT_EQ(threads.join_all(std::chrono::steady_clock::now() + 30s), 0U);
    EXPECT_EQ(capacity.active(), 0U);
    EXPECT_EQ(script.alive, 0);
    EXPECT_EQ(script.closed, 1);
}

TEST_F(SessionTest, CallOutOfTimeTaintsTheSessionUntilResetBuildsANewEnvironment) {
    host_with(Execution::pooled, {.call_timeout = 1s});
    std::promise<void> let_go;
    script.on_step = [gate = let_go.get_future().share()](std::string_view) {
        gate.wait();
        return std::string("late");
    };
    run([&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        co_await session.open();
        StepOptions options;
        const Result<CallOutcome> stuck =
            co_await session.step("a", options, ResultForm::websocket);
        EXPECT_FALSE(stuck.has_value());
        EXPECT_EQ(stuck.error().code, Errc::timeout);
        EXPECT_NE(stuck.error().message.find("step ran"), std::string::npos);

        const Result<CallOutcome> refused = co_await session.state();
        EXPECT_FALSE(refused.has_value());
        EXPECT_EQ(refused.error().code, Errc::session);

        const Result<CallOutcome> again = co_await session.reset("{}", ResultForm::websocket);
        EXPECT_TRUE(again.has_value());
        EXPECT_EQ(session.output(), "reset");
        EXPECT_EQ(script.alive, 2);  // the stuck one cannot be taken away from its thread
        co_await session.end();
        let_go.set_value();
    });
    host->close();
    EXPECT_EQ(threads.join_all(std::chrono::steady_clock::now() + 30s), 0U);
    EXPECT_EQ(script.alive, 0);
    EXPECT_EQ(script.closed, 2);
}

TEST_F(SessionTest, ResetIsRefusedWhileALostCallOfTheOnlyInstanceRuns) {
    several_at_once = false;
    host_with(Execution::pooled, {.call_timeout = 1s});
    std::promise<void> let_go;
    script.on_step = [gate = let_go.get_future().share()](std::string_view) {
        gate.wait();
        return std::string("late");
    };
    run([&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        co_await session.open();
        StepOptions options;
        const Result<CallOutcome> stuck =
            co_await session.step("a", options, ResultForm::websocket);
        EXPECT_FALSE(stuck.has_value());
        const Result<CallOutcome> early = co_await session.reset("{}", ResultForm::websocket);
        EXPECT_FALSE(early.has_value());
        EXPECT_EQ(early.error().code, Errc::session);
        EXPECT_EQ(script.alive, 1);

        let_go.set_value();
        // That the lost call is back is seen by being admitted again.
        const auto deadline = std::chrono::steady_clock::now() + 30s;
        bool admitted = false;
        while (!admitted && std::chrono::steady_clock::now() < deadline) {
            const Result<CallOutcome> again = co_await session.reset("{}", ResultForm::websocket);
            admitted = again.has_value();
        }
        EXPECT_TRUE(admitted);
        EXPECT_EQ(script.alive, 1) << "never two at once";
        EXPECT_EQ(script.closed, 1);
        co_await session.end();
    });
}

TEST_F(SessionTest, CallOutOfTimeInTheQueueHasNoEffect) {
    host_with(Execution::pooled, {.max_workers = 1, .call_timeout = 1s});
    std::promise<void> let_go;
    run([&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        co_await session.open();
        host->workers_for_session()->submit({.work = [gate = let_go.get_future().share()] {
            gate.wait();
        }});
        StepOptions options;
        const Result<CallOutcome> queued =
            co_await session.step("a", options, ResultForm::websocket);
        EXPECT_FALSE(queued.has_value());
        EXPECT_NE(queued.error().message.find("step was queued"), std::string::npos);
        let_go.set_value();
        const Result<CallOutcome> next = co_await session.step("b", options, ResultForm::websocket);
        EXPECT_TRUE(next.has_value());
        EXPECT_EQ(session.output(), "b");
        co_await session.end();
    });
}

TEST_F(SessionTest, WarnsOnceOfASlowCallWithoutALimitAndNamesTheEnvironment) {
    constexpr std::string_view kWarning = "step of scripted has been running for long";
    test::LogCapture log;
    host_with(Execution::pooled, {.slow_call_warning = 1ms});
    std::size_t calls = 0;
    script.on_step = [&](std::string_view action) {
        log.wait_for(kWarning, ++calls);
        return std::string(action);
    };
    run([&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        co_await session.open();
        StepOptions options;
        co_await session.step("a", options, ResultForm::websocket);
        EXPECT_EQ(log.count(kWarning), 1U);
        co_await session.step("b", options, ResultForm::websocket);
        EXPECT_EQ(log.count(kWarning), 2U) << "once a call";
        co_await session.end();
    });
}

TEST_F(SessionTest, DestructorAloneStillClosesTheEnvironmentOnItsThread) {
    host_with(Execution::pinned);
    Capacity capacity(1);
    run([&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, capacity.reserve());
        co_await session.open();
    });
    EXPECT_EQ(threads.join_all(std::chrono::steady_clock::now() + 30s), 0U);
    EXPECT_EQ(script.closed, 1);
    EXPECT_EQ(script.destroyed_on.load(), script.built_on.load());
    EXPECT_EQ(capacity.active(), 0U);
}

TEST(Capacity, IsNeverPassedFromManyThreads) {
    Capacity capacity(3);
    std::atomic<std::size_t> holders = 0;
    std::atomic<bool> passed = false;
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 2000; ++i) {
                if (const auto slot = capacity.reserve()) {
                    passed = passed || ++holders > 3;
                    --holders;
                }
            }
        });
    }
    threads.clear();
    EXPECT_FALSE(passed);
    EXPECT_EQ(capacity.active(), 0U);
}

TEST(Capacity, RefusesZero) {
    EXPECT_THROW(Capacity(0), ConfigError);
}

}  // namespace
}  // namespace openenv::session
