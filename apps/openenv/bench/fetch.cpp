#include "bench/fetch.hpp"

#include "bench/clock.hpp"
#include "bench/http_head.hpp"
#include "bench/trouble.hpp"

#include <openenv/base/ascii.hpp>
#include <openenv/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <poll.h>
#include <string>
#include <utility>

namespace openenv::bench {
namespace {

constexpr std::size_t kLargestPage = 16U << 20U;
constexpr std::size_t kQuoted = 200;

/// One request over a connection of its own.
class Fetch {
public:
    Fetch(const ConnectionOptions& options, Clock::time_point until)
        : options_(options), until_(until) {}

    /// The whole answer, head and body.
    std::string get(const std::string& path) {
        connect();
        std::string request = fmt::format(
            "GET {} HTTP/1.1\r\nHost: {}\r\nAccept: application/json\r\nConnection: close\r\n",
            path,
            options_.url.authority()
        );
        if (!options_.token.empty()) {
            request += fmt::format("Authorization: Bearer {}\r\n", options_.token);
        }
        send(request + "\r\n");
        return read();
    }

private:
    void wait(short events) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - Clock::now());
        pollfd socket{socket_.number(), events, 0};
        const auto limit = std::clamp<std::int64_t>(left.count(), 0, 3'600'000);
        if (::poll(&socket, 1, static_cast<int>(limit)) == 0) {
            throw Trouble(Reason::timeout, "the server does not answer");
        }
    }

    void connect() {
        std::optional<Descriptor> socket = begin_connecting(options_.address, 0);
        if (!socket) {
            throw Trouble(Reason::timeout, "the server has no time for a connection");
        }
        socket_ = std::move(*socket);
        wait(POLLOUT);
        finish_connecting(socket_);
        if (options_.tls) {
            stream_ =
                std::make_unique<TlsStream>(*options_.tls, socket_.number(), options_.url.host);
        } else {
            stream_ = std::make_unique<PlainStream>(socket_.number());
        }
        while (!stream_->secure()) {
            wait(stream_->wants_to_send() ? POLLOUT : POLLIN);
        }
    }

    void send(std::string_view bytes) {
        while (!bytes.empty()) {
            const std::size_t sent = stream_->send(bytes);
            bytes.remove_prefix(sent);
            if (sent == 0) {
                wait(POLLOUT);
            }
        }
    }

    /// To the end of the stream, or as much as the head says.
    std::string read() {
        std::string answer;
        std::array<char, 16384> room;
        while (answer.size() < kLargestPage && !is_complete(answer)) {
            const std::optional<std::size_t> got = stream_->receive(room);
            if (!got) {
                wait(POLLIN);
            } else if (*got == 0) {
                return answer;
            } else {
                answer.append(room.data(), *got);
            }
        }
        return answer;
    }

    static bool is_complete(std::string_view answer) {
        const std::optional<HttpHead> head = HttpHead::find_in(answer);
        if (!head) {
            return false;
        }
        const std::optional<std::string_view> length = head->value_of("Content-Length");
        std::size_t bytes = 0;
        const bool is_said =
            length && std::from_chars(length->data(), length->data() + length->size(), bytes).ec ==
                          std::errc();
        return is_said && answer.size() - head->size() >= bytes;
    }

    const ConnectionOptions& options_;
    Clock::time_point until_;
    Descriptor socket_;
    std::unique_ptr<ByteStream> stream_;
};

/// Where the page lies: beside "ws", should the address name that.
std::string schema_page(net::Url url) {
    constexpr std::string_view kSocket = "/ws";
    if (url.path.ends_with(kSocket)) {
        url.path.resize(url.path.size() - kSocket.size());
    }
    return url.target("schema");
}

/// A body that came in chunks, put together; empty when it is none.
std::string joined(std::string_view chunks) {
    std::string body;
    while (true) {
        std::size_t size = 0;
        const auto [stopped, error] =
            std::from_chars(chunks.data(), chunks.data() + chunks.size(), size, 16);
        const std::size_t line = chunks.find("\r\n");
        if (error != std::errc() || line == std::string_view::npos) {
            return {};
        }
        if (size == 0) {
            return body;
        }
        chunks.remove_prefix(line + 2);
        if (chunks.size() < 2 || size > chunks.size() - 2) {
            return {};
        }
        body.append(chunks.substr(0, size));
        chunks.remove_prefix(size + 2);
    }
}

[[noreturn]] void refuse(const std::string& why) {
    throw Exception(Error{
        Errc::network, "the schema of the action cannot be had: " + why + "; give one with --step"}
    );
}

std::string page(const ConnectionOptions& options, Clock::time_point until) {
    const std::string answer = Fetch(options, until).get(schema_page(options.url));
    const std::optional<HttpHead> head = HttpHead::find_in(answer);
    if (!head || head->status() != 200) {
        refuse("the server answered " + std::string(head ? head->status_line() : "without a head"));
    }
    const std::string_view body = std::string_view(answer).substr(head->size());
    const std::string coding = ascii_lower(head->value_of("Transfer-Encoding").value_or(""));
    return coding == "chunked" ? joined(body) : std::string(body);
}

}  // namespace

Json fetch_schema(const ConnectionOptions& options, std::chrono::duration<double> patience) {
    std::string body;
    try {
        body = page(options, Clock::now() + to_duration(patience.count()));
    } catch (const Trouble& trouble) {
        const std::string why = trouble.what();
        throw Exception(Error{Errc::network, why + ": is this the address of an OpenEnv server?"});
    }
    Json document;
    try {
        document = Json::parse(body);
    } catch (const Exception& error) {
        refuse(fmt::format("{}, in: {}", error.what(), body.substr(0, kQuoted)));
    }
    const Json* action = document.find("action");
    if (action == nullptr || !action->is_object()) {
        refuse("the server's schema has no object 'action'");
    }
    return document;
}

SocketAddress choose_address(const net::Url& url, std::chrono::duration<double> patience) {
    const std::vector<SocketAddress> addresses = resolve(url);
    for (const SocketAddress& address : addresses) {
        if (addresses.size() == 1) {
            break;
        }
        try {
            const std::optional<Descriptor> socket = begin_connecting(address, 0);
            if (!socket) {
                return address;  // somebody is there
            }
            pollfd waited{socket->number(), POLLOUT, 0};
            const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(patience);
            ::poll(&waited, 1, static_cast<int>(std::min<std::int64_t>(limit.count(), 3'600'000)));
            if (waited.revents != 0) {
                finish_connecting(*socket);
                return address;
            }
        } catch (const Trouble&) {
            continue;  // the next one; when none is left, every session will tell why
        }
    }
    return addresses.front();
}

}  // namespace openenv::bench
