/// Environments that must not compile; see description_mistakes.cpp.

#include <openenv/env/async_environment.hpp>
#include <openenv/env/environment.hpp>
#include <openenv/env/typed_environment.hpp>

struct Play : openenv::Action {
    int card = 0;
    static constexpr auto fields = openenv::fields(openenv::field("card", &Play::card));
};
struct Table : openenv::Observation {
    static constexpr auto fields = openenv::no_fields<Table>();
};
struct Deal {
    int players = 2;
#if !defined(MISTAKE_RESET_ARGS_WITHOUT_FIELDS)
    static constexpr auto fields =
        openenv::fields(openenv::field("players", &Deal::players).or_default());
#endif
};

class Game : public openenv::Environment<Play, Table, Deal> {
public:
#if defined(MISTAKE_AWAITABLE_WITHOUT_TASKS)
    static constexpr openenv::Execution execution = openenv::Execution::awaitable;
#endif
    Table reset(const ResetOptions&) override {
        return {};
    }
    Table step(const Play&, const StepOptions&) override {
        return {};
    }
#if !defined(MISTAKE_ABSTRACT)
    const openenv::State& state() const override {
        return state_;
    }
#endif

private:
    openenv::State state_;
};

class SlowGame : public openenv::AsyncEnvironment<Play, Table, Deal> {
public:
#if defined(MISTAKE_ASYNC_ON_A_POOL)
    static constexpr openenv::Execution execution = openenv::Execution::pooled;
#endif
    openenv::Task<Table> reset(ResetOptions) override {
        co_return Table();
    }
#if defined(MISTAKE_ASYNC_ABSTRACT)
    openenv::Task<Table> step(const Play&, StepOptions) {
        co_return Table();
    }
#else
    openenv::Task<Table> step(Play, StepOptions) override {
        co_return Table();
    }
#endif
    const openenv::State& state() const override {
        return state_;
    }

private:
    openenv::State state_;
};

openenv::EnvironmentEntry slow_game() {
    return openenv::environment_entry<SlowGame>("slow_game");
}

openenv::EnvironmentEntry game() {
    return openenv::environment_entry<Game>("game");
}
