"""The Python edition's server around an environment that misbehaves on demand.

The twin of tests/interop/client_peer/faults_env.cpp; what is asked for stands in the message.
"""

from pathlib import Path
from typing import Any, Optional

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import State
from pydantic import Field
from reference_echo import EchoAction, EchoObservation, serve

REWARDS = {"nan": float("nan"), "inf": float("inf"), "true": True, "7": 7, "none": None}


class FaultsObservation(EchoObservation):
    note: str = Field(default="more than a client of the echo environment knows")


class FaultsEnvironment(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State()

    def reset(
        self,
        seed: Optional[int] = None,
        episode_id: Optional[str] = None,
        fault: Optional[str] = None,
        **_: Any,
    ) -> FaultsObservation:
        if fault is not None:
            raise ValueError(fault)
        self._state = State(episode_id=episode_id, visits=["first", None, 2.5])
        return FaultsObservation()

    def step(self, action: EchoAction, **_: Any) -> FaultsObservation:
        self._state.step_count += 1
        observation = FaultsObservation(echoed_message=action.message)
        what, _, detail = action.message.partition(":")
        if what == "raise":
            raise ValueError(detail)
        if what == "wait":  # a pipe: lasts until somebody has opened and closed it
            Path(detail).read_bytes()
        elif what == "repeat":
            observation.echoed_message = "x" * int(detail)
        elif what == "reward":
            observation.reward = REWARDS[detail]
        elif what == "done":
            observation.done = True
            observation.metadata = {"why": "asked to"}
        return observation

    @property
    def state(self) -> State:
        return self._state


if __name__ == "__main__":
    serve(FaultsEnvironment, EchoAction, FaultsObservation, "faults")
