// TLS with certificates that are checked.
#include "integration/client/counting.hpp"
#include "integration/client/one_by_one.hpp"
#include "support/test_certificate.hpp"

#include <openenv/client/env_client.hpp>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <unistd.h>
#include <utility>

namespace openenv {
namespace test {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// A file that goes with this object. One at a time.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& content)
        : path_(
              std::filesystem::temp_directory_path() /
              ("openenv-test-" + std::to_string(::getpid()) + ".pem")
          ) {
        std::ofstream(path_) << content;
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

/// A server with that certificate, which answers the first message of each client.
class SecureServer {
public:
    explicit SecureServer(TestCertificate identity)
        : identity_(std::move(identity)),
          server_([this](OneByOne::Socket socket) { serve(std::move(socket)); }) {}

    [[nodiscard]] std::string at(const std::string& host) const {
        return "https://" + host + ":" + server_.port();
    }
    /// The name that the last client asked for in its hello; empty without one.
    [[nodiscard]] std::string asked_name() const {
        const std::scoped_lock lock(mutex_);
        return asked_name_;
    }

private:
    void serve(OneByOne::Socket socket) {
        asio::ssl::context context(asio::ssl::context::tls_server);
        context.use_certificate(asio::buffer(identity_.certificate), asio::ssl::context::pem);
        context.use_private_key(asio::buffer(identity_.key), asio::ssl::context::pem);
        beast::websocket::stream<asio::ssl::stream<OneByOne::Socket>> stream(
            std::move(socket), context
        );
        stream.next_layer().handshake(asio::ssl::stream_base::server);
        {
            const char* name = ::SSL_get_servername(
                stream.next_layer().native_handle(), TLSEXT_NAMETYPE_host_name
            );
            const std::scoped_lock lock(mutex_);
            asked_name_ = name == nullptr ? "" : name;
        }
        stream.accept();
        beast::flat_buffer buffer;
        stream.read(buffer);
        const std::string answer =
            R"({"type":"observation","data":{"observation":{"count":5},"reward":1,"done":false}})";
        stream.write(asio::buffer(answer));
        stream.read(buffer);
        stream.read(buffer);
    }

    const TestCertificate identity_;
    mutable std::mutex mutex_;  // the server has a thread of its own
    std::string asked_name_;
    OneByOne server_;
};

/// Why no connection to it comes about; empty when one does. Trusts that certificate, or those of
/// the system.
std::string refusal_of(const std::string& url, const std::string& trusted) {
    const TemporaryFile file(trusted);
    ClientOptions options;
    options.ca_file = trusted.empty() ? "" : file.path();
    CountClient client(url, options);
    try {
        client.sync().reset();
        client.sync().close();
    } catch (const ConnectFailed& error) {
        return error.what();
    }
    return "";
}

TEST(Client, SpeaksTlsWithAServerWhoseCertificateItTrusts) {
    const TestCertificate identity("127.0.0.1");
    const TemporaryFile trusted(identity.certificate);
    SecureServer server(identity);
    ClientOptions options;
    options.ca_file = trusted.path();
    CountClient client(server.at("127.0.0.1"), options);
    EXPECT_EQ(client.sync().reset().observation.count, 5);
    client.sync().close();
    EXPECT_EQ(server.asked_name(), "") << "an address is no server name (RFC 6066, section 3)";
}

TEST(Field, F54ACertificateBelongsToTheHostThatWasAskedFor) {
    const TestCertificate by_name("localhost");
    SecureServer named(by_name);
    EXPECT_EQ(refusal_of(named.at("LocalHost"), by_name.certificate), "");
    EXPECT_EQ(named.asked_name(), "localhost");
    EXPECT_THAT(
        refusal_of(named.at("127.0.0.1"), by_name.certificate),
        HasSubstr("TLS: IP address mismatch")
    );

    const TestCertificate by_address("127.0.0.1");
    SecureServer numbered(by_address);
    EXPECT_EQ(refusal_of(numbered.at("127.0.0.1"), by_address.certificate), "");
    EXPECT_THAT(
        refusal_of(numbered.at("localhost"), by_address.certificate),
        HasSubstr("TLS: hostname mismatch")
    );

    const TestCertificate elsewhere("elsewhere.example");
    SecureServer other(elsewhere);
    EXPECT_THAT(
        refusal_of(other.at("localhost"), elsewhere.certificate),
        AllOf(
            StartsWith("Failed to connect to wss://localhost:"), HasSubstr("TLS: hostname mismatch")
        )
    );
}

TEST(Field, F54ACertificateIsSignedBySomebodyWhoIsTrusted) {
    const TestCertificate identity("127.0.0.1");
    SecureServer server(identity);
    EXPECT_THAT(
        refusal_of(server.at("127.0.0.1"), ""), AllOf(HasSubstr("TLS: "), HasSubstr("self"))
    ) << "the system does not know it";
    const TestCertificate namesake("127.0.0.1");
    EXPECT_THAT(
        refusal_of(server.at("127.0.0.1"), namesake.certificate),
        AllOf(HasSubstr("TLS: "), HasSubstr("self-signed certificate"))
    ) << "another of the same name";
    EXPECT_EQ(refusal_of(server.at("127.0.0.1"), identity.certificate), "");
}

TEST(Field, F54ACertificateEnds) {
    const TestCertificate old("127.0.0.1", TestCertificate::Valid::until_yesterday);
    SecureServer server(old);
    EXPECT_THAT(
        refusal_of(server.at("127.0.0.1"), old.certificate),
        AllOf(HasSubstr("TLS: "), HasSubstr("expired"))
    );
}

TEST(Field, F54AServerWithoutTlsIsNotTalkedTo) {
    OneByOne plain([](OneByOne::Socket socket) { send(socket, "HTTP/1.1 400 Bad Request\r\n\r\n"); }
    );
    EXPECT_THAT(
        refusal_of("https://127.0.0.1:" + plain.port(), ""),
        HasSubstr("TLS: the server does not speak TLS")
    );
}

TEST(Field, F54CertificateFilesThatAreNoneAreRefusedAtOnce) {
    const auto refusal = [](const std::string& path) -> std::string {
        ClientOptions options;
        options.ca_file = path;
        try {
            CountClient client("wss://h", options);
        } catch (const ConfigError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(refusal("/no/such/file.pem"), HasSubstr("/no/such/file.pem"));
    const std::string begin = "-----BEGIN CERTIFICATE-----\n";
    for (const std::string& content : {std::string("garbage"), std::string(), begin + "AAAA\n"}) {
        const TemporaryFile file(content);
        EXPECT_THAT(refusal(file.path()), HasSubstr(file.path())) << content;
    }
    const TemporaryFile good(TestCertificate("h").certificate);
    EXPECT_EQ(refusal(good.path()), "");
}

}  // namespace
}  // namespace test
}  // namespace openenv
