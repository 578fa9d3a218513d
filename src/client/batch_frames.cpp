#include "client/batch_frames.hpp"

#include "client/extras.hpp"

#include <openenv/base/json_reader.hpp>
#include <openenv/base/json_writer.hpp>

#include <charconv>
#include <iterator>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

namespace {

/// The parts of an entry's data, and where the whole of it stands.
void read_data(JsonReader& reader, BatchEntry& entry) {
    if (reader.peek() != JsonToken::object) {
        reader.skip();
        entry.data = {};
        return;
    }
    const std::size_t from = reader.offset();
    entry.parts = read_parts(reader);
    entry.data = reader.slice(from, reader.offset());
}

/// False when it is no entry at all.
bool read_entry(JsonReader& reader, BatchEntry& entry) {
    if (!reader.enter_object()) {
        return false;
    }
    bool has_session = false;
    while (const auto key = reader.next_key()) {
        if (*key == "session") {
            const std::optional<std::uint64_t> number = read_id(reader);
            has_session = number.has_value();
            entry.session = number.value_or(0);
        } else if (*key == "type" && reader.peek() == JsonToken::string) {
            entry.kind = wire::reply_kind(reader.read_string());
        } else if (*key == "data") {
            read_data(reader, entry);
        } else if (*key == "id") {
            entry.id = read_id(reader);
        } else if (*key == "timeout") {
            entry.timeout = read_word(reader);
        } else {
            reader.skip();
        }
    }
    return has_session && !entry.data.empty();
}

bool read_entries(JsonReader& reader, std::vector<BatchEntry>& entries) {
    bool good = reader.enter_array();
    while (reader.next_item()) {
        good = read_entry(reader, entries.emplace_back()) && good;
        if (!reader.ok()) {
            return false;
        }
    }
    return good;
}

void append_number(std::string& out, std::size_t number) {
    char digits[24];
    const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), number);
    out.append(digits, end);
}

}  // namespace

Result<BatchReply> parse_batch_reply(std::string_view message) {
    BatchReply reply;
    JsonReader reader(message);
    bool good = reader.enter_object();
    while (const auto key = reader.next_key()) {
        if (*key == "type" && reader.peek() == JsonToken::string) {
            reply.kind = wire::reply_kind(reader.read_string());
        } else if (*key == "data" && reader.peek() == JsonToken::object) {
            reply.data = reader.skip();
        } else if (*key == "x" && reader.peek() == JsonToken::object) {
            reader.enter_object();
            while (const auto inner = reader.next_key()) {
                if (*inner == "batch") {
                    good = read_entries(reader, reply.entries) && good;
                } else {
                    reader.skip();
                }
            }
        } else {
            reader.skip();
        }
    }
    if (!reader.finish() || !good) {
        return Error{
            Errc::invalid_json,
            "the server's answer cannot be read: " +
                (reader.ok()
                     ? std::string("an entry of a batch has no session, or its data is no object")
                     : reader.error_text())};
    }
    return reply;
}

BatchMessage::BatchMessage(std::string_view type) {
    text_ = R"({"type":")";
    text_ += type;
    text_ += R"(","x":{"batch":[)";
}

void BatchMessage::add(const Entry& entry) {
    text_ += entries_ == 0 ? R"({"session":)" : R"(,{"session":)";
    append_number(text_, entry.session);
    if (!entry.data.empty()) {
        text_ += R"(,"data":)";
        text_ += entry.data;
    }
    if (entry.id) {
        text_ += R"(,"id":)";
        append_number(text_, *entry.id);
    }
    if (entry.timeout_s) {
        text_ += R"(,"timeout_s":)";
        JsonWriter(text_).number(*entry.timeout_s);
    }
    if (!entry.extra.empty()) {
        text_ += R"(,"extra":)";
        text_ += entry.extra;
    }
    text_ += '}';
    ++entries_;
}

std::string BatchMessage::finish(std::string_view former) && {
    text_ += ']';
    if (!former.empty()) {
        text_ += R"(,"former":)";
        text_ += former;
    }
    text_ += "}}";
    return std::move(text_);
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
