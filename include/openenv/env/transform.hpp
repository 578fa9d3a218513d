#pragma once

namespace openenv {
inline namespace v0 {

/// Changes an observation between the environment's step and the peer: masks, normalises,
/// annotates. Thread: called where step runs, for copies of one environment from several threads at
/// once. Errors: may throw, like step.
template <class ObservationT>
class Transform {
public:
    virtual ~Transform() = default;
    virtual void apply(ObservationT& observation) const = 0;
};

}  // namespace v0
}  // namespace openenv
