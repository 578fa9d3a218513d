// The one call of a client that goes over HTTP.
#include "client/call_errors.hpp"
#include "client/core.hpp"
#include "client/fetch.hpp"

#include <openenv/base/utf8.hpp>
#include <openenv/net/message_stream.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

using std::chrono::steady_clock;

namespace {

constexpr const char* kSchema = "schema";
constexpr const char* kReading = "reading the schema";
/// How much of an answer that is none an error shows.
constexpr std::size_t kMostShown = 200;

/// Where the page lies: beside "ws", should the address name that.
net::Url page_beside(net::Url url) {
    constexpr std::string_view kSocket = "/ws";
    if (url.path.ends_with(kSocket)) {
        url.path.resize(url.path.size() - kSocket.size());
    }
    return url;
}

/// The beginning of a body in one line, and its type.
std::string shown(const net::HttpResponse& response) {
    std::string text = response.body.substr(0, kMostShown);
    text.resize(utf8_valid_prefix(text));
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; }, ' '
    );
    const bool cut = text.size() < response.body.size();
    const std::string type = response.content_type.empty() ? "no type" : response.content_type;
    return type + (text.empty() ? ", empty" : ": " + text) + (cut ? "..." : "");
}

Error refused(const net::HttpResponse& response) {
    return Error{
        Errc::network,
        "the server answered " + std::to_string(response.status) +
            net::status_hint(response.status) + ", " + shown(response)};
}

Error unreadable(const std::string& why, const net::HttpResponse& response) {
    return Error{
        Errc::invalid_json,
        "the server's schema cannot be read: " + why + "; it is " + shown(response)};
}

/// The page of a server that is asked without HTTP.
Result<net::HttpResponse> page_of(net::Connector& connector) {
    Result<std::string> body = connector.schema();
    if (!body) {
        return body.error();
    }
    net::HttpResponse page;
    page.body = std::move(*body);
    return page;
}

Result<Json> read_schema(const Result<net::HttpResponse>& outcome) {
    if (!outcome) {
        return outcome.error();
    }
    const net::HttpResponse& response = *outcome;
    if (response.status != 200) {
        return refused(response);
    }
    Json document;
    try {
        document = Json::parse(response.body);
    } catch (const Exception& error) {
        return unreadable(error.what(), response);
    }
    for (const char* part : {"action", "observation", "state"}) {
        const Json* schema = document.find(part);
        if (schema == nullptr || !schema->is_object()) {
            return unreadable(std::string("it has no object '") + part + "'", response);
        }
    }
    return document;
}

/// A failure on the way to the server or back, with the address and what it was doing.
Error with_context(Error error, const net::Url& url, bool connected) {
    if (error.code == Errc::network || error.code == Errc::configuration) {
        error.message = (connected ? "Failed to get " : "Failed to connect to ") +
                        url.http_text(kSchema) + ": " + error.message;
        error.phase = connected ? kReading : kConnecting;
    }
    return error;
}

}  // namespace

net::io_awaitable<Result<Json>> Core::schema(std::shared_ptr<CallState> call) {
    const std::size_t closes = closes_;
    Result<void> going = co_await need_address(*call, kSchema);
    if (going) {
        going = may_go_on(*call, closes, kSchema, kConnecting);
    }
    if (!going) {
        co_return std::move(going).error();
    }
    if (options_.connector) {
        co_return read_schema(page_of(*options_.connector));
    }
    const net::Url url = page_beside(*url_);
    const auto fetch = std::make_shared<Fetch>(loop_, dial_options_, limits_);
    fetches_.remove_if([](const std::weak_ptr<Fetch>& weak) { return weak.expired(); });
    fetches_.push_back(fetch);
    const net::TimePoint connect_deadline =
        std::min(steady_clock::now() + options_.connect_timeout, call->deadline);
    fetch->start(url, url.target(kSchema));
    while (going && !fetch->outcome()) {
        const net::TimePoint until = fetch->is_connected() ? call->deadline : connect_deadline;
        co_await fetch->changed().wait(until, call.get());
        const char* phase = fetch->is_connected() ? kReading : kConnecting;
        going = may_go_on(*call, closes, kSchema, phase);
        if (going && !fetch->is_connected() && steady_clock::now() >= connect_deadline) {
            going = no_connection_in_time(fetch->step());
        }
    }
    fetch->abort();
    Result<Json> document = going ? read_schema(*fetch->outcome()) : std::move(going).error();
    if (!document) {
        document = with_context(std::move(document).error(), url, fetch->is_connected());
    }
    co_return document;
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
