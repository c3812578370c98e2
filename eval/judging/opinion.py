"""Parse a judge's scores from a reply in any form, including replies that are truncated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from langchain_core.messages import AIMessage

from ansatz.agents.client import finish_reason, is_refusal
from ansatz.eval.judging.rubric import Criterion, Rubric
from ansatz.eval.judging.structured_reply import find_arguments

Status = Literal["ok", "ok_partial", "abstained", "failed"]
"""ok: every criterion has points. ok_partial: some have, or only the overall score was given.
abstained: the judges replied, but none could decide. failed: no score was returned."""

_WORD = re.compile(r"[^\W_]+")


def classify_status(
    points: Iterable[float | None], *, is_addressed: bool, overall: float | None = None
) -> Status:
    """Classify a judgement by the points on each requested criterion, None if there are none.

    `is_addressed` is whether a reply addresses the criteria at all, if only to abstain.
    """
    is_scored = [each is not None for each in points]
    if all(is_scored):
        return "ok"
    if any(is_scored) or overall is not None:
        return "ok_partial"
    return "abstained" if is_addressed else "failed"


@dataclass(frozen=True)
class Opinion:
    """One judge's scores of one answer."""

    points: Mapping[str, int | None] = field(default_factory=dict)
    """Points by criterion; None if the judge abstained."""
    justifications: Mapping[str, str] = field(default_factory=dict)
    """The judge's reason by criterion."""
    errors: tuple[str, ...] = ()
    """Kinds of errors that the judge reported."""
    overall: float | None = None
    """The overall score, from 0 to 100."""
    faults: tuple[str, ...] = ()
    """What was wrong with the judge's replies."""
    order: tuple[str, ...] = ()
    """The criteria in the order in which the judge saw them."""
    asks: int = 0
    """Number of requests to the judge."""

    def describe(self, name: str, criterion: Criterion) -> str:
        """Describe the points on a criterion with their justification."""
        if name not in self.points:
            return "gives no score"
        points = self.points[name]
        decision = "cannot decide" if points is None else f"gives {criterion.label(points)}"
        return f"{decision}: {self.justifications[name]}"

    def record(self) -> dict[str, Any]:
        """Convert to JSON, for the details of a score."""
        requested = map(self.points.get, self.order)
        return {
            "status": classify_status(requested, is_addressed=bool(self.points), overall=self.overall),
            "order": list(self.order),
            "points": {name: points for name, points in self.points.items() if points is not None},
            "justifications": dict(self.justifications),
            "abstained": [name for name, points in self.points.items() if points is None],
            "overall": self.overall,
            "errors": list(self.errors),
            "asks": self.asks,
            "faults": list(self.faults),
        }


def parse_reply(message: AIMessage, rubric: Rubric) -> Opinion:
    """Parse the scores on a rubric's criteria from a reply; `faults` names what is missing."""
    if is_refusal(message):
        return Opinion(faults=("the judge declined",), asks=1)
    fields = () if rubric.is_flat else ("marks", "errors", "overall", *rubric.criteria)
    bare = [
        {name: message.text} for name, each in rubric.criteria.items() if rubric.is_flat and not each.labels
    ]
    best = max(
        (_parse_opinion(each, rubric) for each in (*find_arguments(message, rubric.tool, fields), *bare)),
        key=lambda each: (len(each.points), each.overall is not None, len(each.errors)),
        default=Opinion(),
    )
    missing = [name for name in rubric.criteria if name not in best.points]
    is_cut = finish_reason(message) in ("length", "max_tokens")
    if best.points or best.overall is not None:
        fault = f"{'the reply was cut off and ' if is_cut else ''}lacks {', '.join(missing)}"
    else:
        fault = f"the reply {'was cut off before any score' if is_cut else 'contains no readable scores'}"
    return replace(best, faults=(fault,) if missing else (), asks=1)


def merge_opinions(first: Opinion, second: Opinion) -> Opinion:
    """Merge the opinions from two replies of one judge; the first takes precedence."""
    return Opinion(
        points={**second.points, **first.points},
        justifications={**second.justifications, **first.justifications},
        errors=tuple(dict.fromkeys((*first.errors, *second.errors))),
        overall=first.overall if first.overall is not None else second.overall,
        faults=(*first.faults, *second.faults),
        order=tuple(dict.fromkeys((*first.order, *second.order))),
        asks=first.asks + second.asks,
    )


def _parse_opinion(content: Mapping[str, Any], rubric: Rubric) -> Opinion:
    """Parse scores under "marks", or at the top level if the model ignored the schema."""
    table = content["marks"] if isinstance(content.get("marks"), dict) else content
    scores = {}
    for name, criterion in rubric.criteria.items():
        given = table.get(name, "")
        fields = given if isinstance(given, dict) else {**content, "points": given}
        scores[name] = _parse_score(fields, criterion, rubric)
    points = {name: score[0] for name, score in scores.items() if score}
    reasons = {name: score[1] for name, score in scores.items() if score}
    tags = content.get("errors")
    errors = dict.fromkeys(tag for tag in tags if tag in rubric.tags) if isinstance(tags, list) else ()
    overall = _parse_number(content.get("overall")) if rubric.overall else None
    overall = overall if overall is not None and 0 <= overall <= 100 else None
    return Opinion(points, reasons, tuple(errors), overall)


def _parse_score(
    fields: Mapping[str, Any], criterion: Criterion, rubric: Rubric
) -> tuple[int | None, str] | None:
    """Parse points and reason; None if the points are not on the scale, so that the judge is asked again."""
    points = fields.get("points", fields.get("score", ""))
    reason = " ".join(str(fields.get(rubric.reason) or "").split())
    if points is None:
        return (None, reason) if rubric.abstain else None
    if criterion.labels:
        word = _WORD.search(str(points).upper())
        return (criterion.labels[word[0]], reason) if word and word[0] in criterion.labels else None
    number, (low, high) = _parse_number(points), criterion.scale
    if number is None or not low <= number <= high or number != int(number):
        return None
    return int(number), reason


def _parse_number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None
