#pragma once

#include "client/batch_frames.hpp"
#include "client/channel.hpp"
#include "client/core.hpp"
#include "client/lines.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace client {

/// One connection for all sessions (extension `batch`).
///
/// A session's entries have an id only once a call of it was given up: the number of those calls.
/// An answer with an earlier one is late, and dropped.
class SharedLine final : public Lines, public Channel::Listener {
public:
    /// `core` has `channel` as its connection, which grants `batch`.
    SharedLine(
        Owner& owner,
        std::shared_ptr<Core> core,
        std::shared_ptr<Channel> channel,
        std::size_t sessions
    );

    void send(const Questions& questions, const CallState& call, std::size_t min) override;
    void give_up(std::size_t session) override;
    void abort() noexcept override {}  // the core ends its connection

    void on_message(std::string message) override;
    void on_end() override;

private:
    struct Asked {
        std::optional<Ask> what;     // a question that waits for its answer
        std::uint64_t given_up = 0;  // calls before it, whose answers may be late
        std::uint64_t owed = 0;      // late answers that are still to come
    };
    enum class Fit { wanted, late, unasked };

    [[nodiscard]] Fit fit_of(const BatchEntry& entry);
    void take(const BatchEntry& entry, const std::shared_ptr<const std::string>& frame);
    void take_other(const BatchReply& reply);
    void answer(std::size_t session, Result<SessionAnswer> answer);
    void fail_all(const Error& error);
    void lose(const std::string& why);
    [[nodiscard]] Error no_answer(Ask what, const std::string& why) const;

    const std::shared_ptr<Core> core_;
    const std::shared_ptr<Channel> channel_;
    std::vector<Asked> asked_;        // by session
    bool over_ = false;               // nothing can be asked any more
    std::optional<std::size_t> min_;  // what the server was told last
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
