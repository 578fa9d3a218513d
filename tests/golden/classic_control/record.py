#!/usr/bin/env python3
"""Records what Gymnasium's classic control does, for tests/unit/envs/classic_control_golden_test.cpp.

    build/release/.venv-interop/bin/python tests/golden/classic_control/record.py

Writes NAME.json beside this file: episodes of one environment object, in order, so that those
without a seed go on with the generator of the one before. A step is [action], or, where the result
is kept, [action, observation, reward, terminated, truncated].
"""

import json
from pathlib import Path

import gymnasium
import numpy

KEPT_AT_FIRST = 40  # steps whose result is kept; of the later ones it is every twentieth,
EVERY = 20  # and any that ends something


def shortest(array):
    return [float(str(number)) for number in numpy.asarray(array, dtype=numpy.float32)]


def anything(environment):
    return lambda observation, step: environment.action_space.sample()


def balance(environment):
    return lambda observation, step: int(observation[2] + observation[3] > 0)


def to_the_left(environment):
    is_number = environment.action_space.shape == (1,)
    return lambda observation, step: numpy.array([-2], "float32") if is_number else 0


def along_the_velocity(environment):
    return lambda observation, step: 2 if observation[1] > 0 else 0


def along_the_velocity_by_force(environment):
    return lambda observation, step: numpy.array([1.5 if observation[1] > 0 else -0.75], "float32")


def with_the_second_link(environment):
    return lambda observation, step: 2 if observation[5] > 0 else 0


# Per environment: its name in Gymnasium, and the episodes: seed, options, policy, steps at most.
EPISODES = {
    "cartpole": (
        "CartPole-v1",
        [
            (0, None, anything, 500),
            (None, None, anything, 500),
            (2**40 + 7, {"low": -0.1, "high": 0.2}, anything, 60),
            (3, None, balance, 500),
        ],
    ),
    "mountain_car": (
        "MountainCar-v0",
        [
            (0, None, along_the_velocity, 200),
            (None, None, anything, 200),
            (5, {"low": -1.1, "high": -1.0}, along_the_velocity, 200),
            (5, {"low": 0.4, "high": 0.4}, to_the_left, 60),
        ],
    ),
    "mountain_car_continuous": (
        "MountainCarContinuous-v0",
        [
            (0, None, along_the_velocity_by_force, 999),
            (None, None, anything, 999),
            (5, {"low": -1.19, "high": -1.1}, along_the_velocity_by_force, 999),
            (5, {"low": 0.4, "high": 0.4}, to_the_left, 60),
        ],
    ),
    "pendulum": (
        "Pendulum-v1",
        [
            (0, None, anything, 200),
            (None, None, anything, 60),
            (5, {"x_init": 0.5, "y_init": 7.5}, anything, 60),
        ],
    ),
    "acrobot": (
        "Acrobot-v1",
        [
            (0, None, with_the_second_link, 500),
            (None, None, anything, 100),
            (5, {"low": -1.0, "high": 1.0}, anything, 100),
        ],
    ),
}


def play(environment, seed, options, policy, most):
    start, _ = environment.reset(seed=seed, options=options)
    choose = policy(environment)
    steps = []
    observation = start
    for number in range(1, most + 1):
        action = choose(observation, number)
        observation, reward, terminated, truncated, _ = environment.step(action)
        step = shortest(action) if environment.action_space.shape == (1,) else [int(action)]
        if number <= KEPT_AT_FIRST or number % EVERY == 0 or terminated or truncated:
            step += [shortest(observation), float(reward), bool(terminated), bool(truncated)]
        steps.append(step)
        if terminated or truncated:
            break
    return {"seed": seed, "options": options or {}, "start": shortest(start), "steps": steps}


def main():
    for name, (env_id, episodes) in EPISODES.items():
        environment = gymnasium.make(env_id)
        environment.action_space.seed(1)
        recorded = {
            "gymnasium": gymnasium.__version__,
            "numpy": numpy.__version__,
            "env_id": env_id,
            "episodes": [play(environment, *episode) for episode in episodes],
        }
        path = Path(__file__).with_name(f"{name}.json")
        path.write_text(json.dumps(recorded, separators=(",", ":")) + "\n")
        lengths = [len(episode["steps"]) for episode in recorded["episodes"]]
        print(f"{path.name}: {path.stat().st_size} bytes, episodes of {lengths} steps")


if __name__ == "__main__":
    main()
