"""An MCP server with the tools of the knowledge base, the property tables and the sandbox."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from ansatz.agents import AgentPlan
from ansatz.interventions.calculator import Calculator
from ansatz.interventions.equation_tools import EquationTools
from ansatz.interventions.fluid_properties import FluidProperties
from ansatz.interventions.with_handbook import make_handbook_tool
from ansatz.sandbox import Execution
from ansatz.sandbox.code_runner import shared_workers

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from ansatz.interventions.mcp_http import FairSlots

_TITLES = {
    "search_equations": "Search equations with their conditions",
    "evaluate_equation": "Evaluate an equation, units and regime checked",
    "fluid_state": "Fluid properties at a state",
    "saturation_state": "Saturation properties of a fluid",
    "search_handbook": "Search the handbook, with file and page",
    "run_python": "Run Python in a sandbox",
}


def make_served_tools(handbook: Path | None = None) -> tuple[BaseTool, ...]:
    """Make the tools of the switches, as a model in a study gets them, and a search of a handbook.

    Raises InvalidData if the handbook cannot be indexed.
    """
    plan = AgentPlan()
    for switch in (EquationTools(), FluidProperties(), Calculator()):
        plan = switch.apply(plan)
    return plan.tools if handbook is None else (*plan.tools, make_handbook_tool(handbook))


def build_server(tools: Sequence[BaseTool], slots: FairSlots | None = None) -> Server[Any, Any]:
    """Build a server of these tools, which checks arguments and reports a refused call as an error.

    `slots` shares the sandbox among callers, which are identified by their address.
    """
    from mcp import types
    from mcp.server.lowlevel import Server

    from ansatz import __version__

    by_name = {tool.name: tool for tool in tools}
    server: Server[Any, Any] = Server("ansatz", version=__version__)

    async def list_tools() -> list[types.Tool]:
        hints: dict[str, Any] = {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}
        return [
            types.Tool(
                name=tool.name,
                description=schema["description"],
                inputSchema=schema["parameters"],
                annotations=types.ToolAnnotations(title=_TITLES.get(tool.name), **hints),
            )
            for tool in tools
            for schema in [convert_to_openai_tool(tool)["function"]]
        ]

    async def call_tool(name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        if name not in by_name:
            raise LookupError(f"there is no tool {name!r}; the tools are: {', '.join(by_name)}")
        call = {"name": name, "args": arguments, "id": "1", "type": "tool_call"}
        async with _acquire_slot(slots, name, server):
            message = await by_name[name].ainvoke(call)  # the SDK reports exceptions of a tool
        failed = isinstance(message.artifact, Execution) and message.artifact.status != "ok"
        content = types.TextContent(type="text", text=message.text)
        return types.CallToolResult(content=[content], isError=failed or message.status == "error")

    server.list_tools()(list_tools)  # type: ignore[no-untyped-call]
    server.call_tool()(call_tool)
    return server


def _acquire_slot(
    slots: FairSlots | None, tool: str, server: Server[Any, Any]
) -> AbstractAsyncContextManager[None]:
    request = server.request_context.request
    if slots is None or tool != "run_python" or request is None:
        return nullcontext()
    return slots.acquire(request.client.host if request.client else "")


async def serve_stdio(handbook: Path | None = None) -> None:
    """Serve the client on standard input and output until it disconnects."""
    import anyio
    from mcp.server.stdio import stdio_server

    server = build_server(make_served_tools(handbook))
    output = open(os.dup(1), "w", encoding="utf-8")  # a copy, because the SDK closes it  # noqa: SIM115
    async with stdio_server(stdout=anyio.wrap_file(output)) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


async def serve_http(host: str, port: int, handbook: Path | None = None) -> None:
    """Serve at http://host:port/mcp until interrupted; refuse requests to other host names."""
    import uvicorn
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.applications import Starlette
    from starlette.routing import Mount

    from ansatz.interventions.mcp_http import MAXIMUM_CONNECTIONS, FairSlots, McpRequests, TimedProtocol

    hosts = [f"{name}:{port}" for name in (host, "127.0.0.1", "localhost")]
    manager = StreamableHTTPSessionManager(
        app=build_server(make_served_tools(handbook), FairSlots(shared_workers())),
        stateless=True,
        security_settings=TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"http://{name}" for name in hosts]
        ),
    )

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    requests = McpRequests("/mcp", manager.handle_request)
    app = Starlette(routes=[Mount("/", app=requests)], lifespan=running)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        http=TimedProtocol,
        limit_concurrency=MAXIMUM_CONNECTIONS,
    )
    await uvicorn.Server(config).serve()
