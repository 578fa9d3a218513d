"""Plays the cases of requests.json against a server and returns what was seen.

A case is a list of steps; every step gives one outcome, a JSON value:

    {"http": "POST /reset", "json": {...}}   one request: status, selected headers, body
    {"connect": "/ws"}                       an upgrade: status, and what was negotiated
    {"send": {...}} {"text": "..."}          one message (a value, or raw text): the next event
    {"binary": "..."} {"fragments": [...]}   the same, as a binary frame or in several frames
    {"read": true}                           the next event, without sending anything
    {"ping": "..."}                          the pong
    {"close": true}                          the close handshake, begun by us

An event is a frame or a close. `"replies": n` reads n events (0: none), `"on": name` picks one
of several connections (named by `"as"` of their connect), `"hold": [paths]` of a case opens
sessions before it, `"save": {name: pointer}` keeps a value for `${name}` in later steps.
Short forms: a case may be one step itself, or `"frames": [...]` on one connection, where a
string is a text message.
"""

import asyncio
import contextlib
import http.client
import json
import re
from typing import Any, Optional
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

HANG_BOUND_S = 60.0
KEPT_HEADERS = ("content-type", "allow", "location")
MESSAGE_STEPS = ("send", "text", "text_hex", "binary", "fragments")
CAPACITY_CODES = ("CAPACITY_REACHED", -32000)


def steps_of(case: dict[str, Any]) -> list[dict[str, Any]]:
    if "steps" in case:
        return case["steps"]
    if "frames" in case:
        frames = [f if isinstance(f, dict) else {"text": f} for f in case["frames"]]
        return [{"connect": case.get("at", "/ws")}, *frames]
    return [case]


def pointer_value(value: Any, pointer: str) -> Any:
    """What the pointer leads to; the text `absent` when a server answered something else."""
    for part in pointer.strip("/").split("/"):
        if not isinstance(value, dict) or part not in value:
            return "absent"
        value = value[part]
    return value


def with_variables(value: Any, variables: dict[str, Any]) -> Any:
    if isinstance(value, str):
        return re.sub(r"\$\{(\w+)\}", lambda match: str(variables[match[1]]), value)
    if isinstance(value, list):
        return [with_variables(item, variables) for item in value]
    if isinstance(value, dict):
        return {key: with_variables(item, variables) for key, item in value.items()}
    return value


def long_text(parts: list[Any]) -> str:
    """[before, unit, count, after] describes a text too long to be written out."""
    before, unit, count, after = parts
    return before + unit * count + after


def text_or_long(value: Any) -> str:
    return value if isinstance(value, str) else long_text(value)


def parse_strictly(text: str) -> Any:
    def refuse(token: str) -> Any:
        raise ValueError(f"{token} is not JSON")

    return json.loads(text, parse_constant=refuse)


def play_http(base_url: str, step: dict[str, Any]) -> dict[str, Any]:
    method, path = step["http"].split(" ", 1)
    headers = dict(step.get("headers", {}))
    body: Optional[bytes] = None
    if "json" in step:
        body = json.dumps(step["json"]).encode()
        headers.setdefault("Content-Type", "application/json")
    elif "body" in step:
        body = text_or_long(step["body"]).encode()
        headers.setdefault("Content-Type", "application/json")
    elif "body_hex" in step:
        body = bytes.fromhex(step["body_hex"])
        headers.setdefault("Content-Type", "application/json")
    headers = {name: value for name, value in headers.items() if value is not None}

    address = urlsplit(base_url)
    connection = http.client.HTTPConnection(
        address.hostname, address.port, timeout=HANG_BOUND_S
    )
    try:
        connection.request(method, path, body=body, headers=headers)
        response = connection.getresponse()
        content = response.read().decode()
    finally:
        connection.close()

    outcome: dict[str, Any] = {"status": response.status, "headers": {}}
    for name in KEPT_HEADERS:
        if response.getheader(name) is not None:
            outcome["headers"][name] = response.getheader(name)
    if step.get("facts") == "head":
        return outcome
    is_json = outcome["headers"].get("content-type", "").startswith("application/json")
    if is_json and content and not step.get("raw"):
        outcome["json"] = parse_strictly(content)
    else:
        outcome["text"] = content
    return outcome


