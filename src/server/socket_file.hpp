#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>

namespace openenv {
inline namespace v0 {
namespace server {

/// The file of a Unix domain socket that we listen at. When this goes, the file goes too, unless
/// another one has taken its place meanwhile.
class SocketFile {
public:
    /// Binds `socket`, which has to be a Unix stream socket, to `path` and listens with that
    /// `backlog`. A socket that nobody listens at any more is replaced; what somebody listens at,
    /// and what is no socket, is left alone.
    /// Errors: Exception (network) naming the path and the reason.  Blocking: waits for another
    /// server that is just starting in the same folder, at most a second.
    SocketFile(std::string path, mode_t mode, int socket, int backlog);
    ~SocketFile();
    SocketFile(const SocketFile&) = delete;
    SocketFile& operator=(const SocketFile&) = delete;

    [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
    /// What tells a file from a later one of the same name, which may even have got its number.
    struct Identity {
        std::uint64_t device;
        std::uint64_t number;
        std::int64_t made_seconds;
        std::uint32_t made_nanoseconds;

        bool operator==(const Identity&) const = default;
    };
    /// Nothing when there is no such file.
    [[nodiscard]] static std::optional<Identity> identity_of(const std::string& path);

    const std::string path_;
    std::optional<Identity> ours_;
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
