#include "action_prompt.hpp"

#include "printable.hpp"
#include "rule_text.hpp"
#include "typed_value.hpp"
#include "wrong_usage.hpp"

#include <openenv/base/error.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cli {

namespace {

using openenv::Errc;
using openenv::Error;
using openenv::Json;
using openenv::Result;

/// So many choices are shown; more can be named.
constexpr std::size_t kMostListed = 40;

/// What every action may carry and nobody types.
bool is_bookkeeping(const Field& field) {
    return field.name == "metadata" && !field.required && field.rule.kind == ValueKind::object;
}

std::string default_text(const Field& field) {
    if (field.default_value) {
        return " [" + value_text(*field.default_value) + "]";
    }
    return field.required ? "" : " [leave out]";
}

std::string choice_list(const ValueRule& rule) {
    std::string text;
    for (std::size_t place = 0; place < rule.choices.size(); ++place) {
        if (place == kMostListed) {
            return text + "  ... up to " + std::to_string(rule.choices.size()) + "\n";
        }
        text += "  " + std::to_string(place + 1) + ") " + value_text(rule.choices[place]) + "\n";
    }
    return text;
}

std::string alternative_list(const ValueRule& rule) {
    std::string text;
    std::size_t number = 0;
    for (const Alternative& alternative : rule.alternatives) {
        if (number == kMostListed) {
            return text + "  ... up to " + std::to_string(rule.alternatives.size()) + "\n";
        }
        text += "  " + std::to_string(++number) + ") " + printable(alternative.name);
        const bool tagged = !alternative.tag.empty() && alternative.tag != alternative.name;
        text += (tagged ? " (" + printable(alternative.tag) + ")" : "") + "\n";
    }
    return text;
}

std::string question_for(
    const SchemaDocument& document, const Field& field, const std::string& name
) {
    const ValueRule& rule = field.rule;
    const bool listed = rule.kind == ValueKind::choice;
    std::string type = listed ? "choose" : type_text(document, rule);
    if (listed && rule.nullable) {
        type += ", or null";
    }
    if (rule.kind == ValueKind::boolean) {
        type += ", y or n";
    }
    const std::string limits = limits_text(*rule.schema);
    return (listed ? choice_list(rule) : std::string()) + printable(name) + " (" + type +
           (limits.empty() ? "" : ", " + limits) + ")" + default_text(field) + ": ";
}

/// The alternative that a line names: by name, by tag, or by number.
const Alternative* find_alternative(const ValueRule& rule, const std::string& line) {
    std::vector<std::string> names;
    for (const Alternative& alternative : rule.alternatives) {
        if (!line.empty() && line == alternative.tag) {
            return &alternative;
        }
        names.push_back(alternative.name);
    }
    const std::optional<std::size_t> place = find_choice(names, line);
    return place ? &rule.alternatives[*place] : nullptr;
}

}  // namespace

ActionPrompt::Outcome ActionPrompt::ask() {
    answered_ = 0;
    Field whole;
    whole.name = "action";
    whole.required = true;
    whole.rule = document_.rule_of(document_.root());
    const bool described = !document_.fields_of(document_.root()).empty();
    Answer answer = described ? ask_object(document_.root(), "") : ask_field(whole, whole.name, "");
    if (described && answered_ == 0 && std::holds_alternative<Json>(answer)) {
        Answer agreed = ask_to_go_on();
        if (!std::holds_alternative<LeftOpen>(agreed)) {
            answer = std::move(agreed);
        }
    }
    if (auto* command = std::get_if<Command>(&answer)) {
        return std::move(*command);
    }
    if (auto* action = std::get_if<Json>(&answer)) {
        return std::move(*action);
    }
    return InputEnd();
}

