#include "model/messages.hpp"
#include "model/part_errors.hpp"
#include "openenv/model/codec.hpp"

#include <algorithm>
#include <bitset>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace model {

namespace {

/// Reads one object into one struct.
class StructReading {
public:
    StructReading(ReadContext& context, void* object, const StructInfo& info)
        : context_(context), object_(object), info_(info), errors_(context) {}

    bool run() {
        start_ = start_of_next(context_);
        context_.reader().enter_object();
        while (const auto key = context_.reader().next_key()) {
            const std::size_t position = find(*key);
            if (position != info_.fields.size()) {
                read_field(position);
            } else {
                read_extra(*key);
            }
        }
        if (!context_.reader().ok()) {
            return false;
        }
        note_missing();
        report_extras();
        if (bad_.any() || !extras_.empty()) {
            errors_.sort();
            return false;
        }
        return check_whole();
    }

private:
    /// The field of that name. Keys mostly come in the order of the fields, so the search starts
    /// behind the last one found.
    std::size_t find(std::string_view key) noexcept {
        const std::size_t count = info_.fields.size();
        for (std::size_t tried = 0; tried != count; ++tried) {
            const std::size_t at = next_;
            next_ = next_ + 1 == count ? 0 : next_ + 1;
            if (info_.fields[at].name == key) {
                return at;
            }
        }
        return count;
    }

    void read_field(std::size_t position) {
        const FieldInfo& field = info_.fields[position];
        const ReadContext::Step step(context_, field.name);
        if (bad_[position] && errors_.forget(position)) {
            // The last of several equal keys counts, and only it.
            bad_[position] = false;
        }
        seen_[position] = true;
        const std::size_t start = start_of_next(context_);
        const std::size_t first = context_.errors().size();
        void* const member = field.member(object_);
        if (!field.type->read(context_, member, field.limits) || !check(field, member, start)) {
            bad_[position] = true;
            errors_.note(position, first);
        }
    }

    bool check(const FieldInfo& field, const void* member, std::size_t start) {
        if (field.check == nullptr) {
            return true;
        }
        const std::optional<std::string> problem = field.check(member);
        return !problem || fail_check(*problem, raw_since(context_, start));
    }

    bool check_whole() {
        if (info_.check == nullptr) {
            return true;
        }
        const std::optional<std::string> problem = info_.check(object_);
        return !problem || fail_check(*problem, raw_since(context_, start_));
    }

    bool fail_check(const std::string& problem, std::string_view raw) {
        return context_.fail(
            "value_error", "Value error, " + problem, raw, context_text({{"error", problem}})
        );
    }

    void read_extra(std::string_view key) {
        if (info_.extra == ExtraFields::allow) {
            Json& extra = *info_.extra_member(object_);
            const std::string name(key);
            extra[name] = Json::read(context_.reader());
            return;
        }
        const bool refused = info_.extra == ExtraFields::forbid && !context_.options().ignore_extra;
        if (refused && extras_.size() < kMaxValidationErrors) {
            std::string name(key);
            extras_.emplace_back(std::move(name), context_.reader().skip());
        } else {
            context_.reader().skip();
        }
    }

    void note_missing() {
        const std::string_view raw = raw_since(context_, start_);
        for (std::size_t i = 0; i != info_.fields.size(); ++i) {
            if (!seen_[i] && info_.fields[i].presence == Presence::required) {
                const std::size_t first = context_.errors().size();
                const ReadContext::Step step(context_, info_.fields[i].name);
                context_.fail("missing", "Field required", raw);
                bad_[i] = true;
                errors_.note(i, first);
            }
        }
    }

    /// Unknown keys come behind all fields, in the order in which they came first.
    void report_extras() {
        for (auto entry = extras_.begin(); entry != extras_.end() && context_.errors().room() != 0;
             ++entry) {
            const auto same_key = [&entry](const auto& other) {
                return other.first == entry->first;
            };
            if (std::any_of(extras_.begin(), entry, same_key)) {
                continue;
            }
            const std::size_t first = context_.errors().size();
            const ReadContext::Step step(context_, entry->first);
            const auto last = std::find_if(extras_.rbegin(), extras_.rend(), same_key);
            context_.fail("extra_forbidden", "Extra inputs are not permitted", last->second);
            errors_.note(info_.fields.size(), first);
        }
    }

    ReadContext& context_;
    void* object_;
    const StructInfo& info_;
    PartErrors errors_;  // by the position of the field
    std::size_t start_ = 0;
    std::size_t next_ = 0;
    std::bitset<kMaxFields> seen_;
    std::bitset<kMaxFields> bad_;
    std::vector<std::pair<std::string, std::string_view>> extras_;  // refused keys and their values
};

}  // namespace

bool read_struct(ReadContext& context, void* object, const StructInfo& info) {
    if (context.reader().peek() != JsonToken::object) {
        if (context.options().root_is_body && context.depth() == 0) {
            return fail_not_attributes(context);
        }
        return context.fail_next(
            "model_type",
            "Input should be a valid dictionary or instance of " + std::string(info.title),
            context_text({{"class_name", info.title}})
        );
    }
    return StructReading(context, object, info).run();
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
