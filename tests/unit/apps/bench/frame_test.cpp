#include "bench/frame.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace openenv::bench {
namespace {

using namespace std::string_view_literals;

/// A frame as a server sends it: not masked.
std::string server_frame(unsigned first_byte, std::string_view payload) {
    std::string frame(1, static_cast<char>(first_byte));
    if (payload.size() < 126) {
        frame += static_cast<char>(payload.size());
    } else if (payload.size() < 65536) {
        frame += '\x7e';
        frame += static_cast<char>(payload.size() >> 8U);
        frame += static_cast<char>(payload.size() & 0xffU);
    } else {
        frame += '\x7f';
        for (unsigned shift = 64; shift > 0; shift -= 8) {
            frame += static_cast<char>((payload.size() >> (shift - 8)) & 0xffU);
        }
    }
    return frame.append(payload);
}

TEST(FrameReader, JoinsFragmentsIntoOneMessage) {
    // A generator that counts each fragment as a reply measures a server that is twice as fast.
    FrameReader reader;
    reader.append(server_frame(0x01, "{\"type\":"));
    EXPECT_FALSE(reader.next());
    reader.append(server_frame(0x89, "are you there"));
    const auto ping = reader.next();
    ASSERT_TRUE(ping);
    EXPECT_EQ(ping->opcode, Opcode::ping);
    EXPECT_EQ(ping->payload, "are you there");
    reader.append(server_frame(0x00, "\"observ"));
    EXPECT_FALSE(reader.next());
    reader.append(server_frame(0x80, "ation\"}"));
    const auto message = reader.next();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->opcode, Opcode::text);
    EXPECT_EQ(message->payload, R"({"type":"observation"})");
    EXPECT_FALSE(reader.next());
}

TEST(FrameReader, TakesBytesOneByOne) {
    for (const std::size_t size : {0U, 125U, 126U, 65535U, 65536U}) {
        FrameReader reader;
        const std::string payload(size, 'x');
        const std::string frame = server_frame(0x81, payload);
        for (std::size_t i = 0; i + 1 < frame.size(); ++i) {
            reader.append(std::string_view(frame).substr(i, 1));
            // Looking at each byte of a long payload would make this test quadratic.
            if (i < 20 || i + 20 > frame.size()) {
                ASSERT_FALSE(reader.next()) << size << " bytes, at " << i;
            }
        }
        reader.append(std::string_view(frame).substr(frame.size() - 1));
        const auto message = reader.next();
        ASSERT_TRUE(message) << size;
        EXPECT_EQ(message->payload, payload);
    }
}

TEST(FrameReader, HandsOutMessagesThatCameTogether) {
    FrameReader reader;
    reader.append(
        server_frame(0x81, "one") + server_frame(0x82, "two") + server_frame(0x88, "\x03\xe8")
    );
    EXPECT_EQ(reader.next()->payload, "one");
    EXPECT_EQ(reader.next()->opcode, Opcode::binary);
    EXPECT_EQ(reader.next()->opcode, Opcode::close);
    EXPECT_FALSE(reader.next());
}

TEST(FrameReader, RefusesWhatBreaksTheFraming) {
    const auto read = [](std::string_view bytes) {
        FrameReader reader(1000);
        reader.append(bytes);
        while (reader.next()) {
        }
    };
    EXPECT_THROW(read("\x81\x80masked"sv), ProtocolError);
    EXPECT_THROW(read("\xc1\x01x"sv), ProtocolError);  // reserved bit
    EXPECT_THROW(read(server_frame(0x80, "continues nothing")), ProtocolError);
    EXPECT_THROW(read(server_frame(0x01, "a") + server_frame(0x81, "b")), ProtocolError);
    EXPECT_THROW(read(server_frame(0x81, std::string(1001, 'x'))), ProtocolError);
    EXPECT_THROW(
        read(server_frame(0x01, std::string(600, 'x')) + server_frame(0x80, std::string(600, 'x'))),
        ProtocolError
    );
    EXPECT_NO_THROW(read(server_frame(0x81, std::string(1000, 'x'))));
}

TEST(ClientFrame, IsFinalAndMasked) {
    std::string frame;
    append_client_frame(frame, Opcode::text, "ab");
    ASSERT_EQ(frame.size(), 8U);
    EXPECT_EQ(frame[0], '\x81');
    EXPECT_EQ(frame[1], '\x82');
    EXPECT_EQ(frame[6] ^ frame[2], 'a');
    EXPECT_EQ(frame[7] ^ frame[3], 'b');
}

TEST(ClientFrame, WritesEachLengthInItsForm) {
    const auto header_of = [](std::size_t size, std::size_t bytes) {
        std::string frame;
        append_client_frame(frame, Opcode::binary, std::string(size, 'x'));
        return frame.substr(0, bytes);
    };
    EXPECT_EQ(header_of(125, 2), "\x82\xfd"sv);
    EXPECT_EQ(header_of(126, 4), "\x82\xfe\x00\x7e"sv);
    EXPECT_EQ(header_of(65536, 10), "\x82\xff\x00\x00\x00\x00\x00\x01\x00\x00"sv);
}

}  // namespace
}  // namespace openenv::bench
