#include "openenv/base/json.hpp"

#include "openenv/base/error.hpp"
#include "openenv/base/json_reader.hpp"
#include "openenv/base/json_writer.hpp"

#include <set>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {

namespace {

std::string_view kind_name(Json::Kind kind) noexcept {
    switch (kind) {
        case Json::Kind::null:
            return "null";
        case Json::Kind::boolean:
            return "a boolean";
        case Json::Kind::integer:
            return "an integer";
        case Json::Kind::number:
            return "a number";
        case Json::Kind::string:
            return "a string";
        case Json::Kind::array:
            return "an array";
        case Json::Kind::object:
            return "an object";
    }
    return "nothing";
}

[[noreturn]] void refuse(std::string message) {
    throw Exception(Error{Errc::validation, std::move(message)});
}

}  // namespace

struct Json::Array {
    std::vector<Json> elements;
};

/// Members in order. A large object also keeps its positions sorted by key, so that a hostile text
/// with many keys costs no more than its length times a logarithm.
struct Json::Object {
    Object() : sorted(ByKey{&members}) {}
    Object(const Object& other) : members(other.members), sorted(ByKey{&members}) { rebuild(); }
    Object& operator=(const Object&) = delete;
    ~Object() = default;

    [[nodiscard]] std::size_t position(std::string_view key) const noexcept {
        if (members.size() > kLinear) {
            const auto found = sorted.find(key);
            return found == sorted.end() ? members.size() : *found;
        }
        std::size_t i = 0;
        while (i != members.size() && members[i].key != key) {
            ++i;
        }
        return i;
    }

    Json& get_or_add(std::string_view key) {
        const std::size_t at = position(key);
        if (at != members.size()) {
            return members[at].value;
        }
        members.push_back(Member{std::string(key), Json()});
        if (members.size() == kLinear + 1) {
            rebuild();
        } else if (members.size() > kLinear) {
            sorted.insert(at);
        }
        return members[at].value;
    }

    bool erase(std::string_view key) {
        const std::size_t at = position(key);
        if (at == members.size()) {
            return false;
        }
        sorted.clear();
        members.erase(members.begin() + static_cast<std::ptrdiff_t>(at));
        rebuild();
        return true;
    }

    void rebuild() {
        sorted.clear();
        if (members.size() > kLinear) {
            for (std::size_t i = 0; i != members.size(); ++i) {
                sorted.insert(i);
            }
        }
    }

    struct ByKey {
        using is_transparent = void;
        const std::vector<Member>* members;
        [[nodiscard]] std::string_view key(std::size_t i) const noexcept {
            return (*members)[i].key;
        }
        [[nodiscard]] std::string_view key(std::string_view k) const noexcept { return k; }
        template <class A, class B>
        bool operator()(const A& a, const B& b) const noexcept {
            return key(a) < key(b);
        }
    };

    static constexpr std::size_t kLinear = 16;
    std::vector<Member> members;
    std::set<std::size_t, ByKey> sorted;
};

Json::Json(std::string_view value) : Json(std::string(value)) {}

Json::Json(std::string value) {
    payload_.text = new std::string(std::move(value));
    tag_ = Tag::string;
}

Json::Json(const Json& other) : payload_(other.payload_) {
    switch (other.tag_) {
        case Tag::big:
        case Tag::string:
            payload_.text = new std::string(*other.payload_.text);
            break;
        case Tag::array:
            payload_.array = new Array(*other.payload_.array);
            break;
        case Tag::object:
            if (other.payload_.object != nullptr) {
                payload_.object = new Object(*other.payload_.object);
            }
            break;
        default:
            break;
    }
    tag_ = other.tag_;
}

Json& Json::operator=(const Json& other) {
    Json copy(other);
    *this = std::move(copy);
    return *this;
}

Json& Json::operator=(Json&& other) noexcept {
    // What is released last may be the owner of `other`.
    Json taken(std::move(other));
    std::swap(tag_, taken.tag_);
    std::swap(payload_, taken.payload_);
    return *this;
}

void Json::release() noexcept {
    switch (tag_) {
        case Tag::big:
        case Tag::string:
            delete payload_.text;
            break;
        case Tag::array:
            delete payload_.array;
            break;
        case Tag::object:
            delete payload_.object;
            break;
        default:
            break;
    }
    tag_ = Tag::null;
}

