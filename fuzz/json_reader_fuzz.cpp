/// Any bytes: the reader must end with a value or an error, the same way whichever way it is used,
/// and what is written from the value must be JSON again.

#include <openenv/base/json.hpp>
#include <openenv/base/json_reader.hpp>
#include <openenv/base/json_writer.hpp>
#include <openenv/base/utf8.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "%s\n", what);
        std::abort();
    }
}

void read_and_skip(std::string_view text) {
    openenv::JsonReader reading(text);
    const openenv::Json value = openenv::Json::read(reading);
    const bool good = reading.finish();
    openenv::JsonReader passing(text);
    passing.skip();
    require(passing.finish() == good, "reading and passing over disagree");
    require(passing.error_text() == reading.error_text(), "they give different reasons");
    if (!good) {
        return;
    }
    const std::string printed = value.dump();
    require(openenv::is_utf8(printed), "what is written is not UTF-8");
    // Not compared with the value itself: numbers that are not finite are written as null.
    require(openenv::Json::parse(printed).dump() == printed, "what is written reads differently");
}

void write_any_bytes(std::string_view bytes) {
    std::string text;
    openenv::JsonWriter(text).string(bytes);
    require(openenv::is_utf8(text), "a string is not written as UTF-8");
    openenv::JsonReader reader(text);
    reader.read_string();
    require(reader.finish(), "a string is not written as JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // A copy of its exact size, so that reading past the end is noticed.
    const std::string text(data, data + size);
    read_and_skip(text);
    write_any_bytes(text);
    return 0;
}
