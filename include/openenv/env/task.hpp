#pragma once

#include <boost/asio/awaitable.hpp>

namespace openenv {
inline namespace v0 {

/// What a coroutine of an author or of a client's user returns: it may `co_await` other tasks and
/// Asio's operations, and begins when it is awaited itself.
template <class T>
using Task = boost::asio::awaitable<T>;

}  // namespace v0
}  // namespace openenv
