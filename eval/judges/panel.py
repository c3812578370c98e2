"""From the opinions of one or more judges to one mark per dimension, and what the marks rest on."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ansatz.eval.judges.opinion import Opinion, Status
from ansatz.eval.judges.rubric import DIMENSIONS
from ansatz.eval.verifier import kpi as sums

Combination = Literal["median", "mean"]
_DISPUTE = 2  # points between two judges from which a further one decides


@dataclass(frozen=True)
class Verdict:
    """What all judges together say. `opinions` and `adjudication` are kept as given, by judge.

    `disputed` are the dimensions on which two judges differ by two points. `is_right` is whether the final
    values are, by comparison with the key; None where that is not known.
    """

    opinions: Mapping[str, Opinion]
    combine: Combination
    disputed: tuple[str, ...] = ()
    adjudication: Mapping[str, Opinion] | None = None
    is_right: bool | None = None

    @property
    def status(self) -> Status:
        """ok: every dimension has a mark. ok_partial: some, or an overall mark alone. Else failed."""
        if all(self.points(name) is not None for name in DIMENSIONS):
            return "ok"
        return "failed" if self.kpi is None else "ok_partial"

    def points(self, dimension: str) -> float | None:
        """Points from 0 to 2: the adjudicator's where it decided, else the median or mean of all."""
        decided = _given((self.adjudication or {}).values(), dimension) if dimension in self.disputed else []
        given = decided or _given(self.opinions.values(), dimension)
        if not given:
            return None
        return float(statistics.median(given) if self.combine == "median" else statistics.fmean(given))

    @property
    def shares(self) -> dict[str, float]:
        """Points as shares of the most there are, of the dimensions that have a mark."""
        given = {name: self.points(name) for name in DIMENSIONS}
        return {name: points / 2 for name, points in given.items() if points is not None}

    @property
    def kpi(self) -> float | None:
        """From 0 to 1: the sum in which form counts for a sound calculation alone (`verifier.kpi`).

        Where none of G1 to G4 has a mark, it is the judges' overall mark, for a wrong value at most what an
        unsound calculation may have; None where there is none either.
        """
        value = sums.kpi(self.shares, self.is_right)
        if value is None and self._overall is not None:
            return min(self._overall, sums.SOUND) if self.is_right is False else self._overall
        return value

    @property
    def kpi_published(self) -> float | None:
        """The weighted mean of the marks as published, or the judges' overall mark as it is."""
        value = sums.published(self.shares)
        return self._overall if value is None else value

    @property
    def _overall(self) -> float | None:
        given = [opinion.overall for opinion in self.opinions.values() if opinion.overall is not None]
        return statistics.fmean(given) / 100 if given else None

    @property
    def errors(self) -> dict[str, int]:
        """How many judges found each kind of error."""
        tags = [tag for opinion in self.opinions.values() for tag in opinion.errors]
        return {tag: tags.count(tag) for tag in dict.fromkeys(tags)}

    @property
    def faults(self) -> str:
        """What was wrong with replies, by judge; empty where nothing was."""
        told = {**self.opinions, **(self.adjudication or {})}
        return "; ".join(f"{judge}: {', '.join(each.faults)}" for judge, each in told.items() if each.faults)

    def evidence(self, dimension: str) -> str:
        """Status, every judge's points with its justification, and the error tags, as one line."""
        said = [_said(judge, opinion, dimension) for judge, opinion in self.opinions.items()]
        if dimension in self.disputed:
            adjudicated = (self.adjudication or {}).items()
            said += [f"adjudicated by {_said(judge, opinion, dimension)}" for judge, opinion in adjudicated]
            said += [] if adjudicated else ["disputed"]
        if self.points(dimension) is None:
            said = [f"no judge marked it ({self.faults or 'no reason given'})"]
        tags = [f"errors: {', '.join(self.errors)}"] if self.errors else []
        return f"{self.status}: " + "; ".join([*said, *tags])

    def record(self) -> dict[str, Any]:
        """All of it as data: statuses, orders, points, justifications, tags and asks of every judge."""
        adjudication = {judge: _record(each) for judge, each in (self.adjudication or {}).items()}
        return {
            "status": self.status,
            "combine": self.combine,
            "is_right": self.is_right,
            "judges": {judge: _record(opinion) for judge, opinion in self.opinions.items()},
            "disputed": list(self.disputed),
            **({"adjudication": adjudication} if adjudication else {}),
        }


def disputes(opinions: Iterable[Opinion]) -> tuple[str, ...]:
    """The dimensions on which any two judges differ by two points."""
    kept = list(opinions)
    given = {name: _given(kept, name) for name in DIMENSIONS}
    return tuple(name for name, points in given.items() if points and max(points) - min(points) >= _DISPUTE)


def read_record(evidence: str) -> dict[str, Any]:
    """The data in the evidence of a judge's kpi. Raises ValueError for other evidence."""
    _, newline, data = evidence.partition("\n")
    if not newline:
        raise ValueError("this evidence holds no record of a judge")
    record: dict[str, Any] = json.loads(data)
    return record


def disagreement_rate(records: Sequence[Mapping[str, Any]]) -> float | None:
    """The share of dimensions marked by two judges or more on which two of them differ by two points.

    `records` are those of `Verdict.record`. None where no dimension has two marks.
    """
    compared = disputed = 0
    for record in records:
        tables = [judge["points"] for judge in record["judges"].values()]
        compared += sum(sum(name in table for table in tables) >= 2 for name in DIMENSIONS)
        disputed += len(record["disputed"])
    return disputed / compared if compared else None


def _given(opinions: Iterable[Opinion], dimension: str) -> list[int]:
    return [opinion.marks[dimension].points for opinion in opinions if dimension in opinion.marks]


def _said(judge: str, opinion: Opinion, dimension: str) -> str:
    mark = opinion.marks.get(dimension)
    return f"{judge} gives {mark.points}: {mark.justification}" if mark else f"{judge} gives no mark"


def _record(opinion: Opinion) -> dict[str, Any]:
    return {
        "status": opinion.status(opinion.order),
        "order": list(opinion.order),
        "points": {name: mark.points for name, mark in opinion.marks.items()},
        "justifications": {name: mark.justification for name, mark in opinion.marks.items()},
        "overall": opinion.overall,
        "errors": list(opinion.errors),
        "asks": opinion.asks,
        "faults": list(opinion.faults),
    }
