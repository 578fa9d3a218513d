#include "client/extras.hpp"

#include <openenv/base/json_writer.hpp>

namespace openenv {
inline namespace v0 {
namespace client {

std::optional<std::uint64_t> read_id(JsonReader& reader) {
    if (reader.peek() != JsonToken::number) {
        reader.skip();
        return std::nullopt;
    }
    const JsonNumber number = reader.read_number();
    if (number.kind != JsonNumber::Kind::int64 || number.int64 < 0) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(number.int64);
}

std::string_view read_word(JsonReader& reader) {
    const bool is_text = reader.peek() == JsonToken::string;
    const std::string_view raw = reader.skip();
    return is_text && raw.size() >= 2 ? raw.substr(1, raw.size() - 2) : std::string_view();
}

void add_extras(std::string& message, const MessageExtras& extras) {
    if (!extras.any()) {
        return;
    }
    message.pop_back();  // its closing brace
    message += R"(,"x":)";
    JsonWriter writer(message);
    writer.begin_object();
    if (extras.id) {
        writer.key("id");
        writer.integer(*extras.id);
    }
    if (extras.timeout_s) {
        writer.key("timeout_s");
        writer.number(*extras.timeout_s);
    }
    if (!extras.extra.empty()) {
        writer.key("extra");
        writer.raw(extras.extra);
    }
    writer.end_object();
    message += '}';
}

AnswerExtras read_extras(std::string_view x) {
    AnswerExtras extras;
    if (x.empty()) {
        return extras;
    }
    JsonReader reader(x);
    reader.enter_object();
    while (const auto key = reader.next_key()) {
        if (*key == "id") {
            extras.id = read_id(reader);
        } else if (*key == "timeout") {
            extras.timeout = read_word(reader);
        } else {
            reader.skip();
        }
    }
    return extras;
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
