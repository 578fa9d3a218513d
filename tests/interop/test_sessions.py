"""Sessions as the published client sees them: apart from each other, limited, freed, renewed."""

import asyncio
import threading

import pytest
from openenv import GenericEnvClient
from server_process import server_kind
from websockets.exceptions import ConnectionClosed

RETRY_BOUND_S = 60.0
AT_CAPACITY = r"Server at capacity: {0}/{0} sessions active.*\(code: CAPACITY_REACHED\)"


def is_ours():
    return server_kind() == "ours"


# An older client that sends after the Python server has already closed does not read why. Ours
# lets a refused client speak first, so that every client learns it.
REFUSALS = RuntimeError if is_ours() else (RuntimeError, ConnectionClosed)


async def admitted(url, attempt):
    """Calls `attempt` with new clients until one gets in: slots are freed in the background."""
    async with asyncio.timeout(RETRY_BOUND_S):
        while True:
            client = GenericEnvClient(base_url=url)
            try:
                return client, await attempt(client)
            except (RuntimeError, ConnectionClosed) as refusal:
                await client.close()
                if isinstance(refusal, RuntimeError) and "CAPACITY" not in str(refusal):
                    raise


@pytest.mark.any_client
def test_sessions_are_apart(echo_url):
    async def play(steps):
        async with GenericEnvClient(base_url=echo_url) as client:
            await client.reset(episode_id=f"episode {steps}")
            for number in range(steps):
                result = await client.step({"message": str(number)})
                assert result.observation["echoed_message"] == str(number)
            return await client.state()

    async def together():
        return await asyncio.gather(*(play(steps) for steps in range(1, 33)))

    states = asyncio.run(together())
    assert [state["step_count"] for state in states] == list(range(1, 33))
    assert [state["episode_id"] for state in states] == [f"episode {n}" for n in range(1, 33)]


@pytest.mark.any_client
def test_sync_clients_on_many_threads(echo_url):
    failures = []

    def play(number):
        try:
            with GenericEnvClient(base_url=echo_url).sync() as client:
                client.reset(episode_id=str(number))
                for _ in range(20):
                    client.step({"message": "m"})
                assert client.state() == {"episode_id": str(number), "step_count": 20}
        except Exception as failure:  # reported by the main thread
            failures.append(failure)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@pytest.mark.any_client
def test_refusal_is_an_error_with_its_code(start_server):
    """F15, F20: the refused client gets the frame, never something that looks like a result."""
    url = start_server(max_concurrent_envs=2).url

    async def refused():
        holders = [GenericEnvClient(base_url=url) for _ in range(2)]
        for holder in holders:
            await holder.reset()
        for call in (
            lambda client: client.reset(),
            lambda client: client.step({"message": "hi"}),
            lambda client: client.state(),
        ):
            late = GenericEnvClient(base_url=url)
            with pytest.raises(REFUSALS, match=AT_CAPACITY.format(2) if is_ours() else None):
                await call(late)
            await late.close()
        for holder in holders:
            assert (await holder.step({"message": "hi"})).reward == 0.2
            await holder.close()

    asyncio.run(refused())


@pytest.mark.any_client
def test_refusal_waits_for_a_client_that_is_busy_elsewhere(start_server):
    url = start_server(max_concurrent_envs=1).url

    async def refused():
        async with GenericEnvClient(base_url=url) as holder:
            await holder.reset()
            late = GenericEnvClient(base_url=url)
            await late.connect()
            for _ in range(50):
                await holder.step({"message": "meanwhile"})
            with pytest.raises(REFUSALS, match=AT_CAPACITY.format(1) if is_ours() else None):
                await late.reset()
            await late.close()

    asyncio.run(refused())


@pytest.mark.any_client
def test_of_a_burst_exactly_as_many_get_in_as_fit(start_server):
    url = start_server(max_concurrent_envs=8).url

    async def burst():
        clients = [GenericEnvClient(base_url=url) for _ in range(13)]
        results = await asyncio.gather(
            *(client.reset() for client in clients), return_exceptions=True
        )
        for client in clients:
            await client.close()
        return results

    results = asyncio.run(burst())
    refusals = [result for result in results if isinstance(result, Exception)]
    assert len(results) - len(refusals) == 8
    for refusal in refusals:
        assert isinstance(refusal, REFUSALS)
        if is_ours():
            assert "8/8" in str(refusal) and "CAPACITY_REACHED" in str(refusal)


