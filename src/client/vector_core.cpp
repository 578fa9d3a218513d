#include "client/vector_core.hpp"

#include "client/asking.hpp"
#include "client/call_errors.hpp"
#include "client/own_lines.hpp"
#include "client/shared_line.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

namespace {

constexpr std::size_t kMostSessions = 65536;
constexpr const char* kReceiving = "receiving";

/// A failure that is not of one session, but of the way to all.
bool concerns_all(const Error& error) {
    return error.code == Errc::network || error.code == Errc::configuration ||
           error.code == Errc::usage;
}

}  // namespace

VectorCore::VectorCore(
    std::shared_ptr<LoopState> loop, std::shared_ptr<Core> core, const VectorOptions& options
)
    : loop_(std::move(loop)),
      core_(std::move(core)),
      connection_(options.connection),
      auto_reset_(options.auto_reset),
      turns_(loop_->io()),
      changed_(loop_->io()) {
    if (options.sessions == 0 || options.sessions > kMostSessions) {
        throw ConfigError(
            "sessions is " + std::to_string(options.sessions) + "; a VectorEnv has 1 to " +
            std::to_string(kMostSessions)
        );
    }
    sessions_.resize(options.sessions);
}

VectorCore::~VectorCore() {
    drop_lines();
}

std::shared_ptr<VectorCore> VectorCore::make(
    std::shared_ptr<LoopState> loop, std::shared_ptr<Core> core, const VectorOptions& options
) {
    // As a Core: the last owner may be on another thread.
    const auto destroy = [](VectorCore* vector) {
        std::unique_ptr<VectorCore> last(vector);
        const net::IoExecutor io = vector->loop_->io();
        if (!io.running_in_this_thread()) {
            boost::asio::post(io, [last = std::move(last)] {});
        }
    };
    auto* vector = new VectorCore(std::move(loop), std::move(core), options);
    return std::shared_ptr<VectorCore>(vector, destroy);
}

net::io_awaitable<Result<void>> VectorCore::take_turn(
    Turns::Place& place, CallState& call, std::string_view what
) {
    const std::size_t closes = core_->closes();
    for (;;) {
        Result<void> going = core_->may_go_on(call, closes, what, kQueued);
        if (!going || place.comes_next()) {
            co_return going;
        }
        co_await place.wait(call);
    }
}

net::io_awaitable<Result<void>> VectorCore::connect(std::shared_ptr<CallState> call) {
    const std::size_t closes = core_->closes();
    Turns::Place place(turns_);
    Result<void> ready = co_await take_turn(place, *call, "connect");
    if (ready) {
        ready = co_await ensure_lines(true, call, "connect");
    }
    if (ready && !channel_) {
        auto own = std::static_pointer_cast<OwnLines>(lines_);
        ready = co_await OwnLines::connect(std::move(own), call);
    }
    if (ready) {
        ready = core_->may_go_on(*call, closes, "connect", kConnecting);
    }
    co_return ready;
}

/// The way to the sessions, found anew where the connection they share is another one.
net::io_awaitable<Result<void>> VectorCore::ensure_lines(
    bool begins_anew, std::shared_ptr<CallState> call, std::string_view what
) {
    if (connection_ == VectorConnection::many || (lines_ && !channel_)) {
        co_return co_await ensure_own_lines(std::move(call), what);
    }
    Result<std::shared_ptr<Channel>> held = co_await core_->hold(begins_anew, call, what);
    if (!held) {
        co_return std::move(held).error();
    }
    if (channel_ == *held) {
        co_return Result<void>();
    }
    if (!(*held)->features().batch) {
        if (connection_ == VectorConnection::one) {
            co_return Error{
                Errc::usage,
                "the server does not take many sessions over one connection (extension 'batch'); "
                "VectorConnection::automatic opens one for each"};
        }
        co_return co_await ensure_own_lines(std::move(call), what);
    }
    drop_lines();
    channel_ = *held;
    const auto line = std::make_shared<SharedLine>(*this, core_, channel_, sessions_.size());
    lines_ = line;
    channel_->listen(line);
    co_return Result<void>();
}

