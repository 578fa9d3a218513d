#include "wire/extras_reader.hpp"

#include <openenv/base/json_reader.hpp>
#include <openenv/base/json_writer.hpp>
#include <openenv/model/validation.hpp>
#include <openenv/wire/frame.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace wire {

namespace {

using model::ValidationError;
using model::ValidationErrors;

/// As much of a peer's own text as an error repeats.
constexpr std::size_t kEchoedType = 200;

/// A value of the envelope that is looked at later.
struct Part {
    JsonToken token = JsonToken::null;
    std::string_view raw;
};

Part take(JsonReader& reader) {
    Part part;
    part.token = reader.peek();
    part.raw = reader.skip();
    return part;
}

std::optional<FrameKind> kind_of(std::string_view type) {
    if (type == "step") {
        return FrameKind::step;
    }
    if (type == "reset") {
        return FrameKind::reset;
    }
    if (type == "state") {
        return FrameKind::state;
    }
    if (type == "mcp") {
        return FrameKind::mcp;
    }
    if (type == "close") {
        return FrameKind::close;
    }
    return std::nullopt;
}

/// The type of a message, as far as it is one.
struct TypePart {
    Part part;
    std::optional<FrameKind> kind;
};

TypePart take_type(JsonReader& reader) {
    TypePart type;
    type.part.token = reader.peek();
    if (type.part.token != JsonToken::string) {
        type.part.raw = reader.skip();
        return type;
    }
    const std::size_t begin = reader.offset();
    type.kind = kind_of(reader.read_string());
    type.part.raw = reader.slice(begin, reader.offset());
    return type;
}

/// An `x` that was read when it was passed.
struct ReadExtras {
    FrameKind kind;  ///< of the message, as far as was known then
    Extras extras = {};
    ValidationErrors errors = {};
};

/// The parts of an object, of each key the last.
struct Envelope {
    std::optional<TypePart> type;
    std::optional<Part> data;
    std::optional<Part> x;  ///< where extensions have been granted
    std::optional<ReadExtras> extras;
    std::vector<std::pair<std::string, Part>> others;
    std::size_t before_data = 0;  ///< how many of the others came before data did first
};

/// Takes the `x`. What it may hold depends on the type, so it can be read at once where that came
/// before, as it mostly does; a large batch is gone through once less then.
void take_extras(Envelope& envelope, JsonReader& reader, Features granted) {
    Part part;
    part.token = reader.peek();
    const std::size_t begin = reader.offset();
    envelope.extras.reset();
    const auto kind = envelope.type ? envelope.type->kind : std::nullopt;
    if (kind) {
        ReadExtras& read = envelope.extras.emplace(ReadExtras{*kind});
        read.extras = read_extras(reader, *kind, granted, read.errors);
    } else {
        reader.skip();
    }
    part.raw = reader.slice(begin, reader.offset());
    envelope.x = part;
}

Envelope read_envelope(JsonReader& reader, Features granted) {
    Envelope envelope;
    while (const std::optional<std::string_view> key = reader.next_key()) {
        if (*key == "type") {
            envelope.type = take_type(reader);
        } else if (*key == "data") {
            envelope.before_data = envelope.data ? envelope.before_data : envelope.others.size();
            envelope.data = take(reader);
        } else if (granted.any() && *key == "x") {
            take_extras(envelope, reader, granted);
        } else if (envelope.others.size() < model::kMaxValidationErrors) {
            std::string name(*key);
            envelope.others.emplace_back(std::move(name), take(reader));
        } else {
            reader.skip();  // there are more errors already than are told
        }
    }
    return envelope;
}

FrameError unknown_type(std::string shown) {
    if (shown.size() > kEchoedType) {
        shown.resize(kEchoedType);
        shown += "...";
    }
    return {FrameErrorCode::unknown_type, "Unknown message type: " + shown};
}

/// Says so of a type that is none, as the Python edition prints it.
FrameError unknown_type(const std::optional<TypePart>& type) {
    if (!type) {
        return unknown_type("");
    }
    const Part& part = type->part;
    switch (part.token) {
        case JsonToken::string:
            return unknown_type(std::string(JsonReader(part.raw).read_string()));
        case JsonToken::null:
            return unknown_type("None");
        case JsonToken::boolean:
            return unknown_type(part.raw == "true" ? "True" : "False");
        default:
            return unknown_type(std::string(part.raw));
    }
}

FrameError invalid(const ValidationErrors& errors) {
    return {FrameErrorCode::validation_error, "Invalid message", errors.to_json()};
}

void add(
    ValidationErrors& errors,
    std::string type,
    std::string_view key,
    std::string msg,
    std::string_view input
) {
    ValidationError error;
    error.type = std::move(type);
    error.loc = {model::LocPart(model::shortened(key))};
    error.msg = std::move(msg);
    error.input = model::echo_input(input);
    errors.add(std::move(error));
}

/// What the envelope of a message of that kind may hold.
void check(
    FrameKind kind,
    const Envelope& envelope,
    bool is_batch,
    std::string_view text,
    ValidationErrors& errors
) {
    const auto& data = envelope.data;
    const auto extra = [&errors](std::string_view key, const Part& part) {
        add(errors, "extra_forbidden", key, "Extra inputs are not permitted", part.raw);
    };
    const bool takes_data = kind != FrameKind::state && !is_batch;
    switch (kind) {
        case FrameKind::step:
        case FrameKind::mcp:
            if (!data && takes_data) {
                add(errors, "missing", "data", "Field required", text);
            }
            [[fallthrough]];
        case FrameKind::reset:
            if (data && takes_data && data->token != JsonToken::object) {
                add(errors, "dict_type", "data", "Input should be a valid dictionary", data->raw);
            }
            break;
        case FrameKind::state:  // data is then one of the unknown keys
        case FrameKind::close:  // a peer that adds data wants to close all the same
            break;
    }
    const auto& others = envelope.others;
    const auto data_place = others.begin() + static_cast<std::ptrdiff_t>(envelope.before_data);
    for (auto entry = others.begin();; ++entry) {
        if (!takes_data && data && entry == data_place) {
            extra("data", *data);
        }
        if (entry == others.end()) {
            break;
        }
        const auto same_key = [&entry](const auto& other) { return other.first == entry->first; };
        if (std::none_of(others.begin(), entry, same_key)) {
            // Of a key that stands there twice the last value counts.
            extra(entry->first, std::find_if(others.rbegin(), others.rend(), same_key)->second);
        }
    }
}

FrameError not_an_object(std::string_view text) {
    ValidationErrors errors;
    ValidationError error;
    error.type = "dict_type";
    error.msg = "Input should be a valid dictionary";
    error.input = model::echo_input(text);
    errors.add(std::move(error));
    return invalid(errors);
}

/// What the parts of an object make.
std::variant<Frame, FrameError> read_frame(
    Envelope& envelope, Features granted, std::string_view text
) {
    if (!envelope.type || !envelope.type->kind) {
        return unknown_type(envelope.type);
    }
    const FrameKind kind = *envelope.type->kind;
    Frame frame;
    frame.kind = kind;
    ValidationErrors errors;
    if (envelope.extras && envelope.extras->kind == kind) {
        frame.extras = std::move(envelope.extras->extras);
        errors = std::move(envelope.extras->errors);
    } else if (envelope.x) {
        JsonReader reader(envelope.x->raw);
        frame.extras = read_extras(reader, kind, granted, errors);
    }
    check(kind, envelope, frame.extras.batch.has_value(), text, errors);
    if (!errors.empty()) {
        return invalid(errors);
    }
    if (envelope.data) {
        frame.data = envelope.data->raw;
    } else if (kind == FrameKind::reset && !frame.extras.batch) {
        frame.data = "{}";
    }
    return frame;
}

void begin_error(JsonWriter& writer, std::string_view message, std::string_view code) {
    writer.begin_object();
    writer.key("type");
    writer.string("error");
    writer.key("data");
    writer.begin_object();
    writer.key("message");
    writer.string(message);
    writer.key("code");
    writer.string(code);
}

}  // namespace

