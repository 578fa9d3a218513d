#pragma once

#include <concepts>
#include <cstdint>
#include <variant>

namespace openenv {
inline namespace v0 {

/// What a step was worth: nothing (null), a bool, an integer or a number; it keeps which, because
/// a WebSocket peer reads the value exactly as the environment set it.
class Reward {
public:
    Reward() = default;
    Reward(std::same_as<bool> auto value) : value_(value) {}
    Reward(std::integral auto value) requires(!std::same_as<decltype(value), bool>)
        : value_(static_cast<std::int64_t>(value)) {}
    Reward(std::floating_point auto value) : value_(static_cast<double>(value)) {}

    [[nodiscard]] bool is_null() const noexcept { return value_.index() == 0; }
    /// The reward as a number; a bool counts as 0 or 1, null as 0.
    [[nodiscard]] double as_number() const noexcept;

    using Value = std::variant<std::monostate, bool, std::int64_t, double>;
    [[nodiscard]] const Value& value() const noexcept { return value_; }

    friend bool operator==(const Reward&, const Reward&) = default;

private:
    Value value_;
};

}  // namespace v0
}  // namespace openenv
