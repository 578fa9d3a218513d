#include "load/run.hpp"

#include "load/frame.hpp"
#include "load/process.hpp"
#include "load/session.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <sys/epoll.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace openenv::bench {
namespace {

using Stage = Session::Stage;

/// More connections at once would overrun a short accept queue and wait for retransmissions.
constexpr std::size_t kConnectsAtOnce = 64;
constexpr std::size_t kEventsAtOnce = 256;
constexpr std::size_t kExpectedSteps = 1U << 20U;
constexpr std::size_t kQuotedReply = 200;
constexpr std::chrono::seconds kCloseLimit{2};

/// Whether a reply's envelope says that it is an observation. A full parse would cost the
/// generator more than the step; the key is looked for where an envelope has it, with or without
/// blanks.
bool is_observation(std::string_view text) {
    constexpr std::string_view kKey = "\"type\"";
    constexpr std::string_view kBlanks = " \t\r\n";
    std::size_t at = text.find(kKey);
    if (at == std::string_view::npos) {
        return false;
    }
    at = text.find_first_not_of(kBlanks, at + kKey.size());
    if (at == std::string_view::npos || text[at] != ':') {
        return false;
    }
    at = text.find_first_not_of(kBlanks, at + 1);
    return at != std::string_view::npos && text.substr(at).starts_with("\"observation\"");
}

std::string client_frame(Opcode opcode, std::string_view payload) {
    std::string frame;
    append_client_frame(frame, opcode, payload);
    return frame;
}

class LoadRun {
public:
    explicit LoadRun(const RunOptions& options);

    Report run();

private:
    void open_sessions();
    void measure();
    void close_sessions();

    void begin_connecting();
    void begin_measuring();
    void end_measuring();
    /// Waits for sockets and handles them. False when none had news for the time given.
    bool handle_events(Clock::duration wait);
    void handle_event(std::size_t index, std::uint32_t events);
    void handle_message(Session& session, const Message& message);
    void handle_observation(Session& session);
    void send_step(Session& session);
    void fail(Session& session, const std::string& what);
    void watch(std::size_t index, int operation);
    [[nodiscard]] bool is_measured_enough(Clock::time_point now) const;
    [[nodiscard]] std::size_t count_of(Stage stage) const;

