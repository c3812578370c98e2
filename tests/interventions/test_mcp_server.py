"""What `ansatz mcp` serves, asked by the official client over both transports."""

import json
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

from tests.interventions.test_with_mcp import at_a_port


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


async def asked(session, name, **arguments):
    result = await session.call_tool(name, arguments)
    return result.content[0].text, result.isError


async def test_over_stdio_every_tool_answers_and_the_page_shows_what_it_says():
    command = StdioServerParameters(command=sys.executable, args=["-m", "ansatz", "mcp"])
    async with client(stdio_client(command)) as session:
        tools = {each.name: each for each in (await session.list_tools()).tools}
        for each in tools.values():
            assert each.annotations.readOnlyHint and each.annotations.title
            assert each.description and each.inputSchema["required"]
        text, failed = await asked(session, "run_python", program="1")
        assert failed and "code" in text
        shown = list(shown_session())
        assert {*tools} == {name for name, _, _ in shown}
        for name, arguments, reply in shown:
            text, failed = await asked(session, name, **arguments)
            assert [line for line in reply if line.removeprefix("error: ") not in text.splitlines()] == []
            assert failed == reply[0].startswith("error: ")
        text, failed = await asked(session, "search", query="heat")
        assert failed and "there is no tool 'search'; the tools are: search_equations" in text


@pytest.mark.filterwarnings("ignore:Use `streamable_http_client` instead")
async def test_over_http_tools_answer_and_refuse():
    with at_a_port("-m", "ansatz", "mcp", "--http", "{port}") as url:
        async with client(streamablehttp_client(url)) as session:
            values = {"V": "6800 kg", "Rn": "0.6 m", "rho": "1e-4 kg/m^3"}
            text, failed = await asked(
                session, "evaluate_equation", id="heating.sutton_graves.earth", values=values
            )
            assert failed and "V" in text
            assert await asked(session, "run_python", code="print(6*7)") == ("42\n", False)
            text, failed = await asked(session, "run_python", code="1/0")
            assert failed and "ZeroDivisionError" in text
