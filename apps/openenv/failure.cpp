#include "failure.hpp"

#include "printable.hpp"

#include <openenv/base/json.hpp>

namespace cli {

namespace {

/// The place of a fault, as "target.x".
std::string place_text(const openenv::Json& fault) {
    std::string place;
    const openenv::Json* parts = fault.find("loc");
    if (parts == nullptr || !parts->is_array()) {
        return place;
    }
    for (const openenv::Json& part : parts->elements()) {
        place += (place.empty() ? "" : ".") + (part.is_string() ? part.as_string() : part.dump());
    }
    return place;
}

std::string fault_text(const openenv::Json& fault) {
    const openenv::Json* message = fault.find("msg");
    const std::string what =
        message != nullptr && message->is_string() ? message->as_string() : fault.dump();
    const std::string place = place_text(fault);
    return place.empty() ? what : place + ": " + what;
}

}  // namespace

std::string failure_text(const openenv::Exception& error) {
    std::string text = printable(error.what()) + "\n";
    if (!error.error().errors.empty()) {
        const openenv::Json faults = openenv::Json::parse(error.error().errors);
        for (const openenv::Json& fault : faults.elements()) {
            text += "  " + printable(fault_text(fault)) + "\n";
        }
    }
    return text;
}

}  // namespace cli
