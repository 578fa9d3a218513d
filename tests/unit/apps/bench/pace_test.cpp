#include "bench/pace.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace openenv::bench {
namespace {

using namespace std::chrono_literals;

constexpr Clock::time_point kBegin{1000s};

TEST(Starts, ARampSpreadsTheBeginningsEvenly) {
    const Starts starts = Starts::ramp(10, 4);
    EXPECT_FALSE(starts.together);
    EXPECT_EQ(starts.offset_of(0), 0s);
    EXPECT_EQ(starts.offset_of(1), 2500ms);
    EXPECT_EQ(starts.offset_of(3), 7500ms);
}

TEST(Starts, ARateDoesNotDriftWithTheNumberOfConnections) {
    const Starts starts = Starts::rate(3);
    EXPECT_EQ(starts.offset_of(3'000'000), 1'000'000s);
}

TEST(Starts, AStormBeginsAllAtOnce) {
    EXPECT_FALSE(Starts::storm().together);
    EXPECT_EQ(Starts::storm().offset_of(16383), 0s);
}

TEST(Pace, AClosedLoopCountsFromTheAnswer) {
    const Pace pace = Pace::thinking(0.5);
    EXPECT_FALSE(pace.is_open_loop());
    EXPECT_EQ(pace.next(kBegin, kBegin + 7s), kBegin + 7500ms);
}

TEST(Pace, AnOpenLoopGoesOnWhetherAnswersComeOrNot) {
    const Pace pace = Pace::steady(10);
    EXPECT_TRUE(pace.is_open_loop());
    EXPECT_EQ(pace.next(kBegin, kBegin + 7s), kBegin + 100ms);
    EXPECT_EQ(pace.next(kBegin, kBegin + 1ms), kBegin + 100ms);
}

TEST(Pace, FirstStepsAreSpreadOverTheTimeBetweenTwo) {
    const Pace pace = Pace::steady(10);
    EXPECT_EQ(pace.first(kBegin, 0, 4), kBegin);
    EXPECT_EQ(pace.first(kBegin, 1, 4), kBegin + 25ms);
    EXPECT_EQ(pace.first(kBegin, 3, 4), kBegin + 75ms);
    EXPECT_EQ(Pace::thinking(0).first(kBegin, 3, 4), kBegin);
}

}  // namespace
}  // namespace openenv::bench
