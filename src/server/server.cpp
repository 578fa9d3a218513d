#include "server/checked_config.hpp"
#include "server/context.hpp"
#include "server/in_process.hpp"
#include "server/listener.hpp"
#include "server/schema_pages.hpp"

#include <openenv/base/error.hpp>
#include <openenv/base/log.hpp>
#include <openenv/env/episode_id.hpp>
#include <openenv/server/server.hpp>

#include <boost/asio/post.hpp>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <utility>

namespace openenv {
inline namespace v0 {

using server::Context;
using server::InProcess;
using server::Listener;
using server::LiveConnection;
using server::Shard;

namespace server {

namespace {

net::ConnectionLimits connection_limits(const ServerConfig& config) {
    net::ConnectionLimits limits;
    limits.header_bytes = config.max_header_bytes;
    limits.body_bytes = config.max_message_bytes;
    limits.message_bytes = config.max_message_bytes;
    limits.request_timeout = config.request_timeout;
    limits.body_timeout = config.body_timeout;
    limits.ping_interval = config.ping_interval;
    limits.ping_timeout = config.ping_timeout;
    limits.close_timeout = config.close_timeout;
    limits.stall_timeout = config.ping_interval + config.ping_timeout;
    return limits;
}

session::ExecutionSettings execution_settings(const ServerConfig& config) {
    session::ExecutionSettings settings;
    settings.max_workers = config.workers;
    settings.inline_budget = config.inline_budget;
    settings.creation_timeout = config.creation_timeout;
    settings.call_timeout = config.call_timeout;
    return settings;
}

}  // namespace

Context::Context(EnvironmentEntry entry, ServerConfig wanted)
    : config(checked(entry, std::move(wanted))),
      limits(connection_limits(config)),
      server_id(new_episode_id().substr(0, 4)),
      capacity(*config.max_concurrent_envs, config.queue_depth),
      peers(config.max_sessions_per_peer),
      host(std::move(entry), execution_settings(config), threads),
      metadata(host, config.readme),
      schema_page(make_schema_page(host.entry())),
      openapi_page(make_openapi_page(host.entry(), config.mode)) {}

}  // namespace server

namespace {
/// A thread without work needs no time to end, but on a busy machine it has to be woken first.
constexpr std::chrono::milliseconds kTimeToJoin{2000};
/// For the close frames of connections whose call was given up.
constexpr std::chrono::milliseconds kLastWords{500};
}  // namespace

struct Server::Impl {
    Impl(EnvironmentEntry entry, ServerConfig wanted)
        : context(std::move(entry), std::move(wanted)) {}

    /// Runs `action` for every shard, on that shard's thread.
    template <class Action>
    void on_every_shard(Action action) {
        for (const auto& shard : shards) {
            boost::asio::post(shard->io, [shard = shard.get(), action] { action(*shard); });
        }
    }

    // In the order of need: what is declared later is destroyed first. The tasks are waited for in
    // stop(), the threads when the context goes.
    Context context;
    net::TaskGroup tasks;
    std::unique_ptr<net::IoThreads> io;
    std::vector<std::unique_ptr<Shard>> shards;
    std::vector<std::unique_ptr<Listener>> listeners;
    const std::shared_ptr<InProcess> in_process = std::make_shared<InProcess>();  // with clients
    bool running = false;
    std::size_t left = 0;  // tasks or threads that did not end
};

Server::Server(EnvironmentEntry entry, ServerConfig config)
    : impl_(std::make_unique<Impl>(std::move(entry), std::move(config))) {}

Server::~Server() {
    if (stop() != 0) {
        // Code that never returns may use anything of ours at any time: nothing can be destroyed.
        log(LogLevel::error, "code of an environment never came back; exiting with 3");
        std::_Exit(3);
    }
}

void Server::start() {
    Impl& self = *impl_;
    // What an earlier start that failed has left behind, the users before the used.
    self.listeners.clear();
    self.context.shards.clear();
    self.shards.clear();
    self.io = std::make_unique<net::IoThreads>(
        self.context.config.threads, self.context.config.busy_poll
    );
    for (std::size_t i = 0; i < self.io->size(); ++i) {
        self.shards.push_back(std::make_unique<Shard>(i, self.io->at(i), self.context.config.tick));
        self.context.shards.push_back(self.shards.back().get());
    }
    const ServerConfig& config = self.context.config;
    const net::IoExecutor first = self.shards.front()->io;
    const auto add = [&self](server::ListeningSocket socket) {
        self.listeners.push_back(
            std::make_unique<Listener>(self.context, self.shards, self.tasks, std::move(socket))
        );
    };
    if (config.listen && config.tcp) {
        add(server::listen_on_address(config, first));
    }
    if (config.listen && config.uds) {
        add(server::listen_on_file(config, first));
    }
    self.running = true;
    self.on_every_shard([](Shard& shard) { shard.sweeper.start(); });
    boost::asio::post(first, [&self] {
        for (const auto& listener : self.listeners) {
            listener->start();
        }
    });
    self.io->start(self.context.threads);
    self.in_process->open(self.context, self.shards, self.tasks);
}

std::size_t Server::stop() {
    using std::chrono::steady_clock;
    Impl& self = *impl_;
    if (!self.running) {
        return self.left;
    }
    self.running = false;
    self.in_process->close();
    self.context.draining = true;
    const auto grace_ends = steady_clock::now() + self.context.config.shutdown_grace;
    // What has been accepted is counted once the listener is closed, and can be waited for then.
    const auto closed = std::make_shared<std::promise<void>>();  // also held by the handler
    boost::asio::post(self.shards.front()->io, [&self, closed] {
        for (const auto& listener : self.listeners) {
            listener->close();
        }
        // Behind what was accepted just before, which is dropped by a handler that is queued.
        boost::asio::post(self.shards.front()->io, [closed] { closed->set_value(); });
    });
    closed->get_future().wait_until(grace_ends);
    self.on_every_shard([](Shard& shard) {
        for (LiveConnection& connection : shard.live) {
            connection.drain();
        }
    });
    const auto& config = self.context.config;
    std::size_t left = self.tasks.wait_until_empty(grace_ends);
    if (left != 0) {
        log(LogLevel::warning,
            "the grace time is over; cutting off the connections that are left (" +
                std::to_string(left) + " tasks)");
        self.on_every_shard([](Shard& shard) {
            for (LiveConnection& connection : shard.live) {
                connection.hurry();
            }
        });
        left = self.tasks.wait_until_empty(steady_clock::now() + kLastWords);
    }
    if (left != 0) {
        self.on_every_shard([](Shard& shard) {
            for (LiveConnection& connection : shard.live) {
                connection.abort();
            }
        });
        left = self.tasks.wait_until_empty(steady_clock::now() + config.close_timeout);
    }
    // Calls that were given up end on the io threads, or never.
    const auto time_to_end = std::max(config.close_timeout, kTimeToJoin);
    left += self.context.host.tasks().wait_until_empty(steady_clock::now() + time_to_end);
    self.io->stop();
    self.context.host.close();
    self.left = std::max(left, self.context.threads.join_all(steady_clock::now() + time_to_end));
    return self.left;
}

std::uint16_t Server::port() const noexcept {
    const ServerConfig& config = impl_->context.config;
    if (!config.listen || !config.tcp) {
        return 0;
    }
    return impl_->listeners.empty() ? impl_->context.config.port : impl_->listeners.front()->port();
}

std::shared_ptr<net::Connector> Server::connector() const noexcept {
    return impl_->in_process;
}

std::string Server::url() const {
    return impl_->listeners.empty() ? std::string() : impl_->listeners.front()->url();
}

std::vector<std::string> Server::urls() const {
    std::vector<std::string> all;
    for (const auto& listener : impl_->listeners) {
        all.push_back(listener->url());
    }
    return all;
}

std::size_t Server::active_sessions() const noexcept {
    return impl_->context.capacity.active();
}

}  // namespace v0
}  // namespace openenv
