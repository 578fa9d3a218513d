#include "bench/failure_tally.hpp"

#include <algorithm>

namespace openenv::bench {
namespace {

constexpr std::size_t kLongestCode = 100;
constexpr std::size_t kLongestExample = 300;

}  // namespace

void FailureTally::add(const Trouble& trouble, std::uint64_t sessions) {
    count_ += sessions;
    const std::string code = trouble.code.substr(0, kLongestCode);
    auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const Failures& known) {
        return known.reason == trouble.reason && known.code == code;
    });
    if (kind == kinds_.end() && kinds_.size() >= kMostKinds) {
        kind = kinds_.end() - 1;
        kind->code = "...";
    } else if (kind == kinds_.end()) {
        kinds_.push_back({trouble.reason, code, 0, std::string(trouble.what())});
        kind = kinds_.end() - 1;
        kind->example.resize(std::min(kind->example.size(), kLongestExample));
    }
    kind->count += sessions;
}

}  // namespace openenv::bench
