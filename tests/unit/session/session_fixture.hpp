#pragma once

#include "support/hang_bound.hpp"

#include <openenv/session/session.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

namespace openenv::session {

/// A host with one io thread: the test's own, which runs coroutines to their end.
class SessionFixture : public testing::Test {
protected:
    void host_entry(EnvironmentEntry entry, ExecutionSettings settings) {
        host.emplace(std::move(entry), settings, threads);
    }

    /// Starts body(executor), which run() will end. Lifetime: the body outlives that run().
    template <class Body>
    void start(Body& body) {
        ++running;
        boost::asio::co_spawn(
            io.get_executor(),
            body(io.get_executor()),
            [this](std::exception_ptr failure) {
                --running;
                if (failure) {
                    std::rethrow_exception(failure);
                }
            }
        );
    }

    /// Until nothing is left to do.
    void run() {
        io.restart();
        io.run_for(test::kHangBound);
        ASSERT_EQ(running, 0U);
    }

    template <class Body>
    void run(Body body) {
        start(body);
        run();
    }

    ~SessionFixture() override {
        if (host) {
            host->close();
            EXPECT_EQ(host->tasks().wait_until_empty(std::chrono::steady_clock::now()), 0U);
        }
        EXPECT_EQ(threads.join_all(std::chrono::steady_clock::now() + test::kHangBound), 0U);
    }

    net::ThreadRegistry threads;
    std::optional<EnvironmentHost> host;
    boost::asio::io_context io;
    std::size_t running = 0;
};

}  // namespace openenv::session