ActionPrompt::Answer ActionPrompt::ask_line(
    const std::string& name, const std::string& question, const Reading& read
) {
    for (;;) {
        const std::optional<std::string> line = dialogue_.ask(question);
        if (!line) {
            if (answered_ > 0 && !dialogue_.is_interactive()) {
                throw WrongUsage(
                    dialogue_.end() + ", within an action: '" + name + "' is still missing"
                );
            }
            return InputEnd();
        }
        if (!line->empty() && line->front() == ':') {
            Command command = read_command(*line);
            if (aside_(command)) {
                continue;
            }
            return command;
        }
        Result<Answer> answer = read(*line);
        if (answer) {
            ++answered_;
            return std::move(*answer);
        }
        if (!dialogue_.is_interactive()) {
            throw WrongUsage(dialogue_.place() + ": " + name + ": " + answer.error().message);
        }
        dialogue_.say("  " + printable(answer.error().message) + "\n");
    }
}

ActionPrompt::Answer ActionPrompt::ask_field(
    const Field& field, const std::string& name, const std::string& inner
) {
    if (field.rule.kind == ValueKind::constant) {
        return field.rule.choices[0];
    }
    if (field.rule.kind == ValueKind::alternatives) {
        return ask_alternative(field, name, inner);
    }
    return ask_value(field, name);
}

ActionPrompt::Answer ActionPrompt::ask_value(const Field& field, const std::string& name) {
    const auto read = [&field](const std::string& line) -> Result<Answer> {
        if (line.empty()) {
            if (!field.required) {
                return Answer(LeftOpen());
            }
            if (field.default_value) {
                return Answer(*field.default_value);
            }
            return Error{
                Errc::validation,
                field.rule.kind == ValueKind::text ? "this is required; type \"\" for an empty text"
                                                   : "this is required"};
        }
        Result<Json> value = read_typed(field.rule, line);
        if (!value) {
            return std::move(value).error();
        }
        return Answer(std::move(*value));
    };
    return ask_line(name, question_for(document_, field, name), read);
}

ActionPrompt::Answer ActionPrompt::ask_alternative(
    const Field& field, const std::string& name, const std::string& inner
) {
    const ValueRule& rule = field.rule;
    const Alternative* chosen = nullptr;
    const auto read = [this, &field, &rule, &chosen](const std::string& line) -> Result<Answer> {
        if (line.empty() && !field.required) {
            return Answer(LeftOpen());
        }
        if (line == "null" && rule.nullable) {
            return Answer(Json());
        }
        chosen = find_alternative(rule, line);
        if (chosen == nullptr) {
            return Error{
                Errc::validation,
                "this takes " + type_text(document_, rule) + ", by name or by number"};
        }
        return Answer(Json());
    };
    const std::string question = alternative_list(rule) + printable(name) + " (which of them" +
                                 (rule.nullable ? ", or null)" : ")") + default_text(field) + ": ";
    Answer answer = ask_line(name, question, read);
    if (chosen == nullptr) {
        return answer;
    }
    Field one;
    one.name = field.name;
    one.required = true;
    one.rule = document_.rule_of(*chosen->schema);
    const bool described =
        one.rule.kind == ValueKind::object && !document_.fields_of(*chosen->schema).empty();
    return described ? ask_object(*chosen->schema, inner) : ask_field(one, name, inner);
}

ActionPrompt::Answer ActionPrompt::ask_object(const Json& schema, const std::string& prefix) {
    Json object = Json::object();
    for (const Field& field : document_.fields_of(schema)) {
        if (is_bookkeeping(field)) {
            continue;
        }
        const std::string name = prefix + field.name;
        Answer answer = ask_field(field, name, name + ".");
        if (auto* value = std::get_if<Json>(&answer)) {
            object[field.name] = std::move(*value);
        } else if (!std::holds_alternative<LeftOpen>(answer)) {
            return answer;
        }
    }
    return object;
}

ActionPrompt::Answer ActionPrompt::ask_to_go_on() {
    const auto read = [](const std::string& line) -> Result<Answer> {
        if (line.empty()) {
            return Answer(LeftOpen());
        }
        return Error{Errc::validation, "this action asks for nothing: leave the line empty"};
    };
    return ask_line("action", "enter takes a step: ", read);
}

}  // namespace cli
