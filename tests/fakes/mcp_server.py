"""A foreign MCP server, over stdio or at a port: one good tool, and tools that fail, die, hang or object.

python tests/fakes/mcp_server.py [PORT] [--second]
"""

import asyncio
import os
import sys

from mcp.server.fastmcp import FastMCP

ports = [each for each in sys.argv[1:] if each.isdigit()]
server = FastMCP("plant", port=int(ports[0]) if ports else 8000, log_level="ERROR")
server._mcp_server.version = "2.0" if "--second" in sys.argv else "1.0"


@server.tool()
async def shaft_power(flow: float, head: float, efficiency: float) -> float:
    """Shaft power of a water pump in kW, from flow in L/s, head in m and efficiency from 0 to 1."""
    if log := os.environ.get("PLANT_CALLS"):
        with open(log, "a") as file:
            file.write(f"{os.getpid()}\n")
        await asyncio.sleep(0.05)  # so that a call can be broken off
    if head < 0:
        raise ValueError("head must not be negative")
    if flow == 666:
        os._exit(1)
    if flow == 777:
        await asyncio.sleep(60)
    return round(998 * 9.81 * flow / 1000 * head / efficiency / 1000, 4)


server.run("streamable-http" if ports else "stdio")
