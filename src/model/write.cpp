#include "openenv/model/codec.hpp"

#include <openenv/base/base64.hpp>
#include <openenv/base/json_writer.hpp>

#include <algorithm>

namespace openenv {
inline namespace v0 {
namespace model {

namespace {

bool describes(const StructInfo& info, std::string_view name) noexcept {
    return std::any_of(info.fields.begin(), info.fields.end(), [name](const FieldInfo& field) {
        return field.name == name;
    });
}

}  // namespace

void write_bytes(JsonWriter& writer, const Bytes& value) {
    std::string text;
    append_base64(text, value.data);
    writer.plain_string(text);
}

void write_fields(
    JsonWriter& writer, const void* object, const StructInfo& info, std::size_t first
) {
    // The tables take no const objects so that one serves reading and writing; nothing is changed.
    void* const source = const_cast<void*>(object);
    for (const FieldInfo& field : info.fields.subspan(first)) {
        if (field.key.empty()) {
            writer.key(field.name);
        } else {
            writer.ready_key(field.key);
        }
        field.type->write(writer, field.member(source));
    }
    if (info.extra_member == nullptr) {
        return;
    }
    const Json& extra = *info.extra_member(source);
    if (!extra.is_object()) {
        return;
    }
    for (const auto& [key, value] : extra.items()) {
        if (!describes(info, key)) {
            writer.key(key);
            writer.json(value);
        }
    }
}

void write_struct(JsonWriter& writer, const void* object, const StructInfo& info) {
    writer.begin_object();
    write_fields(writer, object, info);
    writer.end_object();
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
