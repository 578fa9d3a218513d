#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {

class Json;

/// Appends JSON to a text, value by value: compact, raw UTF-8, keys in the order they are given.
///
/// Commas are placed by the writer; that the calls nest properly is the caller's part. The result
/// is JSON whatever the values are: NaN and infinities become null, bytes that are not UTF-8
/// become U+FFFD, lone surrogates (see `append_code_point`) become escapes.
/// Lifetime: the text outlives the writer.
class JsonWriter {
public:
    /// Starts a value at the end of `out`; what `out` already holds stays as it is.
    explicit JsonWriter(std::string& out) noexcept : out_(out) {}

    void begin_object() { open('{'); }
    void end_object() { close('}'); }
    void begin_array() { open('['); }
    void end_array() { close(']'); }
    /// The key of the next value; only inside an object.
    void key(std::string_view name);
    /// The same for a key that is there in the form `,"name":`, name and all.
    void ready_key(std::string_view text) {
        out_ += text.substr(comma_ ? 0 : 1);
        comma_ = false;
    }

    void null();
    void boolean(bool value);
    template <std::integral Integer>
    void integer(Integer value) {
        if constexpr (std::signed_integral<Integer>) {
            signed_integer(value);
        } else {
            unsigned_integer(value);
        }
    }
    /// The shortest text that reads back as the same double, always with a fraction or exponent.
    void number(double value);
    void number(float value);
    void string(std::string_view value);
    void json(const Json& value);
    /// A value that is JSON text already.
    void raw(std::string_view text);
    /// Text of known size inside a string that needs no escapes, such as base64.
    void plain_string(std::string_view value);

private:
    void separate() {
        if (comma_) {
            out_.push_back(',');
        }
        comma_ = true;
    }
    void open(char bracket) {
        separate();
        out_.push_back(bracket);
        comma_ = false;
    }
    void close(char bracket) {
        out_.push_back(bracket);
        comma_ = true;
    }
    void quoted(std::string_view text, std::string_view behind);
    void signed_integer(std::int64_t value);
    void unsigned_integer(std::uint64_t value);

    std::string& out_;
    bool comma_ = false;  // a comma is due before the next key or value
};

}  // namespace v0
}  // namespace openenv