Json Json::object(std::initializer_list<Entry> entries) {
    Json value;
    value.become_object();
    if (entries.size() != 0) {
        value.need_object().members.reserve(entries.size());
    }
    for (const Entry& entry : entries) {
        value[entry.key] = entry.value;
    }
    return value;
}

Json Json::array(std::initializer_list<Json> elements) {
    Json value;
    value.need_array().elements = elements;
    return value;
}

Json Json::parse(std::string_view text) {
    JsonReader reader(text);
    Json value = read(reader);
    if (!reader.finish()) {
        throw Exception(Error{Errc::invalid_json, reader.error_text()});
    }
    return value;
}

Json Json::read(JsonReader& reader) {
    Json value;
    switch (reader.peek()) {
        case JsonToken::error:
            break;
        case JsonToken::null:
            reader.read_null();
            break;
        case JsonToken::boolean:
            value = reader.read_bool();
            break;
        case JsonToken::number: {
            const JsonNumber number = reader.read_number();
            switch (number.kind) {
                case JsonNumber::Kind::int64:
                    value = number.int64;
                    break;
                case JsonNumber::Kind::uint64:
                    value = number.uint64;
                    break;
                case JsonNumber::Kind::real:
                    value = number.real;
                    break;
                case JsonNumber::Kind::big:
                    value = integer_from_text(number.text);
                    break;
            }
            break;
        }
        case JsonToken::string:
            value = reader.read_string();
            break;
        case JsonToken::array: {
            reader.enter_array();
            std::vector<Json>& elements = value.need_array().elements;
            while (reader.next_item()) {
                elements.push_back(read(reader));
            }
            break;
        }
        case JsonToken::object: {
            reader.enter_object();
            value.become_object();
            while (const auto key = reader.next_key()) {
                Json& member = value.need_object().get_or_add(*key);
                member = read(reader);
            }
            break;
        }
    }
    return value;
}

std::string Json::dump() const {
    std::string text;
    JsonWriter(text).json(*this);
    return text;
}

Json::Kind Json::kind() const noexcept {
    switch (tag_) {
        case Tag::null:
            return Kind::null;
        case Tag::boolean:
            return Kind::boolean;
        case Tag::int64:
        case Tag::uint64:
        case Tag::big:
            return Kind::integer;
        case Tag::real:
            return Kind::number;
        case Tag::string:
            return Kind::string;
        case Tag::array:
            return Kind::array;
        case Tag::object:
            return Kind::object;
    }
    return Kind::null;
}

void Json::wrong_kind(std::string_view wanted) const {
    refuse("the JSON value is " + std::string(kind_name(kind())) + ", not " + std::string(wanted));
}

void Json::set_uint64(std::uint64_t value) noexcept {
    // One form per value, so that equality is of the form.
    if (std::in_range<std::int64_t>(value)) {
        tag_ = Tag::int64;
        payload_.int64 = static_cast<std::int64_t>(value);
    } else {
        tag_ = Tag::uint64;
        payload_.uint64 = value;
    }
}

bool Json::as_bool() const {
    if (tag_ != Tag::boolean) {
        wrong_kind("a boolean");
    }
    return payload_.boolean;
}

std::int64_t Json::as_int64() const {
    if (tag_ == Tag::int64) {
        return payload_.int64;
    }
    wrong_kind("an integer of 64 bits");
}

std::uint64_t Json::as_uint64() const {
    if (tag_ == Tag::uint64) {
        return payload_.uint64;
    }
    if (tag_ == Tag::int64 && payload_.int64 >= 0) {
        return static_cast<std::uint64_t>(payload_.int64);
    }
    wrong_kind("an unsigned integer of 64 bits");
}

double Json::as_double() const {
    switch (tag_) {
        case Tag::int64:
            return static_cast<double>(payload_.int64);
        case Tag::uint64:
            return static_cast<double>(payload_.uint64);
        case Tag::real:
            return payload_.real;
        case Tag::big:
            return JsonReader(*payload_.text).read_number().real;
        default:
            wrong_kind("a number");
    }
}

const std::string& Json::as_string() const {
    if (tag_ != Tag::string) {
        wrong_kind("a string");
    }
    return *payload_.text;
}

std::string Json::integer_text() const {
    switch (tag_) {
        case Tag::int64:
            return std::to_string(payload_.int64);
        case Tag::uint64:
            return std::to_string(payload_.uint64);
        case Tag::big:
            return *payload_.text;
        default:
            wrong_kind("an integer");
    }
}

