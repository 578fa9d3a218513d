#include "model/messages.hpp"
#include "openenv/model/codec.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace openenv {
inline namespace v0 {
namespace model {

namespace {

constexpr std::string_view kNotAnObject = "Input should be a valid dictionary";

/// Forgets the errors at and below the current place.
void forget_errors(ReadContext& context) {
    if (!context.errors().empty()) {
        context.errors().remove_under(context.location());
    }
}

/// Records that a key is no text, and passes over its value.
bool fail_key(ReadContext& context, const std::string& key) {
    {
        const ReadContext::Step entry(context, key);
        const ReadContext::Step place(context, "[key]");
        fail_unicode(context, Json(key).dump());
    }
    context.reader().skip();
    return false;
}

}  // namespace

bool read_json(ReadContext& context, Json& out, const Constraints& limits) {
    if (limits.object_only && context.reader().peek() != JsonToken::object) {
        return context.fail_next("dict_type", std::string(kNotAnObject));
    }
    out = Json::read(context.reader());
    return context.reader().ok();
}

bool read_list(ReadContext& context, void* list, const ListInfo& info, const Constraints& limits) {
    JsonReader& reader = context.reader();
    const std::size_t start = start_of_next(context);
    if (reader.peek() != JsonToken::array) {
        return context.fail_next("list_type", "Input should be a valid list");
    }
    const bool fixed = info.fixed_size != kNoLimit;
    const std::size_t most = std::min(limits.max_length, info.fixed_size);
    const std::size_t least = fixed ? info.fixed_size : limits.min_length;
    info.clear(list);
    reader.enter_array();
    bool good = true;
    std::size_t count = 0;
    while (reader.next_item()) {
        if (count >= most) {
            reader.skip();
        } else {
            const ReadContext::Step step(context, count);
            good = info.read_next(context, list, count) && good;
        }
        ++count;
    }
    if (!reader.ok()) {
        return false;
    }
    if (count > most) {
        // pydantic gives up on such a list at once: what was wrong with its items is not reported.
        forget_errors(context);
        return fail_too_long(context, "List", most, count, raw_since(context, start));
    }
    if (good && count < least) {
        return fail_too_short(context, "List", least, count, raw_since(context, start));
    }
    return good;
}

bool read_map(ReadContext& context, void* map, const MapInfo& info, const Constraints& limits) {
    JsonReader& reader = context.reader();
    const std::size_t start = start_of_next(context);
    if (reader.peek() != JsonToken::object) {
        return context.fail_next("dict_type", std::string(kNotAnObject));
    }
    info.clear(map);
    reader.enter_object();
    std::set<std::string, std::less<>> bad;  // the keys of what could not be read
    bool good = true;
    while (const auto key = reader.next_key()) {
        if (reader.has_lone_surrogate()) {
            good = fail_key(context, std::string(*key));
            continue;
        }
        const MapEntry entry = info.entry(map, *key);
        const ReadContext::Step step(context, entry.key);
        if (!entry.added && bad.erase(std::string(entry.key)) != 0) {
            // The last of several equal keys counts, and only it.
            forget_errors(context);
        }
        if (!info.value->read(context, entry.value, kUnconstrained)) {
            bad.emplace(entry.key);
        }
    }
    if (!reader.ok() || !good || !bad.empty()) {
        return false;
    }
    const std::size_t count = info.size(map);
    if (count > limits.max_length) {
        const std::string_view raw = raw_since(context, start);
        return fail_too_long(context, "Dictionary", limits.max_length, nullptr, raw);
    }
    if (count < limits.min_length) {
        const std::string_view raw = raw_since(context, start);
        return fail_too_short(context, "Dictionary", limits.min_length, count, raw);
    }
    return true;
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
