#include "client/core.hpp"

#include "client/asking.hpp"
#include "client/call_errors.hpp"
#include "client/extras.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

using std::chrono::steady_clock;

namespace {

std::shared_ptr<const net::ConnectionLimits> limits_of(const ClientOptions& options) {
    constexpr std::chrono::milliseconds kNever{0};
    auto limits = std::make_shared<net::ConnectionLimits>();
    limits->message_bytes = options.max_message_bytes;
    limits->body_bytes = options.max_message_bytes;
    limits->ping_interval = options.ping_interval.value_or(kNever);
    limits->ping_timeout = options.ping_timeout.value_or(kNever);
    limits->close_timeout = options.close_timeout;
    return limits;
}

void check_time(const char* name, std::chrono::milliseconds& value) {
    if (value < std::chrono::milliseconds::zero()) {
        throw ConfigError(std::string(name) + " is negative");
    }
    value = std::min<std::chrono::milliseconds>(value, kLongestTime);
}

ClientOptions checked(ClientOptions options) {
    check_time("connect_timeout", options.connect_timeout);
    check_time("message_timeout", options.message_timeout);
    check_time("close_timeout", options.close_timeout);
    check_time("ready_timeout", options.ready_timeout);
    if (options.ping_interval) {
        check_time("ping_interval", *options.ping_interval);
    }
    if (options.ping_timeout) {
        check_time("ping_timeout", *options.ping_timeout);
    }
    if (options.max_message_bytes == 0) {
        throw ConfigError("max_message_bytes is 0, which no answer would fit");
    }
    return options;
}

}  // namespace

Core::Core(
    std::shared_ptr<LoopState> loop,
    const std::string& url,
    ClientOptions options,
    std::shared_ptr<net::TlsTrust> trust
)
    : loop_(std::move(loop)),
      options_(checked(std::move(options))),
      own_address_(!url.empty()),
      limits_(limits_of(options_)),
      turns_(loop_->io()),
      closing_children_(std::make_shared<Countdown>(loop_->io())) {
    if (!own_address_ && !options_.provider && !options_.connector) {
        throw ConfigError("EnvClient requires either base_url or provider.");
    }
    if (options_.connector && (own_address_ || options_.provider)) {
        throw ConfigError("a connector takes the place of an address and of a provider");
    }
    if (options_.provider) {
        // The only reference: it may end the provider, which takes its time.
        provider_ = std::make_shared<ProviderRun>(
            loop_, std::exchange(options_.provider, nullptr), own_address_, options_.ready_timeout
        );
    }
    dial_options_.trust = std::move(trust);
    if (own_address_) {
        url_ = net::parse_url(url);
        url_text_ = net::without_trailing_slashes(url);
        if (url_->tls && !dial_options_.trust) {
            dial_options_.trust = net::trust_in(options_.ca_file);
        }
    }
    dial_options_.headers = options_.headers;
    if (!options_.token.empty()) {
        for (const auto& [name, value] : options_.headers) {
            if (net::is_header(name, "Authorization")) {
                throw ConfigError("both token and a header Authorization are set; one of them goes"
                );
            }
        }
        dial_options_.headers.emplace_back("Authorization", "Bearer " + options_.token);
    }
    net::check_headers(dial_options_.headers);
    for (const auto& header : dial_options_.headers) {
        if (net::is_header(header.first, wire::kAcceptHeader)) {
            throw ConfigError(
                "a header " + header.first +
                " is set; what to ask servers for is said by ClientOptions::extensions"
            );
        }
    }
}

Core::~Core() {
    abandon();
}

std::shared_ptr<Core> Core::make(
    std::shared_ptr<LoopState> loop,
    const std::string& url,
    ClientOptions options,
    std::shared_ptr<net::TlsTrust> trust
) {
    // Sockets and timers may be destroyed by the loop's thread alone; the last owner may be
    // another.
    const auto destroy = [](Core* core) {
        std::unique_ptr<Core> last(core);
        const net::IoExecutor io = core->loop_->io();
        if (!io.running_in_this_thread()) {
            boost::asio::post(io, [last = std::move(last)] {});
        }
    };
    auto* core = new Core(std::move(loop), url, std::move(options), std::move(trust));
    return std::shared_ptr<Core>(core, destroy);
}

