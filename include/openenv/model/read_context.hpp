#pragma once

#include <openenv/base/json_reader.hpp>
#include <openenv/model/validation.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace model {

/// How many bytes unions may read once more, in all, to find the alternative that fits.
inline constexpr std::size_t kMaxUnionRereading = std::size_t{128} << 20U;
/// How deep unions without a tag may nest: the work multiplies with each level.
inline constexpr std::size_t kMaxUnionNesting = 8;
/// How often, in all, a repeated key may take back what was wrong with its former value.
inline constexpr std::size_t kMaxReplacements = 1024;

/// How strictly a struct is read.
struct ReadOptions {
    /// Pass over unknown keys even where a struct forbids them; what clients do, so that they get
    /// along with newer servers.
    bool ignore_extra = false;
    /// Report a root that is no object as "model_attributes_type", as web requests do.
    bool root_is_body = false;
};

/// What reading a value needs: where the text is, where errors go, and the way from the root.
class ReadContext {
public:
    ReadContext(JsonReader& reader, ValidationErrors& errors, const ReadOptions& options)
        : reader_(&reader), errors_(&errors), options_(options) {}
    ReadContext(const ReadContext&) = delete;
    ReadContext& operator=(const ReadContext&) = delete;

    [[nodiscard]] JsonReader& reader() noexcept { return *reader_; }
    [[nodiscard]] ValidationErrors& errors() noexcept { return *errors_; }
    [[nodiscard]] const ReadOptions& options() const noexcept { return options_; }
    [[nodiscard]] std::size_t depth() const noexcept { return depth_; }

    /// Records an error about the value at the current place. `raw` is its JSON text, `ctx` JSON
    /// text of an object or empty. Always returns false, so that a reader can return the result.
    bool fail(
        std::string_view type, std::string message, std::string_view raw, std::string ctx = {}
    );
    /// Passes over the value that comes next and records an error about it.
    bool fail_next(std::string_view type, std::string message, std::string ctx = {});
    /// Accounts for a text that a union is about to read once more, as one of several trials if
    /// `is_trial`. False, with an error recorded, when that is more than a peer may ask for.
    bool allow_rereading(std::string_view raw, bool is_trial);
    /// Accounts for errors that are taken back because a key came once more. False when that is
    /// more than a peer may ask for.
    bool allow_replacing() noexcept;
    /// The keys and positions from the root to the current place.
    [[nodiscard]] std::vector<LocPart> location() const;

    /// While it lives, the current place is one step further down.
    class Step;
    /// While it lives, values are read from another text and errors go to another list.
    class Detour;

private:
    JsonReader* reader_;
    ValidationErrors* errors_;
    ReadOptions options_;
    const Step* place_ = nullptr;
    std::size_t depth_ = 0;
    std::size_t rereading_left_ = kMaxUnionRereading;
    std::size_t replacements_left_ = kMaxReplacements;
    std::size_t nesting_ = 0;
};

class ReadContext::Step {
public:
    /// Lifetime: `key` outlives the step.
    Step(ReadContext& context, std::string_view key) noexcept
        : context_(context), parent_(context.place_), key_(key) {
        enter();
    }
    Step(ReadContext& context, std::size_t index) noexcept
        : context_(context), parent_(context.place_), index_(index), is_index_(true) {
        enter();
    }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() {
        context_.place_ = parent_;
        --context_.depth_;
    }

private:
    friend class ReadContext;
    void enter() noexcept {
        context_.place_ = this;
        ++context_.depth_;
    }

    ReadContext& context_;
    const Step* parent_;
    std::string_view key_ = {};
    std::size_t index_ = 0;
    bool is_index_ = false;
};

class ReadContext::Detour {
public:
    /// `is_trial`: one of several that may be made, which counts as a level of nesting.
    Detour(
        ReadContext& context, JsonReader& reader, ValidationErrors& errors, bool is_trial
    ) noexcept
        : context_(context),
          reader_(context.reader_),
          errors_(context.errors_),
          levels_(is_trial ? 1 : 0) {
        context.reader_ = &reader;
        context.errors_ = &errors;
        context.nesting_ += levels_;
    }
    Detour(const Detour&) = delete;
    Detour& operator=(const Detour&) = delete;
    ~Detour() {
        context_.reader_ = reader_;
        context_.errors_ = errors_;
        context_.nesting_ -= levels_;
    }

private:
    ReadContext& context_;
    JsonReader* reader_;
    ValidationErrors* errors_;
    std::size_t levels_;
};

}  // namespace model
}  // namespace v0
}  // namespace openenv
