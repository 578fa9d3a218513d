#include "wire/extras_reader.hpp"

#include <openenv/base/json_members.hpp>
#include <openenv/base/json_reader.hpp>

#include <cmath>
#include <string>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace wire {

namespace {

using model::LocPart;
using model::ValidationError;
using model::ValidationErrors;

/// Larger limits of time mean none: a year.
constexpr double kLongestSeconds = 365.0 * 24 * 3600;

/// A value of `x` and the way to it, for errors.
struct Place {
    const Place* outer = nullptr;
    LocPart part;

    [[nodiscard]] std::vector<LocPart> loc() const {
        std::vector<LocPart> path = outer != nullptr ? outer->loc() : std::vector<LocPart>();
        path.push_back(part);
        return path;
    }
};

/// The value that comes next if it is a number that is whole and not negative.
std::optional<std::uint64_t> read_whole(JsonReader& reader) {
    if (reader.peek() != JsonToken::number) {
        reader.skip();
        return std::nullopt;
    }
    const JsonNumber number = reader.read_number();
    if (number.kind == JsonNumber::Kind::int64 && number.int64 >= 0) {
        return static_cast<std::uint64_t>(number.int64);
    }
    return std::nullopt;
}

bool is_id(std::string_view raw) {
    JsonReader reader(raw);
    if (reader.peek() == JsonToken::string) {
        return reader.read_string().size() <= kLongestId;
    }
    return read_whole(reader).value_or(kLargestId + 1) <= kLargestId;
}

/// Reads values and notes what is wrong with them.
class Reading {
public:
    Reading(JsonReader& source, FrameKind kind, Features granted, ValidationErrors& errors)
        : source_(source), kind_(kind), granted_(granted), errors_(errors) {}

    Extras extras() {
        JsonReader& reader = source_;
        const Place root{nullptr, "x"};
        Extras extras;
        reader.peek();  // passes over blanks
        const std::size_t begin = reader.offset();
        if (!enter(reader, root)) {
            return extras;
        }
        while (const std::optional<std::string_view> key = reader.next_key()) {
            const std::string name(*key);
            const Place place{&root, LocPart(model::shortened(name))};
            if (granted_.batch && name == "batch" && kind_ != FrameKind::mcp) {
                extras.batch = entries(reader, place);
            } else if (granted_.batch && name == "former") {
                extras.former = former(reader.skip(), place);
            } else if (!call_member(name, reader, place, extras.call)) {
                refuse("extra_forbidden", place, "Extra inputs are not permitted", reader.skip());
            }
        }
        if (extras.former && !extras.batch) {
            refuse(
                "value_error",
                root,
                "Value error, `former` goes with `batch`",
                reader.slice(begin, reader.offset())
            );
        }
        return extras;
    }

private:
    bool enter(JsonReader& reader, const Place& place) {
        if (reader.peek() == JsonToken::object) {
            return reader.enter_object();
        }
        refuse("dict_type", place, "Input should be a valid dictionary", reader.skip());
        return false;
    }

    /// True when the member is one of a call's; its value has been read then.
    bool call_member(
        std::string_view name, JsonReader& reader, const Place& place, CallExtras& call
    ) {
        const bool has_limit =
            kind_ == FrameKind::reset || kind_ == FrameKind::step || kind_ == FrameKind::state;
        if (granted_.ids && name == "id") {
            call.id = id(reader.skip(), place);
        } else if (granted_.deadline && has_limit && name == "timeout_s") {
            call.timeout_s = seconds(reader.skip(), place);
        } else if (granted_.deadline && kind_ == FrameKind::step && name == "extra") {
            const bool good = reader.peek() == JsonToken::object;
            call.extra = reader.skip();
            if (!good) {
                refuse("dict_type", place, "Input should be a valid dictionary", call.extra);
            }
        } else {
            return false;
        }
        return true;
    }

    std::string_view id(std::string_view raw, const Place& place) {
        if (!is_id(raw)) {
            refuse(
                "value_error",
                place,
                "Value error, an id is an integer from 0 to 9007199254740991 or a text of at most "
                "128 bytes",
                raw
            );
        }
        return raw;
    }

    std::optional<double> seconds(std::string_view raw, const Place& place) {
        JsonReader reader(raw);
        if (reader.peek() == JsonToken::number) {
            const double value = reader.read_number().real;
            if (value > 0 && value <= kLongestSeconds) {
                return value;
            }
        }
        refuse(
            "value_error",
            place,
            "Value error, it should be a number of seconds above 0 and at most a year",
            raw
        );
        return std::nullopt;
    }

    /// A whole number from `least` to `most`.
    std::optional<std::uint64_t> count(
        JsonReader& reader, const Place& place, std::uint64_t least, std::uint64_t most
    ) {
        reader.peek();  // passes over blanks
        const std::size_t begin = reader.offset();
        const std::optional<std::uint64_t> value = read_whole(reader);
        if (value && *value >= least && *value <= most) {
            return value;
        }
        refuse(
            "value_error",
            place,
            "Value error, it should be a whole number from " + std::to_string(least) + " to " +
                std::to_string(most),
            reader.slice(begin, reader.offset())
        );
        return std::nullopt;
    }

