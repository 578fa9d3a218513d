#include "integration/support/bare_websocket_server.hpp"

#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <arpa/inet.h>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <list>
#include <netinet/in.h>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace openenv {
namespace test {

namespace {

/// The key of `openenv bench` is always the same, and so is the answer to it.
constexpr std::string_view kAccept = "yBA57WLFJWSyvOIKC+2ZuS/JOtk=";
constexpr unsigned char kCloseFrame[] = {0x88, 0};

class Ended : public std::runtime_error {
public:
    Ended() : std::runtime_error("the connection has ended") {}
};

/// A connection, with TLS or without.
class Stream {
public:
    Stream(int socket, SSL_CTX* context) : socket_(socket) {
        if (context != nullptr) {
            ssl_ = ::SSL_new(context);
            ::SSL_set_fd(ssl_, socket);
            if (::SSL_accept(ssl_) != 1) {
                ::SSL_free(ssl_);
                throw Ended();
            }
        }
    }
    ~Stream() { ::SSL_free(ssl_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    unsigned char read_byte() {
        if (at_ == held_) {
            const auto room = static_cast<int>(buffer_.size());
            const auto got = ssl_ != nullptr
                                 ? static_cast<ssize_t>(::SSL_read(ssl_, buffer_.data(), room))
                                 : ::recv(socket_, buffer_.data(), buffer_.size(), 0);
            if (got <= 0) {
                throw Ended();
            }
            at_ = 0;
            held_ = static_cast<std::size_t>(got);
        }
        return buffer_[at_++];
    }

    void write(std::string_view bytes) {
        while (!bytes.empty()) {
            const auto sent = ssl_ != nullptr
                                  ? static_cast<ssize_t>(::SSL_write(
                                        ssl_, bytes.data(), static_cast<int>(bytes.size())
                                    ))
                                  : ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) {
                throw Ended();
            }
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
    }

private:
    int socket_;
    SSL* ssl_ = nullptr;
    std::array<unsigned char, 16384> buffer_{};
    std::size_t at_ = 0;
    std::size_t held_ = 0;
};

/// A client's message, unmasked; nothing for a close frame.
std::optional<std::string> read_message(Stream& stream) {
    const unsigned opcode = stream.read_byte() & 0x0FU;
    std::uint64_t size = stream.read_byte() & 0x7FU;
    const int further = size == 126 ? 2 : size == 127 ? 8 : 0;
    if (further > 0) {
        size = 0;
        for (int i = 0; i < further; ++i) {
            size = (size << 8U) | stream.read_byte();
        }
    }
    std::array<unsigned char, 4> mask{};
    for (unsigned char& byte : mask) {
        byte = stream.read_byte();
    }
    std::string text;
    for (std::uint64_t i = 0; i < size; ++i) {
        text += static_cast<char>(stream.read_byte() ^ mask[i % 4]);
    }
    if (opcode == 8) {
        return std::nullopt;
    }
    return text;
}

std::string text_frame(const std::string& text) {
    std::string frame = "\x81";
    if (text.size() < 126) {
        frame += static_cast<char>(text.size());
    } else {
        frame += '\x7e';
        frame += static_cast<char>((text.size() >> 8U) & 0xFFU);
        frame += static_cast<char>(text.size() & 0xFFU);
    }
    return frame + text;
}

SSL_CTX* context_for(const TestCertificate& identity) {
    SSL_CTX* context = ::SSL_CTX_new(::TLS_server_method());
    BIO* certificate_text = ::BIO_new_mem_buf(identity.certificate.data(), -1);
    X509* certificate = ::PEM_read_bio_X509(certificate_text, nullptr, nullptr, nullptr);
    ::SSL_CTX_use_certificate(context, certificate);
    ::X509_free(certificate);
    ::BIO_free(certificate_text);
    BIO* key_text = ::BIO_new_mem_buf(identity.key.data(), -1);
    EVP_PKEY* key = ::PEM_read_bio_PrivateKey(key_text, nullptr, nullptr, nullptr);
    ::SSL_CTX_use_PrivateKey(context, key);
    ::EVP_PKEY_free(key);
    ::BIO_free(key_text);
    return context;
}

int listening_socket(const std::string& unix_path) {
    sockaddr_storage address{};
    socklen_t size = 0;
    if (unix_path.empty()) {
        auto& local = reinterpret_cast<sockaddr_in&>(address);
        local.sin_family = AF_INET;
        local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        size = sizeof local;
    } else {
        auto& local = reinterpret_cast<sockaddr_un&>(address);
        local.sun_family = AF_UNIX;
        std::strncpy(local.sun_path, unix_path.c_str(), sizeof local.sun_path - 1);
        size = sizeof local;
    }
    const int socket = ::socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto* raw = reinterpret_cast<const sockaddr*>(&address);
    if (socket < 0 || ::bind(socket, raw, size) != 0 || ::listen(socket, 64) != 0) {
        throw std::runtime_error("no socket to listen on");
    }
    return socket;
}

}  // namespace

class BareWebSocketServer::Impl {
public:
    Impl(Options options, Script script)
        : options_(std::move(options)),
          script_(std::move(script)),
          context_(options_.identity ? context_for(*options_.identity) : nullptr),
          listener_(listening_socket(options_.unix_path)),
          accepting_([this] { accept(); }) {
        std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes without MSG_NOSIGNAL
    }

    ~Impl() {
        ::shutdown(listener_, SHUT_RDWR);
        accepting_.join();
        for (Served& peer : served_) {
            ::shutdown(peer.socket, SHUT_RDWR);
            peer.thread.join();
            ::close(peer.socket);
        }
        ::close(listener_);
        ::SSL_CTX_free(context_);
        if (!options_.unix_path.empty()) {
            ::unlink(options_.unix_path.c_str());
        }
    }

    [[nodiscard]] std::string url() const {
        if (!options_.unix_path.empty()) {
            return "unix:" + options_.unix_path;
        }
        sockaddr_in address{};
        socklen_t size = sizeof address;
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
        return std::string(context_ != nullptr ? "https" : "http") +
               "://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    }

private:
    struct Served {
        int socket;
        std::thread thread;
    };

    void accept() {
        while (true) {
            const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            if (socket < 0) {
                return;
            }
            Served& peer = served_.emplace_back();  // of this thread, until it has been joined
            peer.socket = socket;
            peer.thread = std::thread([this, socket] {
                try {
                    serve(socket);
                } catch (const Ended&) {
                }
                ::shutdown(socket, SHUT_RDWR);
            });
        }
    }

    void serve(int socket) {
        Stream stream(socket, context_);
        std::string request;
        while (!request.ends_with("\r\n\r\n")) {
            request += static_cast<char>(stream.read_byte());
        }
        stream.write(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Accept: " +
            std::string(kAccept) + "\r\n" + options_.headers + "\r\n"
        );
        while (const std::optional<std::string> message = read_message(stream)) {
            const std::string answer = script_(*message);
            if (!answer.empty()) {
                stream.write(text_frame(answer));
            }
        }
        stream.write({reinterpret_cast<const char*>(kCloseFrame), sizeof kCloseFrame});
    }

    const Options options_;
    const Script script_;
    SSL_CTX* const context_;
    const int listener_;
    std::list<Served> served_;
    std::thread accepting_;
};

BareWebSocketServer::BareWebSocketServer(Options options, Script script)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(script))) {}

BareWebSocketServer::~BareWebSocketServer() = default;

std::string BareWebSocketServer::url() const {
    return impl_->url();
}

}  // namespace test
}  // namespace openenv
