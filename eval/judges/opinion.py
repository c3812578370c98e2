"""A judge's reply made data: what can be had of it, however it is written or cut."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from langchain_core.messages import AIMessage
from langchain_core.utils.json import parse_partial_json

from ansatz.agents.client import finish_reason, is_refusal
from ansatz.eval.judges.request import ERROR_TAGS, TOOL
from ansatz.eval.replies import with_backslashes_escaped

__all__ = ["ERROR_TAGS", "Mark", "Opinion", "Status", "merged", "read"]

Status = Literal["ok", "ok_partial", "failed"]
_START = re.compile(r'\{\s*"(?:marks|errors|overall|G[1-8])"')
_LAST_NUMBER = re.compile(r"[\d.]+\s*$")  # of a text that was cut off, it may lack digits
_MOST_STARTS = 8


@dataclass(frozen=True)
class Mark:
    """Points 0, 1 or 2 on one dimension, and why."""

    points: int
    justification: str


@dataclass(frozen=True)
class Opinion:
    """What one judge said of one answer.

    `overall` is its mark for the whole, 0 to 100. `faults` tell what was wrong with its replies, `asks` how
    often it was asked, and `order` in which order it was shown the dimensions.
    """

    marks: Mapping[str, Mark] = field(default_factory=dict)
    errors: tuple[str, ...] = ()
    overall: float | None = None
    faults: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    asks: int = 0

    def status(self, wanted: Sequence[str]) -> Status:
        """ok: every wanted dimension is marked. ok_partial: some, or the overall mark alone. Else failed."""
        if all(name in self.marks for name in wanted):
            return "ok"
        return "ok_partial" if self.marks or self.overall is not None else "failed"


def read(message: AIMessage, wanted: Sequence[str], tags: Sequence[str] = ERROR_TAGS) -> Opinion:
    """All marks on the wanted dimensions that a reply holds; `faults` says why there are not all.

    `tags` are the kinds of errors that count; others are left out.
    """
    if is_refusal(message):
        return Opinion(faults=("the judge declined",), asks=1)
    best = Opinion()
    for content in _contents(message):
        found = _opinion(content, wanted, tags)
        if len(found.marks) > len(best.marks) or (best.overall is None and not best.marks):
            best = found
    missing = [name for name in wanted if name not in best.marks]
    faults = (_fault(message, best, missing),) if missing else ()
    return Opinion(best.marks, best.errors, best.overall, faults, asks=1)


def merged(first: Opinion, second: Opinion) -> Opinion:
    """What two replies say together; the first stands where both speak."""
    return Opinion(
        marks={**second.marks, **first.marks},
        errors=tuple(dict.fromkeys((*first.errors, *second.errors))),
        overall=first.overall if first.overall is not None else second.overall,
        faults=(*first.faults, *second.faults),
        order=first.order or second.order,
        asks=first.asks + second.asks,
    )


def _fault(message: AIMessage, found: Opinion, missing: Sequence[str]) -> str:
    cut = finish_reason(message) in ("length", "max_tokens")
    if not found.marks and found.overall is None:
        return "the reply was cut off before any mark" if cut else "the reply holds no marks that can be read"
    return f"{'the reply was cut off and ' if cut else ''}lacks {', '.join(missing)}"


def _contents(message: AIMessage) -> Iterator[dict[str, Any]]:
    """The objects a reply may mean: calls, calls whose arguments broke off, then JSON in its text."""
    for call in reversed(message.tool_calls):
        if call["name"] == TOOL:
            yield call["args"]
    for broken in reversed(message.invalid_tool_calls):
        yield from _objects(broken["args"] or "")
    yield from _objects(message.text)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of the text that look like a reply, whole or cut off."""
    mended = with_backslashes_escaped(text)
    for start in [brace.start() for brace in _START.finditer(mended)][:_MOST_STARTS]:
        try:
            content, _ = json.JSONDecoder(strict=False).raw_decode(mended, start)
        except json.JSONDecodeError:
            content = _cut_off(mended[start:])
        if isinstance(content, dict):
            yield content


def _cut_off(text: str) -> Any:
    try:
        return parse_partial_json(_LAST_NUMBER.sub("", text))
    except (ValueError, RecursionError):
        return None


def _opinion(content: Mapping[str, Any], wanted: Sequence[str], known: Sequence[str]) -> Opinion:
    """Marks stand under "marks", or where models that ignore the schema put them: beside it."""
    inner = content.get("marks")
    table = inner if isinstance(inner, dict) else content
    marks = {name: mark for name in wanted if (mark := _mark(table.get(name)))}
    tags = content.get("errors")
    errors = tuple(dict.fromkeys(tag for tag in tags if tag in known)) if isinstance(tags, list) else ()
    overall = _number(content.get("overall"))
    return Opinion(marks, errors, overall if overall is not None and 0 <= overall <= 100 else None)


def _mark(given: Any) -> Mark | None:
    """None for anything but 0, 1 or 2 points; such a dimension is asked for again."""
    fields = given if isinstance(given, dict) else {"points": given}
    points = _number(fields.get("points", fields.get("score")))
    if points not in (0, 1, 2):
        return None
    return Mark(int(points), str(fields.get("justification", "")).strip())


def _number(given: Any) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    try:
        return float(given)
    except ValueError:
        return None