std::string_view name_of(FrameErrorCode code) noexcept {
    switch (code) {
        case FrameErrorCode::invalid_json:
            return "INVALID_JSON";
        case FrameErrorCode::unknown_type:
            return "UNKNOWN_TYPE";
        case FrameErrorCode::validation_error:
            return "VALIDATION_ERROR";
        case FrameErrorCode::execution_error:
            return "EXECUTION_ERROR";
        case FrameErrorCode::capacity_reached:
            return "CAPACITY_REACHED";
        case FrameErrorCode::factory_error:
            return "FACTORY_ERROR";
        case FrameErrorCode::session_error:
            return "SESSION_ERROR";
    }
    return "SESSION_ERROR";
}

std::variant<Frame, FrameError> parse_frame(std::string_view text, Features granted) {
    JsonReader reader(text);
    const bool is_object = reader.peek() == JsonToken::object;
    Envelope envelope;
    if (is_object) {
        reader.enter_object();
        envelope = read_envelope(reader, granted);
    } else {
        reader.skip();
    }
    if (!reader.finish()) {
        return FrameError{FrameErrorCode::invalid_json, "Invalid JSON: " + reader.error_text()};
    }
    if (!is_object) {
        return not_an_object(text);
    }
    std::variant<Frame, FrameError> read = read_frame(envelope, granted, text);
    if (auto* error = std::get_if<FrameError>(&read); error != nullptr && envelope.x) {
        error->id = granted.ids ? read_id(envelope.x->raw) : std::string_view();
    }
    return read;
}

void append_end(std::string& out, std::string_view id) {
    if (!id.empty()) {
        out += R"(,"x":{"id":)";
        out += id;
        out += '}';
    }
    out += kSuffix;
}

std::string error_frame(const FrameError& error) {
    std::string out;
    JsonWriter writer(out);
    begin_error(writer, error.message, name_of(error.code));
    if (!error.errors.empty()) {
        writer.key("errors");
        writer.raw(error.errors);
    }
    writer.end_object();
    if (error.timeout.empty()) {
        append_end(out, error.id);
        return out;
    }
    writer.key("x");
    writer.begin_object();
    if (!error.id.empty()) {
        writer.key("id");
        writer.raw(error.id);
    }
    writer.key("timeout");
    writer.string(error.timeout);
    writer.end_object();
    writer.end_object();
    return out;
}

std::string capacity_frame(std::size_t active, std::size_t max, std::string_view id) {
    std::string out;
    JsonWriter writer(out);
    const std::string message = "Server at capacity: " + std::to_string(active) + "/" +
                                std::to_string(max) +
                                " sessions active. Cannot accept new connections.";
    begin_error(writer, message, name_of(FrameErrorCode::capacity_reached));
    writer.key("active_sessions");
    writer.integer(static_cast<std::uint64_t>(active));
    writer.key("max_sessions");
    writer.integer(static_cast<std::uint64_t>(max));
    writer.end_object();
    append_end(out, id);
    return out;
}

std::string factory_frame(
    std::string_view message, std::string_view factory_name, std::string_view id
) {
    std::string out;
    JsonWriter writer(out);
    begin_error(writer, message, name_of(FrameErrorCode::factory_error));
    writer.key("factory_name");
    writer.string(factory_name);
    writer.end_object();
    append_end(out, id);
    return out;
}

}  // namespace wire
}  // namespace v0
}  // namespace openenv