std::optional<std::string> Core::base_url() const {
    const std::scoped_lock lock(url_mutex_);
    return url_text_;
}

std::string Core::shown_url() const {
    const std::scoped_lock lock(url_mutex_);
    if (url_) {
        return url_->websocket_text();
    }
    return options_.connector ? "the server in this process" : "the provider's server";
}

Result<void> Core::may_go_on(
    const CallState& call, std::size_t closes, std::string_view what, const char* phase
) const {
    if (abandoned_ || closes != closes_) {
        return closed(what);
    }
    if (call.cancelled) {
        return cancelled(what);
    }
    if (steady_clock::now() >= call.deadline) {
        return timed_out(what, phase);
    }
    return Result<void>();
}

net::io_awaitable<Result<void>> Core::take_turn(
    Turns::Place& place, CallState& call, std::string_view what
) {
    const std::size_t closes = closes_;
    for (;;) {
        Result<void> going = may_go_on(call, closes, what, kQueued);
        if (!going || place.comes_next()) {
            co_return going;
        }
        co_await place.wait(call);
    }
}

net::io_awaitable<Result<void>> Core::connect(std::shared_ptr<CallState> call) {
    Turns::Place place(turns_);
    Result<void> ready = co_await take_turn(place, *call, "connect");
    if (ready) {
        ready = co_await ensure_open(true, *call, "connect");
    }
    co_return ready;
}

net::io_awaitable<Result<Answer>> Core::ask(
    Ask what, std::string message, std::shared_ptr<CallState> call
) {
    const std::size_t closes = closes_;
    Turns::Place place(turns_);
    Result<void> ready = co_await take_turn(place, *call, name_of(what));
    if (ready && what == Ask::reset && channel_ && channel_->owed().any()) {
        // A call that may never return is no reason to wait for it: it costs its session only.
        lose("a call was given up, and a reset has begun anew");
    }
    if (ready) {
        const bool begins_anew = what == Ask::reset || options_.reconnect == Reconnect::always;
        ready = co_await ensure_open(begins_anew, *call, name_of(what));
    }
    if (ready && !channel_->used) {
        // A server without a place says so at once. What came together with the upgrade is read by
        // now, but not handed on yet.
        co_await boost::asio::post(loop_->io(), net::io_token);
        ready = may_go_on(*call, closes, name_of(what), kConnecting);
        std::optional<Error> unasked = ready ? take_unasked() : std::nullopt;
        if (unasked) {
            ready = std::move(*unasked);
        }
    }
    if (!ready) {
        co_return std::move(ready).error();
    }
    co_return co_await exchange(what, std::move(message), *call);
}

net::io_awaitable<Result<void>> Core::ensure_open(
    bool begins_anew, CallState& call, std::string_view what
) {
    const std::optional<Error> refused = take_unasked();
    // That an old session has ended is no reason not to begin a new one.
    if (refused && !(begins_anew && refused->code == Errc::session)) {
        co_return *refused;
    }
    if (channel_ && channel_->stage() == Channel::Stage::ended) {
        lose(channel_->end_text());
    }
    if (channel_) {
        co_return Result<void>();
    }
    if (lost_ && !begins_anew) {
        co_return Error{
            Errc::session, "the session is gone: " + *lost_ + "; reset begins a new episode"};
    }
    co_return co_await open(call, what);
}

/// What the server says while nobody asks. An error that ends the session tells why; anything else
/// cannot be trusted, and neither can what would come after it.
std::optional<Error> Core::take_unasked() {
    if (!channel_ || !channel_->has_message()) {
        return std::nullopt;
    }
    Result<Answer> unasked = take_answer(Ask::reset, std::nullopt);
    if (!unasked && wire::ends_session(unasked.error().server_code)) {
        return std::move(unasked).error();
    }
    if (channel_) {
        lose(kUnasked);
    }
    return Error{Errc::session, kUnasked};
}

