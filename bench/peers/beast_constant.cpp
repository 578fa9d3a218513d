// What Boost.Beast can do at its best: the WebSocket side of an OpenEnv server, tuned as ours is,
// with a constant in the place of everything above it. No message is parsed, no environment called,
// no limit, keepalive or deadline kept: what our server adds to this is what our server costs.
//
// Tuned: the concrete executor type of io_context, a plain socket below, no compression, whole
// messages in one frame, one io_context a thread without locks around its sockets.

#include "answers.hpp"
#include "peer_options.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <cstdio>
#include <exception>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace openenv::bench {
namespace {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;

using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<tcp, Executor>;
using Acceptor = asio::basic_socket_acceptor<tcp, Executor>;
template <class T>
using Awaitable = asio::awaitable<T, Executor>;
constexpr auto kToken = asio::as_tuple(asio::use_awaitable_t<Executor>{});

/// An io_context for each thread. A socket stays with one of them.
class Loops {
public:
    explicit Loops(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            contexts_.push_back(
                std::make_unique<asio::io_context>(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO)
            );
            work_.emplace_back(contexts_.back()->get_executor());
        }
    }

    [[nodiscard]] asio::io_context& first() { return *contexts_.front(); }

    /// Each loop in turn.
    [[nodiscard]] asio::io_context& next() {
        next_ = (next_ + 1) % contexts_.size();
        return *contexts_[next_];
    }

    /// Blocking: for ever; the first loop runs on the calling thread.
    void run() {
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < contexts_.size(); ++i) {
            threads.emplace_back([io = contexts_[i].get()] { io->run(); });
        }
        first().run();
    }

private:
    std::vector<std::unique_ptr<asio::io_context>> contexts_;
    std::vector<asio::executor_work_guard<Executor>> work_;
    std::size_t next_ = 0;
};

Awaitable<void> converse(Socket socket, const Answers& answers) {
    websocket::stream<Socket, false> stream(std::move(socket));
    stream.auto_fragment(false);
    stream.text(true);
    const auto [refused] = co_await stream.async_accept(kToken);
    if (refused) {
        co_return;
    }
    boost::beast::flat_buffer message;
    while (true) {
        const auto [read_error, size] = co_await stream.async_read(message, kToken);
        if (read_error) {
            co_return;  // after a close frame Beast has answered it
        }
        const std::string_view text(static_cast<const char*>(message.data().data()), size);
        const std::string_view answer = answer_to(answers, text);
        message.clear();
        const asio::const_buffer bytes(answer.data(), answer.size());
        const auto [write_error, written] = co_await stream.async_write(bytes, kToken);
        if (write_error) {
            co_return;
        }
    }
}

/// Makes a socket of a descriptor on the loop's own thread, the only one that may.
Awaitable<void> adopt(asio::io_context& io, int descriptor, const Answers& answers) {
    Socket socket(io, tcp::v4(), descriptor);
    socket.set_option(tcp::no_delay(true));
    co_await converse(std::move(socket), answers);
}

Awaitable<void> accept_for_ever(Acceptor& acceptor, Loops& loops, const Answers& answers) {
    const auto report = [](const std::exception_ptr& error) {
        try {
            if (error) {
                std::rethrow_exception(error);
            }
        } catch (const std::exception& failure) {
            std::fprintf(stderr, "beast_constant: a connection: %s\n", failure.what());
        }
    };
    while (true) {
        auto [error, socket] = co_await acceptor.async_accept(kToken);
        if (error) {
            std::fprintf(stderr, "beast_constant: accept: %s\n", error.message().c_str());
            continue;
        }
        asio::io_context& io = loops.next();
        asio::co_spawn(io, adopt(io, socket.release(), answers), report);
    }
}

void serve(const PeerOptions& options) {
    const Answers answers = read_answers(options.answers);
    Loops loops(options.threads);
    Acceptor acceptor(loops.first(), tcp::endpoint(asio::ip::address_v4::loopback(), options.port));
    announce(acceptor.local_endpoint().port());
    asio::co_spawn(
        loops.first(),
        accept_for_ever(acceptor, loops, answers),
        [](const std::exception_ptr& error) {
            if (error) {
                std::rethrow_exception(error);
            }
        }
    );
    loops.run();
}

}  // namespace
}  // namespace openenv::bench

int main(int argc, char** argv) {
    const auto options =
        openenv::bench::read_options("Constant answers over Boost.Beast.", argc, argv);
    if (!options) {
        return 2;
    }
    try {
        openenv::bench::raise_descriptor_limit();
        openenv::bench::serve(*options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "beast_constant: %s\n", error.what());
        return 1;
    }
    return 0;
}
