#include <openenv/net/worker_pool.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace openenv::net {
namespace {

using namespace std::chrono_literals;

/// Waits for a worker's promise, long enough that only a hang fails.
template <class T>
T get(std::future<T> future) {
    if (future.wait_for(30s) != std::future_status::ready) {
        ADD_FAILURE() << "nothing came within 30 s";
        throw std::runtime_error("hang");
    }
    return future.get();
}

void end(ThreadRegistry& threads, WorkerPool& pool) {
    pool.close();
    EXPECT_EQ(threads.join_all(std::chrono::steady_clock::now() + 30s), 0U);
}

TEST(WorkerPool, RunsJobsInOrderOnOneThread) {
    ThreadRegistry threads;
    WorkerPool pool(threads, {.max_threads = 1, .idle_timeout = {}});
    std::vector<int> order;
    std::set<std::thread::id> seen;
    for (int i = 0; i < 100; ++i) {
        pool.submit({.work = [&, i] {
            order.push_back(i);
            seen.insert(std::this_thread::get_id());
        }});
    }
    end(threads, pool);
    ASSERT_EQ(order.size(), 100U);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    EXPECT_EQ(seen.size(), 1U);
}

TEST(WorkerPool, GrowsWhileEveryWorkerIsBusyUpToItsLimit) {
    ThreadRegistry threads;
    WorkerPool pool(threads, {.max_threads = 3});
    std::latch all_busy(3);
    std::promise<void> let_go;
    const std::shared_future<void> gate = let_go.get_future().share();
    for (int i = 0; i < 3; ++i) {
        pool.submit({.work = [&] {
            all_busy.count_down();
            gate.wait();
        }});
    }
    all_busy.wait();  // only passes when three threads run at once
    pool.submit({.work = [] {}});
    EXPECT_EQ(pool.thread_count(), 3U);
    EXPECT_EQ(pool.queue_length(), 1U);
    let_go.set_value();
    end(threads, pool);
}

TEST(WorkerPool, IdleWorkersEndAndComeBack) {
    ThreadRegistry threads;
    WorkerPool pool(threads, {.max_threads = 2, .idle_timeout = 1ms});
    std::promise<void> first;
    pool.submit({.work = [&] { first.set_value(); }});
    get(first.get_future());
    EXPECT_EQ(threads.join_all(std::chrono::steady_clock::now() + 30s), 0U);
    std::promise<void> second;
    pool.submit({.work = [&] { second.set_value(); }});
    get(second.get_future());
    end(threads, pool);
}

TEST(WorkerPool, AbandonedQueuedJobNeverRuns) {
    ThreadRegistry threads;
    WorkerPool pool(threads, {.max_threads = 1});
    std::promise<void> let_go;
    pool.submit({.work = [gate = let_go.get_future().share()] { gate.wait(); }});
    std::atomic<bool> ran = false;
    const WorkerPool::Ticket ticket = pool.submit({.work = [&] { ran = true; }});
    EXPECT_EQ(pool.abandon(ticket), WorkerPool::Abandoned::never_ran);
    let_go.set_value();
    end(threads, pool);
    EXPECT_FALSE(ran);
}

TEST(WorkerPool, AbandonedRunningJobIsReplacedAndCleansUpOnItsOwnThread) {
    ThreadRegistry threads;
    WorkerPool pool(threads, {.max_threads = 1});
    std::promise<void> started;
    std::promise<void> let_go;
    std::promise<bool> cleaned_on_same_thread;
    std::thread::id worker;
    std::atomic<bool> finished = false;
    const WorkerPool::Ticket ticket = pool.submit(
        {.work =
             [&, gate = let_go.get_future().share()] {
                 worker = std::this_thread::get_id();
                 started.set_value();
                 gate.wait();
             },
         .finished = [&] { finished = true; },
         .abandoned =
             [&] { cleaned_on_same_thread.set_value(std::this_thread::get_id() == worker); }}
    );
    get(started.get_future());
    EXPECT_EQ(pool.abandon(ticket), WorkerPool::Abandoned::running);
    // The limit is one thread, and yet the next job runs: the stuck one does not count.
    std::promise<void> next;
    pool.submit({.work = [&] { next.set_value(); }});
    get(next.get_future());
    let_go.set_value();
    EXPECT_TRUE(get(cleaned_on_same_thread.get_future()));
    end(threads, pool);
    EXPECT_FALSE(finished);
}

TEST(WorkerPool, AbandoningAFinishedJobComesTooLate) {
    ThreadRegistry threads;
    WorkerPool pool(threads, {.max_threads = 1});
    std::promise<void> finished;
    const WorkerPool::Ticket ticket =
        pool.submit({.work = [] {}, .finished = [&] { finished.set_value(); }});
    get(finished.get_future());
    EXPECT_EQ(pool.abandon(ticket), WorkerPool::Abandoned::too_late);
    end(threads, pool);
}

TEST(WorkerPool, WorksOffItsQueueAfterClose) {
    ThreadRegistry threads;
    WorkerPool pool(threads, {.max_threads = 2});
    std::atomic<int> ran = 0;
    for (int i = 0; i < 50; ++i) {
        pool.submit({.work = [&] { ++ran; }});
    }
    end(threads, pool);
    EXPECT_EQ(ran, 50);
}

TEST(ThreadRegistry, CountsThreadsThatHaveNotEnded) {
    ThreadRegistry threads;
    std::promise<void> let_go;
    threads.spawn([gate = let_go.get_future().share()] { gate.wait(); });
    EXPECT_EQ(threads.join_all(std::chrono::steady_clock::now()), 1U);
    let_go.set_value();
    EXPECT_EQ(threads.join_all(std::chrono::steady_clock::now() + 30s), 0U);
}

TEST(ThreadRegistryDeathTest, EndsTheProcessWhenAThreadNeverComesBack) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            std::promise<void> never;
            auto* threads = new ThreadRegistry;
            threads->spawn([gate = never.get_future().share()] { gate.wait(); });
            delete threads;
        },
        testing::ExitedWithCode(3),
        "never came back"
    );
}

TEST(WorkerPool, ReplacesOnlySoManyThreadsOfJobsThatWereGivenUp) {
    constexpr std::size_t kMost = 256;
    ThreadRegistry threads;
    WorkerPool pool(threads, {.max_threads = 1, .idle_timeout = {}});
    std::promise<void> let_go;
    const std::shared_future<void> gate = let_go.get_future().share();
    for (std::size_t i = 0; i < kMost; ++i) {
        std::promise<void> running;
        const WorkerPool::Ticket ticket = pool.submit({.work = [&running, gate] {
            running.set_value();
            gate.wait();
        }});
        get(running.get_future());
        ASSERT_EQ(pool.abandon(ticket), WorkerPool::Abandoned::running);
    }
    EXPECT_EQ(threads.given_up(), kMost);
    std::atomic<bool> ran = false;
    EXPECT_TRUE(pool.submit({.work = [&] { ran = true; }}).empty()) << "nobody would take it";
    EXPECT_EQ(pool.queue_length(), 0U);

    let_go.set_value();
    while (threads.given_up() != 0) {
        std::this_thread::yield();
    }
    pool.submit({.work = [&] { ran = true; }});
    end(threads, pool);
    EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace openenv::net
