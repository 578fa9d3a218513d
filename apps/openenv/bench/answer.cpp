#include "bench/answer.hpp"

#include <openenv/base/error.hpp>
#include <openenv/base/json_members.hpp>
#include <openenv/base/json_reader.hpp>
#include <openenv/wire/reply.hpp>

#include <optional>

namespace openenv::bench {
namespace {

constexpr std::size_t kQuoted = 200;

[[noreturn]] void throw_wrong(std::string_view message) {
    throw Trouble(
        Reason::wrong_answer,
        "not the answer that was asked for: " + std::string(message.substr(0, kQuoted))
    );
}

/// Takes a word off the front, and the blanks before it. False when another one is there.
bool take(std::string_view& text, std::string_view word) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || !text.substr(begin).starts_with(word)) {
        return false;
    }
    text.remove_prefix(begin + word.size());
    return true;
}

bool begins_as_observation(std::string_view text) {
    return take(text, "{") && take(text, "\"type\"") && take(text, ":") &&
           take(text, "\"observation\"");
}

bool says_done(std::string_view data) {
    return raw_member(data, "done") == "true";
}

Answer::Kind kind_of(std::string_view type) {
    if (type == "observation") {
        return Answer::Kind::observation;
    }
    return type == "error" ? Answer::Kind::error : Answer::Kind::other;
}

/// Passes over the data of an answer, and looks on the way whether it ends an episode.
void read_data(JsonReader& reader, Answer& answer) {
    if (reader.peek() != JsonToken::object) {
        answer.data = reader.skip();
        return;
    }
    const std::size_t begin = reader.offset();
    reader.enter_object();
    while (const auto key = reader.next_key()) {
        const bool tells = *key == "done";
        const std::string_view value = reader.skip();
        answer.done = tells ? value == "true" : answer.done;
    }
    answer.data = reader.slice(begin, reader.offset());
}

/// One `{"session":0,"type":"observation","data":{...}}`.
std::optional<Answer> read_entry(JsonReader& reader, bool wants_done) {
    Answer answer;
    bool has_session = false;
    const std::size_t begin = reader.offset();
    if (!reader.enter_object()) {
        return std::nullopt;
    }
    while (const auto key = reader.next_key()) {
        if (*key == "session" && reader.peek() == JsonToken::number) {
            const JsonNumber number = reader.read_number();
            has_session = number.kind == JsonNumber::Kind::int64 && number.int64 >= 0;
            answer.session = has_session ? static_cast<std::size_t>(number.int64) : 0;
        } else if (*key == "type" && reader.peek() == JsonToken::string) {
            answer.kind = kind_of(reader.read_string());
        } else if (*key == "data" && wants_done) {
            read_data(reader, answer);
        } else if (*key == "data") {
            answer.data = reader.skip();
        } else {
            reader.skip();
        }
    }
    if (!reader.ok() || !has_session) {
        return std::nullopt;
    }
    answer.text = reader.slice(begin, reader.offset());
    return answer;
}

/// The list of entries that comes next; nothing when one of them is none.
std::optional<std::vector<Answer>> read_entries(JsonReader& reader, bool wants_done) {
    std::vector<Answer> answers;
    reader.enter_array();
    while (reader.next_item()) {
        const std::optional<Answer> answer = read_entry(reader, wants_done);
        if (!answer) {
            return std::nullopt;
        }
        answers.push_back(*answer);
    }
    return answers;
}

/// `{"batch":[...]}`; nothing without such a list.
std::optional<std::vector<Answer>> read_extension(JsonReader& reader, bool wants_done) {
    std::optional<std::vector<Answer>> answers;
    reader.enter_object();
    while (const auto key = reader.next_key()) {
        if (*key != "batch" || reader.peek() != JsonToken::array) {
            reader.skip();
            continue;
        }
        answers = read_entries(reader, wants_done);
        if (!answers) {
            return std::nullopt;  // the reader stands in the midst of it
        }
    }
    return answers;
}

}  // namespace

Answer read_answer(std::string_view message, bool wants_done) {
    Answer answer;
    answer.text = message;
    if (!wants_done && begins_as_observation(message)) {
        answer.kind = Answer::Kind::observation;
        return answer;
    }
    const Result<wire::Reply> reply = wire::parse_reply(message);
    if (!reply) {
        throw_wrong(message);
    }
    answer.data = reply->data;
    if (reply->kind == wire::ReplyKind::observation) {
        answer.kind = Answer::Kind::observation;
        answer.done = wants_done && says_done(reply->data);
    } else if (reply->kind == wire::ReplyKind::error) {
        answer.kind = Answer::Kind::error;
    }
    return answer;
}

std::vector<Answer> read_batch(std::string_view message, bool wants_done) {
    JsonReader reader(message);
    std::optional<std::vector<Answer>> answers;
    reader.enter_object();
    while (const auto key = reader.next_key()) {
        if (*key != "x" || reader.peek() != JsonToken::object) {
            reader.skip();
            continue;
        }
        answers = read_extension(reader, wants_done);
        if (!answers) {
            break;
        }
    }
    if (answers && reader.finish()) {
        return *std::move(answers);
    }
    const Answer whole = read_answer(message, false);
    if (whole.kind == Answer::Kind::error) {
        throw trouble_of(whole);
    }
    throw_wrong(message);
}

Trouble trouble_of(const Answer& answer) {
    const Error error = wire::to_error(answer.data);
    const bool is_full = error.code == Errc::capacity_reached;
    return {is_full ? Reason::capacity : Reason::error_frame, error.message, error.server_code};
}

}  // namespace openenv::bench
