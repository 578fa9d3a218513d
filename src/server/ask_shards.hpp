#pragma once

#include "server/context.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace server {

/// Puts `question` to shards, each on its own thread, and collects their answers in any order. Less
/// answers than shards: a thread did not get to it within `patience`, and will do it later.
/// Thread: that of `io`, one of the shards' own. Lifetime: what the question refers to lives as
/// long as the server.
template <class Answer>
[[nodiscard]] net::io_awaitable<std::vector<Answer>> ask_shards(
    std::vector<Shard*> shards,
    net::IoExecutor io,
    std::function<Answer(Shard&)> question,
    std::chrono::milliseconds patience
) {
    struct Asked {
        explicit Asked(net::IoExecutor executor) : timer(executor) {}
        net::IoTimer timer;
        std::vector<Answer> answers;
    };
    const auto asked = std::make_shared<Asked>(io);  // weakly held by what is on its way
    const std::size_t expected = shards.size();
    const net::TimePoint deadline = std::chrono::steady_clock::now() + patience;
    asked->timer.expires_at(deadline);
    for (Shard* shard : shards) {
        std::weak_ptr<Asked> weak = asked;
        boost::asio::post(shard->io, [shard, question, io, expected, weak = std::move(weak)] {
            boost::asio::post(io, [weak, expected, answer = question(*shard)]() mutable {
                if (const std::shared_ptr<Asked> waiting = weak.lock()) {
                    waiting->answers.push_back(std::move(answer));
                    if (waiting->answers.size() == expected) {
                        waiting->timer.cancel();
                    }
                }
            });
        });
    }
    while (asked->answers.size() < expected && std::chrono::steady_clock::now() < deadline) {
        constexpr auto token = boost::asio::as_tuple(net::io_token);
        co_await asked->timer.async_wait(token);
    }
    co_return std::move(asked->answers);
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
