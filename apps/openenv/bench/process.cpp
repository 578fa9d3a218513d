#include "bench/process.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>

namespace openenv::bench {
namespace {

/// Inodes of the sockets that listen on a port in the network of a process, which may be another
/// one than ours.
std::set<std::string> listening_inodes(pid_t process, std::uint16_t port) {
    constexpr std::string_view kListen = "0A";
    const std::string wanted = fmt::format(":{:04X}", port);
    std::set<std::string> inodes;
    for (const char* table : {"tcp", "tcp6"}) {
        std::ifstream file(fmt::format("/proc/{}/net/{}", process, table));
        std::string line;
        while (std::getline(file, line)) {
            std::istringstream words(line);
            std::string slot, local, remote, state, queues, timer, retries, user, timeout, inode;
            words >> slot >> local >> remote >> state >> queues >> timer >> retries >> user >>
                timeout >> inode;
            if (state == kListen && local.ends_with(wanted)) {
                inodes.insert(inode);
            }
        }
    }
    return inodes;
}

/// The same of the sockets that listen at a file.
std::set<std::string> listening_inodes(pid_t process, const std::string& socket_file) {
    constexpr std::string_view kListen = "00010000";
    std::set<std::string> inodes;
    std::ifstream file(fmt::format("/proc/{}/net/unix", process));
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::string slot, references, protocol, flags, type, state, inode, path;
        words >> slot >> references >> protocol >> flags >> type >> state >> inode >> std::ws;
        std::getline(words, path);
        if (flags == kListen && path == socket_file) {
            inodes.insert(inode);
        }
    }
    return inodes;
}

bool holds_one(pid_t process, const std::set<std::string>& inodes) {
    std::error_code error;
    const std::filesystem::directory_iterator descriptors(
        fmt::format("/proc/{}/fd", process), error
    );
    if (error == std::errc::no_such_file_or_directory) {
        throw std::runtime_error(fmt::format("there is no process {}", process));
    }
    if (error) {
        throw std::runtime_error(
            fmt::format("the sockets of process {} cannot be read: {}", process, error.message())
        );
    }
    for (const auto& entry : descriptors) {
        const std::string target = std::filesystem::read_symlink(entry.path(), error).string();
        const std::string prefix = "socket:[";
        if (!error && target.starts_with(prefix) && target.ends_with(']') &&
            inodes.contains(target.substr(prefix.size(), target.size() - prefix.size() - 1))) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::chrono::nanoseconds cpu_time_of(pid_t process) {
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) {
        throw std::runtime_error(fmt::format("there is no process {}", process));
    }
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::uint64_t resident_kib_of(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/statm", process));
    std::uint64_t total_pages = 0;
    std::uint64_t resident_pages = 0;
    file >> total_pages >> resident_pages;
    return resident_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

std::uint64_t threads_of(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/status", process));
    const std::string wanted = "Threads:";
    std::string word;
    while (file >> word) {
        if (word == wanted) {
            std::uint64_t count = 0;
            file >> count;
            return count;
        }
    }
    return 0;
}

bool listens_at(pid_t process, const net::Url& url) {
    return holds_one(
        process,
        url.socket_file.empty() ? listening_inodes(process, url.port_or_default())
                                : listening_inodes(process, url.socket_file)
    );
}

}  // namespace openenv::bench
