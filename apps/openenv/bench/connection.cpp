#include "bench/connection.hpp"

#include "bench/http_head.hpp"
#include "bench/trouble.hpp"

#include <openenv/version.hpp>

#include <fmt/format.h>

#include <array>
#include <utility>

namespace openenv::bench {
namespace {

constexpr std::size_t kReceiveBytes = 64U << 10U;
constexpr std::size_t kQuotedBody = 200;

// A fixed key has a fixed answer, which tells a WebSocket server from something that says 101.
constexpr std::string_view kKey = "b3BlbmVudi1iZW5jaC1rZQ==";
constexpr std::string_view kAccept = "yBA57WLFJWSyvOIKC+2ZuS/JOtk=";

std::string hint_for(unsigned status) {
    switch (status) {
        case 401:
        case 403:
            return " (is a token needed in OPENENV_TOKEN, or the path wrong?)";
        case 200:
        case 404:
        case 426:
            return " (no OpenEnv server at this address?)";
        default:
            return {};
    }
}

/// Whether a list of names, as in `a, b`, has one.
bool names(std::string_view list, std::string_view wanted) {
    constexpr std::string_view kBetween = ", \t";
    while (true) {
        const std::size_t begin = list.find_first_not_of(kBetween);
        if (begin == std::string_view::npos) {
            return false;
        }
        list.remove_prefix(begin);
        const std::string_view name = list.substr(0, list.find_first_of(kBetween));
        if (name == wanted) {
            return true;
        }
        list.remove_prefix(name.size());
    }
}

}  // namespace

bool Connection::begin(const ConnectionOptions& options, std::size_t number) {
    std::optional<Descriptor> socket = begin_connecting(options.address, number);
    if (!socket) {
        return false;
    }
    options_ = &options;
    reader_ = FrameReader(options.max_message_bytes);
    socket_ = std::move(*socket);
    stage_ = Stage::connecting;
    return true;
}

const char* Connection::stage_text() const noexcept {
    switch (stage_) {
        case Stage::unused:
        case Stage::connecting:
            return "connecting";
        case Stage::securing:
            return "securing";
        case Stage::upgrading:
            return "upgrading";
        case Stage::open:
            return "open";
    }
    return "";
}

bool Connection::open() {
    if (stage_ == Stage::connecting) {
        finish_connecting(socket_);
        if (options_->tls) {
            stream_ =
                std::make_unique<TlsStream>(*options_->tls, socket_.number(), options_->url.host);
        } else {
            stream_ = std::make_unique<PlainStream>(socket_.number());
        }
        stage_ = Stage::securing;
    }
    if (stage_ == Stage::securing && stream_->secure()) {
        stage_ = Stage::upgrading;
        send(upgrade_request());
    }
    if (stage_ == Stage::upgrading) {
        flush();
    }
    if (stage_ == Stage::upgrading && read_upgrade()) {
        stage_ = Stage::open;
    }
    return stage_ == Stage::open;
}

std::string Connection::upgrade_request() const {
    std::string request = fmt::format(
        "GET {} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: {}\r\nSec-WebSocket-Version: 13\r\nUser-Agent: openenv-bench/{}\r\n",
        options_->url.target("ws"),
        options_->url.authority(),
        kKey,
        openenv::kVersion
    );
    if (!options_->token.empty()) {
        request += fmt::format("Authorization: Bearer {}\r\n", options_->token);
    }
    if (!options_->accept.empty()) {
        request += fmt::format("OpenEnv-Accept: {}\r\n", options_->accept);
    }
    return request + "\r\n";
}

bool Connection::read_upgrade() {
    std::array<char, 4096> room;
    std::optional<HttpHead> head;
    bool ended = false;
    while (!(head = HttpHead::find_in(head_)) && !ended) {
        const std::optional<std::size_t> got = stream_->receive(room);
        if (!got) {
            return false;
        }
        head_.append(room.data(), *got);
        ended = *got == 0;
    }
    if (!head) {
        throw Trouble(Reason::closed, "the server closed the connection before the upgrade");
    }
    if (head->status() != 101) {
        throw Trouble(
            Reason::upgrade_refused,
            fmt::format(
                "the upgrade was refused: {}{}: {}",
                head->status_line(),
                hint_for(head->status()),
                std::string_view(head_).substr(head->size(), kQuotedBody)
            )
        );
    }
    if (head->value_of("Sec-WebSocket-Accept") != kAccept) {
        throw Trouble(
            Reason::upgrade_refused,
            "the answer to the upgrade lacks the right Sec-WebSocket-Accept"
        );
    }
    const std::string granted(head->value_of("OpenEnv-Features").value_or(std::string_view()));
    if (!options_->accept.empty() && !names(granted, options_->accept)) {
        throw Trouble(
            Reason::upgrade_refused,
            fmt::format("the server does not have the extension '{}'", options_->accept)
        );
    }
    reader_.append(std::string_view(head_).substr(head->size()));
    head_ = std::string();
    return true;
}

void Connection::send(std::string_view bytes) {
    if (!broken_.empty()) {
        return;
    }
    try {
        while (unsent_.empty() && !bytes.empty()) {
            const std::size_t sent = stream_->send(bytes);
            bytes.remove_prefix(sent);
            if (sent == 0) {
                break;
            }
        }
        unsent_.append(bytes);
    } catch (const Trouble& trouble) {
        broken_ = trouble.what();
        unsent_.clear();
    }
}

void Connection::flush() {
    const std::string kept = std::exchange(unsent_, {});
    send(kept);
}

bool Connection::wants_to_send() const noexcept {
    return stage_ == Stage::connecting || !unsent_.empty() || (stream_ && stream_->wants_to_send());
}

Connection::Received Connection::receive() {
    // One buffer for all connections: what it held has been copied before the next call.
    thread_local std::array<char, kReceiveBytes> room;
    std::optional<std::size_t> got;
    try {
        got = stream_->receive(room);
    } catch (const Trouble& trouble) {
        broken_ = trouble.what();
        return Received::end;
    }
    if (!got) {
        return Received::all;
    }
    if (*got == 0) {
        return Received::end;
    }
    reader_.append({room.data(), *got});
    return *got == room.size() || stream_->has_buffered() ? Received::more : Received::all;
}

std::optional<Message> Connection::next_message() {
    try {
        return reader_.next();
    } catch (const ProtocolError& error) {
        throw Trouble(Reason::protocol, error.what());
    }
}

void Connection::end() {
    stream_.reset();
    socket_ = Descriptor();
    stage_ = Stage::unused;
    reader_ = FrameReader(0);
    unsent_ = {};
    head_ = {};
}

}  // namespace openenv::bench
