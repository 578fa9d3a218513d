#include "support/raw_websocket.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace openenv {
namespace test {

namespace {

constexpr std::array<char, 4> kMask{'\x37', '\x11', '\x5a', '\x6e'};
/// So much of a message is repeated by an error of ours.
constexpr std::size_t kShownBytes = 300;

std::string_view shown(std::string_view payload) {
    return payload.substr(0, kShownBytes);
}

void append_big_endian(std::string& out, std::uint64_t value, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
        out.push_back(static_cast<char>((value >> shift) & 0xFF));
    }
}

std::uint64_t big_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (const char byte : bytes) {
        value = value << 8 | static_cast<unsigned char>(byte);
    }
    return value;
}

std::string encode(Opcode opcode, std::string_view payload, const FrameStyle& style) {
    std::string frame;
    frame.reserve(payload.size() + 14);
    const unsigned first =
        (style.fin ? 0x80U : 0U) | (style.reserved_bits & 7U) << 4 | static_cast<unsigned>(opcode);
    frame.push_back(static_cast<char>(first));
    const unsigned mask_bit = style.masked ? 0x80U : 0U;
    const std::uint64_t size = style.claimed_size.value_or(payload.size());
    if (size < 126) {
        frame.push_back(static_cast<char>(mask_bit | static_cast<unsigned>(size)));
    } else if (size < 0x10000) {
        frame.push_back(static_cast<char>(mask_bit | 126U));
        append_big_endian(frame, size, 2);
    } else {
        frame.push_back(static_cast<char>(mask_bit | 127U));
        append_big_endian(frame, size, 8);
    }
    if (!style.masked) {
        frame += payload;
        return frame;
    }
    frame.append(kMask.data(), kMask.size());
    for (std::size_t i = 0; i != payload.size(); ++i) {
        frame.push_back(static_cast<char>(payload[i] ^ kMask[i % kMask.size()]));
    }
    return frame;
}

std::string name_of(const WsFrame& frame) {
    return "opcode " + std::to_string(static_cast<int>(frame.opcode)) + " with payload " +
           std::string(shown(frame.payload));
}

}  // namespace

RawWebSocket::RawWebSocket(std::uint16_t port, std::string_view target, const Headers& headers)
    : socket_(port) {
    std::string request = "GET " + std::string(target) +
                          " HTTP/1.1\r\n"
                          "Host: localhost\r\n"
                          "Upgrade: websocket\r\n"
                          "Connection: Upgrade\r\n"
                          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                          "Sec-WebSocket-Version: 13\r\n";
    for (const auto& [name, value] : headers) {
        request += name + ": " + value + "\r\n";
    }
    socket_.send(request + "\r\n");
    reply_ = read_http_head(socket_, buffer_);
    if (!accepted()) {
        const std::string length = reply_.header("content-length");
        reply_.body = receive_exactly(length.empty() ? 0 : std::stoul(length));
    }
}

void RawWebSocket::send_close(std::uint16_t code, std::string_view reason) {
    std::string payload;
    append_big_endian(payload, code, 2);
    payload += reason;
    send_frame(Opcode::close, payload);
}

void RawWebSocket::send_frame(Opcode opcode, std::string_view payload, const FrameStyle& style) {
    socket_.send(encode(opcode, payload, style));
}

bool RawWebSocket::try_send_frame(
    Opcode opcode, std::string_view payload, const FrameStyle& style
) {
    return socket_.try_send(encode(opcode, payload, style));
}

WsFrame RawWebSocket::receive_frame() {
    const std::string head = receive_exactly(2);
    const unsigned first = static_cast<unsigned char>(head[0]);
    const unsigned second = static_cast<unsigned char>(head[1]);
    if ((second & 0x80U) != 0) {
        throw std::runtime_error("the server masked a frame");
    }
    std::uint64_t size = second & 0x7FU;
    if (size == 126) {
        size = big_endian(receive_exactly(2));
    } else if (size == 127) {
        size = big_endian(receive_exactly(8));
    }
    WsFrame frame;
    frame.opcode = static_cast<Opcode>(first & 0x0FU);
    frame.fin = (first & 0x80U) != 0;
    frame.payload = receive_exactly(size);
    return frame;
}

std::string RawWebSocket::receive_text() {
    std::string message;
    for (;;) {
        WsFrame frame = receive_data_or_close();
        if (frame.opcode != Opcode::text && frame.opcode != Opcode::continuation) {
            throw std::runtime_error("a text was expected, there came " + name_of(frame));
        }
        message += frame.payload;
        if (frame.fin) {
            return message;
        }
    }
}

Json RawWebSocket::ask(std::string_view text) {
    send_text(text);
    return receive_json();
}

WsClose RawWebSocket::receive_close() {
    const WsFrame frame = receive_data_or_close();
    if (frame.opcode != Opcode::close) {
        throw std::runtime_error("a close frame was expected, there came " + name_of(frame));
    }
    // The server may have gone already when it did not ask but answer.
    try_send_frame(Opcode::close, frame.payload);
    if (frame.payload.empty()) {
        return {};
    }
    return {static_cast<int>(big_endian(frame.payload.substr(0, 2))), frame.payload.substr(2)};
}

void RawWebSocket::expect_silence() {
    send_ping("is it quiet?");
    const WsFrame frame = receive_frame();
    EXPECT_EQ(frame.opcode, Opcode::pong) << name_of(frame);
    EXPECT_EQ(frame.payload, "is it quiet?");
}

void RawWebSocket::wait_readable() {
    if (buffer_.empty()) {
        socket_.wait_readable();
    }
}

bool RawWebSocket::readable() {
    return !buffer_.empty() || socket_.readable();
}

WsFrame RawWebSocket::receive_data_or_close() {
    for (;;) {
        WsFrame frame = receive_frame();
        if (frame.opcode == Opcode::ping && answers_pings_) {
            send_frame(Opcode::pong, frame.payload);
        }
        if (frame.opcode != Opcode::ping && frame.opcode != Opcode::pong) {
            return frame;
        }
    }
}

std::string RawWebSocket::receive_exactly(std::size_t size) {
    while (buffer_.size() < size) {
        const std::string more = socket_.receive_some();
        if (more.empty()) {
            throw std::runtime_error(
                "the server ended the stream; unread: " + std::string(shown(buffer_))
            );
        }
        buffer_ += more;
    }
    std::string taken = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return taken;
}

}  // namespace test
}  // namespace openenv