    const RunOptions& options_;
    in_addr address_{};
    const std::string reset_frame_;
    const std::string step_frame_;
    const std::string close_frame_;
    Descriptor epoll_;
    std::vector<Session> sessions_;
    std::size_t begun_ = 0;    ///< sessions that have been told to connect
    std::size_t opening_ = 0;  ///< of these, those on their way to ready
    std::size_t stepping_ = 0;
    bool measuring_ = false;
    Clock::time_point measuring_since_;
    Clock::time_point last_reply_;
    std::chrono::nanoseconds server_cpu_before_{0};
    std::chrono::nanoseconds client_cpu_before_{0};
    Report report_;
};

LoadRun::LoadRun(const RunOptions& options)
    : options_(options),
      reset_frame_(client_frame(Opcode::text, options.reset)),
      step_frame_(client_frame(Opcode::text, options.step)),
      close_frame_(client_frame(Opcode::close, "\x03\xe8")),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      sessions_(options.sessions) {
    if (!epoll_.is_open()) {
        throw std::system_error(errno, std::generic_category(), "epoll_create1");
    }
    if (::inet_pton(AF_INET, options.host.c_str(), &address_) != 1) {
        throw std::runtime_error(fmt::format("'{}' is not an IPv4 address", options.host));
    }
    if (options.server && !listens_on(*options.server, options.port)) {
        throw std::runtime_error(fmt::format(
            "process {} does not listen on port {}: another server would be measured",
            *options.server,
            options.port
        ));
    }
}

Report LoadRun::run() {
    open_sessions();
    if (report_.connection_failures == 0 && report_.errors == 0) {
        measure();
    }
    close_sessions();
    return std::move(report_);
}

void LoadRun::open_sessions() {
    Clock::time_point news = Clock::now();
    while (begun_ < sessions_.size() || opening_ > 0) {
        while (begun_ < sessions_.size() && opening_ < kConnectsAtOnce) {
            begin_connecting();
        }
        if (opening_ > 0 && handle_events(std::chrono::seconds(1))) {
            news = Clock::now();
        } else if (Clock::now() - news > options_.patience) {
            report_.add_connection_failure(fmt::format(
                "{} sessions were still opening after {} s of silence",
                opening_,
                options_.patience.count()
            ));
            return;
        }
    }
    report_.sessions = count_of(Stage::ready);
}

void LoadRun::begin_connecting() {
    const std::size_t index = begun_++;
    Session& session = sessions_[index];
    ++opening_;
    try {
        session.connect(address_.s_addr, options_.port);
        watch(index, EPOLL_CTL_ADD);
    } catch (const std::exception& error) {
        fail(session, error.what());
    }
}

void LoadRun::measure() {
    const Clock::time_point begin =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(options_.warm_up);
    if (options_.warm_up.count() <= 0) {
        begin_measuring();
    }
    for (Session& session : sessions_) {
        try {
            send_step(session);
        } catch (const std::exception& error) {
            fail(session, error.what());
        }
    }
    last_reply_ = Clock::now();
    while (stepping_ > 0) {
        handle_events(std::chrono::milliseconds(20));
        const Clock::time_point now = Clock::now();
        if (!measuring_ && now >= begin) {
            begin_measuring();
        }
        if (now - last_reply_ > options_.patience) {
            report_.add_error(fmt::format(
                "no answer for {} s, {} steps outstanding", options_.patience.count(), stepping_
            ));
            break;
        }
        if (measuring_ && !options_.steps && is_measured_enough(now)) {
            break;
        }
    }
    if (measuring_) {
        end_measuring();
    }
}

void LoadRun::begin_measuring() {
    measuring_ = true;
    report_.latencies.reserve(kExpectedSteps);
    client_cpu_before_ = cpu_time_of(::getpid());
    if (options_.server) {
        server_cpu_before_ = cpu_time_of(*options_.server);
    }
    measuring_since_ = Clock::now();
}

void LoadRun::end_measuring() {
    const Clock::time_point end = options_.steps ? last_reply_ : Clock::now();
    report_.elapsed = end - measuring_since_;
    report_.client_cpu = cpu_time_of(::getpid()) - client_cpu_before_;
    if (options_.server) {
        report_.server_cpu = cpu_time_of(*options_.server) - server_cpu_before_;
        report_.server_resident_kib = resident_kib_of(*options_.server);
        if (report_.server_cpu->count() == 0) {
            report_.add_error(fmt::format(
                "process {} used no CPU time: it did not do this work, or the run was too short",
                *options_.server
            ));
        }
    }
}

bool LoadRun::is_measured_enough(Clock::time_point now) const {
    return now - measuring_since_ >= options_.duration;
}

void LoadRun::close_sessions() {
    const Clock::time_point limit = Clock::now() + kCloseLimit;
    for (Session& session : sessions_) {
        if (session.stage == Stage::unused || session.stage == Stage::ended) {
            continue;
        }
        session.stage = Stage::closing;
        try {
            session.send(close_frame_);
        } catch (const std::exception&) {
            session.end();  // it has closed by itself, which is what was wanted
        }
    }
    while (count_of(Stage::closing) > 0 && Clock::now() < limit) {
        handle_events(std::chrono::milliseconds(100));
    }
}

bool LoadRun::handle_events(Clock::duration wait) {
    std::array<epoll_event, kEventsAtOnce> events{};
    const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(wait).count();
    const int count = ::epoll_wait(
        epoll_.number(),
        events.data(),
        static_cast<int>(events.size()),
        static_cast<int>(milliseconds)
    );
    for (int i = 0; i < count; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        handle_event(event.data.u64, event.events);
    }
    return count > 0;
}

void LoadRun::handle_event(std::size_t index, std::uint32_t events) {
    Session& session = sessions_[index];
    try {
        const bool had_unsent = session.has_unsent() || session.stage == Stage::connecting;
        if (session.stage == Stage::connecting) {
            session.upgrade(options_.host, options_.port, options_.path);
        } else if ((events & EPOLLOUT) != 0) {
            session.flush();
        }
        bool is_open = true;
        if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) {
            is_open = session.receive();
        }
        if (session.stage == Stage::upgrading && session.upgraded()) {
            session.stage = Stage::resetting;
            if (options_.reset.empty()) {
                session.stage = Stage::ready;
                --opening_;
            } else {
                session.send(reset_frame_);
            }
        }
        if (session.stage != Stage::upgrading) {
            while (const std::optional<Message> message = session.next_message()) {
                handle_message(session, *message);
                if (session.stage == Stage::ended) {
                    return;
                }
            }
        }
        if (!is_open) {
            throw std::runtime_error("the server closed the connection");
        }
        if (had_unsent || session.has_unsent()) {
            watch(index, EPOLL_CTL_MOD);
        }
    } catch (const std::exception& error) {
        fail(session, error.what());
    }
}

