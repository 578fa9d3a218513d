#include "server/routes/control.hpp"

#include "server/call_end.hpp"
#include "server/responses.hpp"

#include <openenv/base/json_members.hpp>
#include <openenv/base/json_reader.hpp>
#include <openenv/model/model.hpp>
#include <openenv/session/session.hpp>

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace openenv {
inline namespace v0 {
namespace server {
namespace routes {

namespace {

/// What the server itself checks of a reset's body; other keys are the environment's.
struct ResetRequest {
    std::optional<std::uint64_t> seed;
    std::optional<std::string> episode_id;
    Json others = Json::object();

    static constexpr auto extra_member = &ResetRequest::others;
    static constexpr auto fields = openenv::fields(
        field("seed", &ResetRequest::seed).ge(0),
        field("episode_id", &ResetRequest::episode_id).max_length(255)
    );
};

/// What the server itself checks of a step's body.
struct StepRequest {
    Json action = Json::object();
    std::optional<double> timeout_s;
    std::optional<std::string> request_id;
    Json others = Json::object();

    static constexpr auto extra_member = &StepRequest::others;
    static constexpr auto fields = openenv::fields(
        field("action", &StepRequest::action).object(),
        field("timeout_s", &StepRequest::timeout_s).gt(0),
        field("request_id", &StepRequest::request_id).max_length(255)
    );
};

struct ResetCall {
    std::string arguments;
};
struct StepCall {
    std::string action;
    StepOptions options;
};
struct StateCall {};
using Call = std::variant<ResetCall, StepCall, StateCall>;

/// A place among the calls that may be under way at once.
class StatelessPlace {
public:
    explicit StatelessPlace(Context& context) : count_(context.stateless_calls) {
        granted_ = count_.fetch_add(1) < context.config.max_stateless_calls;
    }
    ~StatelessPlace() { count_.fetch_sub(1); }
    StatelessPlace(const StatelessPlace&) = delete;
    StatelessPlace& operator=(const StatelessPlace&) = delete;
    [[nodiscard]] bool granted() const noexcept { return granted_; }

private:
    std::atomic<std::size_t>& count_;
    bool granted_ = false;
};

net::HttpResponse to_response(
    std::string_view where, Result<CallOutcome> outcome, std::string output
) {
    if (!outcome) {
        return failure(where, outcome.error());
    }
    switch (*outcome) {
        case CallOutcome::ok:
            return json_response(std::move(output));
        case CallOutcome::invalid:
            return unprocessable(output);
        case CallOutcome::failed:
            break;
    }
    return failure(where, Error{Errc::execution, std::move(output)});
}

void count(const Caller& caller, const Call& call, CallEnd end) {
    const CallKind kind = std::holds_alternative<ResetCall>(call)  ? CallKind::reset
                          : std::holds_alternative<StepCall>(call) ? CallKind::step
                                                                   : CallKind::state;
    caller.shard().counters.http_calls[static_cast<std::size_t>(kind)][end].add();
}

/// Builds an environment, makes the one call, and closes it again.
net::io_awaitable<net::HttpResponse> run_once(
    Context& context, Caller& caller, std::string_view where, Call call
) {
    const StatelessPlace place(context);
    if (!place.granted()) {
        count(caller, call, CallEnd::refused);
        co_return detail(
            503,
            "too many HTTP calls at once; each builds an environment of its own. "
            "Use the WebSocket at /ws for episodes"
        );
    }
    session::Session session(context.host, caller.io(), std::nullopt);
    const Caller::Working working(caller, session);
    const Result<void> opened = co_await session.open();
    if (!opened) {
        count(caller, call, call_end(opened.error()));
        co_return failure(where, opened.error());
    }
    session.output().clear();
    Result<CallOutcome> outcome = CallOutcome::failed;
    if (auto* reset = std::get_if<ResetCall>(&call)) {
        outcome = co_await session.reset(std::move(reset->arguments), ResultForm::http);
    } else if (auto* step = std::get_if<StepCall>(&call)) {
        outcome = co_await session.step(
            std::move(step->action), std::move(step->options), ResultForm::http
        );
    } else {
        outcome = co_await session.state();
    }
    count(caller, call, call_end(outcome));
    net::HttpResponse response =
        to_response(where, std::move(outcome), std::move(session.output()));
    co_await session.end();
    co_return response;
}

/// The answer to a body that is not JSON, or nothing.
std::optional<net::HttpResponse> refuse_syntax(std::string_view body) {
    JsonReader reader(body);
    reader.skip();
    if (reader.finish()) {
        return std::nullopt;
    }
    model::ValidationError error;
    error.type = "json_invalid";
    error.loc = {model::LocPart(reader.error_char())};
    error.msg = "JSON decode error";
    error.input = "{}";
    error.ctx = Json::object({{"error", reader.error().what}}).dump();
    model::ValidationErrors errors;
    errors.add(std::move(error));
    return unprocessable(errors.to_json(model::kBodyErrors));
}

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

net::io_awaitable<net::HttpResponse> reset(
    Context& context, Caller& caller, net::HttpRequest request
) {
    const std::string_view given = without_blanks(request.body);
    std::string body(given.empty() || given == "null" ? "{}" : given);
    if (std::optional<net::HttpResponse> refusal = refuse_syntax(body)) {
        co_return std::move(*refusal);
    }
    model::ValidationErrors errors;
    ResetRequest checked;
    if (!model::read(std::string_view(body), checked, errors, {.root_is_body = true})) {
        co_return unprocessable(errors.to_json(model::kBodyErrors));
    }
    Call call = ResetCall{std::move(body)};
    co_return co_await run_once(context, caller, "/reset", std::move(call));
}

net::io_awaitable<net::HttpResponse> step(
    Context& context, Caller& caller, net::HttpRequest request
) {
    model::ValidationErrors errors;
    if (without_blanks(request.body).empty()) {
        model::ValidationError missing;
        missing.type = "missing";
        missing.msg = "Field required";
        errors.add(std::move(missing));
        co_return unprocessable(errors.to_json(model::kBodyErrors));
    }
    const std::string_view body = request.body;
    if (std::optional<net::HttpResponse> refusal = refuse_syntax(body)) {
        co_return std::move(*refusal);
    }
    StepRequest checked;
    if (!model::read(body, checked, errors, {.root_is_body = true})) {
        co_return unprocessable(errors.to_json(model::kBodyErrors));
    }
    StepCall call;
    call.action = std::string(raw_member(body, "action"));
    call.options.timeout_s = checked.timeout_s;
    call.options.request_id = checked.request_id;
    call.options.extra = std::move(checked.others);
    if (checked.timeout_s) {
        call.options.extra["timeout_s"] = *checked.timeout_s;
    }
    if (checked.request_id) {
        call.options.extra["request_id"] = *checked.request_id;
    }
    Call any = std::move(call);
    co_return co_await run_once(context, caller, "/step", std::move(any));
}

net::io_awaitable<net::HttpResponse> state(Context& context, Caller& caller, net::HttpRequest) {
    Call call = StateCall{};
    co_return co_await run_once(context, caller, "/state", std::move(call));
}

}  // namespace routes
}  // namespace server
}  // namespace v0
}  // namespace openenv
