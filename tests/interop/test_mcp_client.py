"""The published MCP client: an HTTP session for tools, and a WebSocket attached to it.

The echo environment has no tools, so what is shown here is the life of the session: the two ways
in lead to one environment, it takes one slot, and it ends with the client.
"""

import asyncio

import pytest
from openenv.core import MCPToolClient
from openenv.core.env_server.types import Action


class Message(Action):
    message: str


class EchoToolClient(MCPToolClient):
    def _step_payload(self, action):
        return {"message": action.message}


def test_environment_without_tools(echo_url):
    async def look():
        async with MCPToolClient(base_url=echo_url) as client:
            assert await client.list_tools() == []
            with pytest.raises(RuntimeError, match="Environment does not support MCP"):
                await client.call_tool("add", a=1)

    asyncio.run(look())


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


def test_sync_style(start_server):
    url = start_server(max_concurrent_envs=1).url
    for _ in range(2):
        with EchoToolClient(base_url=url).sync() as client:
            client.reset()
            assert client.step(Message(message="hi")).reward == 0.2
            assert client.list_tools() == []


def test_full_server_refuses_the_session(start_server):
    url = start_server(max_concurrent_envs=1).url

    async def refused():
        async with EchoToolClient(base_url=url) as holder:
            await holder.reset()
            with pytest.raises(RuntimeError, match="Failed to create MCP session: Server at cap"):
                await EchoToolClient(base_url=url).reset()

    asyncio.run(refused())
