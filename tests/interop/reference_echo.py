"""The Python edition's server around an echo environment: the twin of our built-in `echo`.

Its behaviour is that of the environment which upstream's `openenv init` generates, so the golden
frames recorded from it (tests/golden) say what any echo server must put on the wire. Start-up
looks like ours: one line `listening on http://HOST:PORT` on standard output once it serves.
"""

import argparse
import socket
from typing import Any, Optional
from uuid import uuid4

import uvicorn
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

REWARD_PER_CHARACTER = 0.1
HIGHEST_REWARD = 1.0


class EchoAction(Action):
    message: str = Field(description="Text to send back")


class EchoObservation(Observation):
    echoed_message: str = Field(default="", description="The text that was sent")
    message_length: int = Field(default=0, description="Its length in characters")


class EchoEnvironment(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State(episode_id=str(uuid4()), step_count=0)

    def reset(
        self, seed: Optional[int] = None, episode_id: Optional[str] = None, **_: Any
    ) -> EchoObservation:
        new_id = str(uuid4()) if episode_id is None else episode_id
        self._state = State(episode_id=new_id, step_count=0)
        return EchoObservation(
            echoed_message="Echo environment ready!", reward=0.0, done=False
        )

    def step(self, action: EchoAction, **_: Any) -> EchoObservation:
        self._state.step_count += 1
        length = len(action.message)
        return EchoObservation(
            echoed_message=action.message,
            message_length=length,
            reward=min(length * REWARD_PER_CHARACTER, HIGHEST_REWARD),
            done=False,
            metadata={
                "original_message": action.message,
                "step": self._state.step_count,
            },
        )

    @property
    def state(self) -> State:
        return self._state


class AnnouncingServer(uvicorn.Server):
    """Tells its address once it accepts connections."""

    async def startup(self, sockets: Optional[list[socket.socket]] = None) -> None:
        await super().startup(sockets=sockets)
        host, port = sockets[0].getsockname()[:2]
        print(f"listening on http://{host}:{port}", flush=True)


def serve(
    environment: type[Environment],
    action: type[Action],
    observation: type[Observation],
    name: str,
) -> None:
    """Serves what `create_app` makes of them, as the command line says."""
    parser = argparse.ArgumentParser(description=f"The environment {name}")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--max-concurrent-envs", type=int, default=1)
    options = parser.parse_args()

    app = create_app(
        environment,
        action,
        observation,
        env_name=name,
        max_concurrent_envs=options.max_concurrent_envs,
    )
    listener = socket.create_server((options.host, options.port))
    server = AnnouncingServer(uvicorn.Config(app, log_level="warning"))
    server.run(sockets=[listener])


if __name__ == "__main__":
    serve(EchoEnvironment, EchoAction, EchoObservation, "echo")
