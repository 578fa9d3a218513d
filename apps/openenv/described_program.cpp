#include "described_program.hpp"

#include <openenv/base/error.hpp>
#include <openenv/base/json.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace {

using openenv::ConfigError;

constexpr std::chrono::seconds kPatience{10};
constexpr std::size_t kMostOutput = 64 * 1024;

/// A pipe whose ends close with it.
class Pipe {
public:
    Pipe() {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0) {
            throw ConfigError(std::string("cannot make a pipe: ") + std::strerror(errno));
        }
    }
    ~Pipe() {
        close_write_end();
        ::close(ends_[0]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    [[nodiscard]] int read_end() const { return ends_[0]; }
    [[nodiscard]] int write_end() const { return ends_[1]; }
    void close_write_end() {
        if (ends_[1] >= 0) {
            ::close(std::exchange(ends_[1], -1));
        }
    }

private:
    std::array<int, 2> ends_{-1, -1};
};

/// A child that is killed if it still runs when nobody is interested any more.
class Child {
public:
    Child(const std::string& path, const Pipe& output) {
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, output.write_end(), STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        std::string program = path;
        std::string flag = "--describe";
        std::array<char*, 3> arguments{program.data(), flag.data(), nullptr};
        const int error =
            posix_spawn(&pid_, path.c_str(), &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        if (error != 0) {
            throw ConfigError(path + " cannot be run: " + std::strerror(error));
        }
    }
    ~Child() {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

private:
    pid_t pid_ = 0;
};

std::string read_line(int descriptor) {
    using std::chrono::steady_clock;
    const auto deadline = steady_clock::now() + kPatience;
    std::string text;
    while (text.size() < kMostOutput && text.find('\n') == std::string::npos) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - steady_clock::now());
        pollfd wanted{descriptor, POLLIN, 0};
        if (left.count() <= 0 || ::poll(&wanted, 1, static_cast<int>(left.count())) <= 0) {
            break;
        }
        std::array<char, 4096> part;
        const ssize_t size = ::read(descriptor, part.data(), part.size());
        if (size <= 0) {
            break;
        }
        text.append(part.data(), static_cast<std::size_t>(size));
    }
    return text.substr(0, text.find('\n'));
}

bool is_description(const std::string& line) {
    try {
        const openenv::Json described = openenv::Json::parse(line);
        return described.is_object() && described.contains("openenv") && described.contains("name");
    } catch (const openenv::Exception&) {
        return false;
    }
}

}  // namespace

void require_environment_program(const std::string& path) {
    if (std::filesystem::is_directory(path)) {
        throw ConfigError(path + " is a directory; give the path of the program built from it");
    }
    Pipe output;
    const Child child(path, output);
    output.close_write_end();
    if (!is_description(read_line(output.read_end()))) {
        throw ConfigError(
            path + " does not answer --describe as a program made with openenv::serve does"
        );
    }
}
