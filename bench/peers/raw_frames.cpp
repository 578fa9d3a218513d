#include "raw_frames.hpp"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace openenv::bench {
namespace {

constexpr unsigned kFinal = 0x80;
constexpr unsigned kReservedAndFinal = 0xf0;
constexpr unsigned kMasked = 0x80;
constexpr std::size_t kMaskBytes = 4;
constexpr std::size_t kLargestShortLength = 125;
constexpr unsigned kLengthIn16Bits = 126;
constexpr unsigned kLengthIn64Bits = 127;
constexpr std::size_t kLargestPayload = 128U << 20U;

unsigned byte_at(std::span<const char> bytes, std::size_t index) {
    return static_cast<unsigned char>(bytes[index]);
}

void append_byte(std::string& out, std::size_t value) {
    out.push_back(static_cast<char>(static_cast<unsigned char>(value)));
}

void append_big_endian(std::string& out, std::size_t value, unsigned bytes) {
    for (unsigned left = bytes; left > 0; --left) {
        append_byte(out, (value >> (8U * (left - 1))) & 0xffU);
    }
}

std::string_view header_value(std::string_view head, std::string_view lowered_name) {
    const auto matches = [](char in_head, char in_name) {
        return std::tolower(static_cast<unsigned char>(in_head)) == in_name;
    };
    const auto found =
        std::search(head.begin(), head.end(), lowered_name.begin(), lowered_name.end(), matches);
    if (found == head.end()) {
        return {};
    }
    const auto after = static_cast<std::size_t>(found - head.begin()) + lowered_name.size();
    const std::size_t begin = head.find_first_not_of(" \t", after);
    return head.substr(begin, head.find_first_of(" \t\r", begin) - begin);
}

}  // namespace

std::optional<RawFrame> cut_client_frame(std::span<char> bytes) {
    if (bytes.size() < 2) {
        return std::nullopt;
    }
    const unsigned first = byte_at(bytes, 0);
    const unsigned second = byte_at(bytes, 1);
    if ((first & kReservedAndFinal) != kFinal || (second & kMasked) == 0) {
        throw RawFrameError("a frame with extensions, in fragments or without a mask");
    }
    std::size_t length = second & ~kMasked;
    std::size_t length_bytes = 0;
    if (length == kLengthIn16Bits) {
        length_bytes = 2;
    } else if (length == kLengthIn64Bits) {
        length_bytes = 8;
    }
    const std::size_t header = 2 + length_bytes + kMaskBytes;
    if (bytes.size() < header) {
        return std::nullopt;
    }
    if (length_bytes != 0) {
        length = 0;
        for (std::size_t i = 0; i < length_bytes; ++i) {
            length = (length << 8U) | byte_at(bytes, 2 + i);
        }
    }
    if (length > kLargestPayload) {
        throw RawFrameError("a frame larger than the limit");
    }
    if (bytes.size() - header < length) {
        return std::nullopt;
    }
    const std::span<char> mask = bytes.subspan(header - kMaskBytes, kMaskBytes);
    const std::span<char> payload = bytes.subspan(header, length);
    for (std::size_t i = 0; i < length; ++i) {
        payload[i] = static_cast<char>(payload[i] ^ mask[i % kMaskBytes]);
    }
    return RawFrame{
        static_cast<RawOpcode>(first & ~kReservedAndFinal),
        std::string_view(payload.data(), payload.size()),
        header + length};
}

std::string server_frame(RawOpcode opcode, std::string_view payload) {
    std::string frame;
    append_byte(frame, kFinal | static_cast<unsigned>(opcode));
    if (payload.size() <= kLargestShortLength) {
        append_byte(frame, payload.size());
    } else if (payload.size() <= 0xffffU) {
        append_byte(frame, kLengthIn16Bits);
        append_big_endian(frame, payload.size(), 2);
    } else {
        append_byte(frame, kLengthIn64Bits);
        append_big_endian(frame, payload.size(), 8);
    }
    return frame.append(payload);
}

std::string upgrade_answer(std::string_view request) {
    const std::string_view key = header_value(request, "\r\nsec-websocket-key:");
    if (key.empty()) {
        throw RawFrameError("a request that is no upgrade to WebSocket");
    }
    const std::string salted = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
    SHA1(reinterpret_cast<const unsigned char*>(salted.data()), salted.size(), digest.data());
    std::array<unsigned char, 4 * ((SHA_DIGEST_LENGTH + 2) / 3) + 1> encoded{};
    const int length = EVP_EncodeBlock(encoded.data(), digest.data(), SHA_DIGEST_LENGTH);
    std::string answer =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: ";
    answer.append(encoded.begin(), encoded.begin() + length);
    return answer + "\r\n\r\n";
}

}  // namespace openenv::bench
