"""Steps a vector of Gymnasium's CartPole-v1 as fast as it goes, and prints what it measured."""

import argparse
import json
import time

import gymnasium
import numpy

WARM_UP_S = 0.2


def step_for(environments, actions, seconds):
    """Steps every environment in turn with each of `actions`. Returns (calls, seconds)."""
    calls = 0
    begin = time.perf_counter()
    while True:
        for action in actions:
            environments.step(action)
        calls += len(actions)
        elapsed = time.perf_counter() - begin
        if elapsed >= seconds:
            return calls, elapsed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mode", choices=["sync", "vector_entry_point"], default="sync")
    parser.add_argument("--environments", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()

    environments = gymnasium.make_vec(
        "CartPole-v1", num_envs=options.environments, vectorization_mode=options.mode
    )
    environments.reset(seed=0)
    # Left and right in turn, for all alike.
    actions = [numpy.full(options.environments, side, dtype=numpy.int64) for side in (0, 1)]
    step_for(environments, actions, WARM_UP_S)
    cpu_before = time.process_time()
    calls, elapsed = step_for(environments, actions, options.seconds)
    steps = calls * options.environments
    print(
        json.dumps(
            {
                "mode": options.mode,
                "environments": options.environments,
                "steps": steps,
                "seconds": elapsed,
                "steps_per_second": steps / elapsed,
                "cpu_us_per_step": (time.process_time() - cpu_before) * 1e6 / steps,
            }
        )
    )


if __name__ == "__main__":
    main()
