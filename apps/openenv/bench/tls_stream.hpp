#pragma once

#include "bench/byte_stream.hpp"

#include <openssl/types.h>

#include <string>

namespace openenv::bench {

/// How servers are trusted.
struct TlsOptions {
    std::string ca_file = {};  ///< certificates (PEM) to trust instead of the system's
    bool insecure = false;     ///< takes any certificate
};

/// What all TLS connections of a run share.
class TlsContext {
public:
    /// Errors: ConfigError when the certificates cannot be read.
    explicit TlsContext(const TlsOptions& options);
    ~TlsContext();
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;

    [[nodiscard]] SSL_CTX* native() const noexcept { return context_; }

private:
    SSL_CTX* context_;
};

/// TLS over a socket. The certificate has to be for `host` and trusted, unless the context takes
/// any. A peer that has gone never raises SIGPIPE.
class TlsStream final : public ByteStream {
public:
    /// Lifetime: the socket and the context outlive the stream.
    TlsStream(const TlsContext& context, int socket, const std::string& host);
    ~TlsStream() override;

    [[nodiscard]] bool secure() override;
    [[nodiscard]] std::size_t send(std::string_view bytes) override;
    [[nodiscard]] std::optional<std::size_t> receive(std::span<char> room) override;
    [[nodiscard]] bool wants_to_send() const noexcept override { return wants_to_send_; }
    [[nodiscard]] bool has_buffered() const noexcept override;

private:
    /// Notes what an operation waits for. True when it waits; throws when it failed.
    bool waits(int result, const char* what);

    SSL* ssl_;
    bool wants_to_send_ = false;
};

}  // namespace openenv::bench
