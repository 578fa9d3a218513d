#include "result_text.hpp"

#include "printable.hpp"

#include <cstddef>
#include <string>
#include <type_traits>
#include <variant>

namespace cli {

namespace {

using openenv::Json;

constexpr std::size_t kLongestLine = 100;
/// What is nested deeper is shown as JSON.
constexpr std::size_t kDeepest = 6;

Json reward_of(const StepResult& result) {
    return std::visit(
        [](const auto& value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
                return Json();
            } else {
                return Json(value);
            }
        },
        result.reward.value()
    );
}

bool has_metadata(const StepResult& result) {
    return !result.metadata.is_null() && !(result.metadata.is_object() && result.metadata.empty());
}

/// Whether a value is best shown as JSON in the line of its name.
bool fits_line(const std::string& json) {
    return json.size() <= kLongestLine && json.find("\\n") == std::string::npos;
}

std::string describe_value(
    const std::string& label, const Json& value, const std::string& indent, std::size_t depth
) {
    const std::string inner = indent + "  ";
    if (value.is_string()) {
        const std::string& text = value.as_string();
        return text.find('\n') == std::string::npos
                   ? indent + label + " " + printable(text) + "\n"
                   : indent + label + "\n" + printable_lines(text, inner);
    }
    const bool parted = value.is_object() || value.is_array();
    const std::string json = value.dump();
    if (!parted || depth == kDeepest || fits_line(json)) {
        return indent + label + " " + printable(json) + "\n";
    }
    std::string text = indent + label + "\n";
    if (value.is_array()) {
        for (const Json& element : value.elements()) {
            text += describe_value("-", element, inner, depth + 1);
        }
    } else {
        for (const Json::Member& member : value.items()) {
            text += describe_value(printable(member.key) + ":", member.value, inner, depth + 1);
        }
    }
    return text;
}

}  // namespace

std::string result_line(const StepResult& result) {
    Json line = Json::object(
        {{"observation", result.observation}, {"reward", reward_of(result)}, {"done", result.done}}
    );
    if (has_metadata(result)) {
        line["metadata"] = result.metadata;
    }
    return printable(line.dump()) + "\n";
}

std::string state_line(const Json& state) {
    return printable(Json::object({{"state", state}}).dump()) + "\n";
}

std::string describe_object(const Json& object, const std::string& indent) {
    if (!object.is_object()) {
        return indent + printable(object.dump()) + "\n";
    }
    std::string text;
    for (const Json::Member& member : object.items()) {
        text += describe_value(printable(member.key) + ":", member.value, indent, 0);
    }
    return text;
}

std::string describe_result(const StepResult& result) {
    Json observation = result.observation;
    if (observation.is_object()) {
        observation.erase("metadata");
    }
    return describe_object(observation, "  ") + "reward " + printable(reward_of(result).dump()) +
           ", done " + (result.done ? "yes" : "no") + "\n";
}

}  // namespace cli
