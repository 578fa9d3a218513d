#include "bench/run.hpp"

#include "bench/answer.hpp"
#include "bench/link.hpp"
#include "bench/messages.hpp"
#include "bench/poller.hpp"
#include "bench/process.hpp"
#include "bench/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace openenv::bench {
namespace {

using Stage = Link::Stage;

/// More connections at once would overrun a short accept queue and wait for retransmissions.
constexpr std::size_t kConnectsAtOnce = 64;
/// Begun before anything else is looked at, where all begin at once: fewer than there can be
/// events, so that those that have begun go on.
constexpr std::size_t kBegunInARow = 64;
constexpr std::chrono::milliseconds kLookEvery{100};
/// What a Unix domain socket does not tell: when there is room in the server's queue again.
constexpr std::chrono::milliseconds kTryAgainAfter{1};
/// How long the server may take to end a connection whose goodbye it has answered.
constexpr std::chrono::seconds kPartingLimit{1};

class LoadRun {
public:
    LoadRun(const Plan& plan, const Watcher& watcher);

    Report run();

private:
    enum class Phase {
        opening,
        warming,
        measuring,
        leaving,  ///< nothing new is begun
    };

    // What time brings.
    void begin_links(Clock::time_point now);
    /// False when the server cannot take it now.
    bool begin_link(Link& link, Clock::time_point start, Clock::time_point now);
    void take_due_steps(Clock::time_point now);
    void change_phase(Clock::time_point now);
    void begin_warming(Clock::time_point now);
    void begin_measuring(Clock::time_point now);
    void leave(Clock::time_point now);
    /// Looks after those that wait for too long, and tells the watcher.
    void look_round(Clock::time_point now);
    [[nodiscard]] Clock::time_point next_time() const;

    // What sockets bring.
    void handle(const epoll_event& event);
    void read(Link& link);
    void take(Link& link, const Message& message, Clock::time_point now);
    void take(Link& link, const Answer& answer, Clock::time_point now);
    void end_of_stream(Link& link, Clock::time_point now);

    // What sessions do.
    void upgraded(Link& link, Clock::time_point now);
    void reset_done(Link& link, Clock::time_point now);
    void round_done(Link& link, Clock::time_point now);
    /// Does what comes next where nothing is out.
    void go_on(Link& link, Clock::time_point now);
    void step(Link& link, Clock::time_point now);
    void close(Link& link, Clock::time_point now);
    void complete(Link& link, Clock::time_point now);
    void fail(Link& link, const Trouble& trouble, Clock::time_point now);
    /// Of a batch the other sessions go on. Otherwise: throws `trouble`.
    void fail(Member& member, const Trouble& trouble);
    void end(Link& link, Clock::time_point now);

    void watch(Link& link);
    [[nodiscard]] std::size_t number_of(const Link& link) const;
    [[nodiscard]] bool has_enough(const Link& link) const;
    [[nodiscard]] bool ends_alone() const;

    struct Due {
        Clock::time_point time;
        std::size_t link;
        [[nodiscard]] bool operator>(const Due& other) const { return time > other.time; }
    };

