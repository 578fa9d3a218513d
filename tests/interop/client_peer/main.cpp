// Our client as a program, for tests in another language: it reads calls from standard input, one
// JSON object a line, makes them, and prints one line for what came of each.
//
//   openenv_client_peer URL --face coroutines|blocking --client generic|typed
//       [--reconnect always] [--message-timeout-ms N] [--max-message-bytes N]
//
//   {"op": "step", "arguments": {"message": "hi"}}        {"result": {"observation": ...}}
//   {"op": "new_session", "as": "child"}                  {"result": null}
//   {"op": "state", "client": "child", "timeout_ms": 50}  {"error": {"kind": "Timeout", ...}}
//   {"op": "together", "calls": [...]}                    {"result": [{"result": ...}, ...]}
//   {"op": "vector", "steps": [["a", "b"], ["c", "d"]]}   {"result": [["a", "b"], ["c", "d"]]}
//
// The client that the program begins with is called "main". "vector" plays in as many sessions as a
// step has messages, by one object, and tells the messages echoed, or the code of an error.
#include <openenv/client/env_client.hpp>
#include <openenv/client/vector_env.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <ios>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using openenv::Json;

struct EchoAction : openenv::Action {
    std::string message;

    static constexpr auto fields = openenv::fields(openenv::field("message", &EchoAction::message));
};

struct EchoObservation : openenv::Observation {
    std::string echoed_message;
    std::int64_t message_length = 0;

    static constexpr auto fields = openenv::fields(
        openenv::field("echoed_message", &EchoObservation::echoed_message),
        openenv::field("message_length", &EchoObservation::message_length)
    );
};

class EchoClient : public openenv::EnvClient<EchoAction, EchoObservation> {
public:
    using EnvClient::EnvClient;
};

/// One line of input. A class with a constructor: it is handed to coroutines.
class Call {
public:
    explicit Call(const Json& line)
        : op(line["op"].as_string()), client(text_or(line, "client", "main")) {
        if (const Json* given = line.find("arguments")) {
            arguments = *given;
        }
        if (const Json* limit = line.find("timeout_ms")) {
            options = std::chrono::milliseconds(limit->as_int64());
        }
        child_name = text_or(line, "as", "");
    }

    std::string op;
    std::string client;
    std::string child_name;
    Json arguments = Json::object();
    openenv::CallOptions options;

private:
    static std::string text_or(const Json& line, const char* key, const char* otherwise) {
        const Json* given = line.find(key);
        return given != nullptr ? given->as_string() : otherwise;
    }
};

template <class Client>
struct Outcome {
    Json line;
    std::unique_ptr<Client> child;  // of a new_session that succeeded
};

template <class Client>
typename Client::Action action_of(const Json& arguments) {
    if constexpr (std::is_same_v<typename Client::Action, Json>) {
        return arguments;
    } else {
        EchoAction action;
        action.message = arguments["message"].as_string();
        if (const Json* metadata = arguments.find("metadata")) {
            action.metadata = *metadata;
        }
        return action;
    }
}

template <class T>
Json json_of(const T& value) {
    if constexpr (std::is_same_v<T, Json>) {
        return value;
    } else {
        return Json::parse(openenv::model::to_json(value));
    }
}

template <class Observation>
Json told(const openenv::StepResult<Observation>& result) {
    return Json::object(
        {{"observation", json_of(result.observation)},
         {"reward", json_of(result.reward)},
         {"done", result.done},
         {"metadata", result.metadata}}
    );
}

template <class Client>
Json ask_blocking(Client& client, const Call& call, std::unique_ptr<Client>& child) {
    auto& env = client.sync();
    if (call.op == "reset") {
        return told(env.reset(call.arguments, call.options));
    }
    if (call.op == "step") {
        return told(env.step(action_of<Client>(call.arguments), call.options));
    }
    if (call.op == "state") {
        return json_of(env.state(call.options));
    }
    if (call.op == "connect") {
        env.connect(call.options);
    } else if (call.op == "disconnect") {
        env.disconnect();
    } else if (call.op == "close") {
        env.close();
    } else if (call.op == "new_session") {
        child = env.template new_session<Client>(call.options);
    } else {
        throw std::invalid_argument("no such op: " + call.op);
    }
    return nullptr;
}

