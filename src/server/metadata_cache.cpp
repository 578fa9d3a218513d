#include "server/metadata_cache.hpp"

#include <openenv/base/json_writer.hpp>
#include <openenv/session/session.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>

#include <exception>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

void member(JsonWriter& writer, std::string_view name, const std::optional<std::string>& value) {
    writer.key(name);
    if (value) {
        writer.string(*value);
    } else {
        writer.null();
    }
}

std::string to_json(const EnvironmentMetadata& metadata) {
    std::string out;
    JsonWriter writer(out);
    writer.begin_object();
    member(writer, "name", metadata.name);
    member(writer, "description", metadata.description);
    member(writer, "readme_content", metadata.readme_content);
    member(writer, "version", metadata.version);
    member(writer, "author", metadata.author);
    member(writer, "documentation_url", metadata.documentation_url);
    writer.end_object();
    return out;
}

}  // namespace

/// Somebody who waits for another's question to be answered.
struct MetadataCache::Waiter {
    explicit Waiter(net::IoExecutor executor) : io(executor), timer(executor) {
        timer.expires_at(net::TimePoint::max());
    }
    net::IoExecutor io;
    net::IoTimer timer;                         // cancelled on `io` once `answer` is there
    std::optional<Result<std::string>> answer;  // set on `io`
};

MetadataCache::MetadataCache(session::EnvironmentHost& host, std::optional<std::string> readme)
    : host_(host), readme_(std::move(readme)) {}

net::io_awaitable<Result<std::string>> MetadataCache::get(Caller& caller) {
    std::shared_ptr<Waiter> waiter;
    {
        const std::scoped_lock lock(mutex_);
        if (known_) {
            co_return *known_;
        }
        if (asking_) {
            waiter = waiters_.emplace_back(std::make_shared<Waiter>(caller.io()));
        }
        asking_ = true;
    }
    if (waiter) {
        while (!waiter->answer) {
            constexpr auto token = boost::asio::as_tuple(net::io_token);
            co_await waiter->timer.async_wait(token);
        }
        co_return *waiter->answer;
    }
    Result<std::string> answer = Error{Errc::execution, "asking the environment ended by a fault"};
    try {
        answer = co_await ask(caller);
    } catch (const std::exception& fault) {
        answer = Error{Errc::execution, fault.what()};
    }
    finish(answer);  // in every case: others wait for it
    co_return answer;
}

net::io_awaitable<Result<std::string>> MetadataCache::ask(Caller& caller) {
    session::Session session(host_, caller.io(), std::nullopt);
    const Caller::Working working(caller, session);
    Result<void> opened = co_await session.open();
    if (!opened) {
        co_return std::move(opened).error();
    }
    Result<std::optional<EnvironmentMetadata>> told = co_await session.metadata();
    co_await session.end();
    if (!told) {
        co_return std::move(told).error();
    }
    EnvironmentMetadata metadata;
    metadata.name = host_.entry().class_name;
    metadata.description = host_.entry().class_name + " environment";
    if (*told) {
        metadata = std::move(**told);
    }
    if (!metadata.readme_content) {
        metadata.readme_content = readme_;
    }
    co_return to_json(metadata);
}

void MetadataCache::finish(const Result<std::string>& answer) {
    const std::scoped_lock lock(mutex_);
    asking_ = false;
    if (answer) {
        known_ = *answer;
    }
    for (std::shared_ptr<Waiter>& waiter : waiters_) {
        const net::IoExecutor io = waiter->io;
        boost::asio::post(io, [waiter = std::move(waiter), answer] {
            waiter->answer = answer;
            waiter->timer.cancel();
        });
    }
    waiters_.clear();
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
