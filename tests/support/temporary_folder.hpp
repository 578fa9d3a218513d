#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace openenv {
namespace test {

/// An empty folder, removed with all that is in it. Its path is short enough for sockets.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string path = "/tmp/openenv-XXXXXX";
        if (::mkdtemp(path.data()) == nullptr) {
            throw std::runtime_error("cannot make a folder in /tmp");
        }
        path_ = path;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    /// The path of something in it.
    [[nodiscard]] std::string file(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

}  // namespace test
}  // namespace openenv
