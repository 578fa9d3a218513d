#pragma once

#include <openenv/model/bytes.hpp>
#include <openenv/model/read_context.hpp>
#include <openenv/model/type_info.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace model {

/// The work behind the templates, compiled once. Every reader consumes exactly one value, returns
/// false after an error, and has then recorded what was wrong, unless the text is not JSON: that
/// is the JsonReader's error.

/// The values that an integer type can hold.
struct IntegerRange {
    std::int64_t min;
    std::uint64_t max;
};

bool read_bool(ReadContext& context, bool& out);
/// Reads any integer type: `out` receives the value's bits in two's complement.
bool read_integer(
    ReadContext& context, std::uint64_t& out, const Constraints& limits, const IntegerRange& range
);
bool read_real(ReadContext& context, double& out, const Constraints& limits, double max);
bool read_string(ReadContext& context, std::string& out, const Constraints& limits);
bool read_bytes(ReadContext& context, Bytes& out, const Constraints& limits);
bool read_json(ReadContext& context, Json& out, const Constraints& limits);
/// Reads one of `names`; `out` receives its position. `type` is the error's ("enum").
bool read_name(
    ReadContext& context,
    std::size_t& out,
    std::span<const std::string_view> names,
    std::string_view type
);
bool read_list(ReadContext& context, void* list, const ListInfo& info, const Constraints& limits);
bool read_map(ReadContext& context, void* map, const MapInfo& info, const Constraints& limits);
bool read_struct(ReadContext& context, void* object, const StructInfo& info);
bool read_union(ReadContext& context, void* variant, const UnionInfo& info);

/// How errors name a `Literal` inside a union: "literal['x']".
[[nodiscard]] std::string literal_label(std::string_view text);

void write_bytes(JsonWriter& writer, const Bytes& value);
void write_struct(JsonWriter& writer, const void* object, const StructInfo& info);
/// Writes the keys and values of `object` into the object that is open, from the field at the
/// position `first` on.
void write_fields(
    JsonWriter& writer, const void* object, const StructInfo& info, std::size_t first = 0
);

}  // namespace model
}  // namespace v0
}  // namespace openenv
