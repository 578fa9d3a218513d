#pragma once

#include "integration/client/outcome.hpp"

#include <openenv/client/env_client.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace openenv {
namespace test {

/// A client whose work is done by the test's own thread, and only while a function of this runs.
class DrivenClient {
public:
    DrivenClient(const std::string& url, ClientOptions options)
        : client_(url, on(context_, std::move(options))) {}

    template <class T>
    [[nodiscard]] std::future<T> begin(Pending<T> call) {
        return call.async(boost::asio::use_future);
    }
    /// Works until the call has ended.
    template <class T>
    T finish(std::future<T> call) {
        run_until([&] { return has_ended(call); });
        return call.get();
    }
    template <class T>
    T run(Pending<T> call) {
        return finish(begin(std::move(call)));
    }
    /// Works until `condition` holds, which others may bring about.
    template <class Condition>
    void run_until(Condition condition) {
        test::run_until(context_, std::move(condition));
    }
    /// Works until nothing is left to do: the client has seen that its connection has ended.
    void run_until_disconnected() {
        context_.restart();
        context_.run_for(kHangBound);
        if (!context_.stopped()) {
            throw std::runtime_error("the client stays connected");
        }
    }

    [[nodiscard]] GenericEnvClient* operator->() { return &client_; }

private:
    static ClientOptions on(boost::asio::io_context& context, ClientOptions options) {
        options.loop = std::make_shared<ClientLoop>(context);
        return options;
    }

    boost::asio::io_context context_;
    GenericEnvClient client_;
};

}  // namespace test
}  // namespace openenv
