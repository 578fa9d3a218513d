#include "json_argument.hpp"

#include "failure.hpp"
#include "printable.hpp"

#include <openenv/base/error.hpp>

#include <string>

namespace cli {

namespace {

constexpr std::size_t kMostShown = 60;

[[noreturn]] void refuse(std::string_view where, std::string_view text, const std::string& why) {
    throw WrongUsage(std::string(where) + " is " + why + "; it is: " + shortened(text, kMostShown));
}

}  // namespace

openenv::Json object_from(std::string_view where, std::string_view text) {
    openenv::Json value;
    try {
        value = openenv::Json::parse(text);
    } catch (const openenv::Exception& error) {
        refuse(where, text, std::string("not JSON: ") + error.what());
    }
    if (!value.is_object()) {
        refuse(where, text, "not a JSON object");
    }
    return value;
}

}  // namespace cli
