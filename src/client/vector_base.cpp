#include <openenv/base/json_writer.hpp>
#include <openenv/client/vector_base.hpp>

#include <vector>

namespace openenv {
inline namespace v0 {

namespace {

[[noreturn]] void wrong_use(std::string why) {
    throw Exception(Error{Errc::usage, std::move(why)});
}

void write_seed(std::string& text, std::int64_t seed) {
    JsonWriter writer(text);
    writer.begin_object();
    writer.key("seed");
    writer.integer(seed);
    writer.end_object();
}

void write_json(std::string& text, const Json& value) {
    JsonWriter(text).json(value);
}

net::io_awaitable<void> send(
    std::shared_ptr<client::PendingCall> call, std::shared_ptr<const client::Questions> questions
) {
    co_await call->send_all(std::move(questions));
}

}  // namespace

VectorBase::VectorBase(std::string base_url, const VectorOptions& options)
    : ClientBase(std::move(base_url), options), size_(options.sessions) {}

void VectorBase::check_count(std::size_t given, std::size_t wanted) {
    if (given != wanted) {
        wrong_use(
            std::to_string(given) + " were given for " + std::to_string(wanted) +
            " sessions; each takes one"
        );
    }
}

void VectorBase::check_sessions(std::span<const std::size_t> sessions) const {
    std::vector<bool> named(size_);
    for (const std::size_t session : sessions) {
        if (session >= size_) {
            wrong_use(
                "there is no session " + std::to_string(session) + "; they go from 0 to " +
                std::to_string(size_ - 1)
            );
        }
        if (named[session]) {
            wrong_use("session " + std::to_string(session) + " is named twice in one call");
        }
        named[session] = true;
    }
}

client::Questions VectorBase::same_question(client::Ask what, std::string_view text) const {
    client::Questions all(what);
    for (std::size_t i = 0; i != size_; ++i) {
        all.add(i, [&](std::string& out) { out += text; });
    }
    return all;
}

client::Questions VectorBase::same_question(
    client::Ask what, std::span<const std::size_t> sessions, std::string_view text
) const {
    check_sessions(sessions);
    client::Questions some(what);
    for (const std::size_t session : sessions) {
        some.add(session, [&](std::string& out) { out += text; });
    }
    return some;
}

client::Questions VectorBase::seeded(std::int64_t seed) const {
    client::Questions all(client::Ask::reset);
    for (std::size_t i = 0; i != size_; ++i) {
        all.add(i, [&](std::string& text) {
            write_seed(text, static_cast<std::int64_t>(static_cast<std::uint64_t>(seed) + i));
        });
    }
    return all;
}

client::Questions VectorBase::seeded(std::span<const std::int64_t> seeds) const {
    return questions(client::Ask::reset, seeds, write_seed);
}

client::Questions VectorBase::resets(std::span<const Json> arguments) const {
    return questions(client::Ask::reset, arguments, write_json);
}

client::Questions VectorBase::resets(
    std::span<const std::size_t> sessions, std::span<const Json> arguments
) const {
    return questions(client::Ask::reset, sessions, arguments, write_json);
}

Pending<void> VectorBase::send_all(client::Questions questions, CallOptions options) const {
    auto shared = std::make_shared<const client::Questions>(std::move(questions));
    std::shared_ptr<client::PendingCall> call = make_call(std::move(options));
    Pending<void>::Work work = [call, shared] { return send(call, shared); };
    return Pending<void>(std::move(call), std::move(work));
}

}  // namespace v0
}  // namespace openenv
