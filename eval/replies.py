"""The arguments of a tool call, wherever a model put them: in the call, or as JSON in its text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from langchain_core.messages import AIMessage

_MOST_STARTS = 20
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = frozenset('\\"/nrtu')  # \b and \f are JSON too, but here they begin \beta and \frac


def arguments(message: AIMessage, tool: str) -> Iterator[dict[str, Any]]:
    """Every object that a reply may mean as the arguments of `tool`, the likeliest first."""
    for call in reversed(message.tool_calls):
        if call["name"] == tool:
            yield call["args"]
    for broken in message.invalid_tool_calls:
        yield from objects(broken["args"] or "")
    yield from objects(message.text)


def objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text that are not inside one another, in order."""
    mended = with_backslashes_escaped(text)
    end = 0
    for start in [brace.start() for brace in re.finditer(r"\{", mended)][:_MOST_STARTS]:
        if start < end:
            continue
        try:
            content, end = json.JSONDecoder(strict=False).raw_decode(mended, start)
        except (json.JSONDecodeError, RecursionError):
            continue
        yield content


def with_backslashes_escaped(text: str) -> str:
    """JSON whose LaTeX is written with single backslashes, mended; what is escaped already stays."""
    return _ESCAPE.sub(lambda found: found[0] if found[1] in _ESCAPED else f"\\\\{found[1]}", text)
