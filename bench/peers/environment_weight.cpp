// What one environment `echo` weighs by itself, without a server: what many of them, each reset and
// stepped once, add to the memory of this process, over their number. Prints bytes.

#include "echo/echo_entry.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

constexpr std::size_t kCount = 20'000;

std::int64_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::int64_t all_pages = 0;
    std::int64_t resident_pages = 0;
    if (!(file >> all_pages >> resident_pages)) {
        throw std::runtime_error("/proc/self/statm cannot be read");
    }
    return resident_pages * ::sysconf(_SC_PAGESIZE);
}

void check(openenv::CallOutcome outcome, const std::string& answer) {
    if (outcome != openenv::CallOutcome::ok) {
        throw std::runtime_error("the environment answered " + answer);
    }
}

void weigh() {
    const openenv::EnvironmentEntry entry = echo_entry();
    std::vector<std::unique_ptr<openenv::AnyEnvironment>> environments(kCount);
    std::string answer;
    answer.reserve(4096);
    const openenv::StepOptions options;
    const std::int64_t before = resident_bytes();
    for (auto& environment : environments) {
        environment = entry.make();
        answer.clear();
        check(environment->reset("{}", {}, openenv::ResultForm::websocket, answer), answer);
        answer.clear();
        check(
            environment->step(
                R"({"message":"hello"})", options, openenv::ResultForm::websocket, answer
            ),
            answer
        );
    }
    const std::int64_t after = resident_bytes();
    std::printf("%.0f\n", static_cast<double>(after - before) / static_cast<double>(kCount));
}

}  // namespace

int main() {
    try {
        weigh();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "environment_weight: %s\n", error.what());
        return 1;
    }
    return 0;
}
