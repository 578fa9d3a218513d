#pragma once

#include <memory>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace model {

/// A compiled regular expression in RE2's syntax; matching takes time linear in the text.
/// Thread: any number of threads may match at once.
class Pattern {
public:
    /// Errors: throws ConfigError when the expression is none.
    explicit Pattern(std::string_view expression);
    ~Pattern();
    Pattern(const Pattern&) = delete;
    Pattern& operator=(const Pattern&) = delete;

    /// True when the expression matches somewhere in `text`.
    [[nodiscard]] bool matches(std::string_view text) const;

private:
    class Compiled;
    std::unique_ptr<Compiled> compiled_;
};

}  // namespace model
}  // namespace v0
}  // namespace openenv
