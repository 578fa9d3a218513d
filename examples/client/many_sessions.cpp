// Plays many sessions at once: coroutines on this thread, one more thread for all connections.
#include "counter_client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>

namespace {

// [async]
openenv::Task<void> play(CounterClient& parent, int& steps) {
    const std::unique_ptr<CounterClient> env = co_await parent.new_session<CounterClient>();
    co_await env->reset();
    for (bool done = false; !done;) {
        const auto result = co_await env->count(2);
        done = result.done;
        ++steps;
    }
    co_await env->close();
}
// [/async]

}  // namespace

int main(int argc, char** argv) {
    // [main]
    CounterClient client(argc > 1 ? argv[1] : "http://127.0.0.1:8000");
    const int sessions = argc > 2 ? std::atoi(argv[2]) : 64;
    boost::asio::io_context context;
    int steps = 0;
    int failed = 0;
    for (int i = 0; i != sessions; ++i) {
        boost::asio::co_spawn(context, play(client, steps), [&failed](std::exception_ptr failure) {
            try {
                if (failure) {
                    std::rethrow_exception(failure);
                }
            } catch (const std::exception& error) {
                std::cerr << error.what() << "\n";
                ++failed;
            }
        });
    }
    context.run();
    // [/main]
    std::cout << sessions - failed << " of " << sessions << " sessions played " << steps
              << " steps\n";
    return failed == 0 ? 0 : 1;
}