net::io_awaitable<Result<void>> VectorCore::ensure_own_lines(
    std::shared_ptr<CallState> call, std::string_view what
) {
    Result<void> known = co_await core_->need_address(*call, what);
    if (known && (!lines_ || channel_)) {
        drop_lines();
        lines_ = std::make_shared<OwnLines>(*this, loop_, core_, sessions_.size());
    }
    co_return known;
}

void VectorCore::drop_lines() {
    if (lines_) {
        lines_->release();
        lines_ = nullptr;
    }
    channel_ = nullptr;
}

Result<void> VectorCore::check_idle(const Questions& questions) const {
    for (const std::size_t session : questions.sessions()) {
        if (sessions_[session].stage != Stage::idle) {
            return Error{
                Errc::usage,
                "session " + std::to_string(session) +
                    " was sent something whose result is still to be received; receive() gives it, "
                    "and close() gives it up"};
        }
    }
    return Result<void>();
}

void VectorCore::put(
    const Questions& questions, const std::shared_ptr<CallState>& call, Stage stage
) {
    const bool may_reset = questions.what == Ask::step && auto_reset_ == AutoReset::same_step;
    const auto left = std::make_shared<std::size_t>(questions.size());  // with the call
    for (const std::size_t number : questions.sessions()) {
        Session& session = sessions_[number];
        session.stage = stage;
        session.may_reset = may_reset;
        session.call = call;
        session.left = left;
        session.outcome = SessionOutcome();
        session.outcome.session = number;
    }
    under_way_ += stage == Stage::sent ? questions.size() : 0;
}

net::io_awaitable<Result<SessionOutcomes>> VectorCore::ask(
    std::shared_ptr<const Questions> questions, std::shared_ptr<CallState> call
) {
    if (questions->size() == 0) {
        co_return SessionOutcomes();
    }
    const std::size_t closes = core_->closes();
    const char* const what = name_of(questions->what);
    Turns::Place place(turns_);
    Result<void> going = co_await take_turn(place, *call, what);
    if (going) {
        going = check_idle(*questions);
    }
    if (going) {
        const bool always = core_->options().reconnect == Reconnect::always;
        going = co_await ensure_lines(questions->what == Ask::reset || always, call, what);
    }
    if (!going && going.error().code != Errc::session) {
        co_return std::move(going).error();
    }
    put(*questions, call, Stage::asked);
    if (!going) {
        give_up(*questions, going.error());  // the session of each is gone
        co_return collect(*questions);
    }
    const std::shared_ptr<std::size_t> left = sessions_[questions->session(0)].left;
    lines_->send(*questions, *call, 0);
    while (*left != 0 && going) {
        co_await changed_.wait(call->deadline, call.get());
        going = core_->may_go_on(*call, closes, what, phase_of(questions->what));
    }
    if (*left != 0) {
        give_up(*questions, going.error());
    }
    SessionOutcomes outcomes = collect(*questions);
    const bool late = !going && going.error().code == Errc::timeout;
    if (!going && !late) {
        co_return std::move(going).error();
    }
    const bool reached_nobody = std::all_of(outcomes.begin(), outcomes.end(), [](const auto& one) {
        return one.error && concerns_all(*one.error);
    });
    if (reached_nobody) {
        co_return std::move(*outcomes.front().error);
    }
    co_return outcomes;
}

net::io_awaitable<Result<void>> VectorCore::send(
    std::shared_ptr<const Questions> questions, std::shared_ptr<CallState> call
) {
    if (questions->size() == 0) {
        co_return Result<void>();
    }
    const char* const what = name_of(questions->what);
    Turns::Place place(turns_);
    Result<void> going = co_await take_turn(place, *call, what);
    if (going) {
        going = check_idle(*questions);
    }
    if (going) {
        const bool always = core_->options().reconnect == Reconnect::always;
        going = co_await ensure_lines(questions->what == Ask::reset || always, call, what);
    }
    if (!going && going.error().code != Errc::session) {
        co_return going;
    }
    put(*questions, call, Stage::sent);
    if (going) {
        lines_->send(*questions, *call, std::max<std::size_t>(wanted_, 1));
    } else {
        give_up(*questions, going.error());
    }
    co_return Result<void>();
}

