#include "server/socket_file.hpp"

#include <openenv/base/error.hpp>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

[[noreturn]] void cannot_listen(const std::string& path, const std::string& why) {
    throw Exception(Error{Errc::network, "cannot listen on unix:" + path + ": " + why});
}

/// Makes servers that start at the same time look at their files one after the other: between
/// binding and listening a socket looks like one that nobody listens at. Bounded, since anybody may
/// lock a folder; without the lock all goes well as well, unless two start within microseconds.
class FolderLock {
public:
    explicit FolderLock(const std::string& file) {
        const std::string folder = std::filesystem::path(file).parent_path().string();
        descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        for (int attempt = 0; descriptor_ >= 0 && attempt != kAttempts; ++attempt) {
            if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
                return;
            }
            std::this_thread::sleep_for(kPause);
        }
    }
    ~FolderLock() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);  // which unlocks
        }
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    static constexpr int kAttempts = 100;
    static constexpr std::chrono::milliseconds kPause{10};
    int descriptor_ = -1;
};

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        cannot_listen(
            path,
            "the path of a socket can have " + std::to_string(sizeof address.sun_path - 1) +
                " bytes, and this one has " + std::to_string(path.size())
        );
    }
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
}

/// What connect() says about the socket at that address; 0 when somebody listens there.
int try_connecting(const sockaddr_un& address) {
    const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (probe < 0) {
        return errno;
    }
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    const int error = ::connect(probe, generic, sizeof address) == 0 ? 0 : errno;
    ::close(probe);
    return error;
}

/// Removes a socket that nobody listens at.
void make_way(const std::string& path, const sockaddr_un& address) {
    struct stat found {};
    if (::lstat(path.c_str(), &found) != 0) {
        return;  // nothing there, or binding will tell why it cannot be
    }
    if (!S_ISSOCK(found.st_mode)) {
        cannot_listen(path, "the file exists and is no socket; it is left as it is");
    }
    switch (const int error = try_connecting(address)) {
        case ECONNREFUSED:
            if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
                cannot_listen(
                    path,
                    std::string("the socket of a server that has ended cannot be removed: ") +
                        std::strerror(errno)
                );
            }
            return;
        case ENOENT:
            return;
        case 0:
        case EAGAIN:  // its queue is full
        case EPROTOTYPE:
            cannot_listen(path, "another process listens there (--uds takes another path)");
        default:
            cannot_listen(
                path,
                std::string("there is a socket, and whether somebody listens at it cannot be "
                            "found out: "
                ) + std::strerror(error)
            );
    }
}

}  // namespace

SocketFile::SocketFile(std::string path, mode_t mode, int socket, int backlog)
    : path_(std::move(path)) {
    const sockaddr_un address = address_of(path_);
    const FolderLock one_at_a_time(path_);
    make_way(path_, address);
    if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        const int error = errno;
        cannot_listen(
            path_,
            std::string(std::strerror(error)) +
                (error == ENOENT ? " (its folder has to exist)" : "")
        );
    }
    // Who may connect is settled before anybody can.
    if (::chmod(path_.c_str(), mode) != 0 || ::listen(socket, backlog) != 0) {
        const int error = errno;
        ::unlink(path_.c_str());
        cannot_listen(path_, std::strerror(error));
    }
    ours_ = identity_of(path_);
}

SocketFile::~SocketFile() {
    const FolderLock one_at_a_time(path_);
    if (ours_ && identity_of(path_) == ours_) {
        ::unlink(path_.c_str());
    }
}

std::optional<SocketFile::Identity> SocketFile::identity_of(const std::string& path) {
    struct statx found {};
    constexpr unsigned kWanted = STATX_INO | STATX_BTIME;  // the latter where the system keeps it
    if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, kWanted, &found) != 0) {
        return std::nullopt;
    }
    return Identity{
        (std::uint64_t{found.stx_dev_major} << 32) | found.stx_dev_minor,
        found.stx_ino,
        found.stx_btime.tv_sec,
        found.stx_btime.tv_nsec};
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
