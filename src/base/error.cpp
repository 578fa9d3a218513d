#include <openenv/base/error.hpp>

namespace openenv {
inline namespace v0 {

const char* name_of(Errc code) noexcept {
    switch (code) {
        case Errc::invalid_json:
            return "invalid_json";
        case Errc::unknown_type:
            return "unknown_type";
        case Errc::validation:
            return "validation";
        case Errc::execution:
            return "execution";
        case Errc::capacity_reached:
            return "capacity_reached";
        case Errc::factory_failed:
            return "factory_failed";
        case Errc::session:
            return "session";
        case Errc::timeout:
            return "timeout";
        case Errc::cancelled:
            return "cancelled";
        case Errc::configuration:
            return "configuration";
        case Errc::network:
            return "network";
        case Errc::usage:
            return "usage";
    }
    return "unknown";
}

Exception::Exception(Error error) : std::runtime_error(error.message), error_(std::move(error)) {}

ConfigError::ConfigError(std::string message)
    : Exception(Error{Errc::configuration, std::move(message)}) {}

void throw_exception_from_error(const Error& error, const boost::source_location&) {
    throw Exception(error);
}

}  // namespace v0
}  // namespace openenv
