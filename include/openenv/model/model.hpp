#pragma once

/// Reading, writing and describing structs from their one description; see docs/models.md.

#include <openenv/base/error.hpp>
#include <openenv/base/json.hpp>
#include <openenv/base/json_reader.hpp>
#include <openenv/base/json_writer.hpp>
#include <openenv/model/struct_traits.hpp>
#include <openenv/model/validation.hpp>

#include <concepts>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace model {

/// Adds that something is wrong which no error in the list tells.
void add_unlisted_error(ValidationErrors& errors);

/// Reads one value into `out`, whose former content is lost, collecting everything that is wrong.
/// Errors: false when something is wrong. Either `errors` is not empty, or the text is not JSON,
/// which `reader` then says. `out` is unspecified.
template <Describable T>
bool read(JsonReader& reader, T& out, ValidationErrors& errors, const ReadOptions& options = {}) {
    ReadContext context(reader, errors, options);
    const bool good = ValueTraits<T>::read(context, out, kUnconstrained);
    if (!good && reader.ok() && errors.empty()) {
        // Errors that found no room are not in the list, and those in it may be taken back.
        add_unlisted_error(errors);
    }
    return good && reader.ok();
}

/// Adds what is wrong with a text that is not JSON: type "json_invalid".
void add_syntax_error(ValidationErrors& errors, const JsonReader& reader);

/// Reads a whole text. A text that is not JSON is an error of type "json_invalid".
template <Describable T>
bool read(
    std::string_view text, T& out, ValidationErrors& errors, const ReadOptions& options = {}
) {
    JsonReader reader(text);
    const bool good = read(reader, out, errors, options);
    if (!reader.finish()) {
        errors.clear();
        add_syntax_error(errors, reader);
        return false;
    }
    return good;
}

/// Reads a whole text.  Errors: throws Exception (Errc::validation) that lists all that is wrong.
template <Describable T>
[[nodiscard]] T from_json(std::string_view text, const ReadOptions& options = {}) {
    T value{};
    ValidationErrors errors;
    if (!read(text, value, errors, options)) {
        throw Exception(Error{Errc::validation, errors.summary()});
    }
    return value;
}

template <Describable T>
void write(JsonWriter& writer, const T& value) {
    ValueTraits<T>::write(writer, value);
}

template <Describable T>
[[nodiscard]] std::string to_json(const T& value) {
    std::string text;
    JsonWriter writer(text);
    write(writer, value);
    return text;
}

/// Writes the keys and values of `value` into the object that is open.
template <Described T>
void write_all_fields(JsonWriter& writer, const T& value) {
    write_fields(writer, &value, struct_info<T>);
}

/// The same without the fields that Base describes; T is Base, which leaves nothing, or derived.
template <Described Base, std::derived_from<Base> T>
void write_own_fields(JsonWriter& writer, const T& value) {
    // Those of base structs come first.
    write_fields(writer, &value, struct_info<T>, struct_info<Base>.fields.size());
}

/// The JSON Schema of a struct, as pydantic prints it.
template <Described T>
[[nodiscard]] Json schema() {
    return SchemaBuilder().root(struct_info<T>);
}

/// Appends the JSON Schema of a struct.
template <Described T>
void write_schema(std::string& out) {
    JsonWriter(out).json(schema<T>());
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
