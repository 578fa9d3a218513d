#pragma once

#include <openenv/base/json.hpp>
#include <openenv/model/constraints.hpp>
#include <openenv/model/read_context.hpp>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

/// The wording of errors, shared by the readers of this layer.
namespace openenv {
inline namespace v0 {
namespace model {

/// A limit as errors and schemas show it.
Json bound_value(const Bound& bound);

/// `{"ge":0}` and the like.
std::string context_text(std::initializer_list<Json::Entry> entries);

/// "2 items", "1 item".
std::string counted(std::size_t count, std::string_view noun);

/// A text as Python's repr() shows it: in quotes, with escapes for what cannot be printed.
std::string python_repr(std::string_view text);

/// "'a', 'b' or 'c'".
std::string alternatives(std::span<const std::string> quoted);

/// Records that a list or map ("List", "Dictionary") has too few or too many items.
bool fail_too_short(
    ReadContext& context,
    std::string_view noun,
    std::size_t least,
    std::size_t actual,
    std::string_view raw
);
/// `actual` is null when counting stopped at the limit.
bool fail_too_long(
    ReadContext& context,
    std::string_view noun,
    std::size_t most,
    const Json& actual,
    std::string_view raw
);

/// Records that the value just read holds a lone surrogate.
bool fail_unicode(ReadContext& context, std::string_view raw);

/// Passes over the next value and records that it is no object that a struct could be read from.
bool fail_not_attributes(ReadContext& context);

/// The text of what a reader passed over since `start`.
std::string_view raw_since(ReadContext& context, std::size_t start);

/// The offset at which the next value starts.
std::size_t start_of_next(ReadContext& context);

}  // namespace model
}  // namespace v0
}  // namespace openenv
