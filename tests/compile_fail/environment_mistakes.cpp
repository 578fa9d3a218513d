/// Environments that must not compile; see description_mistakes.cpp.

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
    Table reset(const ResetOptions&) override { return {}; }
    Table step(const Play&, const StepOptions&) override { return {}; }
#if !defined(MISTAKE_ABSTRACT)
    const openenv::State& state() const override {
        return state_;
    }
#endif

private:
    openenv::State state_;
};

openenv::EnvironmentEntry game() {
    return openenv::environment_entry<Game>("game");
}
