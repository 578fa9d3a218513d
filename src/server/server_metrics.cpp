#include "server/server_metrics.hpp"

#include "server/process_usage.hpp"

#include <openenv/version.hpp>

#include <algorithm>
#include <cstddef>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

using Type = MetricsText::Type;
using std::chrono::nanoseconds;

template <class Enum>
constexpr auto enumerators() {
    std::array<Enum, CounterFor<Enum>::kSize> all{};
    for (std::size_t i = 0; i != all.size(); ++i) {
        all[i] = static_cast<Enum>(i);
    }
    return all;
}

double seconds(std::uint64_t count) {
    return std::chrono::duration<double>(nanoseconds(static_cast<std::int64_t>(count))).count();
}

/// Writes what the io threads have counted, added up.
class Totals {
public:
    Totals(const Context& context, MetricsText& text) : shards_(context.shards), text_(text) {}

    /// `get` finds the Counter in a ShardCounters.
    template <class Get>
    [[nodiscard]] std::uint64_t sum(Get get) const {
        std::uint64_t total = 0;
        for (const Shard* shard : shards_) {
            total += get(shard->counters).get();
        }
        return total;
    }
    template <class Get>
    [[nodiscard]] HistogramTotal histogram(Get get) const {
        HistogramTotal total;
        for (const Shard* shard : shards_) {
            total.add(get(shard->counters));
        }
        return total;
    }
    /// One sample for every enumerator, labelled with its name.
    template <class Enum, class Get>
    void by(std::string_view label, Get get) {
        for (const Enum which : enumerators<Enum>()) {
            const std::uint64_t total = sum([&](const ShardCounters& counters) -> const Counter& {
                return get(counters, which);
            });
            text_.sample(total, {{label, name_of(which)}});
        }
    }

private:
    const std::vector<Shard*>& shards_;
    MetricsText& text_;
};

void write_server(const Context& context, MetricsText& text) {
    text.family("openenv_build_info", Type::gauge, "Always 1; the labels tell what is served.");
    text.sample(
        std::uint64_t{1},
        {{"version", kVersion},
         {"environment", context.host.entry().name},
         {"execution", name_of(context.host.policy())}}
    );
    text.family("openenv_draining", Type::gauge, "1 while the server is stopping.");
    text.sample(std::uint64_t{context.draining ? 1U : 0U});
    text.family("openenv_connections", Type::gauge, "Open connections of every kind.");
    text.sample(std::uint64_t{context.connections.load()});
    text.family("openenv_connections_max", Type::gauge, "Most connections that may be open.");
    text.sample(std::uint64_t{context.config.max_connections});
    text.family("openenv_http_calls_active", Type::gauge, "Stateless calls under way.");
    text.sample(std::uint64_t{context.stateless_calls.load()});
    text.family("openenv_http_calls_max", Type::gauge, "Most stateless calls at once.");
    text.sample(std::uint64_t{context.config.max_stateless_calls});
}

