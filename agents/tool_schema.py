"""A tool as OpenAI's protocol states it, made once: an arm offers the same tools with every request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.utils.function_calling import convert_to_openai_tool

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_MOST = 1000
_MADE: dict[int, tuple[BaseTool, dict[str, Any]]] = {}
"""By the identity of the tool, which is kept beside it so that no other tool takes its place."""


def schema(tool: BaseTool) -> dict[str, Any]:
    """Name, description and JSON schema of a tool. It is shared: nobody may change it."""
    if id(tool) not in _MADE:
        if len(_MADE) >= _MOST:
            _MADE.clear()
        _MADE[id(tool)] = tool, convert_to_openai_tool(tool)
    return _MADE[id(tool)][1]
