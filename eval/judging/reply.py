"""A judge's marks, as far as they can be had of a reply, however it is written or cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from langchain_core.messages import AIMessage

from ansatz.agents.client import finish_reason, is_refusal
from ansatz.eval.judging.recording import arguments
from ansatz.eval.judging.rubric import Criterion, Rubric

Status = Literal["ok", "ok_partial", "abstained", "failed"]

_WORD = re.compile(r"[^\W_]+")


def status_of(points: Iterable[float | None], *, spoken: bool, overall: float | None = None) -> Status:
    """How a judgement ended, by the points on each criterion that was to be marked.

    ok: all is marked. ok_partial: some is, or the whole alone. abstained: it was `spoken` of, but nobody
    could tell. failed: nothing could be had.
    """
    marked = [each is not None for each in points]
    if all(marked):
        return "ok"
    if any(marked) or overall is not None:
        return "ok_partial"
    return "abstained" if spoken else "failed"


@dataclass(frozen=True)
class Opinion:
    """What one judge said of one answer.

    By criterion `points`, None where it says that it cannot tell, and `justifications`. `overall` is its mark
    for the whole, 0 to 100. `faults` tell what was wrong with its replies, `asks` how often it was asked, and
    `order` in which order it was shown the criteria.
    """

    points: Mapping[str, int | None] = field(default_factory=dict)
    justifications: Mapping[str, str] = field(default_factory=dict)
    errors: tuple[str, ...] = ()
    overall: float | None = None
    faults: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    asks: int = 0

    def said(self, name: str, criterion: Criterion) -> str:
        """The points on a criterion and why, in words."""
        if name not in self.points:
            return "gives no mark"
        points = self.points[name]
        given = "cannot tell" if points is None else f"gives {criterion.label(points)}"
        return f"{given}: {self.justifications[name]}"

    def record(self) -> dict[str, Any]:
        """All of it for programs."""
        given = map(self.points.get, self.order)
        return {
            "status": status_of(given, spoken=bool(self.points), overall=self.overall),
            "order": list(self.order),
            "points": {name: each for name, each in self.points.items() if each is not None},
            "justifications": dict(self.justifications),
            "abstained": [name for name, each in self.points.items() if each is None],
            "overall": self.overall,
            "errors": list(self.errors),
            "asks": self.asks,
            "faults": list(self.faults),
        }


def read(message: AIMessage, rubric: Rubric) -> Opinion:
    """All marks on the criteria of a rubric that a reply holds; `faults` says why there are not all."""
    if is_refusal(message):
        return Opinion(faults=("the judge declined",), asks=1)
    fields = () if rubric.is_flat else ("marks", "errors", "overall", *rubric.criteria)
    bare = [
        {name: message.text} for name, each in rubric.criteria.items() if rubric.is_flat and not each.labels
    ]
    best = max(
        (_opinion(content, rubric) for content in (*arguments(message, rubric.tool, fields), *bare)),
        key=lambda each: (len(each.points), each.overall is not None, len(each.errors)),
        default=Opinion(),
    )
    missing = [name for name in rubric.criteria if name not in best.points]
    cut = finish_reason(message) in ("length", "max_tokens")
    if best.points or best.overall is not None:
        fault = f"{'the reply was cut off and ' if cut else ''}lacks {', '.join(missing)}"
    else:
        fault = f"the reply {'was cut off before any mark' if cut else 'holds no marks that can be read'}"
    return replace(best, faults=(fault,) if missing else (), asks=1)


def merged(first: Opinion, second: Opinion) -> Opinion:
    """What two replies say together; the first stands where both speak."""
    return Opinion(
        points={**second.points, **first.points},
        justifications={**second.justifications, **first.justifications},
        errors=tuple(dict.fromkeys((*first.errors, *second.errors))),
        overall=first.overall if first.overall is not None else second.overall,
        faults=(*first.faults, *second.faults),
        order=tuple(dict.fromkeys((*first.order, *second.order))),
        asks=first.asks + second.asks,
    )


def _opinion(content: Mapping[str, Any], rubric: Rubric) -> Opinion:
    """Marks stand under "marks", or where models that ignore the schema put them: beside it."""
    table = content["marks"] if isinstance(content.get("marks"), dict) else content
    marks = {}
    for name, criterion in rubric.criteria.items():
        given = table.get(name, "")
        marks[name] = _mark(
            given if isinstance(given, dict) else {**content, "points": given}, criterion, rubric
        )
    points = {name: mark[0] for name, mark in marks.items() if mark}
    reasons = {name: mark[1] for name, mark in marks.items() if mark}
    tags = content.get("errors")
    errors = dict.fromkeys(tag for tag in tags if tag in rubric.tags) if isinstance(tags, list) else ()
    overall = _number(content.get("overall")) if rubric.overall else None
    overall = overall if overall is not None and 0 <= overall <= 100 else None
    return Opinion(points, reasons, tuple(errors), overall)


def _mark(fields: Mapping[str, Any], criterion: Criterion, rubric: Rubric) -> tuple[int | None, str] | None:
    """Points and why; None for points that are not on the scale, for which the judge is asked again."""
    points = fields.get("points", fields.get("score", ""))
    why = " ".join(str(fields.get(rubric.reason) or "").split())
    if points is None:
        return (None, why) if rubric.abstain else None
    if criterion.labels:
        word = _WORD.search(str(points).upper())
        return (criterion.labels[word[0]], why) if word and word[0] in criterion.labels else None
    number, (low, high) = _number(points), criterion.scale
    if number is None or not low <= number <= high or number != int(number):
        return None
    return int(number), why


def _number(given: Any) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    try:
        return float(given)
    except ValueError:
        return None
