#include "client/fetch.hpp"

#include <exception>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

Fetch::Fetch(
    std::shared_ptr<LoopState> loop,
    net::DialOptions options,
    std::shared_ptr<const net::ConnectionLimits> limits
)
    : loop_(std::move(loop)),
      sweeper_use_(loop_),
      dial_(loop_->io(), std::move(options), std::move(limits), loop_->sweeper()),
      changed_(loop_->io()) {}

void Fetch::start(net::Url url, std::string target) {
    loop_->spawn(run(shared_from_this(), std::move(url), std::move(target)));
}

net::io_awaitable<void> Fetch::run(std::shared_ptr<Fetch> self, net::Url url, std::string target) {
    std::string method = "GET";
    std::string body;
    try {
        Result<net::HttpResponse> response = co_await self->dial_.request(
            std::move(url), std::move(method), std::move(target), std::move(body)
        );
        self->outcome_ = std::move(response);
    } catch (const std::exception& error) {
        self->outcome_ = Error{Errc::network, error.what()};
    }
    self->changed_.notify();
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
