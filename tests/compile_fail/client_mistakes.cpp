/// Uses of clients that must not compile; see description_mistakes.cpp.

#include <openenv/client/env_client.hpp>

#include <memory>
#include <string>
#include <utility>

struct CountAction : openenv::Action {
    int amount = 1;
    static constexpr auto fields =
        openenv::fields(openenv::field("amount", &CountAction::amount).or_default());
};
struct CountObservation : openenv::Observation {
    int count = 0;
    static constexpr auto fields =
        openenv::fields(openenv::field("count", &CountObservation::count));
};
struct MyArguments {
    int players = 2;
    static constexpr auto fields =
        openenv::fields(openenv::field("players", &MyArguments::players).or_default());
};

class Counter : public openenv::EnvClient<CountAction, CountObservation> {
public:
#if defined(MISTAKE_NO_CONSTRUCTORS)
    explicit Counter(std::string url) : EnvClient(std::move(url)) {}
#else
    using EnvClient::EnvClient;
#endif
};

openenv::Task<int> count(Counter& client) {
#if defined(MISTAKE_TEMPORARY_ARGUMENTS)
    co_await client.reset(MyArguments{});
#else
    MyArguments arguments;
    co_await client.reset(arguments);
    const MyArguments constant;
    co_await client.reset(constant);
#endif
    co_await client.reset();
    co_await client.reset(openenv::Json::object());  // no aggregate: it may be a temporary one
    co_await client.reset(openenv::seed(7));
#if defined(MISTAKE_TEMPORARY_ACTION)
    const auto result = co_await client.step(CountAction{});
#elif defined(MISTAKE_TEMPORARY_BRACES)
    const auto result = co_await client.step({});
#else
    CountAction action;
    const auto result = co_await client.step(action);
#endif
    co_return result.observation.count;
}

/// Nothing of it is awaited here, so temporary ones are as good as any.
int count_blocking(Counter& client) {
    client.sync().reset(MyArguments{});
    return client.sync().step(CountAction{}).observation.count;
}

openenv::Task<void> share(Counter& parent) {
    const std::unique_ptr<Counter> child = co_await parent.new_session<Counter>();
    co_await child->close();
}

openenv::Task<void> play(openenv::GenericEnvClient& client) {
    co_await client.step(openenv::Json::object());
    const auto child = co_await client.new_session<openenv::GenericEnvClient>();
    co_await child->close();
}