net::io_awaitable<Result<void>> Core::open(CallState& call, std::string_view what) {
    const std::size_t closes = closes_;
    co_await wait_for_retired(&call);
    Result<void> going = may_go_on(call, closes, what, kConnecting);
    if (!going) {
        co_return going;
    }
    if (own_address_ && provider_ && provider_->stop_failed()) {
        co_return Error{
            Errc::usage, "Provider cleanup is pending: stopping it has failed; close again first"};
    }
    if (!url_ && !options_.connector) {
        going = co_await start_provider(call, closes, what);
        if (!going) {
            co_return going;
        }
    }
    const net::TimePoint connect_deadline = steady_clock::now() + options_.connect_timeout;
    const auto channel = std::make_shared<Channel>(
        loop_, options_.connector, dial_options_, limits_, options_.extensions
    );
    dialling_ = channel;
    channel->start(url_.value_or(net::Url()));
    while (going && channel->stage() == Channel::Stage::connecting) {
        co_await channel->changed().wait(std::min(connect_deadline, call.deadline), &call);
        going = may_go_on(call, closes, what, kConnecting);
        if (going && steady_clock::now() >= connect_deadline) {
            going = no_connection_in_time(channel->step());
        }
    }
    dialling_ = nullptr;
    if (going && channel->stage() == Channel::Stage::ended && channel->failure()) {
        going = *channel->failure();
    }
    if (going) {
        channel_ = channel;
        lost_.reset();
        reached_ = true;
        co_return going;
    }
    channel->abort();
    Error failure = std::move(going).error();
    if (failure.code == Errc::network || failure.code == Errc::configuration) {
        failure.message = "Failed to connect to " + shown_url() + ": " + failure.message;
        failure.phase = kConnecting;
        if (!reached_) {
            co_await give_up_provider(call);
        }
    }
    co_return failure;
}

net::io_awaitable<Result<Answer>> Core::exchange(Ask what, std::string message, CallState& call) {
    const std::size_t closes = closes_;
    const std::shared_ptr<Channel> channel = channel_;
    const wire::Features features = channel->features();
    if (!call.extra.empty() && !features.deadline) {
        co_return Error{Errc::usage, kNoExtra};
    }
    MessageExtras extras;
    extras.extra = call.extra;
    if (features.ids) {
        extras.id = channel->owed().next_id();
    }
    if (features.deadline && call.limited) {
        extras.timeout_s = seconds_until(call.deadline);
    }
    add_extras(message, extras);
    channel->send(std::move(message));
    for (;;) {
        if (channel_ == channel && channel->has_message()) {
            co_return take_answer(what, extras.id);
        }
        if (channel_ == channel && channel->stage() == Channel::Stage::ended) {
            std::string why = channel->end_text();
            lose(why);
            Error error{
                Errc::session,
                std::string(name_of(what)) + " got no answer: " + why +
                    "; whether it was carried out is unknown"};
            error.phase = phase_of(what);
            co_return error;
        }
        Result<void> going = may_go_on(call, closes, name_of(what), phase_of(what));
        if (!going) {
            if (channel_ == channel) {
                give_up(what, extras.id);
            }
            co_return std::move(going).error();
        }
        co_await channel->changed().wait(call.deadline, &call);
    }
}

void Core::give_up(Ask what, std::optional<std::uint64_t> id) {
    // Who always reconnects counts on a session that is not what the call has left behind.
    const bool kept = options_.reconnect == Reconnect::on_reset;
    const bool can_be_told = kept && id && channel_->owed().add(*id);
    if (!can_be_told) {
        lose(std::string(name_of(what)) + " was given up before its answer came");
    }
}