class Player:
    """Plays one case; owns its connections."""

    def __init__(self, base_url: str):
        self.base_url = base_url
        self.ws_url = base_url.replace("http://", "ws://", 1)
        self.connections: dict[str, ClientConnection] = {}
        self.variables: dict[str, Any] = {}

    async def play(self, case: dict[str, Any]) -> list[Any]:
        try:
            for number, path in enumerate(case.get("hold", [])):
                self.connections[f"held {number}"] = await self._hold_session(path)
            outcomes = []
            for step in steps_of(case):
                outcome = await self._play_step(with_variables(step, self.variables))
                for name, pointer in step.get("save", {}).items():
                    self.variables[name] = pointer_value(outcome, pointer)
                outcomes.append(outcome)
            return outcomes
        finally:
            for connection in self.connections.values():
                await connection.close()

    async def _hold_session(self, path: str) -> ClientConnection:
        """Opens a session; tries again while one of an earlier case is still being ended."""
        request = {"jsonrpc": "2.0", "method": "tools/list", "id": 1}
        if path != "/mcp":
            request = {"type": "state"}
        async with asyncio.timeout(HANG_BOUND_S):
            while True:
                connection = await self._open({"connect": path})
                try:
                    await connection.send(json.dumps(request))
                    answer = json.loads(await connection.recv())
                except ConnectionClosed:
                    continue
                error = answer.get("error") or answer.get("data") or {}
                if error.get("code") not in CAPACITY_CODES:
                    return connection
                await connection.close()

    async def _open(self, step: dict[str, Any]) -> ClientConnection:
        return await connect(
            self.ws_url + step["connect"],
            additional_headers=step.get("headers"),
            compression="deflate" if step.get("offer_deflate") else None,
            max_size=None,
            open_timeout=HANG_BOUND_S,
            origin=step.get("origin"),
            ping_interval=None,
            proxy=None,
            subprotocols=step.get("subprotocols"),
        )

    async def _play_step(self, step: dict[str, Any]) -> Any:
        if "http" in step:
            return await asyncio.to_thread(play_http, self.base_url, step)
        if "connect" in step:
            return await self._play_connect(step)
        connection = self.connections[step.get("on", "")]
        if "ping" in step:
            async with asyncio.timeout(HANG_BOUND_S):
                await (await connection.ping(step["ping"]))
            return {"pong": step["ping"]}
        if "close" in step:
            await connection.close()
            return self._close_event(connection)
        if any(kind in step for kind in MESSAGE_STEPS):
            with contextlib.suppress(ConnectionClosed):  # the next event tells
                await self._send(connection, step)
        replies = step.get("replies", 1)
        if replies == 1:
            return await self._next_event(connection, step)
        return [await self._next_event(connection, step) for _ in range(replies)]

    async def _play_connect(self, step: dict[str, Any]) -> dict[str, Any]:
        try:
            connection = await self._open(step)
        except InvalidStatus as refusal:
            body = refusal.response.body or b""
            return {"status": refusal.response.status_code, "text": body.decode()}
        self.connections[step.get("as", "")] = connection
        outcome: dict[str, Any] = {"status": 101}
        for header in ("Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions"):
            if header in connection.response.headers:
                outcome[header.lower()] = connection.response.headers[header]
        return outcome

    async def _send(self, connection: ClientConnection, step: dict[str, Any]) -> None:
        if "send" in step:
            await connection.send(json.dumps(step["send"]))
        elif "text" in step:
            await connection.send(text_or_long(step["text"]))
        elif "text_hex" in step:
            await connection.send(bytes.fromhex(step["text_hex"]), text=True)
        elif "binary" in step:
            await connection.send(step["binary"].encode())
        else:
            await connection.send(step["fragments"])

    async def _next_event(self, connection: ClientConnection, step: dict[str, Any]) -> Any:
        try:
            async with asyncio.timeout(HANG_BOUND_S):
                message = await connection.recv()
        except ConnectionClosed:
            return self._close_event(connection)
        except TimeoutError:
            return {"nothing": True}
        if isinstance(message, bytes):
            return {"binary": message.hex()}
        if step.get("raw"):
            return {"text": message}
        return {"frame": parse_strictly(message)}

    @staticmethod
    def _close_event(connection: ClientConnection) -> dict[str, Any]:
        event: dict[str, Any] = {"close": connection.close_code}
        if connection.close_code == 1000:  # other codes carry a text of the library
            event["reason"] = connection.close_reason
        return event


def play_case(base_url: str, case: dict[str, Any]) -> list[Any]:
    return asyncio.run(Player(base_url).play(case))
