#include "net/text_frame.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace openenv {
namespace {

std::string bytes_of(const net::TextFrame& frame) {
    std::string bytes;
    for (const boost::asio::const_buffer part : frame.parts()) {
        bytes.append(static_cast<const char*>(part.data()), part.size());
    }
    return bytes;
}

TEST(TextFrame, HasTheShortestHeaderForItsSize) {
    using namespace std::string_view_literals;
    const struct {
        std::size_t size;
        std::string_view header;
    } cases[] = {
        {0, "\x81\x00"sv},
        {125, "\x81\x7D"sv},
        {126, "\x81\x7E\x00\x7E"sv},
        {65535, "\x81\x7E\xFF\xFF"sv},
        {65536, "\x81\x7F\x00\x00\x00\x00\x00\x01\x00\x00"sv},
        {0x1020304, "\x81\x7F\x00\x00\x00\x00\x01\x02\x03\x04"sv},
    };
    for (const auto& each : cases) {
        const std::string text(each.size, 'x');
        const net::TextFrame frame(text);
        EXPECT_EQ(frame.size(), each.header.size() + each.size);
        EXPECT_TRUE(bytes_of(frame) == std::string(each.header) + text) << each.size;
    }
}

}  // namespace
}  // namespace openenv
