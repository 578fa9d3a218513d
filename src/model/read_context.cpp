#include "openenv/model/read_context.hpp"

#include "openenv/model/model.hpp"

#include <utility>

namespace openenv {
inline namespace v0 {
namespace model {

std::vector<LocPart> ReadContext::location() const {
    std::vector<LocPart> loc(depth_, LocPart(std::size_t{0}));
    std::size_t at = depth_;
    for (const Step* step = place_; step != nullptr; step = step->parent_) {
        --at;
        loc[at] = step->is_index_ ? LocPart(step->index_) : LocPart(shortened(step->key_));
    }
    return loc;
}

bool ReadContext::fail(
    std::string_view type, std::string message, std::string_view raw, std::string ctx
) {
    // A text that is not JSON has no values to complain about.
    if (reader_->ok() && errors_->room() != 0) {
        errors_->add(
            {std::string(type), location(), std::move(message), echo_input(raw), std::move(ctx)}
        );
    }
    return false;
}

bool ReadContext::fail_next(std::string_view type, std::string message, std::string ctx) {
    const std::string_view raw = reader_->skip();
    return fail(type, std::move(message), raw, std::move(ctx));
}

bool ReadContext::allow_rereading(std::string_view raw, bool is_trial) {
    if (raw.size() > rereading_left_ || (is_trial && nesting_ >= kMaxUnionNesting)) {
        const std::string text = "unions are nested too deeply";
        const std::string ctx = Json::object({{"error", text}}).dump();
        return fail("value_error", "Value error, " + text, raw, ctx);
    }
    rereading_left_ -= raw.size();
    return true;
}

bool ReadContext::allow_replacing() noexcept {
    if (replacements_left_ == 0) {
        return false;
    }
    --replacements_left_;
    return true;
}

void add_unlisted_error(ValidationErrors& errors) {
    const std::string text = "what is wrong is not among the errors that are kept";
    errors.add(
        {.type = "value_error",
         .loc = {},
         .msg = "Value error, " + text,
         .input = "null",
         .ctx = Json::object({{"error", text}}).dump()}
    );
}

void add_syntax_error(ValidationErrors& errors, const JsonReader& reader) {
    const std::string text = reader.error_text();
    errors.add(
        {.type = "json_invalid",
         .loc = {},
         .msg = "Invalid JSON: " + text,
         .input = "null",
         .ctx = Json::object({{"error", text}}).dump()}
    );
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
