#pragma once

#include "dialogue.hpp"
#include "typed_command.hpp"
#include "value_rule.hpp"

#include <openenv/base/error.hpp>
#include <openenv/base/json.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <variant>

namespace cli {

/// The input has ended.
struct InputEnd {};

/// Asks for an action, field by field. A field that has a default may be left empty, and is then
/// not sent. A field with one possible value is not asked for, and neither is the metadata that
/// every action may carry.
class ActionPrompt {
public:
    using Outcome = std::variant<openenv::Json, Command, InputEnd>;
    /// Does what a command says when that concerns no action; returns false for a command that
    /// ends the asking.
    using Aside = std::function<bool(const Command&)>;

    /// Lifetime: the schema and the dialogue outlive it.
    ActionPrompt(const openenv::Json& schema, Dialogue& dialogue, Aside aside)
        : document_(schema), dialogue_(dialogue), aside_(std::move(aside)) {}

    /// Errors: WrongUsage for a wrong value in a script, and when a script ends within an action;
    /// at a terminal it says what is wrong and asks again.
    [[nodiscard]] Outcome ask();

private:
    struct LeftOpen {};
    using Answer = std::variant<openenv::Json, LeftOpen, Command, InputEnd>;
    /// What a line means for a question.
    using Reading = std::function<openenv::Result<Answer>(const std::string&)>;

    [[nodiscard]] Answer ask_line(
        const std::string& name, const std::string& question, const Reading& read
    );
    /// `name` is what the field is called in questions, and `inner` what the names of its own
    /// fields begin with, such as "move" and "move.".
    [[nodiscard]] Answer ask_field(
        const Field& field, const std::string& name, const std::string& inner
    );
    [[nodiscard]] Answer ask_value(const Field& field, const std::string& name);
    [[nodiscard]] Answer ask_alternative(
        const Field& field, const std::string& name, const std::string& inner
    );
    [[nodiscard]] Answer ask_object(const openenv::Json& schema, const std::string& prefix);
    [[nodiscard]] Answer ask_to_go_on();

    const SchemaDocument document_;
    Dialogue& dialogue_;
    const Aside aside_;
    std::size_t answered_ = 0;  // lines of this action
};

}  // namespace cli
