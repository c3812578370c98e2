"""What the knowledge base, the property tables and the sandbox can do, for others, over MCP."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from ansatz.agents import AgentPlan
from ansatz.interventions.calculator import Calculator
from ansatz.interventions.equation_tools import EquationTools
from ansatz.interventions.fluid_properties import FluidProperties
from ansatz.sandbox import Execution
from ansatz.sandbox.code_runner import shared_workers

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from ansatz.interventions.mcp_http import FairTurns

_TITLES = {
    "search_equations": "Search equations with their conditions",
    "evaluate_equation": "Evaluate an equation, units and regime checked",
    "fluid_state": "Fluid properties at a state",
    "saturation_state": "Saturation properties of a fluid",
    "run_python": "Run Python in a sandbox",
}


def served_tools() -> tuple[BaseTool, ...]:
    """The tools of the switches, as a model in a study gets them."""
    plan = AgentPlan()
    for switch in (EquationTools(), FluidProperties(), Calculator()):
        plan = switch.apply(plan)
    return plan.tools


def mcp_server(tools: Sequence[BaseTool], turns: FairTurns | None = None) -> Server[Any, Any]:
    """A server of these tools. What a tool refuses comes back as an error in words; arguments are checked.

    `turns` share the sandbox among callers, told apart by their address.
    """
    from mcp import types
    from mcp.server.lowlevel import Server

    from ansatz import __version__

    by_name = {tool.name: tool for tool in tools}
    server: Server[Any, Any] = Server("ansatz", version=__version__)

    async def list_tools() -> list[types.Tool]:
        harmless: dict[str, Any] = {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}
        return [
            types.Tool(
                name=tool.name,
                description=said["description"],
                inputSchema=said["parameters"],
                annotations=types.ToolAnnotations(title=_TITLES.get(tool.name), **harmless),
            )
            for tool in tools
            for said in [convert_to_openai_tool(tool)["function"]]
        ]

    async def call_tool(name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        if name not in by_name:
            raise LookupError(f"there is no tool {name!r}; the tools are: {', '.join(by_name)}")
        call = {"name": name, "args": arguments, "id": "1", "type": "tool_call"}
        async with _turn(turns, name, server):
            message = await by_name[name].ainvoke(call)  # the SDK reports the failure of a tool
        failed = isinstance(message.artifact, Execution) and message.artifact.status != "ok"
        content = types.TextContent(type="text", text=message.text)
        return types.CallToolResult(content=[content], isError=failed or message.status == "error")

    server.list_tools()(list_tools)  # type: ignore[no-untyped-call]
    server.call_tool()(call_tool)
    return server


def _turn(turns: FairTurns | None, tool: str, server: Server[Any, Any]) -> AbstractAsyncContextManager[None]:
    request = server.request_context.request
    if turns is None or tool != "run_python" or request is None:
        return nullcontext()
    return turns.turn(request.client.host if request.client else "")


async def serve_stdio() -> None:
    """Serve the one client at our standard input, until it leaves."""
    import anyio
    from mcp.server.stdio import stdio_server

    server = mcp_server(served_tools())
    answers = open(os.dup(1), "w", encoding="utf-8")  # the SDK closes what it is given  # noqa: SIM115
    async with stdio_server(stdout=anyio.wrap_file(answers)) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


async def serve_http(host: str, port: int) -> None:
    """Serve at http://host:port/mcp until interrupted. Only this machine's names are answered to."""
    import uvicorn
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.applications import Starlette
    from starlette.routing import Mount

    from ansatz.interventions.mcp_http import MAXIMUM_CONNECTIONS, FairTurns, McpRequests, TimedProtocol

    hosts = [f"{each}:{port}" for each in (host, "127.0.0.1", "localhost")]
    manager = StreamableHTTPSessionManager(
        app=mcp_server(served_tools(), FairTurns(shared_workers())),
        stateless=True,
        security_settings=TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"http://{each}" for each in hosts]
        ),
    )

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    served = McpRequests("/mcp", manager.handle_request)
    app = Starlette(routes=[Mount("/", app=served)], lifespan=running)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        http=TimedProtocol,
        limit_concurrency=MAXIMUM_CONNECTIONS,
    )
    await uvicorn.Server(config).serve()