    BatchFormer former(std::string_view text, const Place& here) {
        BatchFormer former;
        JsonReader reader(text);
        if (!enter(reader, here)) {
            return former;
        }
        while (const std::optional<std::string_view> key = reader.next_key()) {
            const std::string name(*key);
            const Place place{&here, LocPart(model::shortened(name))};
            if (name == "min") {
                former.min = count(reader, place, 1, kBatchSessions).value_or(1);
            } else if (name == "max") {
                former.max = count(reader, place, 1, kBatchSessions).value_or(1);
            } else if (name == "within_s") {
                former.within_s = seconds(reader.skip(), place);
            } else {
                refuse("extra_forbidden", place, "Extra inputs are not permitted", reader.skip());
            }
        }
        if (former.max < former.min && former.min != BatchFormer().min) {
            refuse("value_error", here, "Value error, `max` is less than `min`", text);
        }
        return former;
    }

    std::vector<BatchEntry> entries(JsonReader& reader, const Place& here) {
        std::vector<BatchEntry> entries;
        if (reader.peek() != JsonToken::array) {
            refuse("list_type", here, "Input should be a valid list", reader.skip());
            return entries;
        }
        const std::size_t begin = reader.offset();
        bool too_many = false;
        reader.enter_array();
        while (reader.next_item()) {
            too_many = too_many || entries.size() == kBatchEntries;
            if (too_many) {
                reader.skip();
                continue;
            }
            const Place place{&here, LocPart(entries.size())};
            entries.push_back(entry(reader, place));
        }
        if (too_many) {
            refuse(
                "too_long",
                here,
                "List should have at most " + std::to_string(kBatchEntries) + " items",
                reader.slice(begin, reader.offset())
            );
        }
        refuse_repeated(entries, here);
        return entries;
    }

    BatchEntry entry(JsonReader& reader, const Place& here) {
        BatchEntry entry;
        const std::size_t begin = reader.offset();
        if (!enter(reader, here)) {
            return entry;
        }
        bool has_session = false;
        bool has_data = false;
        while (const std::optional<std::string_view> key = reader.next_key()) {
            if (*key == "session") {
                has_session = true;
                const Place place{&here, "session"};
                entry.session = static_cast<std::uint32_t>(
                    count(reader, place, 0, kBatchSessions - 1).value_or(0)
                );
            } else if (*key == "data" && takes_data()) {
                has_data = true;
                const bool good = reader.peek() == JsonToken::object;
                entry.data = reader.skip();
                if (!good) {
                    const Place place{&here, "data"};
                    refuse("dict_type", place, "Input should be a valid dictionary", entry.data);
                }
            } else {
                const std::string name(*key);
                const Place place{&here, LocPart(model::shortened(name))};
                if (!call_member(name, reader, place, entry.call)) {
                    refuse(
                        "extra_forbidden", place, "Extra inputs are not permitted", reader.skip()
                    );
                }
            }
        }
        const auto missing = [&](std::string_view name) {
            const Place place{&here, LocPart(name)};
            refuse("missing", place, "Field required", reader.slice(begin, reader.offset()));
        };
        if (!has_session) {
            missing("session");
        }
        if (!has_data && kind_ == FrameKind::step) {
            missing("data");
        } else if (!has_data && kind_ == FrameKind::reset) {
            entry.data = "{}";
        }
        return entry;
    }

    void refuse_repeated(const std::vector<BatchEntry>& entries, const Place& here) {
        std::vector<bool> seen;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const std::uint32_t session = entries[i].session;
            if (seen.size() <= session) {
                seen.resize(session + 1);
            }
            if (seen[session] && errors_.empty()) {
                const Place place{&here, LocPart(i)};
                refuse(
                    "value_error",
                    place,
                    "Value error, session " + std::to_string(session) +
                        " is named more than once in one message",
                    std::to_string(session)
                );
            }
            seen[session] = true;
        }
    }

    [[nodiscard]] bool takes_data() const {
        return kind_ == FrameKind::reset || kind_ == FrameKind::step;
    }

    void refuse(std::string type, const Place& place, std::string msg, std::string_view input) {
        if (!source_.ok()) {
            return;  // a text that is not JSON has no values to complain about
        }
        ValidationError error;
        error.type = std::move(type);
        error.loc = place.loc();
        error.msg = std::move(msg);
        error.input = model::echo_input(input);
        errors_.add(std::move(error));
    }

    JsonReader& source_;
    const FrameKind kind_;
    const Features granted_;
    ValidationErrors& errors_;
};

}  // namespace

Extras read_extras(
    JsonReader& reader, FrameKind kind, Features granted, model::ValidationErrors& errors
) {
    return Reading(reader, kind, granted, errors).extras();
}

std::string_view read_id(std::string_view x) {
    const std::string_view id = raw_member(x, "id");
    return !id.empty() && is_id(id) ? id : std::string_view();
}

}  // namespace wire
}  // namespace v0
}  // namespace openenv
