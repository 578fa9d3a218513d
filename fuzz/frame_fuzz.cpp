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

void check(const Frame& frame, std::string_view text) {
    require(is_json(text), "a frame was read from what is not JSON");
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
    const auto parsed = openenv::wire::parse_frame(text);
    std::visit([&text](const auto& part) { check(part, text); }, parsed);
    return 0;
}