Json Json::integer_from_text(std::string_view digits) {
    JsonReader reader(digits);
    if (reader.peek() == JsonToken::number) {
        const JsonNumber number = reader.read_number();
        if (reader.ok() && number.text.size() == digits.size()) {
            Json value;
            switch (number.kind) {
                case JsonNumber::Kind::int64:
                    return number.int64;
                case JsonNumber::Kind::uint64:
                    return number.uint64;
                case JsonNumber::Kind::big:
                    value.payload_.text = new std::string(digits);
                    value.tag_ = Tag::big;
                    return value;
                case JsonNumber::Kind::real:
                    break;
            }
        }
    }
    refuse("'" + std::string(digits) + "' is not an integer");
}

std::size_t Json::size() const noexcept {
    if (tag_ == Tag::array) {
        return payload_.array->elements.size();
    }
    return items_of(*this).size();
}

Json::Array& Json::need_array() {
    if (tag_ == Tag::null) {
        payload_.array = new Array;
        tag_ = Tag::array;
    } else if (tag_ != Tag::array) {
        wrong_kind("an array");
    }
    return *payload_.array;
}

void Json::become_object() noexcept {
    payload_.object = nullptr;
    tag_ = Tag::object;
}

Json::Object& Json::need_object() {
    if (tag_ == Tag::null) {
        become_object();
    } else if (tag_ != Tag::object) {
        wrong_kind("an object");
    }
    if (payload_.object == nullptr) {
        payload_.object = new Object;
    }
    return *payload_.object;
}

std::span<const Json> Json::elements() const {
    if (tag_ != Tag::array) {
        wrong_kind("an array");
    }
    return payload_.array->elements;
}

const Json& Json::element(std::size_t position) const {
    const std::span<const Json> all = elements();
    if (position >= all.size()) {
        refuse("the JSON array has no element " + std::to_string(position));
    }
    return all[position];
}

void Json::push_back(Json value) {
    need_array().elements.push_back(std::move(value));
}

std::span<const Json::Member> Json::items() const {
    if (tag_ != Tag::object) {
        wrong_kind("an object");
    }
    return items_of(*this);
}

std::span<const Json::Member> Json::items_of(const Json& value) noexcept {
    const bool has_members = value.tag_ == Tag::object && value.payload_.object != nullptr;
    return has_members ? std::span<const Member>(value.payload_.object->members)
                       : std::span<const Member>();
}

const Json* Json::find(std::string_view key) const noexcept {
    if (tag_ != Tag::object || payload_.object == nullptr) {
        return nullptr;
    }
    const Object& object = *payload_.object;
    const std::size_t at = object.position(key);
    return at == object.members.size() ? nullptr : &object.members[at].value;
}

Json* Json::find(std::string_view key) noexcept {
    return const_cast<Json*>(std::as_const(*this).find(key));
}

const Json& Json::operator[](std::string_view key) const {
    if (tag_ != Tag::object) {
        wrong_kind("an object");
    }
    const Json* const found = find(key);
    if (found == nullptr) {
        refuse("the JSON object has no member '" + std::string(key) + "'");
    }
    return *found;
}

Json& Json::operator[](std::string_view key) {
    return need_object().get_or_add(key);
}

bool Json::erase(std::string_view key) {
    return tag_ == Tag::object && payload_.object != nullptr && payload_.object->erase(key);
}

bool Json::equal(const Json& a, const Json& b) noexcept {
    if (a.tag_ != b.tag_) {
        return false;
    }
    switch (a.tag_) {
        case Tag::null:
            return true;
        case Tag::boolean:
            return a.payload_.boolean == b.payload_.boolean;
        case Tag::int64:
            return a.payload_.int64 == b.payload_.int64;
        case Tag::uint64:
            return a.payload_.uint64 == b.payload_.uint64;
        case Tag::real:
            return a.payload_.real == b.payload_.real;
        case Tag::big:
        case Tag::string:
            return *a.payload_.text == *b.payload_.text;
        case Tag::array:
            return a.payload_.array->elements == b.payload_.array->elements;
        case Tag::object:
            break;
    }
    if (a.size() != b.size()) {
        return false;
    }
    for (const Member& member : items_of(a)) {
        const Json* const other = b.find(member.key);
        if (other == nullptr || !equal(member.value, *other)) {
            return false;
        }
    }
    return true;
}

}  // namespace v0
}  // namespace openenv
