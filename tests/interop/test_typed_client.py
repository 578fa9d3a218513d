"""A typed client in the shape that upstream's template generates, against the echo environment."""

import asyncio

import pytest
from openenv.core.env_server.types import State
from peers import EchoAction, EchoClient, EchoObservation

pytestmark = pytest.mark.any_client


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
