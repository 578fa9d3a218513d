#include "server/routes/sessions.hpp"

#include "server/ask_shards.hpp"
#include "server/operators.hpp"
#include "server/responses.hpp"

#include <openenv/base/json_writer.hpp>

#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {
namespace routes {

namespace {

using Reports = std::vector<LiveSession::Report>;

/// A thread that takes longer to answer is stuck.
constexpr std::chrono::milliseconds kPatience{1000};
/// What of a peer's own text is sent back in a message.
constexpr std::size_t kEchoedId = 200;
constexpr std::string_view kItemPath = "/sessions/";

double seconds(std::chrono::steady_clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

void write_report(JsonWriter& writer, const LiveSession::Report& report) {
    writer.begin_object();
    writer.key("id");
    writer.string(report.id);
    writer.key("peer");
    writer.string(report.peer);
    writer.key("kind");
    writer.string(name_of(report.transport));
    writer.key("features");
    writer.string(report.features);
    writer.key("state");
    writer.string(name_of(report.state));
    writer.key("age_s");
    writer.number(seconds(report.age));
    writer.key("idle_s");
    writer.number(seconds(report.idle));
    writer.key("call_s");
    if (report.call) {
        writer.number(seconds(*report.call));
    } else {
        writer.null();
    }
    writer.key("calls");
    writer.integer(report.calls);
    writer.key("episode_id");
    if (report.episode_id) {
        writer.string(*report.episode_id);
    } else {
        writer.null();
    }
    writer.end_object();
}

void write_count(JsonWriter& writer, std::string_view name, std::size_t count) {
    writer.key(name);
    writer.integer(count);
}

std::string to_json(const Context& context, const Reports& reports, bool complete) {
    std::string out;
    JsonWriter writer(out);
    writer.begin_object();
    writer.key("sessions");
    writer.begin_array();
    for (const LiveSession::Report& report : reports) {
        write_report(writer, report);
    }
    writer.end_array();
    writer.key("complete");
    writer.boolean(complete);
    write_count(writer, "active", context.capacity.active());
    write_count(writer, "max", context.capacity.max());
    write_count(writer, "waiting", context.capacity.waiting());
    write_count(writer, "queue_depth", context.capacity.queue_depth());
    const net::WorkerPool::Figures workers = context.host.worker_figures();
    writer.key("workers");
    writer.begin_object();
    write_count(writer, "threads", workers.threads);
    write_count(writer, "busy", workers.busy);
    write_count(writer, "queued", workers.queued);
    write_count(writer, "max", workers.max);
    writer.end_object();
    write_count(writer, "abandoned_threads", context.threads.given_up());
    write_count(writer, "abandoned_tasks", context.host.tasks_given_up().load());
    writer.end_object();
    return out;
}

/// Where a session lives, as its id tells.
struct Address {
    std::size_t shard = 0;
    std::uint64_t number = 0;
};

std::optional<Address> address_in(const Context& context, std::string_view id) {
    const std::string_view server = context.server_id;
    if (!id.starts_with(server) || id.substr(server.size(), 1) != "-") {
        return std::nullopt;
    }
    Address address;
    const char* at = id.data() + server.size() + 1;
    const char* end = id.data() + id.size();
    const auto [dash, wrong_shard] = std::from_chars(at, end, address.shard);
    if (wrong_shard != std::errc() || dash == end || *dash != '-') {
        return std::nullopt;
    }
    const auto [stopped, wrong_number] = std::from_chars(dash + 1, end, address.number);
    if (wrong_number != std::errc() || stopped != end || address.shard >= context.shards.size()) {
        return std::nullopt;
    }
    return address;
}

enum class Released { unknown, place_free, place_held };

Released release(Shard& shard, std::uint64_t number) {
    for (LiveSession& session : shard.sessions) {
        if (session.number() == number) {
            session.log(LogLevel::warning, "an operator releases the session");
            return session.owner().release() ? Released::place_free : Released::place_held;
        }
    }
    return Released::unknown;
}

net::HttpResponse unknown_session(std::string_view id) {
    return detail(
        404,
        "Unknown session: " + std::string(id.substr(0, kEchoedId)) + "; GET /sessions lists them"
    );
}

}  // namespace

net::io_awaitable<net::HttpResponse> sessions(
    Context& context, Caller& caller, net::HttpRequest request
) {
    if (std::optional<net::HttpResponse> refusal = refuse_outsider(context, caller, request)) {
        co_return std::move(*refusal);
    }
    std::function<Reports(Shard&)> question = [](Shard& shard) {
        const auto now = std::chrono::steady_clock::now();
        Reports reports;
        for (const LiveSession& session : shard.sessions) {
            reports.push_back(session.report(now));
        }
        return reports;
    };
    std::vector<Reports> answers =
        co_await ask_shards(context.shards, caller.io(), std::move(question), kPatience);
    Reports all;
    for (Reports& reports : answers) {
        std::move(reports.begin(), reports.end(), std::back_inserter(all));
    }
    co_return json_response(to_json(context, all, answers.size() == context.shards.size()));
}

net::io_awaitable<net::HttpResponse> release_session(
    Context& context, Caller& caller, net::HttpRequest request
) {
    if (std::optional<net::HttpResponse> refusal = refuse_outsider(context, caller, request)) {
        co_return std::move(*refusal);
    }
    const std::string id = request.path.substr(kItemPath.size());
    const std::optional<Address> address = address_in(context, id);
    if (!address) {
        co_return unknown_session(id);
    }
    std::function<Released(Shard&)> question = [number = address->number](Shard& shard) {
        return release(shard, number);
    };
    std::vector<Shard*> home(1, context.shards[address->shard]);
    const std::vector<Released> answers =
        co_await ask_shards(std::move(home), caller.io(), std::move(question), kPatience);
    if (answers.empty()) {
        co_return detail(
            504,
            "the thread of session " + id +
                " is stuck; the session is released as soon as that thread runs again"
        );
    }
    if (answers.front() == Released::unknown) {
        co_return unknown_session(id);
    }
    std::string body;
    JsonWriter writer(body);
    writer.begin_object();
    writer.key("id");
    writer.string(id);
    writer.key("place");
    writer.string(answers.front() == Released::place_free ? "free" : "held");
    writer.end_object();
    co_return json_response(std::move(body));
}

}  // namespace routes
}  // namespace server
}  // namespace v0
}  // namespace openenv
