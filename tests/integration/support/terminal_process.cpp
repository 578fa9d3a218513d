#include "integration/support/terminal_process.hpp"

#include "support/hang_bound.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <pty.h>
#include <stdexcept>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace openenv {
namespace test {

namespace {

[[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error("program at a terminal: " + what);
}

/// Lines as typed, keys that are signals, no echo, nothing changed on the way to the screen.
termios plain_terminal() {
    termios settings{};
    settings.c_iflag = ICRNL;
    settings.c_cflag = CS8 | CREAD;
    settings.c_lflag = ISIG | ICANON;
    settings.c_cc[VINTR] = 3;
    settings.c_cc[VEOF] = 4;
    return settings;
}

}  // namespace

TerminalProcess::TerminalProcess(
    const std::vector<std::string>& command, const ChildProcess::Variables& variables
) {
    // Through env, so that nothing but exec is left to do after the fork.
    std::vector<std::string> words{"/usr/bin/env", "-u", "OPENENV_TOKEN"};
    for (const auto& [name, value] : variables) {
        words.push_back(name + "=" + value);
    }
    words.insert(words.end(), command.begin(), command.end());
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    const termios settings = plain_terminal();
    pid_ = ::forkpty(&terminal_, nullptr, &settings, nullptr);
    if (pid_ < 0) {
        ended_ = true;
        fail(std::strerror(errno));
    }
    if (pid_ == 0) {
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
}

TerminalProcess::~TerminalProcess() {
    if (!ended_) {
        ::kill(pid_, SIGKILL);
        reap();
    }
    if (terminal_ >= 0) {
        ::close(terminal_);
    }
}

void TerminalProcess::type(std::string_view keys) {
    while (!keys.empty()) {
        const ssize_t size = ::write(terminal_, keys.data(), keys.size());
        if (size < 0) {
            fail(std::strerror(errno));
        }
        keys.remove_prefix(static_cast<std::size_t>(size));
    }
}

std::string TerminalProcess::wait_for(std::string_view text) {
    std::size_t at = shown_.find(text, waited_);
    while (at == std::string::npos) {
        if (!read_more()) {
            fail("ended without showing '" + std::string(text) + "'; it showed: " + shown_);
        }
        at = shown_.find(text, waited_);
    }
    const std::size_t end = at + text.size();
    std::string passed = shown_.substr(waited_, end - waited_);
    waited_ = end;
    return passed;
}

int TerminalProcess::wait() {
    while (read_more()) {
    }
    if (!ended_) {
        reap();
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}

bool TerminalProcess::read_more() {
    const auto patience = std::chrono::milliseconds(kHangBound);
    pollfd watched{terminal_, POLLIN, 0};
    if (::poll(&watched, 1, static_cast<int>(patience.count())) == 0) {
        fail("hangs; it showed: " + shown_);
    }
    std::array<char, 4096> part;
    const ssize_t size = ::read(terminal_, part.data(), part.size());
    if (size <= 0) {
        return false;  // EIO: nobody has the terminal open any more
    }
    shown_.append(part.data(), static_cast<std::size_t>(size));
    return true;
}

void TerminalProcess::reap() {
    while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    ended_ = true;
}

}  // namespace test
}  // namespace openenv
