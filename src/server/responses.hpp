#pragma once

#include <openenv/base/error.hpp>
#include <openenv/net/http.hpp>

#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace server {

/// 200 with a JSON body.
[[nodiscard]] net::HttpResponse json_response(std::string body);

/// 422 with `{"detail":[...]}`; `errors` is the JSON array.
[[nodiscard]] net::HttpResponse unprocessable(std::string_view errors);

/// `{"detail":text}`.
[[nodiscard]] net::HttpResponse detail(unsigned status, std::string_view text);

/// The answer to a call that failed: 504 when a deadline passed, else 500 as the Python edition
/// sends it, plain text that tells nothing. The cause goes to the log.
[[nodiscard]] net::HttpResponse failure(std::string_view where, const Error& cause);

}  // namespace server
}  // namespace v0
}  // namespace openenv
