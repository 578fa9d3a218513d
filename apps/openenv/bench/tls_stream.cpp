#include "bench/tls_stream.hpp"

#include "bench/trouble.hpp"

#include <openenv/base/error.hpp>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <memory>
#include <sys/socket.h>

namespace openenv::bench {
namespace {

// OpenSSL's own BIO for sockets writes without MSG_NOSIGNAL, so here is one that does not.

int socket_of(BIO* bio) {
    return static_cast<int>(reinterpret_cast<std::intptr_t>(::BIO_get_data(bio)));
}

int bio_write(BIO* bio, const char* bytes, int size) {
    ::BIO_clear_flags(bio, BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY);
    const ssize_t sent =
        ::send(socket_of(bio), bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) {
        ::BIO_set_flags(bio, BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY);
    }
    return static_cast<int>(sent);
}

int bio_read(BIO* bio, char* room, int size) {
    ::BIO_clear_flags(bio, BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY);
    const ssize_t got = ::recv(socket_of(bio), room, static_cast<std::size_t>(size), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        ::BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY);
    }
    return static_cast<int>(got);
}

long bio_control(BIO*, int command, long, void*) {
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

int bio_create(BIO* bio) {
    ::BIO_set_init(bio, 1);
    return 1;
}

BIO_METHOD* socket_method() {
    static const std::unique_ptr<BIO_METHOD, decltype(&::BIO_meth_free)> method = [] {
        BIO_METHOD* made = ::BIO_meth_new(BIO_TYPE_SOURCE_SINK, "socket without signals");
        ::BIO_meth_set_write(made, bio_write);
        ::BIO_meth_set_read(made, bio_read);
        ::BIO_meth_set_ctrl(made, bio_control);
        ::BIO_meth_set_create(made, bio_create);
        return std::unique_ptr<BIO_METHOD, decltype(&::BIO_meth_free)>(made, &::BIO_meth_free);
    }();
    return method.get();
}

/// What OpenSSL says about the first thing that went wrong.
std::string first_error() {
    const unsigned long error = ::ERR_get_error();
    ::ERR_clear_error();
    if (error == 0) {
        return "the server closed the connection";
    }
    if (ERR_GET_REASON(error) == SSL_R_WRONG_VERSION_NUMBER) {
        return "the server does not speak TLS (http instead of https?)";
    }
    const char* text = ::ERR_reason_error_string(error);
    return text == nullptr ? "failed" : text;
}

bool is_address(const std::string& host) {
    std::array<unsigned char, sizeof(in6_addr)> room{};
    return ::inet_pton(AF_INET, host.c_str(), room.data()) == 1 ||
           ::inet_pton(AF_INET6, host.c_str(), room.data()) == 1;
}

int int_size(std::size_t size) {
    return static_cast<int>(std::min<std::size_t>(size, INT_MAX));
}

}  // namespace

TlsContext::TlsContext(const TlsOptions& options) : context_(::SSL_CTX_new(::TLS_client_method())) {
    if (context_ == nullptr) {
        throw ConfigError("TLS cannot be set up: " + first_error());
    }
    // The functions behind macros whose casts are old-style.
    ::SSL_CTX_ctrl(context_, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, nullptr);
    ::SSL_CTX_ctrl(
        context_,
        SSL_CTRL_MODE,
        SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
            SSL_MODE_RELEASE_BUFFERS,
        nullptr
    );
    ::SSL_CTX_set_verify(context_, options.insecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
    const int trusted =
        options.ca_file.empty()
            ? ::SSL_CTX_set_default_verify_paths(context_)
            : ::SSL_CTX_load_verify_locations(context_, options.ca_file.c_str(), nullptr);
    if (trusted != 1) {
        const std::string why = first_error();
        ::SSL_CTX_free(context_);
        throw ConfigError(
            options.ca_file.empty()
                ? "the system's certificates cannot be used: " + why
                : "the certificates of '" + options.ca_file + "' cannot be used: " + why
        );
    }
}

TlsContext::~TlsContext() {
    ::SSL_CTX_free(context_);
}

TlsStream::TlsStream(const TlsContext& context, int socket, const std::string& host)
    : ssl_(::SSL_new(context.native())) {
    BIO* bio = ::BIO_new(socket_method());
    if (ssl_ == nullptr || bio == nullptr) {
        ::SSL_free(ssl_);
        ::BIO_free(bio);
        throw Trouble(Reason::local, "TLS: " + first_error());
    }
    ::BIO_set_data(bio, reinterpret_cast<void*>(static_cast<std::intptr_t>(socket)));
    ::SSL_set_bio(ssl_, bio, bio);
    ::SSL_set_connect_state(ssl_);
    X509_VERIFY_PARAM* wanted = ::SSL_get0_param(ssl_);
    if (is_address(host)) {
        ::X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str());
        return;
    }
    ::X509_VERIFY_PARAM_set1_host(wanted, host.c_str(), 0);
    std::string name = host;
    ::SSL_ctrl(ssl_, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data());
}

TlsStream::~TlsStream() {
    ::SSL_free(ssl_);
}

bool TlsStream::waits(int result, const char* what) {
    const int error = ::SSL_get_error(ssl_, result);
    wants_to_send_ = error == SSL_ERROR_WANT_WRITE;
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
        return true;
    }
    const std::string why = first_error();
    const bool was_open = ::SSL_is_init_finished(ssl_) == 1;
    throw Trouble(
        was_open ? Reason::closed : Reason::connect_failed, std::string(what) + ": " + why
    );
}

bool TlsStream::secure() {
    ::ERR_clear_error();
    const int result = ::SSL_do_handshake(ssl_);
    if (result == 1) {
        wants_to_send_ = false;
        return true;
    }
    const long verdict = ::SSL_get_verify_result(ssl_);
    if (verdict != X509_V_OK && ::SSL_get_error(ssl_, result) == SSL_ERROR_SSL) {
        ::ERR_clear_error();
        throw Trouble(
            Reason::connect_failed,
            std::string("TLS: ") + ::X509_verify_cert_error_string(verdict) +
                " (--ca-file names what to trust, --insecure trusts anybody)"
        );
    }
    return !waits(result, "TLS");
}

std::size_t TlsStream::send(std::string_view bytes) {
    if (bytes.empty()) {
        return 0;
    }
    ::ERR_clear_error();
    const int sent = ::SSL_write(ssl_, bytes.data(), int_size(bytes.size()));
    if (sent > 0) {
        wants_to_send_ = false;
        return static_cast<std::size_t>(sent);
    }
    waits(sent, "sending");
    return 0;
}

std::optional<std::size_t> TlsStream::receive(std::span<char> room) {
    ::ERR_clear_error();
    const int got = ::SSL_read(ssl_, room.data(), int_size(room.size()));
    if (got > 0) {
        return static_cast<std::size_t>(got);
    }
    if (::SSL_get_error(ssl_, got) == SSL_ERROR_ZERO_RETURN) {
        return 0;
    }
    waits(got, "receiving");
    return std::nullopt;
}

bool TlsStream::has_buffered() const noexcept {
    return ::SSL_has_pending(ssl_) == 1;
}

}  // namespace openenv::bench
