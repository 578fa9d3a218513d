#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <latch>
#include <thread>
#include <vector>

namespace openenv {
namespace test {

/// Runs work(0), work(1), ... at the same moment, each on a thread of its own, and waits for all.
/// What one throws fails the test.
template <class Work>
void together(std::size_t count, Work work) {
    std::latch start(static_cast<std::ptrdiff_t>(count));
    std::vector<std::jthread> threads;
    threads.reserve(count);
    for (std::size_t i = 0; i != count; ++i) {
        threads.emplace_back([&start, &work, i] {
            start.arrive_and_wait();
            try {
                work(i);
            } catch (const std::exception& error) {
                ADD_FAILURE() << error.what();
            }
        });
    }
}

}  // namespace test
}  // namespace openenv
