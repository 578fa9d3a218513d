#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {

/// How deep arrays and objects may nest unless a reader is told otherwise. Python's json gives up
/// where its interpreter does: a little earlier up to Python 3.11 (recursion limit 1000), several
/// thousand levels deep in newer ones.
inline constexpr std::uint32_t kDefaultJsonDepth = 1000;
/// The most that a reader can be set to.
inline constexpr std::uint32_t kMaxJsonDepth = 4096;
/// Integers with more digits are refused, as Python refuses them.
inline constexpr std::size_t kMaxIntegerDigits = 4300;

/// What the next value in a text is.
enum class JsonToken : std::uint8_t { error, null, boolean, number, string, array, object };

/// A number as it stood in the text. Integers that fit no 64 bits keep only their digits.
struct JsonNumber {
    enum class Kind : std::uint8_t { int64, uint64, big, real };
    Kind kind = Kind::int64;
    std::int64_t int64 = 0;    ///< set for Kind::int64
    std::uint64_t uint64 = 0;  ///< set for Kind::uint64: above the range of int64
    double real = 0;           ///< the value as a double, for every kind; may be NaN or infinite
    std::string_view text;     ///< the digits in the input
};

/// Why a text is not JSON. An empty `what` means that nothing is wrong.
struct JsonError {
    std::size_t offset = 0;  ///< in bytes
    std::string_view what;   ///< "Expecting value" and the like, always a literal
};

/// Reads a JSON text value by value, without building a tree.
///
/// Takes what Python's json takes (NaN, Infinity, integers of any size up to 4300 digits, 1e400,
/// lone surrogate escapes) and refuses what it refuses; refuses invalid UTF-8 besides.
///
/// The first error sticks: from then on every call returns an empty value, `next_key` and
/// `next_item` say that there is no more, and `ok()` is false. So a caller may check once, at the
/// end.  Lifetime: the text outlives the reader. Returned views last until the next call.
class JsonReader {
public:
    explicit JsonReader(
        std::string_view text, std::uint32_t max_depth = kDefaultJsonDepth
    ) noexcept;
    /// A temporary text would be gone before it is read.
    template <std::same_as<std::string> Text>
    explicit JsonReader(Text&&, std::uint32_t = 0) = delete;

    /// The kind of the value that comes next. Consumes nothing but blanks.
    JsonToken peek() noexcept;

    /// Enters the object that comes next; then call `next_key` until it returns nothing.
    bool enter_object() noexcept;
    /// The next key of the innermost open object; its value must be read or skipped afterwards.
    /// Nothing: the object has ended, or an error occurred.
    std::optional<std::string_view> next_key();
    /// Enters the array that comes next; then call `next_item` until it returns false.
    bool enter_array() noexcept;
    /// True when one more item follows, which must be read or skipped.
    bool next_item() noexcept;

    bool read_null() noexcept;
    bool read_bool() noexcept;
    JsonNumber read_number() noexcept;
    /// The text of a string, unescaped. Lone surrogates come as WTF-8, see `append_code_point`.
    std::string_view read_string();
    /// True when the string read last holds a lone surrogate, which no UTF-8 text can.
    [[nodiscard]] bool has_lone_surrogate() const noexcept { return surrogate_; }

    /// Passes over the next value and returns its text, checked as thoroughly as reading does.
    std::string_view skip() noexcept;

    /// True when nothing but blanks is left and no error occurred.
    bool finish() noexcept;

    [[nodiscard]] bool ok() const noexcept { return error_.what.empty(); }
    [[nodiscard]] const JsonError& error() const noexcept { return error_; }
    /// The place of the error counted in code points, as Python counts.
    [[nodiscard]] std::size_t error_char() const noexcept;
    /// "Expecting value: line 1 column 1 (char 0)".
    [[nodiscard]] std::string error_text() const;

    /// The bytes consumed so far.
    [[nodiscard]] std::size_t offset() const noexcept {
        return static_cast<std::size_t>(at_ - begin_);
    }
    /// The text between two offsets.
    [[nodiscard]] std::string_view slice(std::size_t from, std::size_t to) const noexcept {
        return {begin_ + from, to - from};
    }

private:
    void skip_blanks() noexcept;
    void fail(std::string_view what, const char* where) noexcept;
    bool match(std::string_view word) noexcept;
    bool enter(char open) noexcept;
    /// Handles the comma or the end before the next item; true when an item follows.
    bool advance(char close, std::string_view missing) noexcept;
    const char* pass_string() noexcept;
    const char* pass_escape(const char* at, const char* opening) noexcept;
    void unescape(const char* from, const char* to);
    bool pass_number() noexcept;
    bool pass_scalar() noexcept;

    const char* begin_;
    const char* at_;
    const char* end_;
    std::uint32_t depth_ = 0;
    std::uint32_t max_depth_;
    bool first_ = false;      // an array or object was entered and nothing read from it yet
    bool real_ = false;       // what pass_number saw: a fraction or an exponent
    bool escaped_ = false;    // what pass_string saw: a backslash
    bool surrogate_ = false;  // what unescape saw
    JsonError error_;
    std::string scratch_;
};

}  // namespace v0
}  // namespace openenv
