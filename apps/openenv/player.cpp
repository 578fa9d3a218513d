#include "player.hpp"

#include "failure.hpp"
#include "json_argument.hpp"
#include "printable.hpp"
#include "schema_listing.hpp"
#include "streams.hpp"
#include "typed_value.hpp"
#include "wrong_usage.hpp"

#include <openenv/client/errors.hpp>

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace cli {

namespace {

using openenv::Json;

constexpr const char* kHelp =
    "  Enter takes the default. Arrays and objects are typed as JSON; a text that begins with\n"
    "  ':' or '\"' is typed in quotes.\n"
    "  :json {...}     send this action\n"
    "  :reset [{...}]  begin a new episode, with these arguments\n"
    "  :state          show the state\n"
    "  :schema         show all fields\n"
    "  :help           show this\n"
    "  :quit           leave\n";

/// The part of an answer of /schema; an empty schema when the server has none.
const Json& part_of(const Json& schemas, std::string_view name) {
    static const Json anything = Json::object();
    const Json* part = member_of(schemas, name, Json::Kind::object);
    return part == nullptr ? anything : *part;
}

/// Whether the session is gone after this failure of a call, and the episode with it.
bool ends_session(const openenv::Exception& error) {
    const std::string& phase = error.error().phase;
    const bool was_sent = phase != "queued" && phase != "connecting";
    return error.code() == openenv::Errc::session ||
           (error.code() == openenv::Errc::timeout && was_sent);
}

}  // namespace

Player::Player(
    openenv::GenericEnvClient& client,
    Json schemas,
    Json reset_arguments,
    Dialogue& dialogue,
    std::ostream& out
)
    : client_(client),
      schemas_(std::move(schemas)),
      reset_arguments_(std::move(reset_arguments)),
      dialogue_(dialogue),
      out_(out),
      prompt_(part_of(schemas_, "action"), dialogue, [this](const Command& command) {
          return answer_aside(command);
      }) {}

void Player::play() {
    dialogue_.say("action\n" + list_fields(part_of(schemas_, "action"), "  "));
    dialogue_.say(":help tells what else can be typed\n\n");
    Next next = Next::begin;
    while (next != Next::leave) {
        if (next == Next::begin) {
            next = reset(reset_arguments_);
        } else {
            next = over_ ? after_episode() : act();
        }
    }
}

Player::Next Player::act() {
    const ActionPrompt::Outcome outcome = prompt_.ask();
    if (const auto* action = std::get_if<Json>(&outcome)) {
        return step(*action);
    }
    if (const auto* command = std::get_if<Command>(&outcome)) {
        return obey(*command);
    }
    return Next::leave;
}

Player::Next Player::after_episode() {
    const std::optional<std::string> line =
        dialogue_.ask("The episode is over. Another one? [y]: ");
    if (!line) {
        return Next::leave;
    }
    if (!line->empty() && line->front() == ':') {
        const Command command = read_command(*line);
        return answer_aside(command) ? Next::act : obey(command);
    }
    if (!dialogue_.is_interactive()) {
        if (line->empty()) {
            return Next::act;
        }
        throw WrongUsage(dialogue_.place() + ": the episode is over; :reset begins another");
    }
    const std::optional<bool> answer = line->empty() ? true : read_yes_or_no(*line);
    if (!answer) {
        dialogue_.say("  y or n, please\n");
        return Next::act;
    }
    return *answer ? Next::begin : Next::leave;
}

Player::Next Player::reset(const Json& arguments) {
    const bool was_over = std::exchange(over_, true);  // until it has worked
    try {
        const StepResult result = client_.sync().reset(arguments);
        over_ = result.done;
        show(result);
    } catch (const openenv::ConnectFailed&) {
        throw;
    } catch (const openenv::CapacityReached&) {
        throw;
    } catch (const openenv::ValidationFailed& error) {
        over_ = was_over;  // nothing was done
        tell(error);
    } catch (const openenv::Exception& error) {
        tell(error);
    }
    return Next::act;
}

Player::Next Player::step(const Json& action) {
    try {
        const StepResult result = client_.sync().step(action);
        over_ = result.done;
        show(result);
    } catch (const openenv::ConnectFailed&) {
        throw;
    } catch (const openenv::Exception& error) {
        over_ = ends_session(error);
        tell(error);
    }
    return Next::act;
}

Player::Next Player::obey(const Command& command) {
    try {
        if (command.name == "quit") {
            if (command.rest.empty()) {
                return Next::leave;
            }
            throw WrongUsage(":quit takes nothing after it");
        }
        if (command.name == "reset") {
            return reset(command.rest.empty() ? reset_arguments_ : object_of(command));
        }
        if (command.name == "json" && !over_) {
            return step(object_of(command));
        }
        throw WrongUsage(
            command.name == "json" ? "the episode is over; :reset begins another"
                                   : "there is no command ':" + command.name + "'; see :help"
        );
    } catch (const WrongUsage& error) {
        if (!dialogue_.is_interactive()) {
            throw WrongUsage(dialogue_.place() + ": " + error.what());
        }
        dialogue_.say("  " + printable(error.what()) + "\n");
        return Next::act;
    }
}

bool Player::answer_aside(const Command& command) {
    if (command.name == "help") {
        dialogue_.say(kHelp);
        return true;
    }
    if (command.name == "schema") {
        const bool listed = dialogue_.is_interactive();
        print(
            out_,
            listed ? list_schemas(schemas_)
                   : printable(Json::object({{"schema", schemas_}}).dump()) + "\n"
        );
        return true;
    }
    if (command.name != "state") {
        return false;
    }
    try {
        const Json state = client_.sync().state();
        print(out_, dialogue_.is_interactive() ? describe_object(state, "  ") : state_line(state));
    } catch (const openenv::Exception& error) {
        tell(error);
    }
    return true;
}

void Player::tell(const openenv::Exception& error) {
    if (!dialogue_.is_interactive()) {
        openenv::Error failure = error.error();
        failure.message = dialogue_.place() + ": " + failure.message;
        throw openenv::Exception(std::move(failure));
    }
    dialogue_.say("error: " + failure_text(error));
}

void Player::show(const StepResult& result) {
    print(out_, dialogue_.is_interactive() ? describe_result(result) : result_line(result));
}

Json Player::object_of(const Command& command) const {
    return object_from(":" + command.name, command.rest);
}

}  // namespace cli
