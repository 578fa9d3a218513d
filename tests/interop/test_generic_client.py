"""The published generic client talks to the echo environment as it does to its own server."""

import asyncio
import json

import pytest
from openenv import GenericEnvClient
from openenv.core.env_server.types import Action
from websockets.exceptions import ConnectionClosed

pytestmark = pytest.mark.any_client

READY = "Echo environment ready!"
MIB = 1024 * 1024


def test_async_episode(echo_url):
    async def episode():
        async with GenericEnvClient(base_url=echo_url) as client:
            ready = await client.reset(seed=7, episode_id="e1")
            assert ready.observation["echoed_message"] == READY
            assert ready.observation["message_length"] == 0
            assert ready.done is False
            for count, message in enumerate(["hi", "", "Zoë 😀", "twelve chars"], start=1):
                result = await client.step({"message": message})
                assert result.observation["echoed_message"] == message
                assert result.observation["message_length"] == len(message)
                assert result.reward == min(len(message) * 0.1, 1.0)
                assert result.done is False
                assert await client.state() == {"episode_id": "e1", "step_count": count}

    asyncio.run(episode())


def test_sync_episode(echo_url):
    with GenericEnvClient(base_url=echo_url).sync() as client:
        assert client.reset().observation["echoed_message"] == READY
        assert client.step({"message": "hi"}).reward == 0.2
        assert client.state()["step_count"] == 1
        client.reset(episode_id="again")
        assert client.state() == {"episode_id": "again", "step_count": 0}


def test_step_needs_no_reset(echo_url):
    with GenericEnvClient(base_url=echo_url).sync() as client:
        assert client.step({"message": "hi"}).observation["echoed_message"] == "hi"


@pytest.mark.parametrize("url_form", ["{}", "{}/", "ws://{host}", "{host}"])
def test_every_form_of_url(echo_url, url_form):
    url = url_form.format(echo_url, host=echo_url.removeprefix("http://"))
    with GenericEnvClient(base_url=url).sync() as client:
        assert client.reset().observation["echoed_message"] == READY


def test_reset_reward_is_the_number_that_the_environment_set(echo_url):
    with GenericEnvClient(base_url=echo_url).sync() as client:
        reward = client.reset().reward
        assert (type(reward), reward) == (float, 0.0)


def test_metadata_of_an_observation_arrives_nested(echo_url):
    """F32, as a client of any version sees it."""
    with GenericEnvClient(base_url=echo_url).sync() as client:
        assert client.reset().observation["metadata"] == {}
        observation = client.step({"message": "hi"}).observation
        assert observation["metadata"] == {"original_message": "hi", "step": 1}


def test_reward_and_done_are_on_the_envelope_only(echo_url):
    """F33: a payload that carries them twice is what breaks typed clients."""
    with GenericEnvClient(base_url=echo_url).sync() as client:
        for result in (client.reset(), client.step({"message": "hi"})):
            keys = {"metadata", "echoed_message", "message_length"}
            assert set(result.observation) == keys


def test_pydantic_action(echo_url):
    class Message(Action):
        message: str

    with GenericEnvClient(base_url=echo_url).sync() as client:
        result = client.step(Message(message="hi", metadata={"k": [1, None]}))
        assert result.observation["echoed_message"] == "hi"


@pytest.mark.parametrize(
    "action",
    [
        {"message": "hi", "bogus": 1},
        {"mesage": "hi"},
        {"message": 5},
        {"message": None},
        {"message": float("nan")},
        {},
        {"message": "hi", "metadata": None},
        {"message": [["deep"] * 3] * 3},
    ],
)
def test_bad_action_is_an_error_and_the_session_lives(echo_url, action):
    with GenericEnvClient(base_url=echo_url).sync() as client:
        client.reset(episode_id="e")
        client.step({"message": "one"})
        with pytest.raises(RuntimeError, match=r"Invalid message \(code: VALIDATION_ERROR\)"):
            client.step(action)
        assert client.state() == {"episode_id": "e", "step_count": 1}
        assert client.step({"message": "two"}).observation["metadata"]["step"] == 2


@pytest.mark.parametrize("seed", [0, -5, 2**63 - 1, -(2**63), True, None])
def test_seed_of_64_bits_is_taken(echo_url, seed):
    with GenericEnvClient(base_url=echo_url).sync() as client:
        assert client.reset(seed=seed).observation["echoed_message"] == READY


@pytest.mark.parametrize("seed", [2**64, -(2**70), "text", 1.5, float("nan"), -float("inf")])
def test_other_seeds_are_read_and_at_worst_refused(echo_url, seed):
    """The Python server hands anything to the environment; ours may refuse, and goes on."""
    with GenericEnvClient(base_url=echo_url).sync() as client:
        try:
            client.reset(seed=seed)
        except RuntimeError as refusal:
            assert "(code: EXECUTION_ERROR)" in str(refusal)
        assert client.reset(seed=1).observation["echoed_message"] == READY


def test_tokens_that_only_python_writes_are_read(echo_url):
    with GenericEnvClient(base_url=echo_url).sync() as client:
        odd = [float("nan"), float("inf"), -float("inf")]
        assert client.reset(unknown=odd).observation["echoed_message"] == READY


def test_message_of_10_mib(echo_url):
    message = "x" * (10 * MIB)
    with GenericEnvClient(base_url=echo_url).sync() as client:
        result = client.step({"message": message})
        assert result.observation["message_length"] == 10 * MIB
        assert result.observation["echoed_message"] == message


def test_message_over_the_servers_limit_closes_with_1009(echo_url):
    async def too_much():
        async with GenericEnvClient(base_url=echo_url) as client:
            with pytest.raises(ConnectionClosed) as closed:
                await client.step({"message": "x" * (17 * MIB)})
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009

    asyncio.run(too_much())


def test_idle_connection_answers_pings(echo_url):
    async def idle():
        async with GenericEnvClient(base_url=echo_url) as client:
            await client.reset()
            for number in range(100):
                payload = f"ping {number}"
                latency = await asyncio.wait_for(await client._ws.ping(payload), 60)
                assert latency >= 0.0
            assert (await client.step({"message": "hi"})).reward == 0.2

    asyncio.run(idle())


def test_ping_is_answered_beside_a_large_reply(echo_url):
    async def busy():
        async with GenericEnvClient(base_url=echo_url) as client:
            await client.reset()
            step = {"type": "step", "data": {"message": "x" * (5 * MIB)}}
            await client._ws.send(json.dumps(step))
            pong = await client._ws.ping("beside")
            reply, _ = await asyncio.wait_for(asyncio.gather(client._ws.recv(), pong), 60)
            assert json.loads(reply)["data"]["observation"]["message_length"] == 5 * MIB

    asyncio.run(busy())


def test_requests_sent_ahead_have_one_reply_each_and_in_order(echo_url):
    """F01, the server's part: a reply is never missing, so none is taken for the next one."""

    async def many():
        async with GenericEnvClient(base_url=echo_url) as client:
            await client.reset()
            for number in range(200):
                step = {"type": "step", "data": {"message": str(number)}}
                await client._ws.send(json.dumps(step))
            for number in range(200):
                reply = json.loads(await asyncio.wait_for(client._ws.recv(), 60))
                assert reply["data"]["observation"]["echoed_message"] == str(number)

    asyncio.run(many())
