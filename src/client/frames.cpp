#include <openenv/client/env_client.hpp>

namespace openenv {
inline namespace v0 {
namespace client {

std::string reset_frame(std::string_view arguments) {
    return R"({"type":"reset","data":)" + std::string(arguments) + "}";
}

std::string step_frame(std::string_view action) {
    return R"({"type":"step","data":)" + std::string(action) + "}";
}

std::string state_frame() {
    return R"({"type":"state"})";
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
