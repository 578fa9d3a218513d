#include "openenv/model/pattern.hpp"

#include <openenv/base/error.hpp>

#include <re2/re2.h>

#include <string>

namespace openenv {
inline namespace v0 {
namespace model {

namespace {

re2::StringPiece piece(std::string_view text) {
    return {text.data(), text.size()};
}

}  // namespace

class Pattern::Compiled {
public:
    explicit Compiled(std::string_view expression) : expression_(piece(expression), RE2::Quiet) {}
    RE2 expression_;
};

Pattern::Pattern(std::string_view expression) : compiled_(std::make_unique<Compiled>(expression)) {
    if (!compiled_->expression_.ok()) {
        throw ConfigError(
            "the pattern '" + std::string(expression) +
            "' of a field is not a regular expression: " + compiled_->expression_.error()
        );
    }
}

Pattern::~Pattern() = default;

bool Pattern::matches(std::string_view text) const {
    return RE2::PartialMatch(piece(text), compiled_->expression_);
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
