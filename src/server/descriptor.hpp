#pragma once

#include <unistd.h>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

/// Owns an open file, such as an accepted socket on its way from one io thread to another, which
/// only there becomes one of Asio's: an io_context's reactor may be used by its own thread alone.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) noexcept : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() { close(); }

    [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }
    [[nodiscard]] int get() const noexcept { return fd_; }
    int release() noexcept { return std::exchange(fd_, -1); }
    void close() noexcept {
        if (fd_ >= 0) {
            ::close(release());
        }
    }

private:
    int fd_ = -1;
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