template <class Client>
openenv::Task<Json> ask_in_coroutine(
    Client& client, const Call& call, std::unique_ptr<Client>& child
) {
    if (call.op == "reset") {
        const auto result = co_await client.reset(call.arguments, call.options);
        co_return told(result);
    }
    if (call.op == "step") {
        const auto action = action_of<Client>(call.arguments);
        const auto result = co_await client.step(action, call.options);
        co_return told(result);
    }
    if (call.op == "state") {
        const auto state = co_await client.state(call.options);
        co_return json_of(state);
    }
    if (call.op == "connect") {
        co_await client.connect(call.options);
    } else if (call.op == "disconnect") {
        co_await client.disconnect();
    } else if (call.op == "close") {
        co_await client.close();
    } else if (call.op == "new_session") {
        child = co_await client.template new_session<Client>(call.options);
    } else {
        throw std::invalid_argument("no such op: " + call.op);
    }
    co_return nullptr;
}

Json told(const char* kind, const openenv::Exception& failure) {
    const openenv::Error& error = failure.error();
    Json errors = error.errors.empty() ? Json::array() : Json::parse(error.errors);
    return Json::object(
        {{"kind", kind},
         {"code", openenv::name_of(failure.code())},
         {"message", failure.what()},
         {"phase", error.phase},
         {"server_code", error.server_code},
         {"errors", std::move(errors)}}
    );
}

/// What a call threw. A failure that is none of the client's ends the program.
Json told(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const openenv::CapacityReached& error) {
        return told("CapacityReached", error);
    } catch (const openenv::ValidationFailed& error) {
        return told("ValidationFailed", error);
    } catch (const openenv::ExecutionFailed& error) {
        return told("ExecutionFailed", error);
    } catch (const openenv::SessionLost& error) {
        return told("SessionLost", error);
    } catch (const openenv::Timeout& error) {
        return told("Timeout", error);
    } catch (const openenv::ConnectFailed& error) {
        return told("ConnectFailed", error);
    } catch (const openenv::Exception& error) {
        return told("Exception", error);
    }
}

Json outcome_line(const std::exception_ptr& failure, Json result) {
    return failure ? Json::object({{"error", told(failure)}})
                   : Json::object({{"result", std::move(result)}});
}

Json play_in_many(
    const std::string& url, const openenv::ClientOptions& options, const Json& steps
) {
    openenv::GenericVectorEnv vector(url, openenv::VectorOptions(steps[0].size(), options));
    auto& envs = vector.sync();
    envs.reset(1);
    Json seen = Json::array();
    for (const Json& messages : steps.elements()) {
        std::vector<Json> actions;
        for (const Json& message : messages.elements()) {
            actions.push_back(Json::object({{"message", message}}));
        }
        Json row = Json::array();
        for (const auto& result : envs.step(actions)) {
            row.push_back(
                result.error ? Json(result.error->server_code)
                             : result.observation["echoed_message"]
            );
        }
        seen.push_back(std::move(row));
    }
    envs.close();
    return seen;
}

/// The clients and how they are used.
template <class Client>
class Peer {
public:
    Peer(std::string url, openenv::ClientOptions options, bool blocking)
        : blocking_(blocking), url_(url), options_(options) {
        clients_["main"] = std::make_unique<Client>(std::move(url), std::move(options));
    }

