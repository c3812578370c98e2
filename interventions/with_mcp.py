"""The tools of any MCP server as a switch."""

from __future__ import annotations

import asyncio
import functools
import re
import shlex
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from langchain_core.tools import BaseTool, ToolException

from ansatz.agents import AgentPlan
from ansatz.agents.credentials import fill_in_environment
from ansatz.agents.identity import qualified_name
from ansatz.errors import AnsatzError, PlanError, ServerFailed
from ansatz.interventions.intervention import Intervention
from ansatz.settings import PositiveNumber, settings

if TYPE_CHECKING:
    from langchain_mcp_adapters.sessions import Connection
    from mcp.types import Tool

_LONGEST_NAME = 64  # characters, as providers take it for a tool, of letters, digits, _ and - alone
_INVALID_ARGUMENTS = -32602  # of JSON-RPC: the one failure that is the model's


@dataclass(frozen=True)
class Offer:
    """What a server says it is, and its tools."""

    name: str
    version: str
    tools: tuple[Tool, ...]


@settings()
class WithMCP(Intervention):
    """The tools of an MCP server, which the model may call.

    `server` is a command (spoken to over stdio) or a URL (streamable HTTP), in which `${NAME}` is the
    environment variable NAME. `only` picks some of its tools.
    Each call has a session of its own, so that nothing carries over between attempts, and `timeout_seconds`
    to be answered. A server that dies or hangs is a failure of infrastructure. The identity is the server's
    name and version and the schemas of its tools, asked for once, before anything is paid.

    Example: `WithMCP("python my_server.py", prompt="Use the plant's own tables.")`.
    """

    server: str
    prompt: str = ""
    only: tuple[str, ...] = ()
    timeout_seconds: PositiveNumber = 60.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "only", tuple(self.only))

    @cached_property
    def offer(self) -> Offer:
        """What the server offers. Raises ServerFailed or PlanError."""
        with ThreadPoolExecutor(1) as thread:  # there may be a loop running in this one
            offer = thread.submit(
                asyncio.run, self._guarded("say what it offers", self._ask_offer())
            ).result()
        names = [tool.name for tool in offer.tools]
        unknown = [name for name in self.only if name not in names]
        if unknown or not names:
            asked = f"no tool {unknown[0]!r}" if unknown else "no tool"
            raise PlanError(f"MCP server {self._shown!r} has {asked}; its tools: {', '.join(names)}")
        chosen = tuple(each for each in offer.tools if not self.only or each.name in self.only)
        return Offer(offer.name, offer.version, chosen)

    @property
    def identity(self) -> dict[str, Any]:
        tools = [[each.name, each.description, each.inputSchema] for each in self.offer.tools]
        server = {"name": self.offer.name, "version": self.offer.version}
        return {"class": qualified_name(type(self)), "prompt": self.prompt, "server": server, "tools": tools}

    @property
    def label(self) -> str:
        return f"with_mcp({self.offer.name})"

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.equip(*map(self._as_tool, self.offer.tools)).instruct(self.prompt)

    @property
    def _shown(self) -> str:
        """The program and its script, or the host: arguments, paths and queries may hold credentials."""
        if self.server.startswith(("http://", "https://")):
            address = urlsplit(self.server)
            return f"{address.scheme}://{address.netloc.rpartition('@')[2]}"
        program, *arguments = shlex.split(self.server)
        script = arguments[:1] if PurePath(program).name.startswith("python") else []
        return " ".join([program, *(each for each in script if each.endswith(".py"))])

    @property
    def _connection(self) -> Connection:
        from langchain_mcp_adapters.sessions import StdioConnection, StreamableHttpConnection

        server = fill_in_environment(self.server)
        if server.startswith(("http://", "https://")):
            return StreamableHttpConnection(transport="streamable_http", url=server)
        command, *arguments = shlex.split(server)
        return StdioConnection(transport="stdio", command=command, args=arguments)

    async def _ask_offer(self) -> Offer:
        from langchain_mcp_adapters.sessions import create_session

        async with create_session(self._connection) as session:
            about = (await session.initialize()).serverInfo
            found = await session.list_tools()
            tools = list(found.tools)
            while found.nextCursor:
                found = await session.list_tools(cursor=found.nextCursor)
                tools += found.tools
        return Offer(about.name, about.version, tuple(tools))

    def _as_tool(self, offered: Tool) -> BaseTool:
        from langchain_mcp_adapters.tools import convert_mcp_tool_to_langchain_tool

        tool: Any = convert_mcp_tool_to_langchain_tool(None, offered, connection=self._connection)
        name = re.sub(r"[^A-Za-z0-9_-]", "_", offered.name)[:_LONGEST_NAME]
        call: Callable[..., Awaitable[Any]] = tool.coroutine

        @functools.wraps(call)
        async def watched(*arguments: Any, **named: Any) -> Any:
            return await self._guarded(f"answer {offered.name}", call(*arguments, **named))

        return tool.model_copy(update={"name": name, "coroutine": watched})  # type: ignore[no-any-return]

    async def _guarded(self, what: str, answer: Awaitable[Any]) -> Any:
        """Within the time; what the tool itself refuses goes to the model, all else is ServerFailed."""
        limit = asyncio.timeout(self.timeout_seconds)
        try:
            async with limit:
                return await answer
        except (ToolException, AnsatzError):
            raise
        except Exception as failure:
            if limit.expired():  # what is broken off may fail in its own way, as by a pipe that is gone
                raise ServerFailed(
                    f"MCP server {self._shown!r} did not {what} within {self.timeout_seconds:g} s"
                ) from None
            cause: BaseException = failure  # the first one within a group of tasks
            while isinstance(cause, BaseExceptionGroup):
                cause = cause.exceptions[0]
            if getattr(getattr(cause, "error", None), "code", None) == _INVALID_ARGUMENTS:
                raise ToolException(str(cause)) from failure
            said = (str(cause) or type(cause).__name__).replace(self.server, self._shown)
            raise ServerFailed(f"MCP server {self._shown!r} could not {what}: {said}") from failure
