"""Gymnasium and our classic control side by side: the same seeds and actions, the same numbers.

Equal means equal: observations bit by bit in single precision, rewards in double precision. Both
sides compute with this machine's C library.
"""

import gymnasium
import numpy as np
import pytest
from openenv import GenericEnvClient

pytestmark = [
    pytest.mark.ours_only,
    # Gymnasium's word on steps after the end, which are part of what is compared.
    pytest.mark.filterwarnings("ignore:.*You are calling 'step.*:UserWarning"),
]

GYMNASIUM_NAMES = {
    "acrobot": "Acrobot-v1",
    "cartpole": "CartPole-v1",
    "mountain_car": "MountainCar-v0",
    "mountain_car_continuous": "MountainCarContinuous-v0",
    "pendulum": "Pendulum-v1",
}
SEEDS = [0, 42, 2**32 + 5, 2**63 - 1]
STEPS = 800  # per seed, over as many episodes as that takes
OTHER_STARTS = {
    "acrobot": {"low": -1.5, "high": 2.5},
    "cartpole": {"low": -0.1, "high": 0.2},
    "mountain_car": {"low": -1.2, "high": 0.5},
    "mountain_car_continuous": {"low": -1.2, "high": 0.4},
    "pendulum": {"x_init": 0.5, "y_init": 7.5},
}


def in_bits(numbers):
    return np.asarray(numbers, dtype=np.float32).view(np.uint32).tolist()


def as_message(action):
    return {"action": float(action[0]) if isinstance(action, np.ndarray) else int(action)}


class SideBySide:
    """Gymnasium's environment and ours: every call goes to both, and must give the same."""

    def __init__(self, name, client):
        self.name = name
        self.gym = gymnasium.make(GYMNASIUM_NAMES[name])
        self.client = client
        self.seen = None  # the latest observation of both
        self.terminated = False

    def reset(self, seed=None, **options):
        self.seen, _ = self.gym.reset(seed=seed, options=options)
        seeding = {} if seed is None else {"seed": seed}
        result = self.client.reset(**seeding, **options)
        assert in_bits(result.observation["observation"]) == in_bits(self.seen)
        assert (result.reward, result.done) == (0.0, False)

    def step(self, action):
        """Returns whether the episode is over."""
        self.seen, reward, terminated, truncated, _ = self.gym.step(action)
        result = self.client.step(as_message(action))
        assert in_bits(result.observation["observation"]) == in_bits(self.seen)
        assert result.reward == float(reward)
        assert result.observation["terminated"] == terminated
        assert result.observation["truncated"] == truncated
        assert result.done == (terminated or truncated)
        self.terminated = terminated
        return result.done

    def is_discrete(self):
        return isinstance(self.gym.action_space, gymnasium.spaces.Discrete)


@pytest.fixture(scope="session")
def control_urls(start_shared_server):
    """Starts the servers as they are asked for."""
    urls = {}

    def url(name):
        if name not in urls:
            urls[name] = start_shared_server(name).url
        return urls[name]

    return url


@pytest.fixture(params=GYMNASIUM_NAMES)
def both(request, control_urls):
    with GenericEnvClient(base_url=control_urls(request.param)).sync() as client:
        yield SideBySide(request.param, client)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_actions_over_several_episodes(both, seed):
    both.gym.action_space.seed(seed % 2**32)
    both.reset(seed=seed)
    for _ in range(STEPS):
        if both.step(both.gym.action_space.sample()):
            both.reset()  # goes on with the random numbers of the seed


def test_the_limit_of_steps(both):
    """One action for as long as it takes, and on beyond the end."""
    both.reset(seed=3)
    limit = both.client.state()["max_episode_steps"]
    assert limit == both.gym.spec.max_episode_steps
    first = both.gym.action_space.sample() * 0
    for _ in range(limit + 5):
        over = both.step(first)
    assert over


def test_all_force_along_the_velocity(both):
    """Reaches what goals there are, and other motions than chance does."""
    both.reset(seed=11)
    velocity = {"cartpole": 3, "pendulum": 2, "acrobot": 5}.get(both.name, 1)
    space = both.gym.action_space
    backward, forward = (0, space.n - 1) if both.is_discrete() else (space.low, space.high)
    for _ in range(200):
        if both.step(forward if both.seen[velocity] > 0 else backward):
            break
    assert both.terminated == (both.name not in ("cartpole", "pendulum"))


@pytest.mark.parametrize("seed", SEEDS)
def test_other_starts(both, seed):
    both.gym.action_space.seed(1)
    both.reset(seed=seed, **OTHER_STARTS[both.name])
    for _ in range(20):
        both.reset(**OTHER_STARTS[both.name])
        for _ in range(5):
            both.step(both.gym.action_space.sample())