void write_sessions(const Context& context, Totals& totals, MetricsText& text) {
    text.family("openenv_sessions_active", Type::gauge, "Places of the capacity that are taken.");
    text.sample(std::uint64_t{context.capacity.active()});
    text.family("openenv_sessions_max", Type::gauge, "Places that there are.");
    text.sample(std::uint64_t{context.capacity.max()});
    text.family("openenv_sessions", Type::gauge, "Sessions by what they are doing.");
    for (const SessionState state : enumerators<SessionState>()) {
        if (state != SessionState::queued) {
            text.sample(
                totals.sum([&](const ShardCounters& counters) -> const Counter& {
                    return counters.sessions[state];
                }),
                {{"state", name_of(state)}}
            );
        }
    }
    text.family("openenv_queue_length", Type::gauge, "How many wait for a place.");
    text.sample(std::uint64_t{context.capacity.waiting()});
    text.family("openenv_queue_max", Type::gauge, "How many may wait for a place.");
    text.sample(std::uint64_t{context.capacity.queue_depth()});
    text.family(
        "openenv_queue_wait_seconds", Type::histogram, "From asking for a place to the answer."
    );
    text.sample(totals.histogram([](const ShardCounters& counters) -> const auto& {
        return counters.queue_times;
    }));
    text.family("openenv_queue_left_total", Type::counter, "Peers that left while they waited.");
    text.sample(totals.sum([](const ShardCounters& counters) -> const Counter& {
        return counters.left_queue;
    }));
    text.family("openenv_sessions_opened_total", Type::counter, "Sessions that were opened.");
    text.sample(totals.sum([](const ShardCounters& counters) -> const Counter& {
        return counters.opened;
    }));
    text.family("openenv_sessions_closed_total", Type::counter, "Sessions that ended, by reason.");
    totals.by<SessionEnd>(
        "reason",
        [](const ShardCounters& counters, SessionEnd why) -> auto& { return counters.ended[why]; }
    );
    text.family("openenv_refused_total", Type::counter, "What was turned away, by reason.");
    totals.by<Refusal>(
        "reason",
        [](const ShardCounters& counters, Refusal why) -> auto& { return counters.refused[why]; }
    );
    text.family(
        "openenv_session_creation_seconds",
        Type::histogram,
        "How long it took to build the environments of new sessions."
    );
    text.sample(totals.histogram([](const ShardCounters& counters) -> const auto& {
        return counters.creation_times;
    }));
}

void write_calls(const Context& context, Totals& totals, MetricsText& text) {
    text.family(
        "openenv_calls_total", Type::counter, "Calls by kind, outcome, and where they came from."
    );
    for (const CallKind kind : enumerators<CallKind>()) {
        const auto at = static_cast<std::size_t>(kind);
        for (const CallEnd end : enumerators<CallEnd>()) {
            const std::uint64_t in_sessions =
                totals.sum([&](const ShardCounters& counters) -> const Counter& {
                    return counters.calls[at][end];
                });
            const std::uint64_t over_http =
                totals.sum([&](const ShardCounters& counters) -> const Counter& {
                    return counters.http_calls[at][end];
                });
            text.sample(
                in_sessions,
                {{"kind", name_of(kind)}, {"outcome", name_of(end)}, {"from", "session"}}
            );
            text.sample(
                over_http, {{"kind", name_of(kind)}, {"outcome", name_of(end)}, {"from", "http"}}
            );
        }
    }
    text.family(
        "openenv_call_seconds",
        Type::histogram,
        "Calls of sessions, from when their turn came to when the answer was ready."
    );
    for (const CallKind kind : enumerators<CallKind>()) {
        const HistogramTotal total =
            totals.histogram([&](const ShardCounters& counters) -> const auto& {
                return counters.call_times[static_cast<std::size_t>(kind)];
            });
        text.sample(total, {{"kind", name_of(kind)}});
    }
    text.family(
        "openenv_abandoned_calls_total", Type::counter, "Calls that were given up while they ran."
    );
    text.sample(context.host.calls_given_up());
    text.family(
        "openenv_abandoned_threads", Type::gauge, "Threads that such calls hold at this moment."
    );
    text.sample(std::uint64_t{context.threads.given_up()});
    text.family("openenv_abandoned_tasks", Type::gauge, "Tasks of such calls that have not ended.");
    text.sample(std::uint64_t{context.host.tasks_given_up().load()});
    text.family(
        "openenv_demotions_total",
        Type::counter,
        "inline_fast environments that were too slow and run on workers since."
    );
    text.sample(context.host.demotions());
}

void write_traffic(Totals& totals, MetricsText& text) {
    struct Family {
        const char* name;
        const char* help;
        Counter Traffic::*member;
    };
    constexpr std::array kFamilies{
        Family{"openenv_messages_received_total", "Messages read.", &Traffic::messages_in},
        Family{"openenv_received_bytes_total", "Their bytes, without framing.", &Traffic::bytes_in},
        Family{"openenv_messages_sent_total", "Messages written.", &Traffic::messages_out},
        Family{"openenv_sent_bytes_total", "Their bytes, without framing.", &Traffic::bytes_out},
    };
    for (const Family& family : kFamilies) {
        text.family(family.name, Type::counter, family.help);
        totals.by<Transport>(
            "transport",
            [&](const ShardCounters& counters, Transport transport) -> const Counter& {
                return counters.traffic[static_cast<std::size_t>(transport)].*family.member;
            }
        );
    }
}

