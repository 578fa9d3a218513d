#pragma once

#include "support/hang_bound.hpp"

#include <openenv/client/pending.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <stdexcept>
#include <utility>

namespace openenv {
namespace test {

/// Runs a coroutine of a user to its end, on this thread. Errors: what it throws; also when it
/// hangs.
inline void run_coroutine(Task<void> task) {
    boost::asio::io_context context;
    bool ended = false;
    std::exception_ptr thrown;
    boost::asio::co_spawn(context, std::move(task), [&](std::exception_ptr failure) {
        ended = true;
        thrown = failure;
    });
    context.run_for(kHangBound);
    if (!ended) {
        throw std::runtime_error("the coroutine hangs");
    }
    if (thrown) {
        std::rethrow_exception(thrown);
    }
}

}  // namespace test
}  // namespace openenv
