#include "support/fixtures/waiting.hpp"
#include "support/log_capture.hpp"
#include "unit/session/session_fixture.hpp"

#include <openenv/session/session.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace openenv::session {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class AsyncSession : public SessionFixture {
protected:
    using Outcome = Result<CallOutcome>;

    void host_with(ExecutionSettings settings = {}) {
        host_entry(fixture::waiting_entry(shared), settings);
    }

    static net::io_awaitable<Outcome> step(Session& session, std::string_view what) {
        session.output().clear();
        StepOptions options;
        std::string action = R"({"what":")" + std::string(what) + R"("})";
        co_return co_await session.step(
            std::move(action), std::move(options), ResultForm::websocket
        );
    }

    ~AsyncSession() override {
        EXPECT_EQ(shared.wrong_thread, 0);
        EXPECT_EQ(shared.alive, 0);
        EXPECT_EQ(shared.closed, shared.built);
    }

    fixture::Waiting shared;  // goes before the io_context, which holds nothing of it by then
};

TEST_F(AsyncSession, AnswersInOrderOnTheIoThreadAlone) {
    host_with();
    run([this](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        const Result<void> opened = co_await session.open();
        EXPECT_TRUE(opened.has_value());
        const Outcome reset =
            co_await session.reset(R"({"episode_id":"e"})", ResultForm::websocket);
        EXPECT_TRUE(reset.has_value());
        EXPECT_THAT(session.output(), HasSubstr(R"("text":"ready")"));
        for (int i = 0; i < 3; ++i) {
            const Outcome stepped = co_await step(session, "hello");
            EXPECT_TRUE(stepped.has_value());
            EXPECT_THAT(session.output(), HasSubstr(R"("text":"hello"},"reward":1)"));
        }
        session.output().clear();
        const Outcome state = co_await session.state();
        EXPECT_TRUE(state.has_value());
        EXPECT_EQ(session.output(), R"({"episode_id":"e","step_count":3})");
        co_await session.end();
    });
    EXPECT_EQ(threads.join_all(std::chrono::steady_clock::now()), 0U);
}

TEST_F(AsyncSession, TellsWhatATaskThrowsAndGoesOn) {
    host_with();
    run([this](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        co_await session.open();
        const std::vector<std::pair<std::string, std::string>> cases{
            {"throw_at_once", "at once"},
            {"throw", "thrown later"},
            {"throw_number", "unknown exception"}};
        for (const auto& [what, text] : cases) {
            const Outcome outcome = co_await step(session, what);
            EXPECT_EQ(outcome.value(), CallOutcome::failed);
            EXPECT_EQ(session.output(), text);
        }
        const Outcome invalid = co_await step(session, "");
        EXPECT_EQ(invalid.value(), CallOutcome::invalid);
        EXPECT_THAT(session.output(), HasSubstr("string_too_short"));
        const Outcome alive = co_await step(session, "still here");
        EXPECT_EQ(alive.value(), CallOutcome::ok);
        co_await session.end();
    });
}

/// Doubles the reward.
class Doubled final : public Transform<fixture::WaitingObservation> {
public:
    void apply(fixture::WaitingObservation& observation) const override {
        observation.reward = observation.reward.as_number() * 2;
    }
};

TEST_F(AsyncSession, TransformsWhatAStepReturns) {
    std::function<std::unique_ptr<fixture::WaitingEnvironment>()> make = [this] {
        auto environment = std::make_unique<fixture::WaitingEnvironment>(shared);
        environment->set_transform(std::make_shared<const Doubled>());
        return environment;
    };
    host_entry(environment_entry<fixture::WaitingEnvironment>("waiting", std::move(make)), {});
    run([this](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        co_await session.open();
        co_await step(session, "hello");
        EXPECT_THAT(session.output(), HasSubstr(R"("reward":2.0)"));
        co_await session.end();
    });
}

