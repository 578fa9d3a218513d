#pragma once

#include <string>

namespace openenv {
inline namespace v0 {
namespace server {

/// The HTML of /docs: one self-contained page that reads /openapi.json; no request leaves the host.
[[nodiscard]] std::string docs_page();

}  // namespace server
}  // namespace v0
}  // namespace openenv
