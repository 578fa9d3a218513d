// What reading and writing JSON costs, on the texts that environments send: a small step, a large
// string (an image in base64), a frame of pixels as numbers, and text full of escapes.

#include <openenv/base/json.hpp>
#include <openenv/base/json_reader.hpp>
#include <openenv/base/json_writer.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using openenv::Json;
using openenv::JsonReader;
using openenv::JsonWriter;

constexpr std::size_t kLargeString = 1U << 20U;
constexpr std::size_t kPixels = std::size_t{84} * 84 * 3;

std::string step_frame() {
    return R"({"type":"step","data":{"message":"hello"}})";
}

std::string large_string() {
    return '"' + std::string(kLargeString, 'A') + '"';
}

std::vector<std::uint8_t> pixels() {
    std::vector<std::uint8_t> values(kPixels);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::uint8_t>(i * 37U);
    }
    return values;
}

std::string pixels_text() {
    std::string text;
    JsonWriter writer(text);
    writer.begin_array();
    for (const std::uint8_t value : pixels()) {
        writer.integer(value);
    }
    writer.end_array();
    return text;
}

std::string prose() {
    std::string text;
    while (text.size() < 100'000) {
        text += "She said \"no\"\n\tand left; \xc3\xa9t\xc3\xa9 \xe2\x82\xac 5.\n";
    }
    return text;
}

std::string escaped_text() {
    std::string text;
    JsonWriter(text).string(prose());
    return text;
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

/// Reads a step the way the server does: the envelope by its keys, the payload as a slice.
void read_step(benchmark::State& state) {
    const std::string text = step_frame();
    while (state.KeepRunning()) {
        JsonReader reader(text);
        std::string_view data;
        reader.enter_object();
        while (const auto key = reader.next_key()) {
            if (*key == "data") {
                data = reader.skip();
            } else {
                benchmark::DoNotOptimize(reader.read_string());
            }
        }
        benchmark::DoNotOptimize(data);
        if (!reader.finish()) {
            state.SkipWithError("the step was not read");
        }
    }
    count_bytes(state, text.size());
}
BENCHMARK(read_step);

void write_observation(benchmark::State& state) {
    std::string out;
    while (state.KeepRunning()) {
        out.clear();
        JsonWriter writer(out);
        writer.begin_object();
        writer.key("type");
        writer.string("observation");
        writer.key("data");
        writer.begin_object();
        writer.key("observation");
        writer.begin_object();
        writer.key("echoed_message");
        writer.string("hello");
        writer.key("message_length");
        writer.integer(5);
        writer.end_object();
        writer.key("reward");
        writer.number(0.5);
        writer.key("done");
        writer.boolean(false);
        writer.end_object();
        writer.end_object();
        benchmark::DoNotOptimize(out.data());
    }
    count_bytes(state, out.size());
}
BENCHMARK(write_observation);

void skip_text(benchmark::State& state, std::string (*make)()) {
    const std::string text = make();
    while (state.KeepRunning()) {
        JsonReader reader(text);
        benchmark::DoNotOptimize(reader.skip());
        if (!reader.finish()) {
            state.SkipWithError("the text was not read");
        }
    }
    count_bytes(state, text.size());
}
BENCHMARK_CAPTURE(skip_text, large_string, large_string);
BENCHMARK_CAPTURE(skip_text, pixels, pixels_text);
BENCHMARK_CAPTURE(skip_text, escaped, escaped_text);

void read_pixels(benchmark::State& state) {
    const std::string text = pixels_text();
    std::vector<std::uint8_t> values;
    while (state.KeepRunning()) {
        values.clear();
        JsonReader reader(text);
        reader.enter_array();
        while (reader.next_item()) {
            values.push_back(static_cast<std::uint8_t>(reader.read_number().int64));
        }
        benchmark::DoNotOptimize(values.data());
        if (!reader.finish() || values.size() != kPixels) {
            state.SkipWithError("the pixels were not read");
        }
    }
    count_bytes(state, text.size());
}
BENCHMARK(read_pixels);

void write_pixels(benchmark::State& state) {
    const std::vector<std::uint8_t> values = pixels();
    std::string out;
    while (state.KeepRunning()) {
        out.clear();
        JsonWriter writer(out);
        writer.begin_array();
        for (const std::uint8_t value : values) {
            writer.integer(value);
        }
        writer.end_array();
        benchmark::DoNotOptimize(out.data());
    }
    count_bytes(state, out.size());
}
BENCHMARK(write_pixels);

void write_string(benchmark::State& state, std::string (*make)()) {
    const std::string text = make();
    std::string out;
    while (state.KeepRunning()) {
        out.clear();
        JsonWriter(out).string(text);
        benchmark::DoNotOptimize(out.data());
    }
    count_bytes(state, out.size());
}
BENCHMARK_CAPTURE(write_string, large_string, large_string);
BENCHMARK_CAPTURE(write_string, escaped, prose);

/// The free-form value, for what no struct describes.
void parse_tree(benchmark::State& state, std::string (*make)()) {
    const std::string text = make();
    while (state.KeepRunning()) {
        benchmark::DoNotOptimize(Json::parse(text));
    }
    count_bytes(state, text.size());
}
BENCHMARK_CAPTURE(parse_tree, step, step_frame);
BENCHMARK_CAPTURE(parse_tree, pixels, pixels_text);

void dump_tree(benchmark::State& state, std::string (*make)()) {
    const Json value = Json::parse(make());
    std::size_t bytes = 0;
    while (state.KeepRunning()) {
        const std::string text = value.dump();
        bytes = text.size();
        benchmark::DoNotOptimize(text.data());
    }
    count_bytes(state, bytes);
}
BENCHMARK_CAPTURE(dump_tree, step, step_frame);
BENCHMARK_CAPTURE(dump_tree, pixels, pixels_text);

}  // namespace

BENCHMARK_MAIN();
