#include "bench/http_head.hpp"

#include "bench/trouble.hpp"

#include <gtest/gtest.h>

#include <string>

namespace openenv::bench {
namespace {

TEST(HttpHead, IsFoundOnceItIsComplete) {
    const std::string answer =
        "HTTP/1.1 101 Switching\r\nA: 1\r\nopenenv-features:  ids, batch \r\nEmpty:\r\n\r\nrest";
    EXPECT_FALSE(HttpHead::find_in(answer.substr(0, 30)));
    const auto head = HttpHead::find_in(answer);
    ASSERT_TRUE(head);
    EXPECT_EQ(head->status(), 101U);
    EXPECT_EQ(head->status_line(), "HTTP/1.1 101 Switching");
    EXPECT_EQ(head->value_of("OpenEnv-Features"), "ids, batch");
    EXPECT_EQ(head->value_of("Empty"), "");
    EXPECT_FALSE(head->value_of("HTTP/1.1 101 Switching"));
    EXPECT_FALSE(head->value_of("Missing"));
    EXPECT_EQ(answer.substr(head->size()), "rest");
}

TEST(HttpHead, WithoutAnEndIsRefused) {
    EXPECT_THROW(static_cast<void>(HttpHead::find_in(std::string(kLargestHead, 'x'))), Trouble);
    EXPECT_EQ(HttpHead::find_in("SSH-2.0\r\n\r\n")->status(), 0U);
}

}  // namespace
}  // namespace openenv::bench
