#include "integration/client/deaf_server.hpp"

#include "support/hang_bound.hpp"

#include <boost/asio/buffer.hpp>

#include <array>
#include <chrono>
#include <poll.h>
#include <stdexcept>

namespace openenv {
namespace test {

using boost::asio::ip::tcp;

namespace {

bool readable(int descriptor, std::chrono::milliseconds patience) {
    pollfd watched{descriptor, POLLIN, 0};
    return ::poll(&watched, 1, static_cast<int>(patience.count())) == 1;
}

void wait_readable(int descriptor, const char* what) {
    if (!readable(descriptor, kHangBound)) {
        throw std::runtime_error(std::string("deaf server: never ") + what);
    }
}

}  // namespace

DeafServer::DeafServer()
    : acceptor_(unused_, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)),
      connection_(unused_) {}

std::uint16_t DeafServer::port() const {
    return acceptor_.local_endpoint().port();
}

std::string DeafServer::url(std::string_view scheme) const {
    return std::string(scheme) + "://127.0.0.1:" + std::to_string(port());
}

void DeafServer::accept() {
    wait_readable(acceptor_.native_handle(), "connected to");
    connection_ = acceptor_.accept();
}

void DeafServer::wait_for_words() {
    wait_readable(connection_.native_handle(), "spoken to");
}

void DeafServer::wait_for_end() {
    boost::system::error_code ended;
    std::array<char, 1024> dropped;
    while (!ended) {
        wait_readable(connection_.native_handle(), "left");
        connection_.read_some(boost::asio::buffer(dropped), ended);
    }
}

bool DeafServer::has_another() {
    return readable(acceptor_.native_handle(), std::chrono::milliseconds(0));
}

}  // namespace test
}  // namespace openenv
