#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace openenv {
namespace test {

/// A program that a test runs; killed when this object goes and it is still there. Its standard
/// input is empty. Blocking: every wait, at most for the hang bound; then it throws.
class ChildProcess {
public:
    using Variables = std::vector<std::pair<std::string, std::string>>;

    /// `command` is the path and the arguments. The variables that OpenEnv programs look at are
    /// taken out of the environment of this process, and `variables` are added.
    explicit ChildProcess(const std::vector<std::string>& command, const Variables& variables = {});
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Reads "listening on http://HOST:PORT" and returns the port.
    /// Errors: throws when the program says something else or ends, with what it said.
    [[nodiscard]] std::uint16_t wait_until_listening();
    /// The first line that it writes to standard output. Errors: as wait_until_listening().
    [[nodiscard]] std::string first_line();
    /// Returns once `text` has been written to standard error.
    void wait_for_log(std::string_view text);

    void signal(int number) const;
    [[nodiscard]] pid_t pid() const noexcept { return pid_; }
    /// The exit code; 128 + N when a signal N ended it.
    [[nodiscard]] int wait();

    /// What it has written so far; all of it after wait().
    [[nodiscard]] const std::string& out() const { return out_; }
    [[nodiscard]] const std::string& err() const { return err_; }

private:
    void read_more();
    void reap();

    pid_t pid_ = 0;
    int out_pipe_ = -1;
    int err_pipe_ = -1;
    std::string out_;
    std::string err_;
    int status_ = 0;
    bool ended_ = false;
};

/// Runs it to its end.
struct Outcome {
    int code = 0;
    std::string out;
    std::string err;
};
[[nodiscard]] Outcome run_program(
    const std::vector<std::string>& command, const ChildProcess::Variables& variables = {}
);

}  // namespace test
}  // namespace openenv
