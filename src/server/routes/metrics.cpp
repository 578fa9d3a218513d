#include "server/routes/metrics.hpp"

#include "server/operators.hpp"
#include "server/server_metrics.hpp"

#include <optional>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {
namespace routes {

net::io_awaitable<net::HttpResponse> metrics(
    Context& context, Caller& caller, net::HttpRequest request
) {
    if (std::optional<net::HttpResponse> refusal = refuse_outsider(context, caller, request)) {
        co_return std::move(*refusal);
    }
    net::HttpResponse response;
    response.content_type = MetricsText::kContentType;
    response.body = metrics_of(context);
    co_return response;
}

}  // namespace routes
}  // namespace server
}  // namespace v0
}  // namespace openenv
