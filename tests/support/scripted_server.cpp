#include "support/scripted_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <array>
#include <atomic>
#include <exception>
#include <list>
#include <mutex>
#include <sys/socket.h>
#include <thread>
#include <utility>

namespace openenv {
namespace test {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;

class ScriptedPeer::Impl {
public:
    explicit Impl(tcp::socket socket) : stream(std::move(socket)) {}

    beast::websocket::stream<tcp::socket> stream;
    beast::http::request<beast::http::string_body> request;
    std::atomic<std::size_t> pings{0};

    void accept(const std::string& features = {}) {
        if (!features.empty()) {
            stream.set_option(beast::websocket::stream_base::decorator(
                [features](beast::websocket::response_type& response) {
                    response.set("OpenEnv-Features", features);
                }
            ));
        }
        stream.control_callback([this](beast::websocket::frame_type kind, beast::string_view) {
            if (kind == beast::websocket::frame_type::ping) {
                ++pings;
            }
        });
        stream.read_message_max(0);
        stream.auto_fragment(false);
        stream.accept(request);
    }
};

std::string ScriptedPeer::header(std::string_view name) const {
    const auto value = impl_.request[beast::string_view(name.data(), name.size())];
    return std::string(value.data(), value.size());
}

std::string ScriptedPeer::target() const {
    const auto target = impl_.request.target();
    return std::string(target.data(), target.size());
}

std::string ScriptedPeer::method() const {
    const auto method = impl_.request.method_string();
    return std::string(method.data(), method.size());
}

const std::string& ScriptedPeer::body() const {
    return impl_.request.body();
}

std::string ScriptedPeer::read() {
    beast::flat_buffer buffer;
    impl_.stream.read(buffer);
    return beast::buffers_to_string(buffer.data());
}

void ScriptedPeer::send(std::string_view message) {
    impl_.stream.text(true);
    impl_.stream.write(asio::const_buffer(message.data(), message.size()));
}

void ScriptedPeer::send_binary(std::string_view message) {
    impl_.stream.binary(true);
    impl_.stream.write(asio::const_buffer(message.data(), message.size()));
}

std::string ScriptedPeer::answer(std::string_view message) {
    std::string question = read();
    send(message);
    return question;
}

void ScriptedPeer::close(std::uint16_t code, std::string_view reason) {
    impl_.stream.close(beast::websocket::close_reason(
        static_cast<beast::websocket::close_code>(code),
        beast::string_view(reason.data(), reason.size())
    ));
}

std::uint16_t ScriptedPeer::wait_for_close() {
    try {
        for (;;) {
            (void)read();
        }
    } catch (const beast::system_error& error) {
        if (error.code() != beast::websocket::error::closed) {
            return 0;
        }
    }
    return close_code();
}

std::uint16_t ScriptedPeer::close_code() const {
    return impl_.stream.reason().code;
}

void ScriptedPeer::drop() {
    impl_.stream.next_layer().close();
}

void ScriptedPeer::reset() {
    impl_.stream.next_layer().set_option(asio::socket_base::linger(true, 0));
    impl_.stream.next_layer().close();
}

void ScriptedPeer::accept() {
    impl_.accept();
}

void ScriptedPeer::send_bytes(std::string_view bytes) {
    asio::write(impl_.stream.next_layer(), asio::const_buffer(bytes.data(), bytes.size()));
}

void ScriptedPeer::wait_for_end() {
    boost::system::error_code ended;
    std::array<char, 256> dropped;
    while (!ended) {
        impl_.stream.next_layer().read_some(asio::buffer(dropped), ended);
    }
}

std::size_t ScriptedPeer::pings() const noexcept {
    return impl_.pings;
}

struct ScriptedServer::Impl {
    Impl(Script its_script, bool without_upgrade, std::uint16_t port, std::string granted = {})
        : script(std::move(its_script)),
          plain(without_upgrade),
          features(std::move(granted)),
          acceptor(io, tcp::endpoint(asio::ip::address_v4::loopback(), port)),
          accepting([this] { accept(); }) {}

