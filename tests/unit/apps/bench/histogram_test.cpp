#include "bench/histogram.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace openenv::bench {
namespace {

/// To three digits: the upper end of the part that a time falls into.
void expect_near(Nanoseconds found, Nanoseconds wanted) {
    EXPECT_GE(found, wanted);
    EXPECT_LE(static_cast<double>(found.count()), static_cast<double>(wanted.count()) * 1.001 + 1);
}

TEST(Histogram, KnowsNothingAtFirst) {
    const Histogram histogram;
    EXPECT_EQ(histogram.count(), 0U);
    EXPECT_EQ(histogram.at_share(0.5), Nanoseconds(0));
    EXPECT_EQ(histogram.mean(), Nanoseconds(0));
    EXPECT_EQ(histogram.longest(), Nanoseconds(0));
}

TEST(Histogram, TellsTimesApartToThreeDigits) {
    for (std::int64_t time = 1; time < Histogram::kLongest.count() / 3; time = time * 3 + 1) {
        Histogram histogram;
        histogram.record(Nanoseconds(time));
        // The longest would hide how exact the parts are.
        histogram.record(Histogram::kLongest);
        expect_near(histogram.at_share(0.5), Nanoseconds(time));
    }
}

TEST(Histogram, FindsTheTimeThatAShareDidNotExceed) {
    Histogram histogram;
    for (std::int64_t time = 1; time <= 1000; ++time) {
        histogram.record(Nanoseconds(time * 1000));
    }
    EXPECT_EQ(histogram.count(), 1000U);
    expect_near(histogram.at_share(0), Nanoseconds(1000));
    expect_near(histogram.at_share(0.5), Nanoseconds(500'000));
    expect_near(histogram.at_share(0.9), Nanoseconds(900'000));
    expect_near(histogram.at_share(0.999), Nanoseconds(999'000));
    EXPECT_EQ(histogram.at_share(1), Nanoseconds(1'000'000));
    EXPECT_EQ(histogram.mean(), Nanoseconds(500'500));
    EXPECT_EQ(histogram.longest(), Nanoseconds(1'000'000));
}

TEST(Histogram, OneSlowTimeAmongManyIsTheLongestAndNoneOfTheOthers) {
    Histogram histogram;
    for (int i = 0; i < 999; ++i) {
        histogram.record(Nanoseconds(100));
    }
    histogram.record(std::chrono::seconds(7));
    EXPECT_EQ(histogram.at_share(0.999), Nanoseconds(100));
    EXPECT_EQ(histogram.at_share(1), std::chrono::seconds(7));
}

TEST(Histogram, TakesTimesOutsideItsRange) {
    Histogram histogram;
    histogram.record(Nanoseconds(-5));
    EXPECT_EQ(histogram.at_share(1), Nanoseconds(0));
    histogram.record(std::chrono::hours(100));
    EXPECT_EQ(histogram.longest(), std::chrono::hours(100));
    EXPECT_EQ(histogram.at_share(1), Histogram::kLongest);
}

TEST(Histogram, AddsUp) {
    Histogram one;
    Histogram other;
    one.record(Nanoseconds(10));
    other.record(Nanoseconds(30));
    other.record(Nanoseconds(50));
    one.add(other);
    EXPECT_EQ(one.count(), 3U);
    EXPECT_EQ(one.at_share(0.5), Nanoseconds(30));
    EXPECT_EQ(one.mean(), Nanoseconds(30));
    EXPECT_EQ(one.longest(), Nanoseconds(50));
}

}  // namespace
}  // namespace openenv::bench
