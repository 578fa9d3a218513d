#include "model/messages.hpp"
#include "model/part_errors.hpp"
#include "openenv/model/codec.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

namespace openenv {
inline namespace v0 {
namespace model {

namespace {

constexpr std::string_view kNotAnObject = "Input should be a valid dictionary";

/// In which order the entries of a map came first. An index is made when someone asks.
class EntryOrder {
public:
    void add(const void* value) {
        if (!index_.empty()) {
            index_.emplace(value, values_.size());
        }
        values_.push_back(value);
    }
    /// Counts something that is no entry, and returns its position.
    std::size_t add_other() {
        values_.push_back(nullptr);
        return values_.size() - 1;
    }
    [[nodiscard]] std::size_t of(const void* value) {
        if (index_.empty()) {
            for (std::size_t i = 0; i != values_.size(); ++i) {
                index_.emplace(values_[i], i);
            }
        }
        const auto found = index_.find(value);
        return found == index_.end() ? values_.size() : found->second;
    }
    [[nodiscard]] std::size_t last() const noexcept { return values_.size() - 1; }

private:
    std::vector<const void*> values_;  // only compared
    std::unordered_map<const void*, std::size_t> index_;
};

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
    const std::size_t first_error = context.errors().size();
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
        context.errors().erase(first_error, context.errors().size());
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
    EntryOrder order;
    PartErrors errors(context);
    // The keys of what could not be read, and their position in the order.
    std::map<std::string, std::size_t, std::less<>> bad;
    bool good = true;
    while (const auto key = reader.next_key()) {
        const std::size_t first_error = context.errors().size();
        if (reader.has_lone_surrogate()) {
            good = fail_key(context, std::string(*key));
            errors.note(order.add_other(), first_error);
            continue;
        }
        const MapEntry entry = info.entry(map, *key);
        if (entry.added) {
            order.add(entry.value);
        } else if (const auto known = bad.find(entry.key); known != bad.end()) {
            // The last of several equal keys counts, and only it.
            if (errors.forget(known->second)) {
                bad.erase(known);
            }
        }
        const std::size_t first_kept = context.errors().size();
        const ReadContext::Step step(context, entry.key);
        if (!info.value->read(context, entry.value, kUnconstrained)) {
            const std::size_t position = entry.added ? order.last() : order.of(entry.value);
            bad.emplace(entry.key, position);
            errors.note(position, first_kept);
        }
    }
    if (!reader.ok()) {
        return false;
    }
    if (!good || !bad.empty()) {
        errors.sort();
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
