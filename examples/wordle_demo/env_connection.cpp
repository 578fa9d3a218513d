#include "env_connection.hpp"

#include <openenv/base/json.hpp>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <stdexcept>

namespace wordle_demo {
namespace {

namespace beast = boost::beast;
namespace net = boost::asio;
using openenv::Json;
using tcp = net::ip::tcp;

Turn read_turn(const Json& message) {
    const Json& data = message["data"];
    const std::string& type = message["type"].as_string();
    if (type == "error") {
        throw std::runtime_error("the environment answered: " + data["message"].as_string());
    }
    if (type != "observation") {
        throw std::runtime_error("the environment answered with a message of type " + type);
    }
    // The first message of an observation is the whole history so far.
    const Json& history = data["observation"]["messages"][0]["content"];
    const Json& reward = data["reward"];
    return {
        .transcript = history.as_string(),
        .reward = reward.is_null() ? 0.0 : reward.as_double(),
        .done = data["done"].as_bool()};
}

}  // namespace

Endpoint parse_url(std::string_view url) {
    constexpr std::string_view kScheme = "ws://";
    if (!url.starts_with(kScheme)) {
        throw std::invalid_argument("a URL like ws://localhost:8000 is needed");
    }
    url.remove_prefix(kScheme.size());
    Endpoint endpoint;
    if (const auto slash = url.find('/'); slash != std::string_view::npos) {
        if (slash + 1 < url.size()) {
            endpoint.path = url.substr(slash);
        }
        url = url.substr(0, slash);
    }
    if (const auto colon = url.rfind(':'); colon != std::string_view::npos) {
        endpoint.port = url.substr(colon + 1);
        url = url.substr(0, colon);
    }
    if (url.empty() || endpoint.port.empty()) {
        throw std::invalid_argument("the URL names no host, or an empty port");
    }
    endpoint.host = url;
    return endpoint;
}

struct EnvConnection::Socket {
    explicit Socket(const Endpoint& endpoint) : stream(context) {
        const auto addresses = tcp::resolver(context).resolve(endpoint.host, endpoint.port);
        net::connect(stream.next_layer(), addresses);
        stream.next_layer().set_option(tcp::no_delay(true));
        stream.read_message_max(0);  // an observation may be large
        stream.handshake(endpoint.host + ":" + endpoint.port, endpoint.path);
    }

    Turn ask(const Json& request) {
        stream.write(net::buffer(request.dump()));
        beast::flat_buffer answer;
        stream.read(answer);
        return read_turn(Json::parse(beast::buffers_to_string(answer.data())));
    }

    net::io_context context;
    beast::websocket::stream<tcp::socket> stream;
};

EnvConnection::EnvConnection(const Endpoint& endpoint)
    : socket_(std::make_unique<Socket>(endpoint)) {}

EnvConnection::~EnvConnection() = default;

Turn EnvConnection::reset(std::int64_t seed) {
    return socket_->ask(Json::object({{"type", "reset"}, {"data", Json::object({{"seed", seed}})}})
    );
}

Turn EnvConnection::step(std::string_view message) {
    return socket_->ask(
        Json::object({{"type", "step"}, {"data", Json::object({{"message", message}})}})
    );
}

void EnvConnection::close() {
    socket_->stream.write(net::buffer(Json::object({{"type", "close"}}).dump()));
    // The server closes its side now; read until it has.
    beast::flat_buffer rest;
    boost::system::error_code ended;
    while (!ended) {
        socket_->stream.read(rest, ended);
    }
    if (ended != beast::websocket::error::closed) {
        throw boost::system::system_error(ended, "closing the session");
    }
}

}  // namespace wordle_demo
