"""The tools of `ansatz mcp`, called by the official client over both transports."""

import asyncio
import contextlib
import http.client
import json
import socket
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

from ansatz.interventions.mcp_http import FairSlots
from tests.interventions.test_with_mcp import at_a_port

pytestmark = pytest.mark.long


@asynccontextmanager
async def client(transport):
    async with transport as streams, ClientSession(*streams[:2]) as session:
        assert (await session.initialize()).serverInfo.name == "ansatz"
        yield session


def shown_session():
    """Name, arguments and lines of the reply for each call on the page."""
    page = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text(encoding="utf-8")
    for call in page.split("```text\n")[1].split("```")[0].split("> ")[1:]:
        first, *reply = call.splitlines()
        name, _, arguments = first.partition(" ")
        yield name, json.loads(arguments), [line for line in reply if line != "…"]


async def call_tool(session, name, **arguments):
    result = await session.call_tool(name, arguments)
    return result.content[0].text, result.isError


@pytest.mark.slow
async def test_every_tool_answers_over_stdio_as_the_page_shows():
    command = StdioServerParameters(command=sys.executable, args=["-m", "ansatz", "mcp"])
    async with client(stdio_client(command)) as session:
        tools = {each.name: each for each in (await session.list_tools()).tools}
        for each in tools.values():
            assert each.annotations.readOnlyHint and each.annotations.title
            assert each.description and each.inputSchema["required"]
        text, failed = await call_tool(session, "run_python", program="1")
        assert failed and "code" in text
        shown = list(shown_session())
        assert {*tools} == {name for name, _, _ in shown}
        for name, arguments, reply in shown:
            text, failed = await call_tool(session, name, **arguments)
            assert [line for line in reply if line.removeprefix("error: ") not in text.splitlines()] == []
            assert failed == reply[0].startswith("error: ")
        text, failed = await call_tool(session, "search", query="heat")
        assert failed and "'search'" in text and "search_equations" in text


def post(connection, body, path="/mcp", host=None):
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", path, body, headers | ({"Host": host} if host else {}))
    reply = connection.getresponse()
    return reply, reply.read().decode()


def program(code):
    call = {"name": "run_python", "arguments": {"code": code}}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})


async def test_a_caller_has_at_most_half_of_the_slots():
    slots, running, release = FairSlots(2), [], asyncio.Event()

    async def run(caller):
        async with slots.acquire(caller):
            running.append(caller)
            await release.wait()

    tasks = [asyncio.create_task(run(caller)) for caller in ("a", "a", "a", "b")]
    for _ in range(5):
        await asyncio.sleep(0)
    assert running == ["a", "b"]
    tasks[2].cancel()  # a caller that stops waiting
    release.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert running == ["a", "b", "a"]


@pytest.mark.slow
def test_callers_over_http_cannot_block_each_other():
    with at_a_port("-m", "ansatz", "mcp", "--http", "{port}") as url, contextlib.ExitStack() as opened:
        port = urlsplit(url).port

        def connection(source="127.0.0.1"):
            made = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(source, 0))
            return opened.enter_context(contextlib.closing(made))

        deep, text = post(connection(), "[" * 200_000)
        assert deep.status == 400 and "Parse error" in text
        foreign, _ = post(connection(), program("1"), host="example.org")
        assert foreign.status == 421 and foreign.getheader("Location") is None
        half = connection()
        half.connect()
        half.sock.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1")
        blocked = [connection() for _ in range(16)]
        for endless in blocked:
            endless.request(
                "POST",
                "/mcp",
                program("while True: pass"),
                {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"},
            )
        reply, text = post(connection("127.0.0.2"), program("print(6*7)"))
        assert reply.status == 200 and "42" in text
        arrived = [endless.sock.recv(65536, socket.MSG_PEEK | socket.MSG_DONTWAIT) for endless in blocked]
        # with at most 8 slots in the order of arrival, at least 9 programs would have ended before
        assert sum(b"ran longer" in text for text in arrived) < 9
        half.sock.settimeout(60)
        assert half.sock.recv(100) == b""


@pytest.mark.filterwarnings("ignore:Use `streamable_http_client` instead")
async def test_over_http_tools_answer_and_refuse():
    with at_a_port("-m", "ansatz", "mcp", "--http", "{port}") as url:
        async with client(streamablehttp_client(url)) as session:
            values = {"V": "6800 kg", "Rn": "0.6 m", "rho": "1e-4 kg/m^3"}
            text, failed = await call_tool(
                session, "evaluate_equation", id="heating.sutton_graves.earth", values=values
            )
            assert failed and "V" in text
            assert await call_tool(session, "run_python", code="print(6*7)") == ("42\n", False)
            text, failed = await call_tool(session, "run_python", code="1/0")
            assert failed and "ZeroDivisionError" in text
