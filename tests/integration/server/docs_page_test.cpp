#include "integration/support/probe_environment.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/running_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace openenv {
namespace test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(DocsPage, SaysThatHttpIsStatelessAndNeedsNothingFromElsewhere) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe));
    const HttpReply page = http_get(server.port(), "/docs");
    EXPECT_EQ(page.status, 200);
    EXPECT_THAT(page.header("content-type"), StartsWith("text/html"));
    EXPECT_THAT(page.body, HasSubstr("stateless"));
    // Neither http://, https:// nor //host: a page without a network has all it shows.
    EXPECT_THAT(page.body, Not(HasSubstr("//")));
}

}  // namespace
}  // namespace test
}  // namespace openenv
