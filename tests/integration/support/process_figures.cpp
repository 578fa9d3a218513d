#include "integration/support/process_figures.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <unistd.h>

namespace openenv {
namespace test {

std::size_t open_descriptors() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    const auto count = std::distance(begin(all), end(all));
    return static_cast<std::size_t>(count) - 1;  // one is the descriptor of the directory itself
}

std::size_t descriptor_limit() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

std::size_t threads_of_this_process() {
    const std::filesystem::directory_iterator all("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

std::size_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::size_t total_pages = 0;
    std::size_t resident_pages = 0;
    file >> total_pages >> resident_pages;
    return resident_pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace test
}  // namespace openenv
