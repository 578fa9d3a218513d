#pragma once

#include "net/metered_socket.hpp"

#include <openenv/net/connect.hpp>
#include <openenv/net/proxy.hpp>

#include <boost/asio/ip/basic_resolver.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace net {

class TlsTrust {
public:
    explicit TlsTrust(const std::string& ca_file);
    [[nodiscard]] boost::asio::ssl::context& context() noexcept { return context_; }

private:
    boost::asio::ssl::context context_;
};

using TlsSocket = boost::asio::ssl::stream<MeteredSocket>;

/// What the steps of an attempt share.
class Dial::Impl {
public:
    using Resolver = boost::asio::ip::basic_resolver<boost::asio::ip::tcp, IoExecutor>;

    Impl(
        IoExecutor executor,
        DialOptions wanted,
        std::shared_ptr<const ConnectionLimits> all_limits,
        Sweeper& clock
    );

    /// A connection to the server, or a tunnel to it.
    [[nodiscard]] io_awaitable<Result<StreamSocket>> connect(Url url);
    /// TLS on top, with the server's certificate checked.
    [[nodiscard]] io_awaitable<Result<std::unique_ptr<TlsSocket>>> secure(
        Url url, StreamSocket tcp
    );

    void abort() noexcept {
        aborted = true;
        if (end_step) {
            end_step();
        }
    }

    IoExecutor io;
    DialOptions options;
    std::shared_ptr<const ConnectionLimits> limits;
    Sweeper& sweeper;
    std::function<void()> end_step;  // ends what is under way; empty between two steps
    std::string_view step = "starting";
    bool aborted = false;
    bool connected = false;  // a request is about to be sent

private:
    [[nodiscard]] io_awaitable<Result<std::vector<boost::asio::ip::tcp::endpoint>>> resolve(
        std::string host, std::uint16_t port
    );
    [[nodiscard]] io_awaitable<Result<StreamSocket>> connect_to(
        std::string host, std::uint16_t port
    );
    [[nodiscard]] io_awaitable<Result<StreamSocket>> connect_to_file(std::string file);
    [[nodiscard]] io_awaitable<Result<void>> tunnel(StreamSocket& socket, Proxy proxy, Url url);
};

/// Names the step under way and what ends it, for as long as it lives.
class Step {
public:
    /// `name` is a literal, such as "resolving".
    Step(Dial::Impl& dial, std::string_view name, std::function<void()> end) : dial_(dial) {
        dial_.step = name;
        dial_.end_step = std::move(end);
    }
    ~Step() { dial_.end_step = nullptr; }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

private:
    Dial::Impl& dial_;
};

/// Adds the headers that the caller wants, over those of the same name that are there.
template <class Request>
void add_headers(Request& request, const DialOptions& options) {
    for (const auto& header : options.headers) {
        request.erase(header.first);
    }
    for (const auto& [name, value] : options.headers) {
        request.insert(name, value);
    }
}

inline Error given_up() {
    return Error{Errc::cancelled, "given up"};
}

inline Error dial_error(std::string_view step, const std::string& why) {
    return Error{Errc::network, std::string(step) + ": " + why};
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