net::io_awaitable<Result<SessionOutcomes>> VectorCore::receive(
    std::size_t min, std::shared_ptr<CallState> call
) {
    const std::size_t closes = core_->closes();
    wanted_ = min;
    for (;;) {
        if (answered_.size() + under_way_ < min) {
            co_return Error{
                Errc::usage,
                std::to_string(min) + " results are wanted, and " +
                    std::to_string(answered_.size() + under_way_) + " were sent for"};
        }
        if (answered_.size() >= min) {
            break;
        }
        Result<void> going = core_->may_go_on(*call, closes, "receive", kReceiving);
        if (!going) {
            co_return std::move(going).error();
        }
        co_await changed_.wait(call->deadline, call.get());
    }
    SessionOutcomes outcomes;
    outcomes.reserve(answered_.size());
    for (const std::size_t number : std::exchange(answered_, {})) {
        sessions_[number].stage = Stage::idle;
        outcomes.push_back(std::move(sessions_[number].outcome));
    }
    co_return outcomes;
}

/// Ends what is still under way of them.
void VectorCore::give_up(const Questions& questions, const Error& why) {
    for (const std::size_t number : questions.sessions()) {
        Session& session = sessions_[number];
        if (session.stage != Stage::asked && session.stage != Stage::sent) {
            continue;
        }
        if (lines_) {
            lines_->give_up(number);
        }
        // Giving one up may have ended all of them.
        if (session.stage == Stage::asked || session.stage == Stage::sent) {
            session.outcome.error = why;
            complete(session);
        }
    }
    on_pause();
}

SessionOutcomes VectorCore::collect(const Questions& questions) {
    SessionOutcomes outcomes;
    outcomes.reserve(questions.size());
    for (const std::size_t number : questions.sessions()) {
        sessions_[number].stage = Stage::idle;
        outcomes.push_back(std::move(sessions_[number].outcome));
    }
    return outcomes;
}

void VectorCore::on_answer(std::size_t number, Result<SessionAnswer> answer) {
    Session& session = sessions_[number];
    if (session.stage != Stage::asked && session.stage != Stage::sent) {
        return;
    }
    if (!answer) {
        session.outcome.error = std::move(answer).error();
        complete(session);
        return;
    }
    if (session.may_reset && tells_end(answer->parts)) {
        session.may_reset = false;
        session.outcome.last = std::move(*answer);
        auto resets = std::find_if(resets_.begin(), resets_.end(), [&](const Resets& other) {
            return other.call == session.call;
        });
        if (resets == resets_.end()) {
            resets = resets_.insert(resets_.end(), Resets{session.call});
        }
        resets->questions.add(number, [](std::string& text) { text += "{}"; });
        return;
    }
    session.outcome.answer = std::move(*answer);
    complete(session);
}

void VectorCore::complete(Session& session) {
    if (session.stage == Stage::sent) {
        --under_way_;
        answered_.push_back(session.outcome.session);
        session.stage = Stage::answered;
        changed_.notify();
        return;
    }
    session.stage = Stage::idle;
    if (--*session.left == 0) {
        changed_.notify();
    }
}

void VectorCore::on_pause() {
    for (const Resets& resets : std::exchange(resets_, {})) {
        const bool waits = sessions_[resets.questions.session(0)].stage == Stage::sent;
        lines_->send(resets.questions, *resets.call, waits ? std::max<std::size_t>(wanted_, 1) : 0);
    }
}

net::io_awaitable<Result<void>> VectorCore::close(std::shared_ptr<CallState> call) {
    // Those who wait look again once the core has begun to close, which it does before they can.
    turns_.notify();
    changed_.notify();
    drop_lines();
    for (Session& session : sessions_) {
        if (session.stage == Stage::sent) {
            session.outcome.error = closed("the call");
            complete(session);
        }
    }
    co_return co_await core_->close(std::move(call));
}

void VectorCore::abandon() {
    if (lines_) {
        lines_->abort();
    }
    core_->abandon();
    turns_.notify();
    changed_.notify();
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
