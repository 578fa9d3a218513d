// Clients and servers that meet at the file of a Unix domain socket.
#include "integration/client/variables.hpp"
#include "integration/support/probe_environment.hpp"
#include "support/log_capture.hpp"
#include "support/running_server.hpp"
#include "support/temporary_folder.hpp"

#include <openenv/client/env_client.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::size_t kMiB = 1024 * 1024;

ServerConfig at_file(const std::string& file) {
    ServerConfig config = quick_config(64);
    config.uds = file;
    config.tcp = false;
    return config;
}

Json action(const std::string& what, std::size_t size = 0) {
    return Json::parse(R"({"what":")" + what + R"(","size":)" + std::to_string(size) + "}");
}

std::string failure_of(const std::string& url) {
    GenericEnvClient client(url);
    try {
        client.sync().connect();
    } catch (const ConnectFailed& error) {
        return error.what();
    }
    return "";
}

class ClientAtAFile : public testing::Test {
protected:
    LogCapture log_;
    Probe probe_;
    const TemporaryFolder folder_;
    const std::string file_ = folder_.file("env.sock");
};

TEST_F(ClientAtAFile, PlaysAndReadsTheSchema) {
    RunningServer server(probe_entry(probe_), at_file(file_));
    for (const std::string& url : {"unix:" + file_, "unix://" + file_}) {
        GenericEnvClient client(url);
        auto& session = client.sync();
        (void)session.reset();
        EXPECT_EQ(session.step(action("hello")).observation["text"], "hello");
        EXPECT_EQ(session.step(action("bulk", kMiB)).observation["text"].as_string().size(), kMiB);
        EXPECT_TRUE(session.schema()["action"].is_object());
        session.close();
    }
}

TEST_F(ClientAtAFile, ProxiesHaveNoPartInIt) {
    const NoProxies none;
    const Variable proxy("http_proxy", "http://127.0.0.1:1");
    const Variable secure("https_proxy", "http://127.0.0.1:1");
    RunningServer server(probe_entry(probe_), at_file(file_));
    EXPECT_EQ(failure_of("unix:" + file_), "");
}

TEST_F(ClientAtAFile, SaysWhatIsWrongWhereNobodyListens) {
    EXPECT_THAT(
        failure_of("unix:" + file_),
        AllOf(HasSubstr("unix:" + file_), HasSubstr("connecting"), HasSubstr("--uds makes it"))
    );
    std::ofstream(file_) << "no socket";
    EXPECT_THAT(failure_of("unix:" + file_), HasSubstr("connecting"));
}

TEST_F(ClientAtAFile, AServerThatStopsEndsTheSession) {
    auto server = std::make_unique<RunningServer>(probe_entry(probe_), at_file(file_));
    GenericEnvClient client("unix:" + file_);
    (void)client.sync().reset();
    EXPECT_EQ(server->stop(), 0U);
    EXPECT_THROW((void)client.sync().step(action("more")), SessionLost);
    server = std::make_unique<RunningServer>(probe_entry(probe_), at_file(file_));
    (void)client.sync().reset();
    EXPECT_EQ(client.sync().step(action("again")).observation["text"], "again");
    client.sync().close();
}

}  // namespace
}  // namespace test
}  // namespace openenv
