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

_MAX_NAME = 64  # characters of a tool's name; providers accept letters, digits, _ and -
_INVALID_ARGUMENTS = -32602  # JSON-RPC code of the only failure that the model causes


@dataclass(frozen=True)
class Offer:
    """The name and version that a server reports, and its tools."""

    name: str
    version: str
    tools: tuple[Tool, ...]


@settings()
class WithMCP(Intervention):
    """The tools of an MCP server, which the model may call.

    Each call has a separate session, so that nothing carries over between attempts. A server that dies or
    hangs is a failure of infrastructure. The identity consists of the server's name and version and the
    schemas of its tools, which are requested once, before the first paid request.

    Example: `WithMCP("python my_server.py", prompt="Use the plant's own tables.")`.
    """

    server: str
    """A command, for stdio, or a URL, for streamable HTTP; `${NAME}` is the environment variable NAME."""
    prompt: str = ""
    """Added to the instructions."""
    only: tuple[str, ...] = ()
    """The names of the tools to use; by default all."""
    timeout_seconds: PositiveNumber = 60.0
    """The longest time for one call, in seconds."""

    @cached_property
    def offer(self) -> Offer:
        """The server's name, version and chosen tools. Raises ServerFailed or PlanError."""
        with ThreadPoolExecutor(1) as thread:  # an event loop may run in the current thread
            offer = thread.submit(asyncio.run, self._guard("list its tools", self._request_offer())).result()
        names = [tool.name for tool in offer.tools]
        unknown = [name for name in self.only if name not in names]
        if unknown or not names:
            missing = f"no tool {unknown[0]!r}" if unknown else "no tool"
            raise PlanError(f"MCP server {self._public_name!r} has {missing}; its tools: {', '.join(names)}")
        chosen = tuple(tool for tool in offer.tools if not self.only or tool.name in self.only)
        return Offer(offer.name, offer.version, chosen)

    @property
    def identity(self) -> dict[str, Any]:
        tools = [[tool.name, tool.description, tool.inputSchema] for tool in self.offer.tools]
        server = {"name": self.offer.name, "version": self.offer.version}
        return {"class": qualified_name(type(self)), "prompt": self.prompt, "server": server, "tools": tools}

    @property
    def label(self) -> str:
        return f"with_mcp({self.offer.name})"

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.equip(*map(self._make_tool, self.offer.tools)).instruct(self.prompt)

    @property
    def _public_name(self) -> str:
        """The program and its script, or the host: arguments, paths and queries may contain credentials."""
        if self.server.startswith(("http://", "https://")):
            address = urlsplit(self.server)
            return f"{address.scheme}://{address.netloc.rpartition('@')[2]}"
        program, *arguments = shlex.split(self.server)
        script = arguments[:1] if PurePath(program).name.startswith("python") else []
        return " ".join([program, *(name for name in script if name.endswith(".py"))])

    @property
    def _connection(self) -> Connection:
        from langchain_mcp_adapters.sessions import StdioConnection, StreamableHttpConnection

        server = fill_in_environment(self.server)
        if server.startswith(("http://", "https://")):
            return StreamableHttpConnection(transport="streamable_http", url=server)
        command, *arguments = shlex.split(server)
        return StdioConnection(transport="stdio", command=command, args=arguments)

    async def _request_offer(self) -> Offer:
        from langchain_mcp_adapters.sessions import create_session

        async with create_session(self._connection) as session:
            about = (await session.initialize()).serverInfo
            found = await session.list_tools()
            tools = list(found.tools)
            while found.nextCursor:
                found = await session.list_tools(cursor=found.nextCursor)
                tools += found.tools
        return Offer(about.name, about.version, tuple(tools))

    def _make_tool(self, offered: Tool) -> BaseTool:
        from langchain_mcp_adapters.tools import convert_mcp_tool_to_langchain_tool

        tool: Any = convert_mcp_tool_to_langchain_tool(None, offered, connection=self._connection)
        name = re.sub(r"[^A-Za-z0-9_-]", "_", offered.name)[:_MAX_NAME]
        call: Callable[..., Awaitable[Any]] = tool.coroutine

        @functools.wraps(call)
        async def guarded(*arguments: Any, **named: Any) -> Any:
            return await self._guard(f"answer {offered.name}", call(*arguments, **named))

        return tool.model_copy(update={"name": name, "coroutine": guarded})  # type: ignore[no-any-return]

    async def _guard(self, task: str, answer: Awaitable[Any]) -> Any:
        """Await an answer of the server within the time limit.

        Raises ToolException, which the model sees, if the tool refuses the call, and otherwise ServerFailed.
        """
        limit = asyncio.timeout(self.timeout_seconds)
        try:
            async with limit:
                return await answer
        except (ToolException, AnsatzError):
            raise
        except Exception as failure:
            if limit.expired():  # a cancelled call may fail in another way, such as by a closed pipe
                raise ServerFailed(
                    f"MCP server {self._public_name!r} did not {task} within {self.timeout_seconds:g} s"
                ) from None
            cause: BaseException = failure  # the first one of a group of tasks
            while isinstance(cause, BaseExceptionGroup):
                cause = cause.exceptions[0]
            if getattr(getattr(cause, "error", None), "code", None) == _INVALID_ARGUMENTS:
                raise ToolException(str(cause)) from failure
            reason = (str(cause) or type(cause).__name__).replace(self.server, self._public_name)
            raise ServerFailed(f"MCP server {self._public_name!r} could not {task}: {reason}") from failure
