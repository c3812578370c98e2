"""What the tests of providers share."""

import functools
import zlib
from contextlib import aclosing

from langchain_core.messages import HumanMessage
from langchain_core.tools import tool

from ansatz.agents.models import RetryPolicy, connect
from ansatz.errors import InfrastructureError
from tests.fakes.anthropic_server import AnthropicServer
from tests.fakes.openai_server import OpenAIServer

SERVERS = {"openai:gpt-test": OpenAIServer, "anthropic:claude-test": AnthropicServer}
IMPATIENT = RetryPolicy(tries=3, max_total_wait=1.0, initial_wait=0.001, max_wait=0.002)
KEY = "sk-planted-0123456789"
MB = 2**20
PATHS = {  # by which requests go: the short one, and those through the SDKs
    "short": ("openai:gpt-test", {}),
    "openai": ("openai:gpt-test", {"extra": {"output_version": "v0"}}),
    "responses": ("openai:gpt-test", {"extra": {"use_responses_api": True}}),
    "anthropic": ("anthropic:claude-test", {}),
}
ASK = [HumanMessage("How much heat?")]


def connected(name, server, **settings):
    """A client of the server, for `async with`."""
    defaults = {"base_url": server and server.base_url, "retry": IMPATIENT, "timeout": 5.0}
    return aclosing(connect(name, {**defaults, **settings}))


async def ask(name, server, tools=(), **settings):
    """One reply of a fresh client."""
    async with connected(name, server, **settings) as client:
        return await client.reply(ASK, tools)


@functools.cache
def bomb():
    """200 MB of zeros, packed to a fifth of a megabyte."""
    packer = zlib.compressobj(9, wbits=31)
    packed = [packer.compress(bytes(MB)) for _ in range(200)]
    return b"".join([*packed, packer.flush()])


@tool
def double(number: float) -> str:
    """Double a number."""
    return str(2 * number)


async def outcome(path, server, **settings):
    """The text of the answer, or the failure, which is one line."""
    name, own = PATHS[path]
    try:
        return (await ask(name, server, **{**own, **settings})).message.text
    except InfrastructureError as failure:
        caught = failure
    assert "\n" not in str(caught)
    assert len(str(caught)) < 600
    return caught


def serving(path, script, **settings):
    return SERVERS[PATHS[path][0]](script, **settings)


def head(status=200, *headers):
    return "\r\n".join([f"HTTP/1.1 {status} X", *headers, "", ""]).encode()


def endless(start, piece):
    def pieces():
        yield start
        while True:
            yield piece

    return pieces