    ~Impl() {
        ::shutdown(acceptor.native_handle(), SHUT_RDWR);
        accepting.join();
        drop_all();
        for (Served& peer : served) {
            peer.thread.join();
        }
    }

    void drop_all() {
        const std::scoped_lock lock(mutex);
        for (const Served& peer : served) {
            if (!peer.ended) {
                ::shutdown(peer.descriptor, SHUT_RDWR);
            }
        }
    }

    /// A connection and the thread of its script. Not to be touched without the lock, but for the
    /// thread.
    struct Served {
        int descriptor = -1;
        bool ended = false;
        std::thread thread;
    };

    void accept() {
        for (;;) {
            boost::system::error_code error;
            tcp::socket socket(io);
            acceptor.accept(socket, error);
            if (error) {
                return;
            }
            const std::scoped_lock lock(mutex);
            const std::size_t number = count++;
            std::erase_if(served, [](Served& peer) {
                if (peer.ended) {
                    peer.thread.join();  // a test may connect a hundred thousand times
                }
                return peer.ended;
            });
            Served& peer = served.emplace_back();
            peer.descriptor = socket.native_handle();
            peer.thread = std::thread([this, number, &peer, mine = std::move(socket)]() mutable {
                serve(std::move(mine), number, peer);
            });
        }
    }

    void serve(tcp::socket socket, std::size_t number, Served& its) {
        ScriptedPeer::Impl peer(std::move(socket));
        try {
            beast::flat_buffer buffer;
            beast::http::read(peer.stream.next_layer(), buffer, peer.request);
            if (!plain) {
                peer.accept(features);
            }
            ScriptedPeer face(peer, number);
            script(face);
        } catch (const std::exception&) {
            // The client has left, or the server ends: the test sees what it sees.
        }
        const std::scoped_lock lock(mutex);
        its.ended = true;  // before the descriptor goes to somebody else
        boost::system::error_code ignored;
        peer.stream.next_layer().close(ignored);
    }

    const Script script;
    const bool plain;
    const std::string features;
    asio::io_context io;
    tcp::acceptor acceptor;
    std::mutex mutex;  // of what follows
    std::size_t count = 0;
    std::list<Served> served;
    std::thread accepting;  // last: it uses all of it
};

ScriptedServer::ScriptedServer(Script script, std::uint16_t port)
    : impl_(std::make_unique<Impl>(std::move(script), false, port)) {}

ScriptedServer::ScriptedServer(Granting granting)
    : impl_(std::make_unique<Impl>(
          std::move(granting.script), false, std::uint16_t{0}, std::move(granting.features)
      )) {}

ScriptedServer::ScriptedServer(Plain plain)
    : impl_(std::make_unique<Impl>(std::move(plain.script), true, std::uint16_t{0})) {}

ScriptedServer::ScriptedServer(Refusal refusal)
    : ScriptedServer(Plain{
          [bytes = std::move(refusal)](ScriptedPeer& peer) { peer.send_bytes(bytes); }}) {}

ScriptedServer::~ScriptedServer() = default;

std::uint16_t ScriptedServer::port() const noexcept {
    return impl_->acceptor.local_endpoint().port();
}

std::string ScriptedServer::url() const {
    return "http://127.0.0.1:" + std::to_string(port());
}

std::size_t ScriptedServer::connections() const {
    const std::scoped_lock lock(impl_->mutex);
    return impl_->count;
}

void ScriptedServer::drop_all() {
    impl_->drop_all();
}

std::string url_of_nobody() {
    return ScriptedServer([](ScriptedPeer&) {}).url();
}

std::string observation_frame(std::string_view observation, std::string_view beside) {
    return R"({"type":"observation","data":{"observation":)" + std::string(observation) + "," +
           std::string(beside) + "}}";
}

std::string state_frame(std::string_view state) {
    return R"({"type":"state","data":)" + std::string(state) + "}";
}

std::string error_frame(std::string_view code, std::string_view message) {
    return R"({"type":"error","data":{"message":")" + std::string(message) + R"(","code":")" +
           std::string(code) + R"("}})";
}

}  // namespace test
}  // namespace openenv
