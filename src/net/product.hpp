#pragma once

#include <openenv/version.hpp>

#include <string>

namespace openenv {
inline namespace v0 {
namespace net {

/// How we name ourselves to peers (RFC 9110, section 10.1.5): "openenv-cpp/1.2.3".
inline std::string product_text() {
    return std::string("openenv-cpp/") + kVersion;
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
