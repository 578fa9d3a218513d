// The queue of a Capacity: who waits gets the place, in order, once.
#include "support/hang_bound.hpp"

#include <openenv/session/capacity.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace openenv::session {
namespace {

using Clock = std::chrono::steady_clock;
using Slot = Capacity::Slot;
using Place = std::variant<Slot, Capacity::NoPlace>;

Clock::time_point never() {
    return Clock::now() + test::kHangBound;
}

/// One who waits, on a test's own io thread.
struct Guest {
    Guest(Capacity& capacity, boost::asio::io_context& io) : waiter(capacity, io.get_executor()) {}

    static net::io_awaitable<void> come(Guest& self, Clock::time_point deadline) {
        Place place = co_await self.waiter.wait(deadline);
        self.place = std::make_unique<Place>(std::move(place));
    }
    void start(boost::asio::io_context& io, Clock::time_point deadline) {
        boost::asio::co_spawn(
            io.get_executor(),
            come(*this, deadline),
            [](std::exception_ptr failure) {
                if (failure) {
                    std::rethrow_exception(failure);
                }
            }
        );
    }
    [[nodiscard]] bool admitted() const { return place && std::holds_alternative<Slot>(*place); }
    [[nodiscard]] bool has(Capacity::NoPlace why) const {
        return place && !admitted() && std::get<Capacity::NoPlace>(*place) == why;
    }

    std::unique_ptr<Place> place;
    Capacity::Waiter waiter;
};

/// Runs what is ready.
void settle(boost::asio::io_context& io) {
    io.restart();
    io.poll();
}

TEST(CapacityQueue, PlacesAreHandedOverInOrder) {
    Capacity capacity(1, 3);
    boost::asio::io_context io;
    std::optional<Slot> holder = capacity.reserve();
    Guest first(capacity, io);
    Guest second(capacity, io);
    Guest third(capacity, io);
    Guest fourth(capacity, io);
    for (Guest* guest : {&first, &second, &third, &fourth}) {
        guest->start(io, never());
        settle(io);
    }
    EXPECT_EQ(capacity.waiting(), 3U);
    EXPECT_TRUE(fourth.has(Capacity::NoPlace::full));
    holder.reset();
    EXPECT_EQ(capacity.active(), 1U) << "handed over, not freed";
    EXPECT_FALSE(capacity.reserve()) << "nobody overtakes";
    settle(io);
    EXPECT_TRUE(first.admitted());
    EXPECT_FALSE(second.place);
    first.place.reset();
    settle(io);
    EXPECT_TRUE(second.admitted());
    second.place.reset();
    settle(io);
    third.place.reset();
    EXPECT_EQ(capacity.active(), 0U);
    EXPECT_EQ(capacity.waiting(), 0U);
}

TEST(CapacityQueue, WhoLeavesAsThePlaceComesHandsItOn) {
    Capacity capacity(1, 2);
    boost::asio::io_context io;
    std::optional<Slot> holder = capacity.reserve();
    Guest first(capacity, io);
    Guest second(capacity, io);
    first.start(io, never());
    second.start(io, never());
    settle(io);
    holder.reset();  // it is the first one's now, who does not know yet
    first.waiter.leave();
    settle(io);
    EXPECT_TRUE(first.has(Capacity::NoPlace::left));
    EXPECT_TRUE(second.admitted());
    EXPECT_EQ(capacity.active(), 1U);
}

TEST(CapacityQueue, WhoIsTooLateHoldsNobodyUp) {
    Capacity capacity(1, 2);
    boost::asio::io_context io;
    std::optional<Slot> holder = capacity.reserve();
    Guest late(capacity, io);
    Guest patient(capacity, io);
    late.start(io, Clock::now());
    patient.start(io, never());
    settle(io);
    EXPECT_TRUE(late.has(Capacity::NoPlace::too_late));
    EXPECT_EQ(capacity.waiting(), 1U);
    holder.reset();
    settle(io);
    EXPECT_TRUE(patient.admitted());
}

TEST(CapacityQueue, WhoIsDestroyedWhileWaitingLosesNoPlace) {
    Capacity capacity(1, 2);
    {
        boost::asio::io_context io;
        std::optional<Slot> holder = capacity.reserve();
        Guest gone(capacity, io);
        gone.start(io, never());
        settle(io);
        holder.reset();  // given to one who is never resumed
    }
    EXPECT_EQ(capacity.active(), 0U);
    EXPECT_EQ(capacity.waiting(), 0U);
}

TEST(CapacityQueue, ASlotGivenBackEarlyIsGivenBackOnce) {
    Capacity capacity(2);
    std::optional<Slot> one = capacity.reserve();
    const std::optional<Slot> other = capacity.reserve();
    one->give_back();
    EXPECT_EQ(capacity.active(), 1U);
    one.reset();
    EXPECT_EQ(capacity.active(), 1U);
}

/// Comes, stays a little or leaves at once, again and again.
net::io_awaitable<void> come_and_go(
    Capacity& capacity, boost::asio::io_context& io, std::atomic<std::size_t>& inside, int rounds
) {
    for (int round = 0; round != rounds; ++round) {
        Capacity::Waiter waiter(capacity, io.get_executor());
        if (round % 3 == 0) {
            boost::asio::post(io, [&waiter] { waiter.leave(); });
        }
        const auto deadline =
            round % 5 == 0 ? Clock::now() + std::chrono::microseconds(50) : never();
        Place place = co_await waiter.wait(deadline);
        if (std::holds_alternative<Slot>(place)) {
            EXPECT_LE(++inside, capacity.max());
            co_await boost::asio::post(io.get_executor(), net::io_token);
            --inside;
        }
        // What was posted refers to the waiter.
        co_await boost::asio::post(io.get_executor(), net::io_token);
    }
}

TEST(CapacityQueue, NoPlaceIsLostOrDoubledWhenManyThreadsComeAndGo) {
    constexpr int kThreads = 4;
    constexpr int kGuests = 8;
    constexpr int kRounds = 200;
    Capacity capacity(3, 16);
    std::atomic<std::size_t> inside{0};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i != kThreads; ++i) {
            threads.emplace_back([&] {
                boost::asio::io_context io(1);
                for (int guest = 0; guest != kGuests; ++guest) {
                    boost::asio::co_spawn(
                        io.get_executor(),
                        come_and_go(capacity, io, inside, kRounds),
                        [](std::exception_ptr failure) { EXPECT_EQ(failure, nullptr); }
                    );
                }
                io.run_for(test::kHangBound);
                EXPECT_TRUE(io.stopped()) << "somebody waits for ever";
            });
        }
    }
    EXPECT_EQ(inside, 0U);
    EXPECT_EQ(capacity.active(), 0U);
    EXPECT_EQ(capacity.waiting(), 0U);
}

}  // namespace
}  // namespace openenv::session
