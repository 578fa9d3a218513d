#pragma once

#include <openenv/base/json.hpp>
#include <openenv/client/client_base.hpp>
#include <openenv/client/pending.hpp>
#include <openenv/client/questions.hpp>
#include <openenv/client/vector_answers.hpp>
#include <openenv/client/vector_options.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace openenv {
inline namespace v0 {

/// What every VectorEnv has, whatever its types.
class VectorBase : private ClientBase {
public:
    /// How many sessions it has.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// Opens the connection, or one for each session. Optional, as that of a client.
    using ClientBase::connect;
    /// Closes every session and the connection. Afterwards any call connects anew, and a reset
    /// begins anew.
    using ClientBase::close;

    using ClientBase::base_url;
    using ClientBase::mode;
    using ClientBase::schema;

protected:
    /// Errors: ConfigError, as of a client; also for a number of sessions that cannot be.
    VectorBase(std::string base_url, const VectorOptions& options);
    ~VectorBase() = default;

    /// Questions to all sessions, or to some.  Errors: Exception (usage) when there are not as many
    /// arguments as sessions, or the sessions are not different ones of this object.
    template <class Argument, class Write>
    [[nodiscard]] client::Questions questions(
        client::Ask what, std::span<const Argument> arguments, Write write
    ) const {
        check_count(arguments.size(), size_);
        client::Questions all(what);
        for (std::size_t i = 0; i != size_; ++i) {
            all.add(i, [&](std::string& text) { write(text, arguments[i]); });
        }
        return all;
    }
    template <class Argument, class Write>
    [[nodiscard]] client::Questions questions(
        client::Ask what,
        std::span<const std::size_t> sessions,
        std::span<const Argument> arguments,
        Write write
    ) const {
        check_count(arguments.size(), sessions.size());
        check_sessions(sessions);
        client::Questions some(what);
        for (std::size_t i = 0; i != sessions.size(); ++i) {
            some.add(sessions[i], [&](std::string& text) { write(text, arguments[i]); });
        }
        return some;
    }
    /// The same without arguments: `text` is what each is asked with.
    [[nodiscard]] client::Questions same_question(client::Ask what, std::string_view text) const;
    [[nodiscard]] client::Questions same_question(
        client::Ask what, std::span<const std::size_t> sessions, std::string_view text
    ) const;
    /// Resets with `seed`, the second session with one more, and so on.
    [[nodiscard]] client::Questions seeded(std::int64_t seed) const;
    [[nodiscard]] client::Questions seeded(std::span<const std::int64_t> seeds) const;
    [[nodiscard]] client::Questions resets(std::span<const Json> arguments) const;
    [[nodiscard]] client::Questions resets(
        std::span<const std::size_t> sessions, std::span<const Json> arguments
    ) const;

    /// A call that asks and reads what comes of it.
    template <class T>
    [[nodiscard]] Pending<T> ask_all(
        client::Questions questions,
        CallOptions options,
        std::function<T(client::SessionOutcomes)> read
    ) const {
        auto shared = std::make_shared<const client::Questions>(std::move(questions));
        std::shared_ptr<client::PendingCall> call = make_call(std::move(options));
        typename Pending<T>::Work work = [call, shared, read = std::move(read)] {
            return ask_and_read<T>(call, shared, read);
        };
        return Pending<T>(std::move(call), std::move(work));
    }
    template <class T>
    [[nodiscard]] Pending<T> receive_all(
        std::size_t min, CallOptions options, std::function<T(client::SessionOutcomes)> read
    ) const {
        std::shared_ptr<client::PendingCall> call = make_call(std::move(options));
        typename Pending<T>::Work work = [call, min, read = std::move(read)] {
            return receive_and_read<T>(call, min, read);
        };
        return Pending<T>(std::move(call), std::move(work));
    }
    [[nodiscard]] Pending<void> send_all(client::Questions questions, CallOptions options) const;

private:
    template <class T>
    static net::io_awaitable<T> ask_and_read(
        std::shared_ptr<client::PendingCall> call,
        std::shared_ptr<const client::Questions> questions,
        std::function<T(client::SessionOutcomes)> read
    ) {
        client::SessionOutcomes outcomes = co_await call->ask_all(std::move(questions));
        co_return read(std::move(outcomes));
    }
    template <class T>
    static net::io_awaitable<T> receive_and_read(
        std::shared_ptr<client::PendingCall> call,
        std::size_t min,
        std::function<T(client::SessionOutcomes)> read
    ) {
        client::SessionOutcomes outcomes = co_await call->receive(min);
        co_return read(std::move(outcomes));
    }

    static void check_count(std::size_t given, std::size_t wanted);
    void check_sessions(std::span<const std::size_t> sessions) const;

    const std::size_t size_;
};

}  // namespace v0
}  // namespace openenv
