#include "client/provider_run.hpp"

#include <openenv/base/log.hpp>
#include <openenv/provider/provider.hpp>

#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

std::string what_of(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "unknown exception";
    }
}

ProviderRun::ProviderRun(
    std::shared_ptr<LoopState> loop,
    std::shared_ptr<Provider> provider,
    bool runs,
    std::chrono::milliseconds patience
)
    : loop_(std::move(loop)), provider_(std::move(provider)), patience_(patience), runs_(runs) {}

ProviderRun::~ProviderRun() {
    loop_->run_and_forget([last = std::move(provider_)]() mutable { last = nullptr; });
}

std::shared_ptr<ProviderRun::Job> ProviderRun::ask_for(bool running) {
    auto job = std::make_shared<Job>(loop_->io(), running);
    jobs_.push_back(job);
    if (!working_) {
        working_ = true;
        loop_->spawn(work(shared_from_this()));
    }
    return job;
}

net::io_awaitable<void> ProviderRun::work(std::shared_ptr<ProviderRun> self) {
    while (!self->jobs_.empty()) {
        const std::shared_ptr<Job> job = self->jobs_.front();
        if (job->to_start) {
            job->failure = co_await self->start_now();
        } else {
            job->failure = co_await self->stop_now();
        }
        job->done = true;
        job->changed.notify();
        self->jobs_.pop_front();
    }
    self->working_ = false;
}

void ProviderRun::wake() {
    for (const std::shared_ptr<Job>& job : jobs_) {
        job->changed.notify();
    }
}

net::io_awaitable<std::exception_ptr> ProviderRun::start_now() {
    if (stop_failed_) {
        std::exception_ptr failure = co_await stop_now();
        if (failure) {
            co_return failure;
        }
    }
    if (runs_) {
        co_return nullptr;
    }
    runs_ = true;  // also when it gets only half-way
    const auto address = std::make_shared<std::string>();
    std::function<void()> call = [provider = provider_, address, patience = patience_] {
        *address = provider->start();
        provider->wait_until_ready(*address, patience);
    };
    std::exception_ptr failure = co_await blocking(std::move(call));
    address_ = *address;
    if (failure) {
        const std::exception_ptr also = co_await stop_now();
        if (also) {
            log(LogLevel::warning,
                "the provider that could not start the server could not stop it either: " +
                    what_of(also));
        }
    }
    co_return failure;
}

net::io_awaitable<std::exception_ptr> ProviderRun::stop_now() {
    if (!runs_) {
        co_return nullptr;
    }
    std::function<void()> call = [provider = provider_] { provider->stop(); };
    std::exception_ptr failure = co_await blocking(std::move(call));
    stop_failed_ = failure != nullptr;
    runs_ = stop_failed_;
    co_return failure;
}

net::io_awaitable<std::exception_ptr> ProviderRun::blocking(std::function<void()> call) {
    const auto failure = std::make_shared<std::exception_ptr>();
    std::function<void()> guarded = [call = std::move(call), failure] {
        try {
            call();
        } catch (...) {
            *failure = std::current_exception();
        }
    };
    try {
        co_await loop_->run_blocking(std::move(guarded));
    } catch (...) {
        *failure = std::current_exception();  // there was no thread for it
    }
    co_return *failure;
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
