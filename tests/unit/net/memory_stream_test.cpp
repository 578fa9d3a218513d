#include <openenv/net/memory_stream.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace openenv {
namespace net {
namespace {

using namespace std::chrono_literals;

/// After so long a test hangs.
constexpr std::chrono::seconds kHangBound{30};

/// Starts a coroutine that must not throw.
void spawn(boost::asio::io_context& io, io_awaitable<void> task) {
    boost::asio::co_spawn(io, std::move(task), [](std::exception_ptr failure) {
        EXPECT_FALSE(failure) << "a coroutine has thrown";
    });
}

/// Two ends that one thread drives.
struct Pair {
    explicit Pair(std::size_t message_bytes = 1 << 20, std::chrono::milliseconds close = 5s)
        : ends(memory_streams(
              {.io = io.get_executor(), .close_timeout = close},
              {.io = io.get_executor(), .message_bytes = message_bytes, .close_timeout = close},
              "ids, batch"
          )) {}

    /// Works until nothing is left to do.
    void run() {
        io.restart();
        io.run_for(kHangBound);
        ASSERT_TRUE(io.stopped()) << "somebody waits for ever";
    }
    /// Works as far as nobody has to wait.
    void poll() {
        io.restart();
        io.poll();
    }

    boost::asio::io_context io;
    MemoryStreams ends;
};

io_awaitable<void> read_all(MessageStream& stream, std::vector<std::string>& messages) {
    std::string message;
    for (;;) {
        const bool received = co_await stream.read(message);
        if (!received) {
            break;
        }
        messages.push_back(message);
    }
    messages.push_back(std::to_string(stream.end().code) + " " + stream.end().text);
}

io_awaitable<void> write_all(
    MessageStream& stream, std::vector<std::string> messages, std::size_t& written
) {
    for (const std::string& message : messages) {
        const bool sent = co_await stream.write(message);
        if (!sent) {
            co_return;
        }
        ++written;
    }
}

using Texts = std::vector<std::string>;

TEST(MemoryStream, CarriesMessagesBothWaysInOrder) {
    Pair pair;
    EXPECT_EQ(pair.ends.first->features(), "ids, batch");
    EXPECT_EQ(pair.ends.second->features(), "ids, batch");
    Texts at_first;
    Texts at_second;
    std::size_t written = 0;
    spawn(pair.io, read_all(*pair.ends.first, at_first));
    spawn(pair.io, read_all(*pair.ends.second, at_second));
    pair.poll();
    spawn(pair.io, write_all(*pair.ends.first, {"a", "", "b"}, written));
    spawn(pair.io, write_all(*pair.ends.second, {"c", "d"}, written));
    pair.poll();
    EXPECT_EQ(at_second, (Texts{"a", "", "b"}));
    EXPECT_EQ(at_first, (Texts{"c", "d"}));
    EXPECT_EQ(written, 5U);
    pair.ends.first->abort();
    pair.run();
}

TEST(MemoryStream, ACloseIsReadAfterWhatWasSentBefore) {
    Pair pair;
    Texts at_first;
    Texts at_second;
    std::size_t written = 0;
    int told = 0;
    pair.ends.second->on_peer_close([&] { ++told; });
    pair.ends.first->on_peer_close([&] { told += 100; });
    spawn(pair.io, write_all(*pair.ends.first, {"a", "b"}, written));
    pair.poll();
    pair.ends.first->close(CloseCode::going_away, "bye");
    spawn(pair.io, write_all(*pair.ends.first, {"too late"}, written));
    spawn(pair.io, write_all(*pair.ends.second, {"on its way"}, written));
    spawn(pair.io, read_all(*pair.ends.first, at_first));
    pair.poll();
    EXPECT_EQ(told, 0) << "nobody has read that far";
    EXPECT_EQ(at_first, Texts{"on its way"}) << "the handshake is not over";
    spawn(pair.io, read_all(*pair.ends.second, at_second));
    pair.run();
    EXPECT_EQ(at_second, (Texts{"a", "b", "1001 bye"}));
    EXPECT_EQ(at_first, (Texts{"on its way", "1001 "}));
    EXPECT_EQ(told, 1);
    spawn(pair.io, write_all(*pair.ends.second, {"too late"}, written));
    pair.run();
    EXPECT_EQ(written, 3U);
}

TEST(MemoryStream, BothMayCloseAtOnce) {
    Pair pair;
    Texts at_first;
    Texts at_second;
    pair.ends.first->close(CloseCode::normal, "a");
    pair.ends.second->close(CloseCode::internal_error, "b");
    spawn(pair.io, read_all(*pair.ends.first, at_first));
    spawn(pair.io, read_all(*pair.ends.second, at_second));
    pair.run();
    EXPECT_EQ(at_first, Texts{"1011 b"});
    EXPECT_EQ(at_second, Texts{"1000 a"});
}

TEST(MemoryStream, AnEndThatIsDroppedEndsTheOtherAfterWhatItSent) {
    Pair pair;
    Texts at_second;
    std::size_t written = 0;
    spawn(pair.io, write_all(*pair.ends.first, {"a"}, written));
    pair.poll();
    pair.ends.first.reset();
    spawn(pair.io, read_all(*pair.ends.second, at_second));
    spawn(pair.io, write_all(*pair.ends.second, {"nobody"}, written));
    pair.run();
    EXPECT_EQ(at_second, (Texts{"a", "0 the other side has gone"}));
    EXPECT_EQ(written, 1U);
}

TEST(MemoryStream, WhoDropsItsEndReadsNoMore) {
    Pair pair;
    Texts at_first;
    spawn(pair.io, read_all(*pair.ends.first, at_first));
    pair.poll();
    pair.ends.first->abort();
    pair.run();
    EXPECT_EQ(at_first, Texts{"0 ended by this side"});
}

TEST(MemoryStream, ASlowReaderMakesTheWriterWait) {
    Pair pair;
    Texts at_second;
    std::size_t written = 0;
    const Texts messages(20, std::string(100'000, 'x'));
    spawn(pair.io, write_all(*pair.ends.first, messages, written));
    pair.poll();
    EXPECT_LT(written, 5U);
    spawn(pair.io, read_all(*pair.ends.second, at_second));
    pair.poll();
    EXPECT_EQ(written, 20U);
    EXPECT_EQ(at_second, messages);
    pair.ends.first->abort();
    pair.run();
}

TEST(MemoryStream, AWriterThatWaitsIsToldOfTheEnd) {
    for (const bool own : {false, true}) {
        Pair pair;
        std::size_t written = 0;
        spawn(pair.io, write_all(*pair.ends.first, Texts(9, std::string(100'000, 'x')), written));
        pair.poll();
        (own ? pair.ends.first : pair.ends.second)->abort();
        pair.run();
        EXPECT_LT(written, 5U);
    }
}

TEST(MemoryStream, AMessageOverTheLimitClosesIt) {
    Pair pair(10);
    Texts at_first;
    Texts at_second;
    std::size_t written = 0;
    spawn(pair.io, read_all(*pair.ends.first, at_first));
    spawn(pair.io, read_all(*pair.ends.second, at_second));
    spawn(pair.io, write_all(*pair.ends.first, {"0123456789", "0123456789A"}, written));
    pair.run();
    EXPECT_EQ(at_second, (Texts{"0123456789", "0 a message is larger than the limit of 10 bytes"}));
    EXPECT_EQ(at_first, Texts{"1009 "});
}

TEST(MemoryStream, ACloseThatIsNotAnsweredIsDroppedInTime) {
    Pair pair(1 << 20, 10ms);
    Texts at_first;
    spawn(pair.io, read_all(*pair.ends.first, at_first));
    pair.ends.first->close(CloseCode::normal, "");
    pair.run();
    EXPECT_EQ(at_first, Texts{"0 ended by this side"});
}

TEST(MemoryStream, ACloseMayBePlanned) {
    Pair pair;
    Texts at_first;
    Texts at_second;
    pair.ends.first->close_later(10ms, CloseCode::normal, "later");
    spawn(pair.io, read_all(*pair.ends.first, at_first));
    spawn(pair.io, read_all(*pair.ends.second, at_second));
    pair.run();
    EXPECT_EQ(at_second, Texts{"1000 later"});
}

TEST(MemoryStream, EitherEndMayOutliveTheOtherAndItsContext) {
    for (const bool first_goes : {false, true}) {
        boost::asio::io_context stays;
        auto goes = std::make_unique<boost::asio::io_context>();
        MemoryStreams ends = memory_streams(
            {.io = first_goes ? goes->get_executor() : stays.get_executor()},
            {.io = first_goes ? stays.get_executor() : goes->get_executor()},
            ""
        );
        std::unique_ptr<MessageStream>& gone = first_goes ? ends.first : ends.second;
        std::unique_ptr<MessageStream>& left = first_goes ? ends.second : ends.first;
        Texts at_left;
        std::size_t written = 0;
        spawn(*goes, read_all(*gone, at_left));
        goes->poll();
        spawn(stays, write_all(*left, {"a"}, written));
        stays.poll();
        gone.reset();
        goes.reset();
        spawn(stays, write_all(*left, {"b"}, written));
        spawn(stays, read_all(*left, at_left));
        stays.restart();
        stays.run_for(kHangBound);
        EXPECT_EQ(written, 1U);
        EXPECT_EQ(at_left, Texts{"0 the other side has gone"});
    }
}

io_awaitable<void> answer_all(std::unique_ptr<MessageStream> stream) {
    std::string message;
    for (;;) {
        const bool received = co_await stream->read(message);
        if (!received) {
            co_return;
        }
        const bool sent = co_await stream->write(message + "!");
        if (!sent) {
            co_return;
        }
    }
}

io_awaitable<void> ask_many(std::unique_ptr<MessageStream> stream, int& answered) {
    std::string message;
    for (int i = 0; i != 2000; ++i) {
        const std::string text = std::to_string(i);
        const bool sent = co_await stream->write(text);
        const bool received = sent && co_await stream->read(message);
        answered += received && message == text + "!" ? 1 : 0;
    }
    stream->close(CloseCode::normal, "");
    (void)co_await stream->read(message);
}

TEST(MemoryStream, JoinsTwoThreads) {
    boost::asio::io_context here(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO);
    boost::asio::io_context there(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO);
    int answered = 0;
    MemoryStreams ends =
        memory_streams({.io = here.get_executor()}, {.io = there.get_executor()}, "");
    spawn(there, answer_all(std::move(ends.second)));
    spawn(here, ask_many(std::move(ends.first), answered));
    std::thread other([&] { there.run_for(kHangBound); });
    here.run_for(kHangBound);
    other.join();
    EXPECT_EQ(answered, 2000);
}

}  // namespace
}  // namespace net
}  // namespace openenv
