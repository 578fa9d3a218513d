#include "integration/support/types_environment.hpp"

#include <openenv/env/typed_environment.hpp>

#include <limits>

namespace openenv {
namespace test {

TypesObservation TypesEnvironment::step(const TypesAction& action, const StepOptions&) {
    TypesObservation observation;
    observation.large = std::numeric_limits<std::uint64_t>::max();
    observation.small = -128;
    observation.flags = {true, false, true};
    observation.grid = {{1.0, 2.5}, {-3.0, 0.0}};
    observation.no_rows = {{}, {}};
    observation.pair = {9007199254740993, -1};
    observation.bytes.data = {0x00, 0xff, 0x10};
    observation.number = action.number;
    observation.single = static_cast<float>(action.number);
    observation.numbers = action.numbers;
    observation.deep = {{{{{action.number}}}}};
    observation.any["a"]["b"] = Json::array({action.number});
    if (action.what == "bad text") {
        observation.any = std::string("caf\xe9");
    }
    return observation;
}

EnvironmentEntry types_entry() {
    return environment_entry<TypesEnvironment>("types");
}

}  // namespace test
}  // namespace openenv