/// Whether a message is the answer that is waited for, or one that needs no question.
bool Core::is_wanted(
    const wire::Reply& reply, std::optional<std::uint64_t> got, std::optional<std::uint64_t> id
) {
    if (!channel_->features().ids || (id && got == id)) {
        return true;
    }
    if (got || reply.kind != wire::ReplyKind::error) {
        return false;
    }
    // A server's last words belong to no call, and a message that it could not read has no id.
    const Error error = wire::to_error(reply.data);
    return wire::ends_session(error.server_code) ||
           (id && error.code == Errc::invalid_json && !channel_->owed().any());
}

Result<Answer> Core::take_answer(Ask what, std::optional<std::uint64_t> id) {
    Answer answer(channel_->take());
    Result<wire::Reply> reply = wire::parse_reply(answer.message);
    if (!reply) {
        lose("the server sent what cannot be read");
        return std::move(reply).error();
    }
    const AnswerExtras extras = read_extras(reply->x);
    if (!is_wanted(*reply, extras.id, id)) {
        lose(kUnasked);
        return Error{Errc::session, kUnasked};
    }
    if (reply->kind == wire::ReplyKind::error) {
        Error error = wire::to_error(reply->data);
        if (wire::ends_session(error.server_code)) {
            const bool had_session = error.code == Errc::session;
            lose(error.message);
            if (!had_session) {
                lost_.reset();  // there never was one
            }
        } else if (channel_->features().deadline && !extras.timeout.empty()) {
            error.code = Errc::timeout;
            error.phase = extras.timeout;
            if (options_.reconnect == Reconnect::always) {
                lose(error.message);
            }
        }
        return error;
    }
    if (contradicts(what, reply->kind)) {
        lose("the server answered another question");
        return Error{
            Errc::session, std::string(name_of(what)) + " was answered with something else"};
    }
    const bool sent = reply->data.data() >= answer.message.data() &&
                      reply->data.data() < answer.message.data() + answer.message.size();
    if (sent) {
        answer.data_at = static_cast<std::size_t>(reply->data.data() - answer.message.data());
        answer.data_size = reply->data.size();
    } else {
        answer.message = "{}";  // an answer without data
        answer.data_size = answer.message.size();
    }
    return answer;
}

void Core::lose(std::string why) {
    if (channel_->used) {
        lost_ = std::move(why);
    }
    retire(std::exchange(channel_, nullptr));
}

net::io_awaitable<Result<std::shared_ptr<Channel>>> Core::hold(
    bool begins_anew, std::shared_ptr<CallState> call, std::string_view what
) {
    Turns::Place place(turns_);
    Result<void> ready = co_await take_turn(place, *call, what);
    if (ready) {
        ready = co_await ensure_open(begins_anew, *call, what);
    }
    if (!ready) {
        co_return std::move(ready).error();
    }
    co_return channel_;
}

void Core::give_up(const std::shared_ptr<Channel>& channel, const std::string& why) {
    if (channel_ == channel) {
        lose(why);
    }
}

std::shared_ptr<Core> Core::make_child() {
    const auto child = make(loop_, url_text_.value_or(""), options_, dial_options_.trust);
    std::erase_if(children_, [](const std::weak_ptr<Core>& weak) { return weak.expired(); });
    children_.push_back(child);
    return child;
}

net::io_awaitable<Result<std::shared_ptr<Core>>> Core::new_session(std::shared_ptr<CallState> call
) {
    const std::size_t closes = closes_;
    const Result<void> ready = co_await need_address(*call, "new_session");
    if (!ready) {
        co_return ready.error();
    }
    const std::shared_ptr<Core> child = make_child();
    const auto place = opening_.insert(opening_.end(), child);
    Result<void> connected = co_await child->connect(call);
    opening_.erase(place);
    if (connected) {
        connected = may_go_on(*call, closes, "new_session", kConnecting);
    }
    if (!connected) {
        child->abandon();
        co_return std::move(connected).error();
    }
    co_return child;
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