    Json answer(const Json& line) {
        if (line["op"].as_string() == "destroy") {
            clients_.erase(line["client"].as_string());
            return outcome_line(nullptr, nullptr);
        }
        if (line["op"].as_string() == "vector") {
            return outcome_line(nullptr, play_in_many(url_, options_, line["steps"]));
        }
        std::vector<Call> calls;
        const bool together = line["op"].as_string() == "together";
        if (together) {
            for (const Json& call : line["calls"].elements()) {
                calls.emplace_back(call);
            }
        } else {
            calls.emplace_back(line);
        }
        std::vector<Outcome<Client>> outcomes =
            blocking_ ? make_blocking(calls) : make_in_coroutines(calls);
        Json lines = Json::array();
        for (std::size_t i = 0; i != calls.size(); ++i) {
            if (outcomes[i].child) {
                clients_[calls[i].child_name] = std::move(outcomes[i].child);
            }
            lines.push_back(std::move(outcomes[i].line));
        }
        return together ? outcome_line(nullptr, std::move(lines)) : lines[0];
    }

private:
    /// Each call on a thread of its own.
    std::vector<Outcome<Client>> make_blocking(const std::vector<Call>& calls) {
        std::vector<Outcome<Client>> outcomes(calls.size());
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i != calls.size(); ++i) {
            Client& client = *clients_.at(calls[i].client);
            threads.emplace_back([&client, &call = calls[i], &outcome = outcomes[i]] {
                std::exception_ptr failure;
                Json result;
                try {
                    result = ask_blocking(client, call, outcome.child);
                } catch (...) {
                    failure = std::current_exception();
                }
                outcome.line = outcome_line(failure, std::move(result));
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        return outcomes;
    }

    /// All calls on this thread.
    std::vector<Outcome<Client>> make_in_coroutines(const std::vector<Call>& calls) {
        std::vector<Outcome<Client>> outcomes(calls.size());
        boost::asio::io_context context;
        for (std::size_t i = 0; i != calls.size(); ++i) {
            boost::asio::co_spawn(
                context,
                ask_in_coroutine(*clients_.at(calls[i].client), calls[i], outcomes[i].child),
                [&outcome = outcomes[i]](std::exception_ptr failure, Json result) {
                    outcome.line = outcome_line(failure, std::move(result));
                }
            );
        }
        context.run();
        return outcomes;
    }

    const bool blocking_;
    const std::string url_;
    const openenv::ClientOptions options_;
    std::map<std::string, std::unique_ptr<Client>> clients_;
};

template <class Client>
void talk(std::string url, openenv::ClientOptions options, bool blocking) {
    Peer<Client> peer(std::move(url), std::move(options), blocking);
    for (std::string line; std::getline(std::cin, line);) {
        std::cout << peer.answer(Json::parse(line)).dump() << std::endl;
    }
}

void run(const std::vector<std::string>& arguments) {
    std::map<std::string, std::string> given;
    for (std::size_t i = 1; i + 1 < arguments.size(); i += 2) {
        given[arguments[i]] = arguments[i + 1];
    }
    const auto taken = [&given](const char* name, std::string otherwise) {
        const auto found = given.find(name);
        if (found != given.end()) {
            otherwise = found->second;
            given.erase(found);
        }
        return otherwise;
    };
    openenv::ClientOptions options;
    if (taken("--reconnect", "on_reset") == "always") {
        options.reconnect = openenv::Reconnect::always;
    }
    const std::string limit = taken("--message-timeout-ms", "60000");
    options.message_timeout = std::chrono::milliseconds(std::stol(limit));
    options.max_message_bytes =
        std::stoul(taken("--max-message-bytes", std::to_string(options.max_message_bytes)));
    const std::string face = taken("--face", "");
    const std::string client = taken("--client", "");
    const bool known =
        (face == "blocking" || face == "coroutines") && (client == "typed" || client == "generic");
    if (!known || !given.empty() || arguments.size() % 2 == 0) {
        throw std::invalid_argument("see the head of this program's source for its arguments");
    }
    const bool blocking = face == "blocking";
    if (client == "typed") {
        talk<EchoClient>(arguments[0], std::move(options), blocking);
    } else {
        talk<openenv::GenericEnvClient>(arguments[0], std::move(options), blocking);
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::ios::sync_with_stdio(false);  // lines are megabytes long
    try {
        run(std::vector<std::string>(argv + 1, argv + argc));
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "openenv_client_peer: " << error.what() << "\n";
        return 1;
    }
}
