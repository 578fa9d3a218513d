#pragma once

#include <boost/asio/buffers_iterator.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <utility>

namespace openenv {
namespace test {

/// Accepts one connection after the other, until it goes, and does `serve` to each, below the level
/// of a ScriptedServer: TLS, proxies, requests as they are.
class OneByOne {
public:
    using Socket = boost::asio::ip::tcp::socket;

    explicit OneByOne(
        std::function<void(Socket)> serve,
        const boost::asio::ip::address& address = boost::asio::ip::address_v4::loopback()
    )
        : acceptor_(io_, boost::asio::ip::tcp::endpoint(address, 0)),
          thread_([this, serve = std::move(serve)] { accept(serve); }) {}
    ~OneByOne() {
        ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
        thread_.join();
    }
    OneByOne(const OneByOne&) = delete;
    OneByOne& operator=(const OneByOne&) = delete;

    [[nodiscard]] std::string port() const {
        return std::to_string(acceptor_.local_endpoint().port());
    }

private:
    void accept(const std::function<void(Socket)>& serve) {
        for (;;) {
            boost::system::error_code error;
            Socket socket(io_);
            acceptor_.accept(socket, error);
            if (error) {
                return;
            }
            try {
                serve(std::move(socket));
            } catch (const std::exception&) {
                // The client has left: the test sees what it sees.
            }
        }
    }

    boost::asio::io_context io_;
    boost::asio::ip::tcp::acceptor acceptor_;
    std::thread thread_;  // last: it uses all of it
};

/// A request up to its blank line.
inline std::string read_request(OneByOne::Socket& socket) {
    boost::asio::streambuf request;
    const std::size_t size = boost::asio::read_until(socket, request, "\r\n\r\n");
    const auto begin = boost::asio::buffers_begin(request.data());
    return std::string(begin, begin + static_cast<std::ptrdiff_t>(size));
}

inline void send(OneByOne::Socket& socket, std::string_view bytes) {
    boost::asio::write(socket, boost::asio::const_buffer(bytes.data(), bytes.size()));
}

}  // namespace test
}  // namespace openenv