def admitted_at_once(url, attempts):
    async def burst():
        clients = [GenericEnvClient(base_url=url) for _ in range(attempts)]
        results = await asyncio.gather(
            *(client.reset() for client in clients), return_exceptions=True
        )
        for client in clients:
            await client.close()
        return sum(not isinstance(result, Exception) for result in results)

    return asyncio.run(burst())


@pytest.mark.ours_only
def test_limit_comes_from_the_variable_and_the_option_wins(start_server):
    variables = {"MAX_CONCURRENT_ENVS": "3"}
    by_variable = start_server(max_concurrent_envs=None, variables=variables)
    assert admitted_at_once(by_variable.url, 6) == 3
    by_option = start_server(max_concurrent_envs=5, variables=variables)
    assert admitted_at_once(by_option.url, 8) == 5
    by_default = start_server(max_concurrent_envs=None)
    assert admitted_at_once(by_default.url, 32) == 32


@pytest.mark.ours_only
@pytest.mark.parametrize("value", ["abc", "0", "-1", "1.5"])
def test_bad_limit_in_the_variable_is_told_at_start(start_server, value):
    with pytest.raises(RuntimeError, match="MAX_CONCURRENT_ENVS") as refused:
        start_server(max_concurrent_envs=None, variables={"MAX_CONCURRENT_ENVS": value})
    assert value in str(refused.value)


@pytest.mark.any_client
def test_a_closed_session_frees_its_slot(start_server):
    url = start_server(max_concurrent_envs=1).url

    async def one_after_the_other():
        for number in range(20):
            client, result = await admitted(url, lambda c: c.step({"message": "hi"}))
            assert result.observation["metadata"]["step"] == 1, f"session {number} is not new"
            await client.close()

    asyncio.run(one_after_the_other())


@pytest.mark.any_client
def test_a_vanished_client_frees_its_slot(start_server):
    url = start_server(max_concurrent_envs=1).url

    async def vanish_and_return():
        vanished = GenericEnvClient(base_url=url)
        await vanished.reset()
        vanished._ws.transport.abort()
        client, _ = await admitted(url, lambda c: c.reset())
        await client.close()

    asyncio.run(vanish_and_return())


def test_new_session_is_a_session_of_its_own(echo_url):
    async def family():
        async with GenericEnvClient(base_url=echo_url) as parent:
            await parent.reset(episode_id="parent")
            child = await parent.new_session()
            await child.reset(episode_id="child")
            await parent.step({"message": "hi"})
            assert await child.state() == {"episode_id": "child", "step_count": 0}
            assert await parent.state() == {"episode_id": "parent", "step_count": 1}

    asyncio.run(family())


def test_client_can_be_used_again_after_close(echo_url):
    async def twice():
        client = GenericEnvClient(base_url=echo_url)
        for _ in range(2):
            await client.step({"message": "hi"})
            assert (await client.state())["step_count"] == 1
            await client.close()

    asyncio.run(twice())


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_client_reconnects_after_a_restart_of_the_server(start_server, end):
    """F02: the next operation gets a fresh session, without a new client object."""
    first = start_server()

    async def outlive_the_server():
        client = GenericEnvClient(base_url=first.url)
        await client.reset()
        await client.step({"message": "hi"})
        socket = client._ws
        await asyncio.to_thread(getattr(first, end))
        await asyncio.wait_for(socket.wait_closed(), 60)
        assert socket.close_code in ((1001, 1012) if end == "stop" else (1006,))

        await asyncio.to_thread(start_server, port=first.port)
        assert (await client.reset(episode_id="e")).observation["message_length"] == 0
        assert await client.state() == {"episode_id": "e", "step_count": 0}
        await client.close()

    asyncio.run(outlive_the_server())


@pytest.mark.any_client
def test_no_server_is_a_connection_error(start_server):
    server = start_server()
    server.stop()
    with pytest.raises(ConnectionError, match="Failed to connect to ws://"):
        with GenericEnvClient(base_url=server.url).sync() as client:
            client.reset()
