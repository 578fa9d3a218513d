#include "model/messages.hpp"
#include "openenv/model/codec.hpp"

#include <algorithm>

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
    bool good = true;
    while (const auto key = reader.next_key()) {
        if (reader.has_lone_surrogate()) {
            const std::string name(*key);
            const ReadContext::Step entry(context, name);
            const ReadContext::Step place(context, "[key]");
            good = fail_unicode(context, Json(name).dump());
            reader.skip();
            continue;
        }
        if (info.size(map) > limits.max_length) {
            reader.skip();
            continue;
        }
        const MapEntry entry = info.entry(map, *key);
        const ReadContext::Step step(context, entry.key);
        if (!entry.added) {
            forget_errors(context);
        }
        good = info.value->read(context, entry.value, kUnconstrained) && good;
    }
    if (!reader.ok()) {
        return false;
    }
    if (info.size(map) > limits.max_length) {
        forget_errors(context);
        const std::string_view raw = raw_since(context, start);
        return fail_too_long(context, "Dictionary", limits.max_length, nullptr, raw);
    }
    if (good && info.size(map) < limits.min_length) {
        const std::string_view raw = raw_since(context, start);
        return fail_too_short(context, "Dictionary", limits.min_length, info.size(map), raw);
    }
    return good;
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
