"""Asking judges, one until all marks are had and all of them at once, and making one mark of several."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ansatz.eval.judging.reply import Opinion, Status, merged, read, status_of
from ansatz.eval.judging.request import messages, tool
from ansatz.eval.judging.rubric import Criterion, Rubric
from ansatz.eval.score import Ask, Score

Combination = Literal["median", "mean"]
_COMBINE: Mapping[Combination, Callable[[Sequence[float]], float]] = {
    "median": statistics.median,
    "mean": statistics.fmean,
}


async def ask_judge(ask: Ask, title: str, rubric: Rubric, parts: Sequence[str], asks: int) -> Opinion:
    """What a judge says on the criteria of a rubric, asked `asks` times at most for those still missing.

    Raises InfrastructureError where it cannot be reached.
    """
    opinion = Opinion(order=tuple(rubric.criteria))
    while opinion.asks < asks and len(opinion.points) < len(opinion.order):
        wanted = rubric.of(*(name for name in opinion.order if name not in opinion.points))
        request = messages(wanted, parts, again=opinion.asks > 0)
        opinion = merged(opinion, read(await ask(title, request, [tool(wanted)]), wanted))
    return opinion


@dataclass(frozen=True)
class PanelVerdict:
    """What all judges together say on some criteria: `opinions` as given, by judge.

    `adjudication` is what a further judge says of the disputed ones.
    """

    opinions: Mapping[str, Opinion]
    criteria: Mapping[str, Criterion]
    combine: Combination = "median"
    adjudication: Mapping[str, Opinion] = field(default_factory=dict)

    @cached_property
    def disputed(self) -> tuple[str, ...]:
        """The criteria on which two judges are apart by more than half of the scale."""
        given = {name: _given(self.opinions.values(), name) for name in self.criteria}
        shares = {name: [*map(self.criteria[name].share, points)] for name, points in given.items() if points}
        return tuple(name for name, each in shares.items() if max(each) - min(each) > 0.5)

    @property
    def status(self) -> Status:
        spoken = any(opinion.points for opinion in self.opinions.values())
        return status_of(map(self.points, self.criteria), spoken=spoken, overall=self.overall)

    def points(self, name: str) -> float | None:
        """The adjudicator's points where it decided, else the median or mean of all; None without any."""
        decided = _given(self.adjudication.values(), name) if name in self.disputed else []
        given = decided or _given(self.opinions.values(), name)
        return float(_COMBINE[self.combine](given)) if given else None

    @property
    def shares(self) -> dict[str, float]:
        """Points as shares of their scale, of the criteria that have a mark."""
        given = {name: self.points(name) for name in self.criteria}
        return {name: self.criteria[name].share(each) for name, each in given.items() if each is not None}

    @property
    def overall(self) -> float | None:
        """The mean of the judges' marks for the whole, from 0 to 1."""
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
        told = {**self.opinions, **self.adjudication}
        return "; ".join(f"{judge}: {', '.join(each.faults)}" for judge, each in told.items() if each.faults)

    def said(self, name: str) -> list[str]:
        """What each judge said of a criterion; why there is no mark, where there is none."""
        if not self._is_spoken_of(name):
            return [f"no judge marked it ({self.faults or 'no reason given'})"]
        criterion = self.criteria[name]
        said = [f"{judge} {opinion.said(name, criterion)}" for judge, opinion in self.opinions.items()]
        if name not in self.disputed:
            return said
        decided = [
            f"adjudicated by {judge} {opinion.said(name, criterion)}"
            for judge, opinion in self.adjudication.items()
        ]
        return [*said, *(decided or ["disputed"])]

    def score(self, dimension: str, name: str) -> Score:
        """The score on one criterion. Details: status, each judge's points or null, disputed.

        The evidence is the status of all, what each judge said, and the error tags.
        """
        tags = [f"errors: {', '.join(self.errors)}"] if self.errors else []
        return Score(
            dimension=dimension,
            value=self.shares.get(name),
            evidence=f"{self.status}: " + "; ".join([*self.said(name), *tags]),
            details={
                "status": status_of([self.points(name)], spoken=self._is_spoken_of(name)),
                "points": {judge: opinion.points.get(name) for judge, opinion in self.opinions.items()},
                "disputed": name in self.disputed,
            },
        )

    def record(self) -> dict[str, Any]:
        """All of it for programs: status, combine, judges, disputed, and adjudication where there was one.

        Of every judge: status, order, points, justifications, abstained, overall, errors, asks and faults.
        """
        adjudication = {judge: each.record() for judge, each in self.adjudication.items()}
        return {
            "status": self.status,
            "combine": self.combine,
            "judges": {judge: opinion.record() for judge, opinion in self.opinions.items()},
            "disputed": list(self.disputed),
            **({"adjudication": adjudication} if adjudication else {}),
        }

    def _is_spoken_of(self, name: str) -> bool:
        return any(name in opinion.points for opinion in self.opinions.values())


def disagreement_rate(records: Sequence[Mapping[str, Any]]) -> float | None:
    """The share of marks by two judges or more that are disputed; None where no criterion has two marks.

    `records` are those of `PanelVerdict.record`.
    """
    compared = disputed = 0
    for record in records:
        tables = [judge["points"] for judge in record["judges"].values()]
        names = {name for table in tables for name in table}
        compared += sum(sum(name in table for table in tables) >= 2 for name in names)
        disputed += len(record["disputed"])
    return disputed / compared if compared else None


def _given(opinions: Iterable[Opinion], name: str) -> list[int]:
    return [points for opinion in opinions if (points := opinion.points.get(name)) is not None]