void write_workers(const Context& context, MetricsText& text) {
    const net::WorkerPool::Figures workers = context.host.worker_figures();
    text.family(
        "openenv_workers", Type::gauge, "Threads for environment code that sessions share."
    );
    text.sample(std::uint64_t{workers.threads});
    text.family("openenv_workers_busy", Type::gauge, "Of these, the ones that run something.");
    text.sample(std::uint64_t{workers.busy});
    text.family("openenv_workers_max", Type::gauge, "Most such threads.");
    text.sample(std::uint64_t{workers.max});
    text.family("openenv_workers_queue_length", Type::gauge, "Calls that wait for such a thread.");
    text.sample(std::uint64_t{workers.queued});
    text.family(
        "openenv_workers_saturation_ratio", Type::gauge, "Busy threads over the most there may be."
    );
    text.sample(static_cast<double>(workers.busy) / static_cast<double>(workers.max));
}

void write_loops(const Context& context, MetricsText& text) {
    const auto with_every_thread = [&](auto write) {
        for (const Shard* shard : context.shards) {
            const std::string thread = std::to_string(shard->index);
            write(shard->counters, MetricsText::Labels{{"thread", thread}});
        }
    };
    text.family(
        "openenv_loop_delay_seconds",
        Type::histogram,
        "By how much the ticks of an I/O thread came too late."
    );
    with_every_thread([&](const ShardCounters& counters, MetricsText::Labels labels) {
        HistogramTotal total;
        total.add(counters.loop_delays);
        text.sample(total, labels);
    });
    text.family("openenv_loop_delay_max_seconds", Type::gauge, "The longest such delay so far.");
    with_every_thread([&](const ShardCounters& counters, MetricsText::Labels labels) {
        text.sample(seconds(counters.longest_loop_delay.get()), labels);
    });
    text.family(
        "openenv_loop_last_tick_seconds",
        Type::gauge,
        "How long ago an I/O thread ticked last; what grows is a thread that is stuck."
    );
    const auto since_epoch = std::chrono::steady_clock::now().time_since_epoch();
    const auto now = static_cast<std::uint64_t>(nanoseconds(since_epoch).count());
    with_every_thread([&](const ShardCounters& counters, MetricsText::Labels labels) {
        const std::uint64_t last = counters.last_tick.get();
        text.sample(last == 0 ? 0.0 : seconds(now - std::min(last, now)), labels);
    });
}

void write_process(MetricsText& text) {
    const ProcessUsage usage = ProcessUsage::now();
    text.family("process_resident_memory_bytes", Type::gauge, "Resident memory.");
    text.sample(usage.resident_bytes);
    text.family("process_virtual_memory_bytes", Type::gauge, "Address space.");
    text.sample(usage.virtual_bytes);
    text.family("process_open_fds", Type::gauge, "Open file descriptors.");
    text.sample(usage.open_descriptors);
    text.family("process_max_fds", Type::gauge, "Most file descriptors.");
    text.sample(usage.most_descriptors);
    text.family("process_cpu_seconds_total", Type::counter, "Processor time, user and system.");
    text.sample(usage.cpu_seconds);
    text.family("process_start_time_seconds", Type::gauge, "Start, in seconds since 1970.");
    text.sample(usage.started);
}

}  // namespace

std::string metrics_of(const Context& context) {
    std::string out;
    MetricsText text(out);
    Totals totals(context, text);
    write_server(context, text);
    write_sessions(context, totals, text);
    write_calls(context, totals, text);
    write_traffic(totals, text);
    write_workers(context, text);
    write_loops(context, text);
    write_process(text);
    return out;
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
