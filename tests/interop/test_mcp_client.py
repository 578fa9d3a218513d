"""The published MCP client: an HTTP session for tools, and a WebSocket attached to it.

The echo environment has no tools, so what is shown here is the life of the session: the two ways
in lead to one environment, it takes one slot, and it ends with the client. Our server has no such
sessions yet; it says so, and the generic client works without them.
"""

import asyncio

import pytest
from openenv import GenericEnvClient
from openenv.core import MCPToolClient
from openenv.core.env_server.types import Action


class Message(Action):
    message: str


class EchoToolClient(MCPToolClient):
    def _step_payload(self, action):
        return {"message": action.message}


@pytest.mark.ours_only
def test_client_is_told_that_there_are_no_mcp_sessions_yet(echo_url):
    """When this fails, the marks `reference_only` below are to go."""

    async def look():
        async with GenericEnvClient(base_url=echo_url) as generic:
            await generic.reset()
        client = MCPToolClient(base_url=echo_url)
        assert await client.list_tools() == []
        for call in (client.reset, client.state, lambda: client.call_tool("add", a=1)):
            with pytest.raises(RuntimeError, match="Failed to create MCP session: "):
                await call()
        await client.close()

    asyncio.run(look())


@pytest.mark.reference_only
def test_environment_without_tools(echo_url):
    async def look():
        async with MCPToolClient(base_url=echo_url) as client:
            assert await client.list_tools() == []
            with pytest.raises(RuntimeError, match="Environment does not support MCP"):
                await client.call_tool("add", a=1)

    asyncio.run(look())


@pytest.mark.reference_only
def test_websocket_is_attached_to_the_http_session(start_server):
    url = start_server(max_concurrent_envs=1).url

    async def one_slot_is_enough():
        for _ in range(3):
            async with EchoToolClient(base_url=url) as client:
                ready = await client.reset(episode_id="e")
                assert ready.observation.echoed_message == "Echo environment ready!"
                await client.list_tools()
                result = await client.step(Message(message="hi"))
                assert result.observation.metadata == {"original_message": "hi", "step": 1}
                assert (await client.state()).step_count == 1

    asyncio.run(one_slot_is_enough())


@pytest.mark.reference_only
def test_sync_style(start_server):
    url = start_server(max_concurrent_envs=1).url
    for _ in range(2):
        with EchoToolClient(base_url=url).sync() as client:
            client.reset()
            assert client.step(Message(message="hi")).reward == 0.2
            assert client.list_tools() == []


@pytest.mark.reference_only
def test_full_server_refuses_the_session(start_server):
    url = start_server(max_concurrent_envs=1).url

    async def refused():
        async with EchoToolClient(base_url=url) as holder:
            await holder.reset()
            with pytest.raises(RuntimeError, match="Failed to create MCP session: Server at cap"):
                await EchoToolClient(base_url=url).reset()

    asyncio.run(refused())
