#pragma once

#include "integration/support/child_process.hpp"

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace openenv {
namespace test {

/// A program at a terminal of its own, whose keyboard and screen the test is. The terminal does
/// not repeat what is typed. Killed when this object goes and it is still there.
/// Blocking: every wait, at most for the hang bound; then it throws, as when the program ends
/// before.
class TerminalProcess {
public:
    explicit TerminalProcess(
        const std::vector<std::string>& command, const ChildProcess::Variables& variables = {}
    );
    ~TerminalProcess();
    TerminalProcess(const TerminalProcess&) = delete;
    TerminalProcess& operator=(const TerminalProcess&) = delete;

    void type(std::string_view keys);
    /// Returns what has been shown up to and with `text`, since the last wait.
    std::string wait_for(std::string_view text);
    /// The exit code; 128 + N when a signal N ended it.
    [[nodiscard]] int wait();
    /// All that was shown.
    [[nodiscard]] const std::string& shown() const { return shown_; }

private:
    /// False: the program has left its terminal.
    bool read_more();
    void reap();

    pid_t pid_ = 0;
    int terminal_ = -1;
    std::string shown_;
    std::size_t waited_ = 0;
    int status_ = 0;
    bool ended_ = false;
};

}  // namespace test
}  // namespace openenv