void LoadRun::handle_message(Session& session, const Message& message) {
    if (message.opcode == Opcode::ping) {
        session.send(client_frame(Opcode::pong, message.payload));
        return;
    }
    if (session.stage == Stage::closing) {
        return;  // late replies, and the answer to our close: the end of the stream follows
    }
    if (message.opcode == Opcode::pong) {
        return;
    }
    if (message.opcode == Opcode::close) {
        std::string reason = "without a code";
        if (message.payload.size() >= 2) {
            const auto high = static_cast<unsigned char>(message.payload[0]);
            const auto low = static_cast<unsigned char>(message.payload[1]);
            reason = fmt::format("with code {} '{}'", high * 256U + low, message.payload.substr(2));
        }
        throw std::runtime_error("the server closed the session " + reason);
    }
    const bool as_expected = session.stage != Stage::stepping || options_.expect.empty() ||
                             message.payload.find(options_.expect) != std::string::npos;
    if (message.opcode != Opcode::text || !is_observation(message.payload) || !as_expected) {
        throw std::runtime_error(
            "not the observation that was asked for: " + message.payload.substr(0, kQuotedReply)
        );
    }
    handle_observation(session);
}

void LoadRun::handle_observation(Session& session) {
    if (session.stage == Stage::resetting) {
        session.stage = Stage::ready;
        --opening_;
        return;
    }
    if (session.stage != Stage::stepping) {
        throw std::runtime_error("an observation that nobody asked for");
    }
    last_reply_ = Clock::now();
    if (measuring_) {
        report_.latencies.push_back(last_reply_ - session.sent_at);
        ++session.measured_steps;
    }
    session.stage = Stage::ready;
    --stepping_;
    if (!options_.steps || session.measured_steps < *options_.steps) {
        send_step(session);
    }
}

void LoadRun::send_step(Session& session) {
    session.stage = Stage::stepping;
    ++stepping_;
    session.sent_at = Clock::now();
    session.send(step_frame_);
}

void LoadRun::fail(Session& session, const std::string& what) {
    switch (session.stage) {
        case Stage::unused:
        case Stage::connecting:
        case Stage::upgrading:
            report_.add_connection_failure(what);
            --opening_;
            break;
        case Stage::resetting:
            report_.add_error(what);
            --opening_;
            break;
        case Stage::ready:
            report_.add_error(what);
            break;
        case Stage::stepping:
            report_.add_error(what);
            --stepping_;
            break;
        case Stage::closing:
        case Stage::ended:
            break;
    }
    session.end();
}

void LoadRun::watch(std::size_t index, int operation) {
    const Session& session = sessions_[index];
    const bool wants_out = session.has_unsent() || session.stage == Stage::connecting;
    epoll_event event{};
    event.events = wants_out ? EPOLLIN | EPOLLOUT : EPOLLIN;
    event.data.u64 = index;
    if (::epoll_ctl(epoll_.number(), operation, session.descriptor(), &event) != 0) {
        throw std::system_error(errno, std::generic_category(), "epoll_ctl");
    }
}

std::size_t LoadRun::count_of(Stage stage) const {
    std::size_t count = 0;
    for (const Session& session : sessions_) {
        count += session.stage == stage ? 1 : 0;
    }
    return count;
}

}  // namespace

Report run(const RunOptions& options) {
    return LoadRun(options).run();
}

}  // namespace openenv::bench
