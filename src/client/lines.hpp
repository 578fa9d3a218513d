#pragma once

#include "client/event.hpp"

#include <openenv/base/error.hpp>
#include <openenv/client/questions.hpp>
#include <openenv/client/vector_answers.hpp>

#include <cstddef>
#include <memory>

namespace openenv {
inline namespace v0 {
namespace client {

/// The ways by which the sessions of a VectorEnv reach the server.
/// Thread: the loop's. Lifetime: shared with what is under way on them.
class Lines {
public:
    /// Who is told what comes of the questions.
    class Owner {
    public:
        Owner() = default;
        Owner(const Owner&) = delete;
        Owner& operator=(const Owner&) = delete;
        virtual void on_answer(std::size_t session, Result<SessionAnswer> answer) = 0;
        /// Some have been answered, and no more at this moment.
        virtual void on_pause() = 0;

    protected:
        ~Owner() = default;
    };

    /// `owner` outlives this, or release() is called before it goes.
    explicit Lines(Owner& owner) : owner_(&owner) {}
    virtual ~Lines() = default;
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;

    /// Asks each of the sessions, none of which is waiting for an answer; the owner is told of one
    /// for each, also before this returns, unless it is given up before. The answers are wanted as
    /// soon as `min` are there; 0: all at once.
    virtual void send(const Questions& questions, const CallState& call, std::size_t min) = 0;
    /// Nobody waits for that session's answer any more.
    virtual void give_up(std::size_t session) = 0;
    /// Everything ends at once.
    virtual void abort() noexcept = 0;

    /// The owner is told no more.
    void release() noexcept { owner_ = nullptr; }

protected:
    [[nodiscard]] Owner* owner() const noexcept { return owner_; }

private:
    Owner* owner_;
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