TEST_F(AsyncSession, ThousandSessionsWaitAtOnceWithoutAThread) {
    constexpr std::size_t kSessions = 1000;
    host_with();
    std::size_t answered = 0;
    auto wait = [&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        co_await session.open();
        const Outcome outcome = co_await step(session, "wait");
        EXPECT_EQ(outcome.value(), CallOutcome::ok);
        ++answered;
        co_await session.end();
    };
    for (std::size_t i = 0; i < kSessions; ++i) {
        start(wait);
    }
    auto open_when_all_wait = [&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        co_await session.open();
        EXPECT_EQ(shared.gate.arrivals(), kSessions);
        EXPECT_EQ(shared.alive, static_cast<int>(kSessions + 1));
        const Outcome outcome = co_await step(session, "meanwhile");
        EXPECT_EQ(outcome.value(), CallOutcome::ok);
        EXPECT_EQ(answered, 0U);
        EXPECT_EQ(threads.join_all(std::chrono::steady_clock::now()), 0U) << "threads";
        shared.gate.open();
        co_await session.end();
    };
    start(open_when_all_wait);
    run();
    EXPECT_EQ(answered, kSessions);
}

TEST_F(AsyncSession, CallOutOfTimeIsStoppedCancelledAndGivenUp) {
    test::LogCapture log;
    host_with({.call_timeout = 1s});  // the reset has to succeed within it
    Capacity capacity(1);
    run([&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, capacity.reserve());
        co_await session.open();
        const Outcome late = co_await step(session, "wait");
        EXPECT_FALSE(late.has_value());
        EXPECT_EQ(late.error().code, Errc::timeout);
        EXPECT_THAT(late.error().message, HasSubstr("step ran for longer"));
        const Outcome refused = co_await session.state();
        EXPECT_FALSE(refused.has_value());
        EXPECT_EQ(refused.error().code, Errc::session);

        const Outcome again = co_await session.reset("{}", ResultForm::websocket);
        EXPECT_TRUE(again.has_value());
        EXPECT_EQ(capacity.active(), 1U);
        co_await session.end();
    });
    EXPECT_EQ(shared.built, 2);
    EXPECT_EQ(shared.stopped, 1);
    EXPECT_EQ(capacity.active(), 0U);
    EXPECT_EQ(log.count("its environment is given up"), 1U);
    EXPECT_EQ(host->tasks_given_up(), 0U);
}

TEST_F(AsyncSession, ResetOutOfTimeIsGivenUpToo) {
    host_with({.call_timeout = 50ms});
    run([&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        co_await session.open();
        const Outcome late = co_await session.reset(R"({"wait":true})", ResultForm::websocket);
        EXPECT_FALSE(late.has_value());
        EXPECT_EQ(late.error().code, Errc::timeout);
        co_await session.end();
    });
    EXPECT_EQ(shared.stopped, 1);
}

TEST_F(AsyncSession, TaskDeafToCancellationKeepsItsPlaceUntilItEnds) {
    host_with({.call_timeout = 50ms});
    Capacity capacity(1);
    run([&](net::IoExecutor executor) -> net::io_awaitable<void> {
        {
            Session session(*host, executor, capacity.reserve());
            co_await session.open();
            const Outcome late = co_await step(session, "stay");
            EXPECT_FALSE(late.has_value());
            EXPECT_EQ(late.error().code, Errc::timeout);
            co_await session.end();
        }
        EXPECT_EQ(capacity.active(), 1U);
        EXPECT_EQ(shared.alive, 1);
        EXPECT_EQ(host->tasks_given_up(), 1U);
        EXPECT_EQ(host->tasks().wait_until_empty(std::chrono::steady_clock::now()), 1U);
        shared.gate.open();
    });
    EXPECT_EQ(capacity.active(), 0U);
    EXPECT_EQ(host->tasks_given_up(), 0U);
}

TEST_F(AsyncSession, TooManyDeafTasksLetNoMoreBegin) {
    test::LogCapture log;
    host_with({.call_timeout = 1ms});
    run([&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        for (int i = 0; i < 256; ++i) {
            co_await session.open();
            const Outcome late = co_await step(session, "stay");
            EXPECT_FALSE(late.has_value());
            EXPECT_EQ(late.error().code, Errc::timeout);
        }
        co_await session.open();
        const Outcome refused = co_await step(session, "hello");
        EXPECT_FALSE(refused.has_value());
        EXPECT_EQ(refused.error().code, Errc::execution);
        EXPECT_THAT(refused.error().message, HasSubstr("have not ended"));
        co_await session.end();
        shared.gate.open();
    });
    EXPECT_EQ(shared.built, 257);
}

