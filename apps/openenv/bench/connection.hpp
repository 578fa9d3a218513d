#pragma once

#include "bench/byte_stream.hpp"
#include "bench/descriptor.hpp"
#include "bench/frame.hpp"
#include "bench/socket_address.hpp"
#include "bench/tls_stream.hpp"

#include <openenv/net/url.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace openenv::bench {

/// How all connections of a run are made.
struct ConnectionOptions {
    net::Url url;
    SocketAddress address;
    std::string token = {};   ///< sent as `Authorization: Bearer`; empty: not sent
    std::string accept = {};  ///< the extensions to ask for, which have to be granted
    std::size_t max_message_bytes = 100U << 20U;
    std::shared_ptr<const TlsContext> tls = nullptr;  ///< shared by the runs; of wss only
};

/// One WebSocket of the load generator, from the first packet to the last. Nothing here waits;
/// every call does what the socket allows at that moment.
/// Errors: Trouble.
class Connection {
public:
    Connection() = default;

    /// Begins; `number` counts the connections of the run. False when the server has more to accept
    /// than it can: to be tried again.
    /// Lifetime: the options outlive the connection.
    [[nodiscard]] bool begin(const ConnectionOptions& options, std::size_t number);
    /// Goes on with connecting, securing and upgrading. True once messages can be sent.
    [[nodiscard]] bool open();
    [[nodiscard]] bool is_open() const noexcept { return stage_ == Stage::open; }
    /// What open() is at: "connecting", "securing", "upgrading".
    [[nodiscard]] const char* stage_text() const noexcept;

    /// Sends bytes, and keeps what the socket does not take now. A connection that the peer has
    /// ended takes everything: what it said before that is still to be read.
    void send(std::string_view bytes);
    /// Sends what was kept.
    void flush();
    [[nodiscard]] bool wants_to_send() const noexcept;

    enum class Received {
        all,   ///< that is there at present
        more,  ///< may be there
        end,   ///< the peer has closed its side
    };
    /// Reads a piece; take the messages in it before the next one.
    [[nodiscard]] Received receive();
    [[nodiscard]] std::optional<Message> next_message();

    /// Closes the socket.
    void end();
    [[nodiscard]] int descriptor() const noexcept { return socket_.number(); }

private:
    enum class Stage { unused, connecting, securing, upgrading, open };

    [[nodiscard]] std::string upgrade_request() const;
    [[nodiscard]] bool read_upgrade();

    const ConnectionOptions* options_ = nullptr;
    Stage stage_ = Stage::unused;
    Descriptor socket_;
    std::unique_ptr<ByteStream> stream_;
    FrameReader reader_;
    std::string unsent_;
    std::string head_;    // of the HTTP answer, until it is complete
    std::string broken_;  // why nothing can be sent any more; empty as long as it can
};

}  // namespace openenv::bench
