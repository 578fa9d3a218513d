#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {

class JsonReader;
class JsonWriter;

/// What an element of a JSON array is found by: any integer.
template <class T>
concept JsonPosition = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

/// Any JSON value, for what no struct describes: metadata, extra fields, tool arguments.
///
/// A value type of two words. Integers are exact at any size; objects keep the order in which keys
/// were first set; a key occurs once. Equality is of kind and value: 1 is not 1.0; the order of an
/// object's keys does not count.
/// Errors: a call that does not fit the kind of value throws Exception (Errc::validation).
class Json {
public:
    enum class Kind : std::uint8_t { null, boolean, integer, number, string, array, object };
    struct Member;
    struct Entry;

    Json() noexcept = default;
    Json(std::nullptr_t) noexcept {}
    template <std::same_as<bool> Bool>
    Json(Bool value) noexcept : tag_(Tag::boolean) {
        payload_.boolean = value;
    }
    template <std::integral Integer>
    requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>) Json(Integer value)
    noexcept {
        if constexpr (std::signed_integral<Integer>) {
            tag_ = Tag::int64;
            payload_.int64 = value;
        } else {
            set_uint64(value);
        }
    }
    template <std::floating_point Real>
    Json(Real value) noexcept : tag_(Tag::real) {
        payload_.real = static_cast<double>(value);
    }
    Json(const char* value) : Json(std::string_view(value)) {}
    Json(std::string_view value);
    Json(std::string value);

    Json(const Json& other);
    Json(Json&& other) noexcept : tag_(other.tag_), payload_(other.payload_) {
        other.tag_ = Tag::null;
    }
    Json& operator=(const Json& other);
    Json& operator=(Json&& other) noexcept;
    ~Json() {
        if (tag_ >= Tag::big) {
            release();
        }
    }

    /// `Json::object({{"k", 1}, {"l", "text"}})`; of two equal keys the last one wins.
    [[nodiscard]] static Json object(std::initializer_list<Entry> entries = {});
    /// `Json::array({1, "two", nullptr})`.
    [[nodiscard]] static Json array(std::initializer_list<Json> elements = {});

    /// Reads one JSON text.  Errors: throws Exception with Errc::invalid_json.
    [[nodiscard]] static Json parse(std::string_view text);
    /// Reads the value that comes next; null when the reader finds an error.
    [[nodiscard]] static Json read(JsonReader& reader);
    /// Compact JSON, as JsonWriter writes it.
    [[nodiscard]] std::string dump() const;

    [[nodiscard]] Kind kind() const noexcept;
    [[nodiscard]] bool is_null() const noexcept { return tag_ == Tag::null; }
    [[nodiscard]] bool is_bool() const noexcept { return tag_ == Tag::boolean; }
    [[nodiscard]] bool is_integer() const noexcept { return kind() == Kind::integer; }
    /// True for a number with fraction or exponent; an integer is not one.
    [[nodiscard]] bool is_number() const noexcept { return tag_ == Tag::real; }
    [[nodiscard]] bool is_string() const noexcept { return tag_ == Tag::string; }
    [[nodiscard]] bool is_array() const noexcept { return tag_ == Tag::array; }
    [[nodiscard]] bool is_object() const noexcept { return tag_ == Tag::object; }

    [[nodiscard]] bool as_bool() const;
    /// Errors: also throws when the integer is out of range.
    [[nodiscard]] std::int64_t as_int64() const;
    [[nodiscard]] std::uint64_t as_uint64() const;
    /// The value of an integer or a number, rounded to a double.
    [[nodiscard]] double as_double() const;
    [[nodiscard]] const std::string& as_string() const;
    /// The decimal digits of an integer of any size.
    [[nodiscard]] std::string integer_text() const;
    /// An integer beyond 64 bits from its digits, e.g. "123456789012345678901234567890".
    [[nodiscard]] static Json integer_from_text(std::string_view digits);

    /// The number of elements or members; 0 for everything else.
    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }

    /// An array's elements.  Lifetime: until the array changes.
    [[nodiscard]] std::span<const Json> elements() const;
    template <JsonPosition Integer>
    [[nodiscard]] const Json& operator[](Integer position) const {
        return element(static_cast<std::size_t>(position));
    }
    template <JsonPosition Integer>
    [[nodiscard]] Json& operator[](Integer position) {
        return const_cast<Json&>(element(static_cast<std::size_t>(position)));
    }
    /// Appends to an array; null becomes an array first.
    void push_back(Json value);

    /// An object's members in order.  Lifetime: until the object changes.
    [[nodiscard]] std::span<const Member> items() const;
    /// The member of that name, or nullptr when there is none or this is no object.
    [[nodiscard]] const Json* find(std::string_view key) const noexcept;
    [[nodiscard]] Json* find(std::string_view key) noexcept;
    [[nodiscard]] bool contains(std::string_view key) const noexcept {
        return find(key) != nullptr;
    }
    /// The member of that name.  Errors: throws when there is none.
    [[nodiscard]] const Json& operator[](std::string_view key) const;
    /// The member of that name, added as null when missing; null becomes an object first.
    [[nodiscard]] Json& operator[](std::string_view key);
    [[nodiscard]] const Json& operator[](const char* key) const {
        return (*this)[std::string_view(key)];
    }
    [[nodiscard]] Json& operator[](const char* key) { return (*this)[std::string_view(key)]; }
    /// Removes a member; false when there was none.
    bool erase(std::string_view key);

    [[nodiscard]] friend bool operator==(const Json& a, const Json& b) noexcept {
        return equal(a, b);
    }

private:
    friend class JsonWriter;
    struct Array;
    struct Object;
    // From `big` on the payload is owned memory.
    enum class Tag : std::uint8_t {
        null,
        boolean,
        int64,
        uint64,
        real,
        big,
        string,
        array,
        object
    };
    union Payload {
        bool boolean;
        std::int64_t int64 = 0;
        std::uint64_t uint64;
        double real;
        std::string* text;  // the digits of `big`, the text of `string`
        Array* array;
        Object* object;  // null: an object without members, which needs no memory
    };

    void set_uint64(std::uint64_t value) noexcept;
    const Json& element(std::size_t position) const;
    void release() noexcept;
    [[noreturn]] void wrong_kind(std::string_view wanted) const;
    Array& need_array();
    Object& need_object();
    void become_object() noexcept;
    static std::span<const Member> items_of(const Json& value) noexcept;
    static bool equal(const Json& a, const Json& b) noexcept;

    Tag tag_ = Tag::null;
    Payload payload_;
};

/// One key and its value.
struct Json::Member {
    std::string key;
    Json value;
};

/// What `Json::object` takes.
struct Json::Entry {
    std::string_view key;
    Json value;
};

}  // namespace v0
}  // namespace openenv
