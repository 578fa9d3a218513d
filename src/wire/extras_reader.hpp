#pragma once

#include <openenv/base/json_reader.hpp>
#include <openenv/model/validation.hpp>
#include <openenv/wire/extras.hpp>
#include <openenv/wire/features.hpp>
#include <openenv/wire/frame.hpp>

#include <string_view>

namespace openenv {
inline namespace v0 {
namespace wire {

/// Reads the `x` of a message of that kind, which is the value that comes next. What is wrong with
/// it goes to `errors`, and then the result says no more than which members there are.
[[nodiscard]] Extras read_extras(
    JsonReader& reader, FrameKind kind, Features granted, model::ValidationErrors& errors
);

/// The id in an `x`, if there is one and it is good.
[[nodiscard]] std::string_view read_id(std::string_view x);

}  // namespace wire
}  // namespace v0
}  // namespace openenv
