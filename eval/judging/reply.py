"""A judge's reply made data: what can be had of it, however it is written or cut."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from langchain_core.messages import AIMessage
from langchain_core.utils.json import parse_partial_json

from ansatz.agents.client import finish_reason, is_refusal
from ansatz.eval.judging.rubric import Criterion, Rubric

Status = Literal["ok", "ok_partial", "abstained", "failed"]

_MOST_STARTS = 20
_MOST_CUT_OFF = 8
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = frozenset('\\"/nrtu')  # \b and \f are JSON too, but here they begin \beta and \frac
_WORD = re.compile(r"[^\W_]+")
_LAST_NUMBER = re.compile(r"[\d.]+\s*$")  # of a text that was cut off, it may lack digits


@dataclass(frozen=True)
class Mark:
    """Points on one criterion, and why; no points where the judge says that it cannot tell."""

    points: int | None
    justification: str


@dataclass(frozen=True)
class Opinion:
    """What one judge said of one answer.

    `overall` is its mark for the whole, 0 to 100. `faults` tell what was wrong with its replies, `asks` how
    often it was asked, and `order` in which order it was shown the criteria.
    """

    marks: Mapping[str, Mark] = field(default_factory=dict)
    errors: tuple[str, ...] = ()
    overall: float | None = None
    faults: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    asks: int = 0

    def points(self, name: str) -> int | None:
        return self.marks[name].points if name in self.marks else None

    def status(self, wanted: Sequence[str]) -> Status:
        """ok: all is marked. abstained: the judge could tell nothing. failed: nothing could be had."""
        marked = [name for name in wanted if self.points(name) is not None]
        if len(marked) == len(wanted):
            return "ok"
        if marked or self.overall is not None:
            return "ok_partial"
        return "abstained" if self.marks else "failed"


def read(message: AIMessage, rubric: Rubric, wanted: Sequence[Criterion]) -> Opinion:
    """All marks on the wanted criteria that a reply holds; `faults` says why there are not all."""
    if is_refusal(message):
        return Opinion(faults=("the judge declined",), asks=1)
    fields = ["marks", "errors", "overall", *(each.name for each in rubric.criteria)]
    bare = [{wanted[0].name: message.text}] if rubric.is_flat and not wanted[0].labels else []
    contents = (*arguments(message, rubric.tool, () if rubric.is_flat else fields), *bare)
    found = [_opinion(content, rubric, wanted) for content in contents]
    best = max(
        found,
        key=lambda each: (len(each.marks), each.overall is not None, len(each.errors)),
        default=Opinion(),
    )
    missing = [each.name for each in wanted if each.name not in best.marks]
    faults = (_fault(message, best, missing),) if missing else ()
    return Opinion(best.marks, best.errors, best.overall, faults, asks=1)


def merged(first: Opinion, second: Opinion) -> Opinion:
    """What two replies say together; the first stands where both speak."""
    return Opinion(
        marks={**second.marks, **first.marks},
        errors=tuple(dict.fromkeys((*first.errors, *second.errors))),
        overall=first.overall if first.overall is not None else second.overall,
        faults=(*first.faults, *second.faults),
        order=tuple(dict.fromkeys((*first.order, *second.order))),
        asks=first.asks + second.asks,
    )


def arguments(message: AIMessage, tool: str, fields: Collection[str] = ()) -> Iterator[dict[str, Any]]:
    """Every object that a reply may mean as the arguments of `tool`, the likeliest first.

    They stand in a call, in one that broke off, or as JSON in the text, where the last counts first. With
    `fields`, objects that begin with one of these and are cut off count too, as far as they go.
    """
    for call in reversed(message.tool_calls):
        if call["name"] == tool:
            yield call["args"]
    for broken in reversed(message.invalid_tool_calls):
        yield from objects(broken["args"] or "", fields)
    yield from reversed(list(objects(message.text, fields)))


def objects(text: str, fields: Collection[str] = ()) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text that are not inside one another, in order."""
    mended = _ESCAPE.sub(lambda found: found[0] if found[1] in _ESCAPED else f"\\\\{found[1]}", text)
    names = "|".join(map(re.escape, fields))
    starts = re.finditer(rf'\{{\s*"(?:{names})"' if fields else r"\{", mended)
    end = 0
    for start in [brace.start() for brace in starts][: _MOST_CUT_OFF if fields else _MOST_STARTS]:
        if start < end:
            continue
        try:
            content, end = json.JSONDecoder(strict=False).raw_decode(mended, start)
        except (json.JSONDecodeError, RecursionError):
            content = _cut_off(mended[start:]) if fields else None
        if isinstance(content, dict):
            yield content


def _cut_off(text: str) -> Any:
    try:
        return parse_partial_json(_LAST_NUMBER.sub("", text))
    except (ValueError, RecursionError):
        return None


def _fault(message: AIMessage, found: Opinion, missing: Sequence[str]) -> str:
    cut = finish_reason(message) in ("length", "max_tokens")
    if not found.marks and found.overall is None:
        return "the reply was cut off before any mark" if cut else "the reply holds no marks that can be read"
    return f"{'the reply was cut off and ' if cut else ''}lacks {', '.join(missing)}"


def _opinion(content: Mapping[str, Any], rubric: Rubric, wanted: Sequence[Criterion]) -> Opinion:
    """Marks stand under "marks", or where models that ignore the schema put them: beside it."""
    if rubric.is_flat:
        table: Any = {each.name: {**content, "points": content.get(each.name, "")} for each in wanted}
    else:
        table = content["marks"] if isinstance(content.get("marks"), dict) else content
    marks = {each.name: mark for each in wanted if (mark := _mark(table.get(each.name, ""), each, rubric))}
    tags = content.get("errors")
    errors = dict.fromkeys(tag for tag in tags if tag in rubric.tags) if isinstance(tags, list) else ()
    overall = _number(content.get("overall")) if rubric.overall else None
    return Opinion(marks, tuple(errors), overall if overall is not None and 0 <= overall <= 100 else None)


def _mark(given: Any, criterion: Criterion, rubric: Rubric) -> Mark | None:
    """None for points that are not on the scale; such a criterion is asked for again."""
    fields = given if isinstance(given, dict) else {"points": given}
    points = fields.get("points", fields.get("score", ""))
    why = " ".join(str(fields.get(rubric.reason) or "").split())
    if points is None:
        return Mark(None, why) if rubric.abstain else None
    if criterion.labels:
        word = _WORD.search(str(points).upper())
        return Mark(criterion.labels[word[0]], why) if word and word[0] in criterion.labels else None
    number, (low, high) = _number(points), criterion.scale
    if number is None or not low <= number <= high or number != int(number):
        return None
    return Mark(int(number), why)


def _number(given: Any) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    try:
        return float(given)
    except ValueError:
        return None
