#include <openenv/base/json.hpp>
#include <openenv/base/json_reader.hpp>
#include <openenv/wire/reply.hpp>

#include <string>

namespace openenv {
inline namespace v0 {
namespace wire {

namespace {

Error unreadable(const std::string& why) {
    return Error{Errc::invalid_json, "the server's answer cannot be read: " + why};
}

Errc code_of(std::string_view server_code) {
    if (server_code == "CAPACITY_REACHED") {
        return Errc::capacity_reached;
    }
    if (server_code == "VALIDATION_ERROR") {
        return Errc::validation;
    }
    if (server_code == "INVALID_JSON") {
        return Errc::invalid_json;
    }
    if (server_code == "UNKNOWN_TYPE") {
        return Errc::unknown_type;
    }
    if (server_code == "FACTORY_ERROR") {
        return Errc::factory_failed;
    }
    if (server_code == "SESSION_ERROR") {
        return Errc::session;
    }
    return Errc::execution;  // EXECUTION_ERROR, and what only other servers know
}

/// A member as text; anything but a text as JSON.
std::string text_of(const Json& object, std::string_view key, std::string_view otherwise) {
    const Json* member = object.find(key);
    if (member == nullptr) {
        return std::string(otherwise);
    }
    return member->is_string() ? member->as_string() : member->dump();
}

}  // namespace

ReplyKind reply_kind(std::string_view type) {
    if (type == "observation") {
        return ReplyKind::observation;
    }
    if (type == "state") {
        return ReplyKind::state;
    }
    if (type == "mcp") {
        return ReplyKind::mcp;
    }
    if (type == "error") {
        return ReplyKind::error;
    }
    if (type == "batch") {
        return ReplyKind::batch;
    }
    return type == "closed" ? ReplyKind::closed : ReplyKind::other;
}

Result<Reply> parse_reply(std::string_view message) {
    JsonReader reader(message);
    if (reader.peek() != JsonToken::object) {
        return unreadable("it is not a JSON object");
    }
    Reply reply;
    reply.data = "{}";
    reader.enter_object();
    while (const auto key = reader.next_key()) {
        if (*key == "type" && reader.peek() == JsonToken::string) {
            reply.kind = reply_kind(reader.read_string());
        } else if (*key == "data") {
            const JsonToken token = reader.peek();
            reply.data = reader.skip();
            if (token != JsonToken::object) {
                return unreadable("its data is not an object");
            }
        } else if (*key == "x" && reader.peek() == JsonToken::object) {
            reply.x = reader.skip();
        } else {
            reader.skip();
        }
    }
    if (!reader.finish()) {
        return unreadable(reader.error_text());
    }
    return reply;
}

Error to_error(std::string_view error_data) {
    const Json data = Json::parse(error_data);
    Error error;
    error.server_code = text_of(data, "code", "UNKNOWN");
    error.code = code_of(error.server_code);
    error.message = "Server error: " + text_of(data, "message", "Unknown error") +
                    " (code: " + error.server_code + ")";
    if (const Json* errors = data.find("errors"); errors != nullptr && errors->is_array()) {
        error.errors = errors->dump();
    }
    return error;
}

bool ends_session(std::string_view server_code) {
    return server_code == "CAPACITY_REACHED" || server_code == "FACTORY_ERROR" ||
           server_code == "SESSION_ERROR";
}

}  // namespace wire
}  // namespace v0
}  // namespace openenv
