#include "bench/frame.hpp"

#include <array>
#include <utility>

namespace openenv::bench {
namespace {

constexpr std::array<unsigned char, 4> kMask = {0x37, 0xfa, 0x21, 0x3d};
constexpr unsigned kFinal = 0x80;
constexpr unsigned kReserved = 0x70;
constexpr unsigned kMasked = 0x80;
constexpr std::size_t kLargestShortLength = 125;
constexpr unsigned kLengthIn16Bits = 126;
constexpr unsigned kLengthIn64Bits = 127;

void append_byte(std::string& out, std::size_t value) {
    out.push_back(static_cast<char>(static_cast<unsigned char>(value)));
}

void append_big_endian(std::string& out, std::size_t value, unsigned bytes) {
    for (unsigned left = bytes; left > 0; --left) {
        append_byte(out, (value >> (8U * (left - 1))) & 0xffU);
    }
}

unsigned byte_at(std::string_view bytes, std::size_t index) {
    return static_cast<unsigned char>(bytes[index]);
}

/// The first bytes of a frame, once they are all there.
struct Header {
    bool final = false;
    Opcode opcode = Opcode::text;
    std::size_t header_bytes = 0;
    std::uint64_t payload_bytes = 0;
};

std::optional<Header> read_header(std::string_view bytes) {
    if (bytes.size() < 2) {
        return std::nullopt;
    }
    const unsigned first = byte_at(bytes, 0);
    const unsigned second = byte_at(bytes, 1);
    if ((first & kReserved) != 0) {
        throw ProtocolError("a frame with reserved bits: was an extension negotiated?");
    }
    if ((second & kMasked) != 0) {
        throw ProtocolError("a masked frame from a server");
    }
    Header header;
    header.final = (first & kFinal) != 0;
    header.opcode = static_cast<Opcode>(first & 0x0fU);
    std::size_t length_bytes = 0;
    header.payload_bytes = second;
    if (second == kLengthIn16Bits) {
        length_bytes = 2;
    } else if (second == kLengthIn64Bits) {
        length_bytes = 8;
    }
    header.header_bytes = 2 + length_bytes;
    if (bytes.size() < header.header_bytes) {
        return std::nullopt;
    }
    if (length_bytes != 0) {
        header.payload_bytes = 0;
        for (std::size_t i = 0; i < length_bytes; ++i) {
            header.payload_bytes = (header.payload_bytes << 8U) | byte_at(bytes, 2 + i);
        }
    }
    return header;
}

}  // namespace

void append_client_frame(std::string& out, Opcode opcode, std::string_view payload) {
    append_byte(out, kFinal | static_cast<unsigned>(opcode));
    if (payload.size() <= kLargestShortLength) {
        append_byte(out, kMasked | payload.size());
    } else if (payload.size() <= 0xffffU) {
        append_byte(out, kMasked | kLengthIn16Bits);
        append_big_endian(out, payload.size(), 2);
    } else {
        append_byte(out, kMasked | kLengthIn64Bits);
        append_big_endian(out, payload.size(), 8);
    }
    for (const unsigned char byte : kMask) {
        append_byte(out, byte);
    }
    for (std::size_t i = 0; i < payload.size(); ++i) {
        append_byte(out, byte_at(payload, i) ^ kMask[i % kMask.size()]);
    }
}

std::optional<Message> FrameReader::next() {
    while (true) {
        const std::string_view rest = std::string_view(buffer_).substr(taken_);
        const std::optional<Header> header = read_header(rest);
        if (header && header->payload_bytes > max_message_bytes_ - fragments_.size()) {
            throw ProtocolError("a message larger than the limit");
        }
        if (!header || rest.size() - header->header_bytes < header->payload_bytes) {
            // Everything before is done with; what is left moves to the front.
            buffer_.erase(0, taken_);
            taken_ = 0;
            return std::nullopt;
        }
        const std::string_view payload = rest.substr(header->header_bytes, header->payload_bytes);
        taken_ += header->header_bytes + payload.size();

        const bool is_control = static_cast<unsigned>(header->opcode) >= 8;
        const bool is_continuation = header->opcode == Opcode::continuation;
        if (is_control) {
            return Message{header->opcode, std::string(payload)};
        }
        if (is_continuation != fragmented_.has_value()) {
            throw ProtocolError("a fragment out of place");
        }
        if (header->final && !is_continuation) {
            return Message{header->opcode, std::string(payload)};
        }
        fragments_.append(payload);
        if (!is_continuation) {
            fragmented_ = header->opcode;
        }
        if (header->final) {
            const Opcode opcode = *std::exchange(fragmented_, std::nullopt);
            return Message{opcode, std::exchange(fragments_, {})};
        }
    }
}

}  // namespace openenv::bench
