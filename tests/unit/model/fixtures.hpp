#pragma once

#include <openenv/model/model.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Structs that several tests of the model read, write and describe.
namespace fixtures {

/// Stands for the library's own base struct of actions.
struct BaseAction {
    openenv::Json metadata = openenv::Json::object();

    static constexpr auto extra_fields = openenv::ExtraFields::forbid;
    static constexpr std::string_view description = "What an agent does.";
    static constexpr auto fields = openenv::fields(
        openenv::field("metadata", &BaseAction::metadata).object().or_hidden_default()
    );
};

enum class Color { red, blue };
constexpr auto enum_names(Color) {
    return openenv::names<Color>({{Color::red, "red"}, {Color::blue, "blue"}});
}

struct Point {
    int x = 0;
    double y = 0.5;

    static constexpr auto fields = openenv::fields(
        openenv::field("x", &Point::x), openenv::field("y", &Point::y).or_default()
    );
    bool operator==(const Point&) const = default;
};

/// The fixture MOVE of the conformance cases.
struct MoveAction : BaseAction {
    std::string message;
    int count = 1;
    double ratio = 1.0;
    bool flag = false;
    std::string kind = "a";
    Color color = Color::red;
    std::vector<std::string> tags;
    std::optional<int> opt;
    std::optional<Point> point;
    std::map<std::string, int> table;

    static constexpr auto fields = openenv::fields(
        openenv::field("message", &MoveAction::message).length(1, 8),
        openenv::field("count", &MoveAction::count).ge(0).le(10).or_default(),
        openenv::field("ratio", &MoveAction::ratio).or_default(),
        openenv::field("flag", &MoveAction::flag).or_default(),
        openenv::field("kind", &MoveAction::kind).choices("a", "b").or_default(),
        openenv::field("color", &MoveAction::color).or_default(),
        openenv::field("tags", &MoveAction::tags).or_hidden_default(),
        openenv::field("opt", &MoveAction::opt),
        openenv::field("point", &MoveAction::point),
        openenv::field("table", &MoveAction::table).or_default()
    );
};

/// The fixture VAL of the conformance cases.
struct ValAction : BaseAction {
    int n = 0;

    static constexpr auto fields =
        openenv::fields(openenv::field("n", &ValAction::n).check([](int value) {
            if (value > 5) {
                throw std::invalid_argument("n too big");
            }
        }));
};

/// What a list of errors says, in the short form "type @ a,b,0".
inline std::vector<std::string> brief(const openenv::model::ValidationErrors& errors) {
    std::vector<std::string> lines;
    for (const auto& error : errors) {
        std::string line = error.type + " @ ";
        for (std::size_t i = 0; i != error.loc.size(); ++i) {
            const auto& part = error.loc[i];
            line += (i == 0 ? "" : ",") + (part.is_index ? std::to_string(part.index) : part.key);
        }
        lines.push_back(line);
    }
    return lines;
}

/// The errors of reading `text` as a T, as parsed JSON.
template <class T>
openenv::Json errors_of(std::string_view text) {
    T value{};
    openenv::model::ValidationErrors errors;
    const bool good = openenv::model::read(text, value, errors);
    if (good != errors.empty()) {
        return "read() and its list of errors disagree";
    }
    return openenv::Json::parse(errors.to_json());
}

template <class T>
std::vector<std::string> brief_errors_of(std::string_view text) {
    T value{};
    openenv::model::ValidationErrors errors;
    openenv::model::read(text, value, errors);
    return brief(errors);
}

}  // namespace fixtures

template <>
struct openenv::model::base_of<fixtures::MoveAction> {
    using type = fixtures::BaseAction;
};
template <>
struct openenv::model::base_of<fixtures::ValAction> {
    using type = fixtures::BaseAction;
};
