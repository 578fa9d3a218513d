#include "integration/support/child_process.hpp"

#include "support/hang_bound.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace openenv {
namespace test {

namespace {

using std::chrono::steady_clock;

/// What OpenEnv programs look at.
constexpr std::array<std::string_view, 4> kOurs{
    "OPENENV_", "MAX_CONCURRENT_ENVS=", "ENABLE_WEB_INTERFACE=", "ENV_README_PATH="};

[[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error("child process: " + what);
}

std::vector<std::string> make_environment(const ChildProcess::Variables& variables) {
    std::vector<std::string> made;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const bool ours = std::any_of(kOurs.begin(), kOurs.end(), [&](std::string_view name) {
            return text.substr(0, name.size()) == name;
        });
        if (!ours) {
            made.emplace_back(text);
        }
    }
    for (const auto& [name, value] : variables) {
        made.push_back(name + "=" + value);
    }
    return made;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (std::string& text : texts) {
        list.push_back(text.data());
    }
    list.push_back(nullptr);
    return list;
}

std::array<int, 2> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        fail(std::strerror(errno));
    }
    return ends;
}

/// Appends what can be read at once; closes the pipe at its end.
void read_into(std::string& text, int& pipe) {
    std::array<char, 4096> part;
    const ssize_t size = ::read(pipe, part.data(), part.size());
    if (size > 0) {
        text.append(part.data(), static_cast<std::size_t>(size));
    } else {
        ::close(std::exchange(pipe, -1));
    }
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, const Variables& variables) {
    const std::array<int, 2> out = make_pipe();
    const std::array<int, 2> err = make_pipe();
    out_pipe_ = out[0];
    err_pipe_ = err[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    sigset_t as_usual;
    sigemptyset(&as_usual);
    sigaddset(&as_usual, SIGPIPE);  // which who runs the tests may ignore
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &as_usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    std::vector<std::string> words = command;
    std::vector<std::string> entries = make_environment(variables);
    const int error = ::posix_spawn(
        &pid_,
        words[0].c_str(),
        &actions,
        &attributes,
        pointers(words).data(),
        pointers(entries).data()
    );
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    ::close(out[1]);
    ::close(err[1]);
    if (error != 0) {
        ended_ = true;
        fail(words[0] + ": " + std::strerror(error));
    }
}

ChildProcess::~ChildProcess() {
    if (!ended_) {
        ::kill(pid_, SIGKILL);
        reap();
    }
    for (const int pipe : {out_pipe_, err_pipe_}) {
        if (pipe >= 0) {
            ::close(pipe);
        }
    }
}

std::string ChildProcess::first_line() {
    while (out_.find('\n') == std::string::npos) {
        if (out_pipe_ < 0) {
            fail("ended without listening; it said: " + out_ + err_);
        }
        read_more();
    }
    return out_.substr(0, out_.find('\n'));
}

std::uint16_t ChildProcess::wait_until_listening() {
    const std::string line = first_line();
    const std::size_t colon = line.rfind(':');
    if (line.rfind("listening on http://", 0) != 0 || colon == std::string::npos) {
        fail("does not say that it listens but: " + line);
    }
    return static_cast<std::uint16_t>(std::stoul(line.substr(colon + 1)));
}

void ChildProcess::wait_for_log(std::string_view text) {
    while (err_.find(text) == std::string::npos) {
        if (err_pipe_ < 0) {
            fail("ended without logging '" + std::string(text) + "'; it said: " + err_);
        }
        read_more();
    }
}

void ChildProcess::signal(int number) const {
    if (::kill(pid_, number) != 0) {
        fail(std::strerror(errno));
    }
}

int ChildProcess::wait() {
    while (out_pipe_ >= 0 || err_pipe_ >= 0) {
        read_more();
    }
    // Both ends of its pipes are closed: it has ended, or is about to.
    if (!ended_) {
        reap();
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}

void ChildProcess::read_more() {
    const auto patience = std::chrono::milliseconds(kHangBound);
    std::array<pollfd, 2> watched{pollfd{out_pipe_, POLLIN, 0}, pollfd{err_pipe_, POLLIN, 0}};
    const int ready = ::poll(watched.data(), watched.size(), static_cast<int>(patience.count()));
    if (ready == 0) {
        fail("hangs; it said: " + out_ + err_);
    }
    if (watched[0].revents != 0) {
        read_into(out_, out_pipe_);
    }
    if (watched[1].revents != 0) {
        read_into(err_, err_pipe_);
    }
}

void ChildProcess::reap() {
    while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    ended_ = true;
}

Outcome run_program(
    const std::vector<std::string>& command, const ChildProcess::Variables& variables
) {
    ChildProcess child(command, variables);
    Outcome outcome;
    outcome.code = child.wait();
    outcome.out = child.out();
    outcome.err = child.err();
    return outcome;
}

}  // namespace test
}  // namespace openenv
