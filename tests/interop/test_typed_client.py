"""A typed client in the shape that upstream's template generates, against the echo environment."""

import asyncio

import pytest
from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import Action, Observation, State

pytestmark = pytest.mark.any_client


class EchoAction(Action):
    message: str


class EchoObservation(Observation):
    echoed_message: str = ""
    message_length: int = 0


class EchoClient(EnvClient[EchoAction, EchoObservation, State]):
    def _step_payload(self, action):
        return {"message": action.message}

    def _parse_result(self, payload):
        # The model forbids unknown fields, so a stray key in `observation` would fail here, and
        # so would a second `done` or `reward` beside those of the envelope.
        observation = EchoObservation(
            **payload["observation"], done=payload["done"], reward=payload["reward"]
        )
        return StepResult(
            observation=observation, reward=payload["reward"], done=payload["done"]
        )

    def _parse_state(self, payload):
        return State(**payload)


def test_typed_episode(echo_url):
    async def episode():
        async with EchoClient(base_url=echo_url) as client:
            ready = await client.reset(episode_id="e")
            assert ready.observation == EchoObservation(
                echoed_message="Echo environment ready!", reward=0.0
            )
            result = await client.step(EchoAction(message="hello"))
            assert result.observation == EchoObservation(
                echoed_message="hello",
                message_length=5,
                reward=0.5,
                metadata={"original_message": "hello", "step": 1},
            )
            assert (result.reward, result.done) == (0.5, False)
            assert await client.state() == State(episode_id="e", step_count=1)

    asyncio.run(episode())


def test_typed_client_in_sync_style(echo_url):
    with EchoClient(base_url=echo_url).sync() as client:
        client.reset()
        result = client.step(EchoAction(message="hello"))
        assert result.observation.echoed_message == "hello"
        assert client.state().step_count == 1
