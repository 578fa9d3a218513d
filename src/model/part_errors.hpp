#pragma once

#include <openenv/model/read_context.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace model {

/// Which errors of the list are about which part of one object, while that object is read: a key
/// that comes once more takes back what was wrong with it before, and the parts have an order.
/// Places in the list tell more than locations, in which long keys are cut.
class PartErrors {
public:
    explicit PartErrors(ReadContext& context)
        : context_(context), first_(context.errors().size()) {}

    /// Says that the errors from `from` on are about that part.
    void note(std::size_t part, std::size_t from) {
        const std::size_t to = context_.errors().size();
        if (to > from) {
            runs_.push_back({part, from, to});
        }
    }

    /// Takes back what is wrong with a part. False when that was done more often than a peer may
    /// ask for; then the errors stay.
    bool forget(std::size_t part) {
        if (!context_.allow_replacing()) {
            return false;
        }
        const auto run = std::find_if(runs_.begin(), runs_.end(), [part](const Run& candidate) {
            return candidate.part == part;
        });
        if (run == runs_.end()) {
            return true;  // nothing was kept of it
        }
        const std::size_t to = run->to;
        const std::size_t count = to - run->from;
        context_.errors().erase(run->from, to);
        runs_.erase(run);
        for (Run& later : runs_) {
            if (later.from >= to) {
                later.from -= count;
                later.to -= count;
            }
        }
        return true;
    }

    /// Brings the errors into the order of the parts.
    void sort() {
        std::vector<std::size_t> ranks(context_.errors().size() - first_);
        for (const Run& run : runs_) {
            std::fill(
                ranks.begin() + static_cast<std::ptrdiff_t>(run.from - first_),
                ranks.begin() + static_cast<std::ptrdiff_t>(run.to - first_),
                run.part
            );
        }
        context_.errors().sort_from(first_, ranks);
    }

private:
    struct Run {
        std::size_t part;
        std::size_t from;
        std::size_t to;
    };

    ReadContext& context_;
    std::size_t first_;
    std::vector<Run> runs_;
};

}  // namespace model
}  // namespace v0
}  // namespace openenv
