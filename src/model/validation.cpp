#include "openenv/model/validation.hpp"

#include <openenv/base/json.hpp>
#include <openenv/base/json_reader.hpp>
#include <openenv/base/json_writer.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace model {

namespace {

/// The documentation of the release whose behaviour is followed.
constexpr std::string_view kErrorUrl = "https://errors.pydantic.dev/2.14/v/";

/// The start of `text` that is at most `size` bytes long and ends between two characters.
std::string_view cut_text(std::string_view text, std::size_t size) noexcept {
    if (text.size() <= size) {
        return text;
    }
    while (size != 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) {
        --size;
    }
    return text.substr(0, size);
}

/// A text of the peer's as an error repeats it: whole, or its start and a note.
std::string shortened(std::string_view text, std::size_t size_in_all) {
    std::string shown(cut_text(text, kMaxEchoedString));
    if (shown.size() != text.size()) {
        shown += "... (cut, " + std::to_string(size_in_all) + " bytes in all)";
    }
    return shown;
}

void write_error(JsonWriter& writer, const ValidationError& error, const ErrorFormat& format) {
    writer.begin_object();
    writer.key("type");
    writer.string(error.type);
    writer.key("loc");
    writer.begin_array();
    if (!format.loc_prefix.empty()) {
        writer.string(format.loc_prefix);
    }
    for (const LocPart& part : error.loc) {
        if (part.is_index) {
            writer.integer(part.index);
        } else {
            writer.string(shortened(part.key, part.key.size()));
        }
    }
    writer.end_array();
    writer.key("msg");
    writer.string(error.msg);
    writer.key("input");
    writer.raw(error.input);
    if (!error.ctx.empty()) {
        writer.key("ctx");
        writer.raw(error.ctx);
    }
    if (format.url) {
        writer.key("url");
        writer.string(std::string(kErrorUrl) + error.type);
    }
    writer.end_object();
}

}  // namespace

void ValidationErrors::add(ValidationError error) {
    if (room() != 0) {
        errors_.push_back(std::move(error));
    }
}

void ValidationErrors::clear() noexcept {
    errors_.clear();
}

void ValidationErrors::append_json(std::string& out, const ErrorFormat& format) const {
    JsonWriter writer(out);
    writer.begin_array();
    for (const ValidationError& error : errors_) {
        write_error(writer, error, format);
    }
    writer.end_array();
}

std::string ValidationErrors::to_json(const ErrorFormat& format) const {
    std::string text;
    append_json(text, format);
    return text;
}

std::string ValidationErrors::summary() const {
    std::string text;
    for (const ValidationError& error : errors_) {
        text += text.empty() ? "" : "; ";
        for (std::size_t i = 0; i != error.loc.size(); ++i) {
            const LocPart& part = error.loc[i];
            text += i == 0 ? "" : ".";
            text += part.is_index ? std::to_string(part.index) : part.key;
        }
        text += error.loc.empty() ? "" : ": ";
        text += error.msg;
    }
    return text;
}

void ValidationErrors::remove_under(std::span<const LocPart> loc) {
    std::erase_if(errors_, [&](const ValidationError& error) {
        return error.loc.size() >= loc.size() &&
               std::equal(loc.begin(), loc.end(), error.loc.begin());
    });
}

void ValidationErrors::sort_from(
    std::size_t first,
    std::size_t depth,
    std::size_t (*rank)(const LocPart&, const void*),
    const void* context
) {
    // An error about the whole value, at `depth` itself, comes after those about its parts.
    const auto rank_of = [&](const ValidationError& error) {
        return error.loc.size() > depth ? rank(error.loc[depth], context) : SIZE_MAX;
    };
    std::stable_sort(
        errors_.begin() + static_cast<std::ptrdiff_t>(std::min(first, errors_.size())),
        errors_.end(),
        [&](const ValidationError& a, const ValidationError& b) { return rank_of(a) < rank_of(b); }
    );
}

void ValidationErrors::take(ValidationErrors&& other) {
    for (ValidationError& error : other.errors_) {
        add(std::move(error));
    }
    other.clear();
}

std::string shortened(std::string_view text) {
    std::string shown(cut_text(text, kMaxEchoedString));
    if (shown.size() != text.size()) {
        shown += "... (cut, " + std::to_string(text.size()) + " bytes in all)";
    }
    return shown;
}

std::string echo_input(std::string_view raw) {
    if (raw.empty()) {
        return "null";
    }
    std::string text;
    JsonWriter writer(text);
    if (raw.front() == '"') {
        JsonReader reader(raw);
        writer.string(shortened(reader.read_string()));
    } else if (raw.size() > kMaxEchoedValue) {
        const std::string_view kind = raw.front() == '['   ? "array"
                                      : raw.front() == '{' ? "object"
                                                           : "value";
        writer.string(
            "(" + std::string(kind) + " not repeated, " + std::to_string(raw.size()) +
            " bytes in all)"
        );
    } else {
        // Through a value: what is echoed must be JSON that every client can read, so no NaN and
        // no duplicate keys.
        JsonReader reader(raw, kMaxJsonDepth);
        writer.json(Json::read(reader));
    }
    return text;
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
