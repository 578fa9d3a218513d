#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace server {

/// How many sessions one peer may have, those that wait for a place included. A peer is an address,
/// or the user behind a Unix socket. Thread: any. Lifetime: outlives its places.
class PeerLimit {
public:
    /// Without a number nothing is counted.
    explicit PeerLimit(std::optional<std::size_t> most) : most_(most) {}

    /// One session of a peer, while it lives.
    class Place {
    public:
        Place(PeerLimit& limit, std::string_view host) : limit_(limit), host_(host) {
            granted_ = limit_.enter(host_);
        }
        ~Place() {
            if (granted_) {
                limit_.leave(host_);
            }
        }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

        [[nodiscard]] bool granted() const noexcept { return granted_; }

    private:
        PeerLimit& limit_;
        const std::string host_;
        bool granted_ = false;
    };

    [[nodiscard]] bool limited() const noexcept { return most_.has_value(); }
    [[nodiscard]] std::size_t most() const noexcept { return most_.value_or(0); }

private:
    [[nodiscard]] bool enter(const std::string& host) {
        const std::scoped_lock lock(mutex_);
        std::size_t& count = counts_[host];
        if (count >= *most_) {
            return false;  // not 0: nothing was added
        }
        ++count;
        return true;
    }
    void leave(const std::string& host) {
        const std::scoped_lock lock(mutex_);
        const auto found = counts_.find(host);
        if (--found->second == 0) {
            counts_.erase(found);
        }
    }

    const std::optional<std::size_t> most_;
    std::mutex mutex_;
    std::map<std::string, std::size_t> counts_;
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
