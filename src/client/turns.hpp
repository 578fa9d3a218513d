#pragma once

#include "client/event.hpp"

#include <list>

namespace openenv {
inline namespace v0 {
namespace client {

/// Who may use the connection: one call at a time, in the order in which they were made.
/// Thread: the loop's.
class Turns {
public:
    explicit Turns(net::IoExecutor io) : io_(io) {}
    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;

    /// A place in the queue, left again when it is destroyed.
    class Place {
    public:
        explicit Place(Turns& turns)
            : turns_(turns),
              event_(turns.io_),
              at_(turns.queue_.insert(turns.queue_.end(), this)) {}
        ~Place() {
            const bool first = comes_next();
            turns_.queue_.erase(at_);
            if (first && !turns_.queue_.empty()) {
                turns_.queue_.front()->wake();
            }
        }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

        [[nodiscard]] bool comes_next() const { return turns_.queue_.front() == this; }
        /// Waits once: for the turn, the deadline, or the end of the call.
        [[nodiscard]] net::io_awaitable<void> wait(CallState& call) {
            return event_.wait(call.deadline, &call);
        }
        /// Ends the wait under way.
        void wake() { event_.notify(); }

    private:
        Turns& turns_;
        Event event_;
        std::list<Place*>::iterator at_;
    };

    /// Lets everybody look again at what they wait for.
    void notify() {
        for (Place* place : queue_) {
            place->wake();
        }
    }

private:
    net::IoExecutor io_;
    std::list<Place*> queue_;
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
