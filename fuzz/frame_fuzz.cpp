/// Any bytes as a message: reading must end with a frame whose data is an object, or with an error
/// that can be sent.

#include <openenv/base/json_reader.hpp>
#include <openenv/base/utf8.hpp>
#include <openenv/wire/frame.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

namespace {

using openenv::JsonReader;
using openenv::JsonToken;
using openenv::wire::Frame;
using openenv::wire::FrameError;
using openenv::wire::FrameErrorCode;
using openenv::wire::FrameKind;

void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "%s\n", what);
        std::abort();
    }
}

bool is_json(std::string_view text) {
    JsonReader reader(text);
    reader.skip();
    return reader.finish();
}

bool lies_within(std::string_view part, std::string_view text) {
    const std::less_equal<> not_after;
    return not_after(text.data(), part.data()) &&
           not_after(part.data() + part.size(), text.data() + text.size());
}

void check(const openenv::wire::CallExtras& call, std::string_view text) {
    for (const std::string_view part : {call.id, call.extra}) {
        require(part.empty() || (is_json(part) && lies_within(part, text)), "an extra is not JSON");
    }
    require(!call.timeout_s || *call.timeout_s > 0, "a limit of time is not above 0");
}

void check(const Frame& frame, std::string_view text) {
    require(is_json(text), "a frame was read from what is not JSON");
    check(frame.extras.call, text);
    if (frame.extras.batch) {
        require(frame.data.empty(), "a batch has data");
        require(frame.extras.batch->size() <= openenv::wire::kBatchEntries, "too many entries");
        for (const openenv::wire::BatchEntry& entry : *frame.extras.batch) {
            require(entry.session < openenv::wire::kBatchSessions, "a session's number");
            require(entry.data.empty() || is_json(entry.data), "an entry's data is not JSON");
            check(entry.call, text);
        }
        return;
    }
    if (frame.kind == FrameKind::state) {
        require(frame.data.empty(), "a state has data");
    }
    if (frame.kind == FrameKind::state || frame.kind == FrameKind::close) {
        return;  // whatever a close brings along is not looked at
    }
    require(JsonReader(frame.data).peek() == JsonToken::object, "data is no object");
    require(is_json(frame.data), "data is not JSON");
    require(lies_within(frame.data, text) || frame.data == "{}", "data is not of the message");
}

void check(const FrameError& error, std::string_view text) {
    require(
        is_json(text) == (error.code != FrameErrorCode::invalid_json),
        "the code does not tell whether it is JSON"
    );
    const std::string frame = openenv::wire::error_frame(error);
    require(openenv::is_utf8(frame), "an error is not UTF-8");
    require(is_json(frame), "an error is not JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // A copy of its exact size, so that reading past the end is noticed.
    const std::string text(data, data + size);
    constexpr openenv::wire::Features kNone{};
    constexpr openenv::wire::Features kAll{.ids = true, .deadline = true, .batch = true};
    for (const openenv::wire::Features granted : {kNone, kAll}) {
        const auto parsed = openenv::wire::parse_frame(text, granted);
        std::visit([&text](const auto& part) { check(part, text); }, parsed);
    }
    return 0;
}