    const Plan& plan_;
    const Watcher& watcher_;
    const CommonFrames frames_;
    const Clock::duration patience_;
    Poller poller_;
    std::vector<Link> links_;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
    Recorder recorder_;
    Phase phase_ = Phase::opening;
    Clock::time_point began_;
    Clock::time_point measure_at_;
    Clock::time_point look_at_;
    Clock::time_point try_again_at_;  ///< not before then a further link is begun
    Clock::time_point last_answer_;
    Clock::time_point last_end_;
    std::size_t begun_ = 0;     ///< links that have been told to connect
    std::size_t opening_ = 0;   ///< of these, those on their way to the answer to their reset
    std::size_t finished_ = 0;  ///< links that have taken all their steps, and stay
    std::size_t ended_ = 0;
    std::uint64_t failures_ = 0;
};

LoadRun::LoadRun(const Plan& plan, const Watcher& watcher)
    : plan_(plan),
      watcher_(watcher),
      frames_(plan),
      patience_(to_duration(plan.patience.count())),
      poller_(plan.busy_poll),
      links_(plan.connections()),
      recorder_(plan) {
    const net::Url& url = plan.connection.url;
    if (plan.server && !listens_at(*plan.server, url)) {
        throw std::runtime_error(fmt::format(
            "process {} does not listen {}: another server would be measured",
            *plan.server,
            url.socket_file.empty() ? fmt::format("on port {}", url.port_or_default())
                                    : "at " + url.socket_file
        ));
    }
    std::size_t left = plan.sessions;
    for (Link& link : links_) {
        link.members.resize(std::min(left, plan.batch.value_or(1)));
        left -= link.members.size();
    }
}

Report LoadRun::run() {
    began_ = look_at_ = last_answer_ = last_end_ = Clock::now();
    if (ends_alone()) {
        recorder_.begin(began_);
    }
    while (ended_ < links_.size()) {
        const Clock::time_point now = Clock::now();
        begin_links(now);
        take_due_steps(now);
        change_phase(now);
        look_round(now);
        if (ended_ == links_.size()) {
            break;
        }
        for (const epoll_event& event : poller_.wait(next_time())) {
            handle(event);
        }
    }
    if (recorder_.is_measuring()) {
        const bool has_steps = last_answer_ > recorder_.began();
        recorder_.end(has_steps ? last_answer_ : std::max(last_end_, recorder_.began()));
    }
    return recorder_.finish(began_, last_end_);
}

/// Whether each session ends by itself, after its steps, and all that it does counts.
bool LoadRun::ends_alone() const {
    return plan_.steps && (!plan_.starts.together || *plan_.steps == 0);
}

void LoadRun::begin_links(Clock::time_point now) {
    std::size_t begun = 0;
    while (begun_ < links_.size() && begun < kBegunInARow && now >= try_again_at_) {
        const Clock::time_point start = began_ + plan_.starts.offset_of(begun_);
        if (plan_.starts.together ? opening_ >= kConnectsAtOnce : start > now) {
            return;
        }
        ++begun;
        if (!begin_link(links_[begun_], plan_.starts.together ? now : start, now)) {
            try_again_at_ = now + kTryAgainAfter;
            return;
        }
        ++begun_;
    }
}

bool LoadRun::begin_link(Link& link, Clock::time_point start, Clock::time_point now) {
    if (link.stage == Stage::unused) {
        ++opening_;
        link.stage = Stage::opening;
        link.start = start;
        link.asked_at = now;
    }
    if (link.stage == Stage::ended) {
        return true;  // it ran out of patience
    }
    try {
        if (!link.connection.begin(plan_.connection, number_of(link))) {
            return false;
        }
        link.watches_sending = link.connection.wants_to_send();
        poller_.add(link.connection.descriptor(), number_of(link), link.watches_sending);
    } catch (const Trouble& trouble) {
        fail(link, trouble, now);
    }
    return true;
}

void LoadRun::take_due_steps(Clock::time_point now) {
    while (!due_.empty() && due_.top().time <= now) {
        const Due next = due_.top();
        due_.pop();
        Link& link = links_[next.link];
        if (link.stage == Stage::ready && link.due == next.time && phase_ != Phase::leaving) {
            step(link, now);
        }
    }
}

void LoadRun::change_phase(Clock::time_point now) {
    if (phase_ == Phase::opening && begun_ == links_.size() && opening_ == 0) {
        if (ends_alone()) {
            phase_ = Phase::measuring;
        } else {
            begin_warming(now);
        }
    }
    if (phase_ == Phase::warming && now >= measure_at_) {
        begin_measuring(now);
    }
    if (phase_ != Phase::measuring || ends_alone()) {
        return;
    }
    if (plan_.steps ? finished_ + ended_ == links_.size()
                    : now >= recorder_.began() + to_duration(plan_.duration.count())) {
        leave(plan_.steps ? std::max(last_answer_, recorder_.began()) : now);
    }
}

void LoadRun::begin_warming(Clock::time_point now) {
    measure_at_ = now + to_duration(plan_.warm_up.count());
    phase_ = Phase::warming;
    if (now >= measure_at_) {
        begin_measuring(now);
    }
    if (!plan_.starts.together) {
        return;
    }
    for (Link& link : links_) {
        if (link.stage == Stage::ready) {
            link.due = plan_.pace.first(now, number_of(link), links_.size());
            go_on(link, now);
        }
    }
}

void LoadRun::begin_measuring(Clock::time_point now) {
    phase_ = Phase::measuring;
    recorder_.begin(now);
}

void LoadRun::leave(Clock::time_point now) {
    recorder_.end(now);
    phase_ = Phase::leaving;
    for (Link& link : links_) {
        if (link.stage == Stage::ready) {
            go_on(link, now);
        }
    }
}

void LoadRun::look_round(Clock::time_point now) {
    if (now < look_at_) {
        return;
    }
    look_at_ = now + kLookEvery;
    recorder_.look();
    std::uint64_t open = 0;
    for (Link& link : links_) {
        if (link.waits() && now - link.asked_at > patience_) {
            fail(
                link,
                Trouble(
                    Reason::timeout,
                    fmt::format("no answer for {} s, {}", plan_.patience.count(), link.stage_text())
                ),
                now
            );
        } else if (link.stage == Stage::parting && now - link.asked_at > kPartingLimit) {
            end(link, now);
        }
        open += link.is_open && link.stage != Stage::ended ? link.members.size() : 0;
    }
    if (watcher_) {
        watcher_({now - began_, plan_.sessions, open, recorder_.all_steps(), failures_});
    }
}

Clock::time_point LoadRun::next_time() const {
    Clock::time_point next = look_at_;
    if (begun_ < links_.size() && !plan_.starts.together) {
        next = std::min(next, std::max(try_again_at_, began_ + plan_.starts.offset_of(begun_)));
    } else if (begun_ < links_.size() && opening_ < kConnectsAtOnce) {
        next = std::min(next, try_again_at_);
    }
    if (!due_.empty()) {
        next = std::min(next, due_.top().time);
    }
    if (phase_ == Phase::warming) {
        next = std::min(next, measure_at_);
    }
    if (phase_ == Phase::measuring && !plan_.steps) {
        next = std::min(next, recorder_.began() + to_duration(plan_.duration.count()));
    }
    return next;
}

void LoadRun::handle(const epoll_event& event) {
    Link& link = links_[event.data.u64];
    if (link.stage == Stage::ended) {
        return;  // by an event of the same wait
    }
    try {
        if (link.stage == Stage::opening) {
            if (!link.connection.open()) {
                watch(link);
                return;
            }
            upgraded(link, Clock::now());
        } else if ((event.events & EPOLLOUT) != 0) {
            link.connection.flush();
        }
        read(link);
        if (link.stage != Stage::ended) {
            watch(link);
        }
    } catch (const Trouble& trouble) {
        fail(link, trouble, Clock::now());
    }
}

void LoadRun::read(Link& link) {
    auto received = Connection::Received::more;
    while (received == Connection::Received::more) {
        received = link.connection.receive();
        const Clock::time_point now = Clock::now();
        while (const std::optional<Message> message = link.connection.next_message()) {
            take(link, *message, now);
            if (link.stage == Stage::ended) {
                return;
            }
        }
        if (received == Connection::Received::end) {
            end_of_stream(link, now);
        }
    }
}

void LoadRun::take(Link& link, const Message& message, Clock::time_point now) {
    if (message.opcode == Opcode::ping) {
        if (!link.connection.wants_to_send()) {  // a peer that does not read gets no more of them
            link.connection.send(pong_frame(message.payload));
        }
        return;
    }
    if (message.opcode == Opcode::close && link.stage == Stage::closing) {
        complete(link, now);
        return;
    }
    if (message.opcode == Opcode::pong || link.stage == Stage::closing ||
        link.stage == Stage::parting) {
        return;
    }
    if (message.opcode == Opcode::close) {
        std::string reason = "without a code";
        if (message.payload.size() >= 2) {
            const auto high = static_cast<unsigned char>(message.payload[0]);
            const auto low = static_cast<unsigned char>(message.payload[1]);
            reason = fmt::format("with code {} '{}'", high * 256U + low, message.payload.substr(2));
        }
        throw Trouble(Reason::closed, "the server closed the session " + reason);
    }
    if (message.opcode != Opcode::text) {
        throw Trouble(Reason::wrong_answer, "a message that is no text");
    }
    if (!plan_.batch) {
        take(link, read_answer(message.payload, plan_.episodes), now);
        return;
    }
    for (const Answer& answer : read_batch(message.payload, plan_.episodes)) {
        take(link, answer, now);
        if (link.stage == Stage::ended) {
            return;
        }
    }
}

void LoadRun::take(Link& link, const Answer& answer, Clock::time_point now) {
    const bool is_known = answer.session < link.members.size();
    if (answer.kind == Answer::Kind::error && (!plan_.batch || !is_known)) {
        throw trouble_of(answer);
    }
    if (!is_known || !link.members[answer.session].asked) {
        throw Trouble(Reason::wrong_answer, "an answer that nobody asked for");
    }
    Member& member = link.members[answer.session];
    member.asked = false;
    --link.asked;
    const bool as_expected = link.stage != Stage::stepping || plan_.expect.empty() ||
                             answer.text.find(plan_.expect) != std::string_view::npos;
    if (answer.kind == Answer::Kind::error) {
        fail(member, trouble_of(answer));
    } else if (answer.kind == Answer::Kind::other || !as_expected) {
        constexpr std::size_t kQuoted = 200;
        const Trouble trouble(
            Reason::wrong_answer,
            fmt::format("not the answer that was asked for: {}", answer.text.substr(0, kQuoted))
        );
        fail(member, trouble);
    } else if (link.stage == Stage::resetting) {
        recorder_.reset_answered(link, now);
    } else {
        member.done = answer.done;
        last_answer_ = now;
        recorder_.step_answered(link, now);
    }
    if (link.asked > 0) {
        return;
    }
    if (link.alive() == 0) {
        end(link, now);
    } else if (link.stage == Stage::resetting) {
        reset_done(link, now);
    } else {
        round_done(link, now);
    }
}

void LoadRun::end_of_stream(Link& link, Clock::time_point now) {
    if (link.stage == Stage::parting) {
        end(link, now);
        return;
    }
    if (link.stage == Stage::closing) {
        complete(link, now);
        end(link, now);
        return;
    }
    throw Trouble(
        Reason::closed,
        fmt::format("the server closed the connection without a word, {}", link.stage_text())
    );
}

void LoadRun::upgraded(Link& link, Clock::time_point now) {
    recorder_.connected(link, now);
    link.send_reset(plan_, frames_, now);
}

void LoadRun::reset_done(Link& link, Clock::time_point now) {
    if (!link.is_open) {
        link.is_open = true;
        --opening_;
        recorder_.opened(link);
        link.due = now;
    }
    go_on(link, now);
}

void LoadRun::round_done(Link& link, Clock::time_point now) {
    if (recorder_.counts(link.due)) {
        ++link.rounds;
    }
    link.due = plan_.pace.next(link.due, now);
    const bool any_done =
        std::any_of(link.members.begin(), link.members.end(), [](const Member& member) {
            return member.alive && member.done;
        });
    if (any_done && phase_ != Phase::leaving && !has_enough(link)) {
        link.send_reset(plan_, frames_, now);
    } else {
        go_on(link, now);
    }
}

bool LoadRun::has_enough(const Link& link) const {
    return plan_.steps && link.rounds >= *plan_.steps;
}

void LoadRun::go_on(Link& link, Clock::time_point now) {
    link.stage = Stage::ready;
    if (phase_ == Phase::leaving) {
        if (plan_.pace.is_open_loop() && !plan_.steps) {
            recorder_.gave_up(link, now);
        }
        close(link, now);
    } else if (has_enough(link) && ends_alone()) {
        close(link, now);
    } else if (phase_ == Phase::opening && plan_.starts.together) {
        return;  // until all are open
    } else if (has_enough(link)) {
        ++finished_;
    } else if (link.due <= now) {
        step(link, now);
    } else {
        due_.push({link.due, number_of(link)});
    }
}

void LoadRun::step(Link& link, Clock::time_point now) {
    if (!plan_.pace.is_open_loop()) {
        link.due = now;
    }
    link.send_step(plan_, frames_, now);
    watch(link);
}

void LoadRun::close(Link& link, Clock::time_point now) {
    link.send_close(frames_, now);
    watch(link);
}

void LoadRun::complete(Link& link, Clock::time_point now) {
    link.stage = Stage::parting;
    link.asked_at = now;
    last_end_ = now;
    recorder_.completed(link, now);
}

void LoadRun::fail(Link& link, const Trouble& trouble, Clock::time_point now) {
    const std::size_t lost = link.alive();
    if (link.stage != Stage::parting) {
        recorder_.failed(trouble, lost);
        failures_ += lost;
    }
    end(link, now);
}

void LoadRun::fail(Member& member, const Trouble& trouble) {
    if (!plan_.batch) {
        throw trouble;
    }
    member.alive = false;
    recorder_.failed(trouble, 1);
    ++failures_;
}

void LoadRun::end(Link& link, Clock::time_point now) {
    if (link.stage == Stage::ready && has_enough(link)) {
        --finished_;
    }
    if (!link.is_open) {
        --opening_;
    }
    if (link.stage != Stage::parting) {
        last_end_ = now;
    }
    link.connection.end();
    link.stage = Stage::ended;
    ++ended_;
}

void LoadRun::watch(Link& link) {
    const bool wants = link.connection.wants_to_send();
    if (wants != link.watches_sending) {
        link.watches_sending = wants;
        poller_.change(link.connection.descriptor(), number_of(link), wants);
    }
}

std::size_t LoadRun::number_of(const Link& link) const {
    return static_cast<std::size_t>(&link - links_.data());
}

}  // namespace

Report run(const Plan& plan, const Watcher& watcher) {
    return LoadRun(plan, watcher).run();
}

}  // namespace openenv::bench
