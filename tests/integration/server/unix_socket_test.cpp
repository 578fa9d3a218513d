// A server at the file of a Unix domain socket.
#include "integration/support/probe_environment.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/running_server.hpp"
#include "support/temporary_folder.hpp"

#include <openenv/base/error.hpp>
#include <openenv/server/server.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace openenv {
namespace test {
namespace {

using testing::HasSubstr;

/// At that file alone.
ServerConfig at_file(const std::string& file) {
    ServerConfig config = quick_config(4);
    config.uds = file;
    config.tcp = false;
    return config;
}

int health_over(const std::string& file) {
    Socket socket(file);
    socket.send("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    std::string buffer;
    return read_http_reply(socket, buffer).status;
}

/// What a server leaves behind that was killed.
void leave_stale_socket(const std::string& file) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    file.copy(address.sun_path, sizeof address.sun_path - 1);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(socket);
    ASSERT_TRUE(std::filesystem::is_socket(file));
}

std::string failure_of_start(Server& server) {
    try {
        server.start();
        return "";
    } catch (const Exception& error) {
        return error.what();
    }
}

class UnixSocket : public testing::Test {
protected:
    LogCapture log_;
    Probe probe_;
    const TemporaryFolder folder_;
    const std::string file_ = folder_.file("env.sock");
};

TEST_F(UnixSocket, AServerAnswersThereForItsOwnerAndTidiesUp) {
    Server server(probe_entry(probe_), at_file(file_));
    server.start();
    EXPECT_EQ(server.url(), "unix:" + file_);
    EXPECT_EQ(server.port(), 0);
    EXPECT_EQ(health_over(file_), 200);
    struct stat made {};
    ASSERT_EQ(::stat(file_.c_str(), &made), 0);
    EXPECT_EQ(made.st_mode & 0777U, 0600U);
    EXPECT_EQ(server.stop(), 0U);
    EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(UnixSocket, ItsRightsAreASetting) {
    ServerConfig config = at_file(file_);
    config.uds_mode = 0660;
    Server server(probe_entry(probe_), config);
    server.start();
    struct stat made {};
    ASSERT_EQ(::stat(file_.c_str(), &made), 0);
    EXPECT_EQ(made.st_mode & 0777U, 0660U);
    config.uds_mode = 04755;
    EXPECT_THROW(Server(probe_entry(probe_), config), ConfigError);
}

TEST_F(UnixSocket, AServerCanBeThereAndAtAPort) {
    ServerConfig config = at_file(file_);
    config.tcp = true;
    Server server(probe_entry(probe_), config);
    server.start();
    EXPECT_EQ(health_over(file_), 200);
    EXPECT_EQ(http_get(server.port(), "/health").status, 200);
    EXPECT_THAT(
        server.urls(),
        testing::ElementsAre("http://127.0.0.1:" + std::to_string(server.port()), "unix:" + file_)
    );
}

TEST_F(UnixSocket, WhatAKilledServerLeftBehindIsReplaced) {
    leave_stale_socket(file_);
    Server server(probe_entry(probe_), at_file(file_));
    server.start();
    EXPECT_EQ(health_over(file_), 200);
}

TEST_F(UnixSocket, AServerThatIsThereIsNotDisturbed) {
    Server first(probe_entry(probe_), at_file(file_));
    first.start();
    Server second(probe_entry(probe_), at_file(file_));
    EXPECT_THAT(failure_of_start(second), HasSubstr("another process listens there"));
    EXPECT_EQ(health_over(file_), 200);
    EXPECT_EQ(first.stop(), 0U);
    EXPECT_EQ(failure_of_start(second), "") << "its turn has come";
    EXPECT_EQ(health_over(file_), 200);
}

TEST_F(UnixSocket, WhatIsNoSocketIsLeftAlone) {
    std::ofstream(file_) << "precious";
    Server server(probe_entry(probe_), at_file(file_));
    EXPECT_THAT(failure_of_start(server), HasSubstr("is no socket; it is left as it is"));
    std::string content;
    std::ifstream(file_) >> content;
    EXPECT_EQ(content, "precious");

    const std::string link = folder_.file("link.sock");
    std::filesystem::create_symlink(file_, link);
    Server other(probe_entry(probe_), at_file(link));
    EXPECT_THAT(failure_of_start(other), HasSubstr("is no socket"));
    EXPECT_TRUE(std::filesystem::is_symlink(link));
}

TEST_F(UnixSocket, TheFileOfAnotherServerIsNotRemoved) {
    Server first(probe_entry(probe_), at_file(file_));
    first.start();
    std::filesystem::remove(file_);
    Server second(probe_entry(probe_), at_file(file_));
    second.start();
    EXPECT_EQ(first.stop(), 0U);
    EXPECT_EQ(health_over(file_), 200);
}

TEST_F(UnixSocket, AFolderThatIsNotThereIsNamedAsTheReason) {
    Server server(probe_entry(probe_), at_file(folder_.file("none/env.sock")));
    EXPECT_THAT(failure_of_start(server), HasSubstr("its folder has to exist"));
}

TEST_F(UnixSocket, NeedsNoTokenWhateverTheHost) {
    ServerConfig config = at_file(file_);
    config.host = "0.0.0.0";
    EXPECT_NO_THROW(Server(probe_entry(probe_), config));
    config.tcp = true;
    EXPECT_THROW(Server(probe_entry(probe_), config), ConfigError);
}

TEST_F(UnixSocket, PathsThatCannotBeAreRefused) {
    for (const std::string& path : {std::string(), folder_.file(std::string(120, 'x'))}) {
        EXPECT_THROW(Server(probe_entry(probe_), at_file(path)), ConfigError) << path;
    }
    try {
        Server(probe_entry(probe_), at_file("/tmp/" + std::string(120, 'x')));
        ADD_FAILURE() << "taken";
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr("125 bytes, and a socket's can have 107"));
    }
    ServerConfig nowhere = quick_config(4);
    nowhere.tcp = false;
    EXPECT_THROW(Server(probe_entry(probe_), nowhere), ConfigError);
}

}  // namespace
}  // namespace test
}  // namespace openenv
