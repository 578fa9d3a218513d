#include "openenv/model/validation.hpp"

#include <openenv/base/json.hpp>
#include <openenv/base/json_reader.hpp>
#include <openenv/base/json_writer.hpp>

#include <algorithm>
#include <numeric>
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
            writer.string(part.key);
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

void ValidationErrors::erase(std::size_t from, std::size_t to) {
    const auto begin = errors_.begin();
    errors_.erase(
        begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to)
    );
}

void ValidationErrors::sort_from(std::size_t first, std::span<const std::size_t> ranks) {
    if (std::is_sorted(ranks.begin(), ranks.end())) {
        return;
    }
    std::vector<std::size_t> order(ranks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return ranks[a] < ranks[b];
    });
    std::vector<ValidationError> sorted;
    for (const std::size_t position : order) {
        sorted.push_back(std::move(errors_[first + position]));
    }
    std::move(sorted.begin(), sorted.end(), errors_.begin() + static_cast<std::ptrdiff_t>(first));
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
