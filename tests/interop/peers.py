"""All clients behind one interface: our own, and the published edition that is installed here.

Results are plain values, and what a server refuses is `Refused` with the code that it sent.
"""

import asyncio
import re
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple, Optional

from native_client import FACES, CallFailed, NativeClient
from openenv import GenericEnvClient
from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import Action, Observation, State
from websockets.exceptions import ConnectionClosed

SERVER_CODE = re.compile(r"\(code: (\w+)\)$")


def installed_edition() -> str:
    try:
        return f"openenv {version('openenv')}"
    except PackageNotFoundError:
        return f"openenv-core {version('openenv-core')}"


EDITION = installed_edition()
PUBLISHED = {f"{EDITION}, async": "async", f"{EDITION}, blocking": "blocking"}


class Answer(NamedTuple):
    observation: dict[str, Any]
    reward: Any
    done: bool


class Refused(Exception):
    """The server's error; `code` is what it sent, or nothing when the client did not see it."""

    def __init__(self, code: Optional[str], text: str):
        super().__init__(text)
        self.code = code


class Lost(Exception):
    """The session is gone."""


class NativePeer:
    def __init__(self, url: str, face: str, typed: bool):
        self._client = NativeClient(url, face, "typed" if typed else "generic")
        self._name = "main"
        self._children = 0

    def _call(self, op: str, **fields: Any) -> Any:
        try:
            return self._client.call(op, client=self._name, **fields)
        except CallFailed as failure:
            if failure.kind == "SessionLost":
                raise Lost(str(failure)) from failure
            raise Refused(failure.server_code, failure.message) from failure

    def reset(self, **arguments: Any) -> Answer:
        result = self._call("reset", arguments=arguments)
        return Answer(result["observation"], result["reward"], result["done"])

    def step(self, **action: Any) -> Answer:
        result = self._call("step", arguments=action)
        return Answer(result["observation"], result["reward"], result["done"])

    def state(self) -> dict[str, Any]:
        return self._call("state")

    def new_session(self) -> "NativePeer":
        self._children += 1
        child = object.__new__(NativePeer)
        child._client = self._client
        child._name = f"{self._name}/{self._children}"
        child._children = 0
        self._call("new_session", **{"as": child._name})
        return child

    def close(self) -> None:
        self._call("close")

    def notice_the_end(self) -> None:
        """The server is gone, and from here on the client knows."""
        try:
            self.state()
        except Lost:
            return
        raise AssertionError("the server is still there")

    def end(self) -> None:
        self._client.end()


class EchoAction(Action):
    message: str


class EchoObservation(Observation):
    echoed_message: str = ""
    message_length: int = 0


class EchoClient(EnvClient[EchoAction, EchoObservation, State]):
    """In the shape that upstream's template generates."""

    def _step_payload(self, action: EchoAction) -> dict[str, Any]:
        return {"message": action.message}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult:
        # The model forbids unknown fields, so a stray key in `observation` would fail here, and
        # so would a second `done` or `reward` beside those of the envelope.
        observation = EchoObservation(
            **payload["observation"], done=payload["done"], reward=payload["reward"]
        )
        return StepResult(
            observation=observation, reward=payload["reward"], done=payload["done"]
        )

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


def plain(value: Any) -> Any:
    return value if isinstance(value, dict) else value.model_dump()


class PublishedPeer:
    def __init__(self, url: str, style: str, typed: bool):
        self._runner = asyncio.Runner() if style == "async" else None
        self._typed = typed
        self._client = (EchoClient if typed else GenericEnvClient)(base_url=url)
        self._used = self._client if self._runner else self._client.sync()

    def _call(self, name: str, *arguments: Any, **fields: Any) -> Any:
        try:
            if self._runner:
                return self._runner.run(self._awaited(name, arguments, fields))
            return getattr(self._used, name)(*arguments, **fields)
        except RuntimeError as error:
            code = SERVER_CODE.search(str(error))
            raise Refused(code and code[1], str(error)) from error
        except ConnectionClosed as error:
            raise Lost(str(error)) from error

    async def _awaited(self, name: str, arguments: Any, fields: Any) -> Any:
        return await getattr(self._used, name)(*arguments, **fields)

    def _answer(self, result: StepResult) -> Answer:
        return Answer(plain(result.observation), result.reward, result.done)

    def reset(self, **arguments: Any) -> Answer:
        return self._answer(self._call("reset", **arguments))

    def step(self, **action: Any) -> Answer:
        return self._answer(self._call("step", EchoAction(**action) if self._typed else action))

    def state(self) -> dict[str, Any]:
        return plain(self._call("state"))

    def new_session(self) -> "PublishedPeer":
        child = object.__new__(PublishedPeer)
        child._runner, child._typed = self._runner, self._typed
        child._used = self._call("new_session")
        child._client = child._used if self._runner else child._used.async_client
        return child

    def close(self) -> None:
        self._call("close")

    def notice_the_end(self) -> None:
        """The server is gone, and from here on the client knows."""
        noticed = self._client._ws.wait_closed()
        if self._runner:
            self._runner.run(noticed)
        else:
            asyncio.run_coroutine_threadsafe(noticed, self._used._loop).result()

    def end(self) -> None:
        self.close()
        if self._runner:
            self._runner.close()


def open_peer(name: str, url: str, typed: bool) -> Any:
    if name in FACES:
        return NativePeer(url, FACES[name], typed)
    return PublishedPeer(url, PUBLISHED[name], typed)
