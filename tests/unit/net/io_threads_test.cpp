#include <openenv/base/error.hpp>
#include <openenv/net/executors.hpp>
#include <openenv/net/thread_registry.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <future>

namespace openenv {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kHangBound{30};

class IoThreads : public testing::TestWithParam<microseconds> {};

TEST_P(IoThreads, RunWhatIsPostedAndWhatIsDue) {
    net::ThreadRegistry threads;
    net::IoThreads io(2, GetParam());
    io.start(threads);
    for (int round = 0; round != 20; ++round) {
        for (std::size_t i = 0; i != io.size(); ++i) {
            std::promise<void> ran;
            boost::asio::post(io.at(i), [&] { ran.set_value(); });
            ASSERT_EQ(ran.get_future().wait_for(kHangBound), std::future_status::ready);
            // Due while the thread looks for work, or after it has gone to sleep.
            std::promise<void> rang;
            boost::asio::steady_timer timer(io.at(i), milliseconds(round % 3));
            boost::asio::post(io.at(i), [&] {
                timer.async_wait([&](boost::system::error_code) { rang.set_value(); });
            });
            ASSERT_EQ(rang.get_future().wait_for(kHangBound), std::future_status::ready);
        }
    }
    io.stop();
    EXPECT_EQ(threads.join_all(std::chrono::steady_clock::now() + kHangBound), 0U);
}

INSTANTIATE_TEST_SUITE_P(
    BusyPoll, IoThreads, testing::Values(microseconds(0), microseconds(1), microseconds(500))
);

TEST(NoIoThreads, AreRefused) {
    EXPECT_THROW(net::IoThreads(0), ConfigError);
}

}  // namespace
}  // namespace openenv
