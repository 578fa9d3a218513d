#include "json_argument.hpp"

#include "printable.hpp"
#include "wrong_usage.hpp"

#include <openenv/base/error.hpp>

#include <string>

namespace cli {

namespace {

constexpr std::size_t kMostShown = 60;

/// `what` says what is wrong with the text.
[[noreturn]] void refuse(std::string_view where, std::string_view text, const std::string& what) {
    throw WrongUsage(std::string(where) + " is " + what + ": " + shortened(text, kMostShown));
}

}  // namespace

openenv::Json object_from(std::string_view where, std::string_view text) {
    if (text.empty()) {
        throw WrongUsage(std::string(where) + " takes a JSON object, such as {\"a\": 1}");
    }
    openenv::Json value;
    try {
        value = openenv::Json::parse(text);
    } catch (const openenv::Exception& error) {
        refuse(where, text, std::string("not JSON (") + error.what() + ")");
    }
    if (!value.is_object()) {
        refuse(where, text, "not a JSON object");
    }
    return value;
}

}  // namespace cli
