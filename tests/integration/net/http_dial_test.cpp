// One HTTP request by Dial, without a client around it.
#include "support/hang_bound.hpp"
#include "support/scripted_server.hpp"

#include <openenv/net/connect.hpp>
#include <openenv/net/sweeper.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace openenv {
namespace test {
namespace {

using testing::HasSubstr;

using Outcome = std::optional<Result<net::HttpResponse>>;

/// A Dial and the thread's loop that it works on, which is the test's own.
class Dialling {
public:
    explicit Dialling(net::DialOptions options = {})
        : sweeper_(io_.get_executor(), std::chrono::milliseconds(50)),
          dial_(
              io_.get_executor(),
              std::move(options),
              std::make_shared<const net::ConnectionLimits>(),
              sweeper_
          ) {}

    [[nodiscard]] boost::asio::io_context& io() { return io_; }
    [[nodiscard]] net::Dial& dial() { return dial_; }

    [[nodiscard]] Outcome request(
        const std::string& url, const std::string& method, const std::string& body
    ) {
        Outcome outcome;
        boost::asio::co_spawn(
            io_,
            dial_.request(net::parse_url(url), method, "/there?a=b", body),
            [&](std::exception_ptr failure, Result<net::HttpResponse> response) {
                if (failure) {
                    std::rethrow_exception(failure);
                }
                outcome = std::move(response);
            }
        );
        io_.run_for(kHangBound);
        return outcome;
    }

private:
    boost::asio::io_context io_;
    net::Sweeper sweeper_;
    net::Dial dial_;
};

TEST(HttpDial, PostsABodyAndReadsTheAnswer) {
    std::promise<std::string> asked;
    ScriptedServer server(ScriptedServer::Plain{[&](ScriptedPeer& peer) {
        asked.set_value(
            peer.method() + " " + peer.target() + " " + peer.header("content-type") + " " +
            peer.header("x-mine") + " " + peer.body()
        );
        peer.send_bytes("HTTP/1.1 202 Fine\r\ncontent-type: text/x\r\ncontent-length: 4\r\n\r\nbody"
        );
    }});
    net::DialOptions options;
    options.headers = {{"X-Mine", "yes"}};
    Dialling dialling(options);
    const Outcome outcome = dialling.request(server.url(), "POST", R"({"a":1})");
    ASSERT_TRUE(outcome && *outcome);
    EXPECT_EQ((*outcome)->status, 202U);
    EXPECT_EQ((*outcome)->content_type, "text/x");
    EXPECT_EQ((*outcome)->body, "body");
    EXPECT_EQ(asked.get_future().get(), R"(POST /there?a=b application/json yes {"a":1})");
    EXPECT_TRUE(dialling.dial().is_connected());
}

TEST(HttpDial, CanBeEndedWhileItWaitsForTheAnswer) {
    Dialling dialling;
    ScriptedServer server(ScriptedServer::Plain{[&](ScriptedPeer& peer) {
        boost::asio::post(dialling.io(), [&] { dialling.dial().abort(); });
        peer.wait_for_end();
    }});
    const Outcome outcome = dialling.request(server.url(), "GET", "");
    ASSERT_TRUE(outcome && !*outcome);
    EXPECT_EQ(outcome->error().code, Errc::cancelled);
}

TEST(HttpDial, NeedsCertificatesForTls) {
    ScriptedServer server(ScriptedServer::Plain{[](ScriptedPeer&) {}});
    const std::string url = "https://127.0.0.1:" + std::to_string(server.port());
    const Outcome outcome = Dialling().request(url, "GET", "");
    ASSERT_TRUE(outcome && !*outcome);
    EXPECT_THAT(outcome->error().message, HasSubstr("certificates"));
}

}  // namespace
}  // namespace test
}  // namespace openenv
