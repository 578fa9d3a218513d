#include "server/process_usage.hpp"

#include <ctime>
#include <dirent.h>
#include <exception>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

std::uint64_t count_descriptors() {
    // Linux 6.2 and later tell the number as the folder's size; older ones tell 0.
    struct stat status {};
    if (::stat("/proc/self/fd", &status) == 0 && status.st_size > 0) {
        return static_cast<std::uint64_t>(status.st_size);
    }
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/fd"), &::closedir);
    std::uint64_t entries = 0;
    while (folder && ::readdir(folder.get()) != nullptr) {
        ++entries;
    }
    constexpr std::uint64_t kNotCounted = 3;  // "." and "..", and the folder itself
    return entries > kNotCounted ? entries - kNotCounted : 0;
}

/// Seconds from the start of the machine to that of this process.
double start_after_boot() {
    std::ifstream file("/proc/self/stat");
    std::string text;
    std::getline(file, text);
    // The name in parentheses may hold anything; the start time is field 22, proc(5).
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    std::string field;
    constexpr int kFieldsFromState = 20;
    for (int i = 0; i != kFieldsFromState; ++i) {
        fields >> field;
    }
    try {
        return std::stod(field) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    } catch (const std::exception&) {
        return 0;
    }
}

double seconds(const timespec& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double start_time() {
    timespec since_boot{};
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &since_boot);
    ::clock_gettime(CLOCK_REALTIME, &now);
    return seconds(now) - seconds(since_boot) + start_after_boot();
}

}  // namespace

ProcessUsage ProcessUsage::now() {
    ProcessUsage usage;
    usage.started = start_time();
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    std::ifstream memory("/proc/self/statm");
    std::uint64_t all = 0;
    std::uint64_t resident = 0;
    if (memory >> all >> resident) {
        usage.virtual_bytes = all * page;
        usage.resident_bytes = resident * page;
    }
    usage.open_descriptors = count_descriptors();
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        usage.most_descriptors = limit.rlim_cur;
    }
    rusage spent{};
    if (::getrusage(RUSAGE_SELF, &spent) == 0) {
        usage.cpu_seconds = seconds(spent.ru_utime) + seconds(spent.ru_stime);
    }
    return usage;
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