TEST_F(AsyncSession, RequestToStopCancelsTheCallAndTheSessionLivesOn) {
    host_with();
    std::unique_ptr<Session> session;
    auto wait = [&](net::IoExecutor executor) -> net::io_awaitable<void> {
        session = std::make_unique<Session>(*host, executor, std::nullopt);
        co_await session->open();
        const Outcome outcome = co_await step(*session, "wait");
        EXPECT_FALSE(outcome.has_value());
        EXPECT_EQ(outcome.error().code, Errc::cancelled);
        const Outcome next = co_await step(*session, "hello");
        EXPECT_EQ(next.value(), CallOutcome::ok);
        co_await session->end();
    };
    auto stop = [&](net::IoExecutor) -> net::io_awaitable<void> {
        EXPECT_EQ(shared.gate.arrivals(), 1U);
        session->request_stop();
        co_return;
    };
    start(wait);
    start(stop);
    run();
    EXPECT_EQ(shared.stopped, 1);
}

TEST_F(AsyncSession, CallGivenUpByForceAnswersAtOnceAlsoWhenDeafToCancellation) {
    host_with();
    std::unique_ptr<Session> session;
    auto wait = [&](net::IoExecutor executor) -> net::io_awaitable<void> {
        session = std::make_unique<Session>(*host, executor, std::nullopt);
        co_await session->open();
        const Outcome outcome = co_await step(*session, "stay");
        EXPECT_FALSE(outcome.has_value());
        EXPECT_EQ(shared.alive, 1);
        co_await session->end();
        shared.gate.open();
    };
    auto give_up = [&](net::IoExecutor) -> net::io_awaitable<void> {
        session->request_stop();
        session->give_up();
        co_return;
    };
    start(wait);
    start(give_up);
    run();
}

TEST_F(AsyncSession, RequestToStopFindsATaskThatHasNeverBeenSuspended) {
    host_with();
    std::unique_ptr<Session> session;
    auto answer = [&](net::IoExecutor executor) -> net::io_awaitable<void> {
        session = std::make_unique<Session>(*host, executor, std::nullopt);
        co_await session->open();
        const Outcome outcome = co_await step(*session, "hello");
        EXPECT_EQ(outcome.value(), CallOutcome::ok);
        co_await session->end();
    };
    auto stop = [&](net::IoExecutor) -> net::io_awaitable<void> {
        session->request_stop();  // the step has run, its end is on the way
        co_return;
    };
    start(answer);
    start(stop);
    run();
}

TEST_F(AsyncSession, CodeThatKeepsTheIoThreadIsReportedOnce) {
    constexpr std::string_view kWarning = "environment waiting waits by co_await, but kept";
    test::LogCapture log;
    host_with({.inline_budget = std::chrono::microseconds(0)});
    run([&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        co_await session.open();
        for (int i = 0; i < 3; ++i) {
            co_await step(session, "throw");
        }
        EXPECT_EQ(log.count(kWarning), 1U);
        EXPECT_EQ(host->policy(), Execution::awaitable);
        co_await session.end();
    });
}

TEST_F(AsyncSession, OtherPoliciesSayThatTheEnvironmentNeedsItsOwn) {
    EnvironmentEntry entry = fixture::waiting_entry(shared);
    entry.traits.execution = Execution::inline_fast;
    host_entry(std::move(entry), {});
    run([&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, std::nullopt);
        co_await session.open();
        const Outcome outcome = co_await step(session, "hello");
        EXPECT_EQ(outcome.value(), CallOutcome::failed);
        EXPECT_THAT(session.output(), HasSubstr("Execution::awaitable"));
        co_await session.end();
    });
}

TEST_F(AsyncSession, DestructorAloneStillClosesTheEnvironment) {
    host_with();
    Capacity capacity(1);
    run([&](net::IoExecutor executor) -> net::io_awaitable<void> {
        Session session(*host, executor, capacity.reserve());
        co_await session.open();
    });
    EXPECT_EQ(shared.closed, 1);
    EXPECT_EQ(capacity.active(), 0U);
}

TEST(AsyncEnvironment, NamesItsPolicy) {
    fixture::Waiting shared;
    const EnvironmentEntry entry = fixture::waiting_entry(shared);
    EXPECT_EQ(entry.traits.execution, Execution::awaitable);
    EXPECT_STREQ(name_of(entry.traits.execution), "awaitable");
    EXPECT_EQ(entry.class_name, "WaitingEnvironment");
}

}  // namespace
}  // namespace openenv::session
