#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace model {

/// One step on the way to a value at fault: an object's key or an array's position.
struct LocPart {
    LocPart(std::string_view name) : key(name) {}
    LocPart(const char* name) : key(name) {}
    LocPart(std::size_t position) : index(position), is_index(true) {}

    std::string key;
    std::size_t index = 0;
    bool is_index = false;

    bool operator==(const LocPart&) const = default;
};

/// One thing wrong with an input, in the form that pydantic reports it.
struct ValidationError {
    std::string type;          ///< "missing", "int_parsing", ...
    std::vector<LocPart> loc;  ///< from the root of what was read
    std::string msg;
    std::string input = "null";  ///< JSON text of the value at fault, shortened when large
    std::string ctx = {};        ///< JSON text of an object, or empty
};

/// How a list of errors is printed. Clients tell two forms apart: a request that is wrong as such
/// (`loc` starts with "body", no `url`) and an action that is wrong (the reverse).
struct ErrorFormat {
    std::string_view loc_prefix = {};  ///< first element of every `loc` when not empty
    bool url = true;                   ///< add the link to pydantic's documentation
};
inline constexpr ErrorFormat kActionErrors = {};
inline constexpr ErrorFormat kBodyErrors = {.loc_prefix = "body", .url = false};

/// How many errors are kept at most; an input with more of them is refused all the same.
inline constexpr std::size_t kMaxValidationErrors = 256;
/// Strings and other values whose JSON is longer are not repeated in full in an error.
inline constexpr std::size_t kMaxEchoedString = 1024;
inline constexpr std::size_t kMaxEchoedValue = 4096;

/// Everything that is wrong with one input.
class ValidationErrors {
public:
    ValidationErrors() = default;
    /// A list that keeps at most `limit` errors.
    explicit ValidationErrors(std::size_t limit) : limit_(limit) {}

    [[nodiscard]] bool empty() const noexcept { return errors_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return errors_.size(); }
    [[nodiscard]] const ValidationError& operator[](std::size_t i) const { return errors_[i]; }
    [[nodiscard]] auto begin() const noexcept { return errors_.begin(); }
    [[nodiscard]] auto end() const noexcept { return errors_.end(); }

    /// How many more errors are kept.
    [[nodiscard]] std::size_t room() const noexcept { return limit_ - errors_.size(); }
    /// Adds an error; dropped when there is no room.
    void add(ValidationError error);
    void clear() noexcept;

    /// Appends the list as a JSON array of `{"type","loc","msg","input"[,"ctx"][,"url"]}`.
    void append_json(std::string& out, const ErrorFormat& format = kActionErrors) const;
    [[nodiscard]] std::string to_json(const ErrorFormat& format = kActionErrors) const;
    /// One line for a log or an exception: "message: Field required; count: ...".
    [[nodiscard]] std::string summary() const;

    /// Takes back the errors from position `from` to before `to`.
    void erase(std::size_t from, std::size_t to);
    /// Sorts the errors from `first` on by their ranks, one for each, keeping ties in order.
    void sort_from(std::size_t first, std::span<const std::size_t> ranks);
    /// Moves all errors of `other` to the end of this list.
    void take(ValidationErrors&& other);

private:
    std::vector<ValidationError> errors_;
    std::size_t limit_ = kMaxValidationErrors;
};

/// The text itself, or its start and its size when it is longer than kMaxEchoedString: for what a
/// peer sent and an error repeats.
[[nodiscard]] std::string shortened(std::string_view text);

/// JSON text for the `input` of an error: `raw` made compact, or a short stand-in when it is large.
/// Shape: `raw` is checked JSON text.
[[nodiscard]] std::string echo_input(std::string_view raw);

}  // namespace model
}  // namespace v0
}  // namespace openenv
