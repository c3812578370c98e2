"""Send requests to judges and combine the scores of a panel."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ansatz.eval.judging.opinion import Opinion, Status, classify_status, merge_opinions, parse_reply
from ansatz.eval.judging.request import build_messages, build_tool
from ansatz.eval.judging.rubric import Criterion, Rubric
from ansatz.eval.score import Ask, Score

Combination = Literal["median", "mean"]
_COMBINE: Mapping[Combination, Callable[[Sequence[float]], float]] = {
    "median": statistics.median,
    "mean": statistics.fmean,
}


async def ask_judge(ask: Ask, title: str, rubric: Rubric, parts: Sequence[str], asks: int) -> Opinion:
    """Request a judge's scores on the criteria of a rubric, and request missing ones again.

    Parameters
    ----------
    title
        The judge's title, for `ask`.
    parts
        The parts of the request: problem, reference, answer.
    asks
        The most requests to the judge.

    Raises
    ------
    InfrastructureError
        If the judge cannot be reached.
    """
    opinion = Opinion(order=tuple(rubric.criteria))
    while opinion.asks < asks and len(opinion.points) < len(opinion.order):
        missing = rubric.select(*(name for name in opinion.order if name not in opinion.points))
        request = build_messages(missing, parts, is_repeated=opinion.asks > 0)
        reply = await ask(title, request, [build_tool(missing)])
        opinion = merge_opinions(opinion, parse_reply(reply, missing))
    return opinion


@dataclass(frozen=True)
class PanelVerdict:
    """The opinions of all judges on the same criteria, and their combination."""

    opinions: Mapping[str, Opinion]
    """Opinions by judge."""
    criteria: Mapping[str, Criterion]
    """The criteria that were scored, by name."""
    combine: Combination = "median"
    """How the points of several judges are combined."""
    adjudication: Mapping[str, Opinion] = field(default_factory=dict)
    """The adjudicator's opinion on the disputed criteria."""

    @cached_property
    def disputed(self) -> tuple[str, ...]:
        """The criteria on which two judges differ by more than half of the scale."""
        points = {name: _collect_points(self.opinions.values(), name) for name in self.criteria}
        shares = {name: [*map(self.criteria[name].share, each)] for name, each in points.items() if each}
        return tuple(name for name, each in shares.items() if max(each) - min(each) > 0.5)

    @property
    def status(self) -> Status:
        """The status of the whole judgement."""
        is_addressed = any(opinion.points for opinion in self.opinions.values())
        return classify_status(
            map(self.points, self.criteria), is_addressed=is_addressed, overall=self.overall
        )

    def points(self, name: str) -> float | None:
        """Combine the points on a criterion: the adjudicator's if it decided, else the median or mean."""
        decided = _collect_points(self.adjudication.values(), name) if name in self.disputed else []
        points = decided or _collect_points(self.opinions.values(), name)
        return float(_COMBINE[self.combine](points)) if points else None

    @property
    def shares(self) -> dict[str, float]:
        """Points as shares of their scale, for the criteria that have points."""
        points = {name: self.points(name) for name in self.criteria}
        return {name: self.criteria[name].share(each) for name, each in points.items() if each is not None}

    @property
    def overall(self) -> float | None:
        """The mean of the judges' overall scores, from 0 to 1."""
        scores = [opinion.overall for opinion in self.opinions.values() if opinion.overall is not None]
        return statistics.fmean(scores) / 100 if scores else None

    @property
    def errors(self) -> dict[str, int]:
        """The number of judges that reported each kind of error."""
        tags = [tag for opinion in self.opinions.values() for tag in opinion.errors]
        return {tag: tags.count(tag) for tag in dict.fromkeys(tags)}

    @property
    def faults(self) -> str:
        """What was wrong with the replies, by judge; empty if nothing was."""
        opinions = {**self.opinions, **self.adjudication}
        return "; ".join(
            f"{judge}: {', '.join(opinion.faults)}" for judge, opinion in opinions.items() if opinion.faults
        )

    def describe(self, name: str) -> list[str]:
        """Describe each judge's decision on a criterion, or why there is no score."""
        if not self._is_addressed(name):
            return [f"no judge scored it ({self.faults or 'no reason given'})"]
        criterion = self.criteria[name]
        decisions = [
            f"{judge} {opinion.describe(name, criterion)}" for judge, opinion in self.opinions.items()
        ]
        if name not in self.disputed:
            return decisions
        adjudicated = [
            f"adjudicated by {judge} {opinion.describe(name, criterion)}"
            for judge, opinion in self.adjudication.items()
        ]
        return [*decisions, *(adjudicated or ["disputed"])]

    def score(self, dimension: str, name: str) -> Score:
        """Make the score of one criterion.

        The evidence is the status of the judgement, each judge's decision, and the error tags. Details:
        status, points (by judge, or null) and disputed.
        """
        tags = [f"errors: {', '.join(self.errors)}"] if self.errors else []
        return Score(
            dimension=dimension,
            value=self.shares.get(name),
            evidence=f"{self.status}: " + "; ".join([*self.describe(name), *tags]),
            details={
                "status": classify_status([self.points(name)], is_addressed=self._is_addressed(name)),
                "points": {judge: opinion.points.get(name) for judge, opinion in self.opinions.items()},
                "disputed": name in self.disputed,
            },
        )

    def record(self) -> dict[str, Any]:
        """Convert to JSON, for the details of a score.

        The fields are status, combine, judges, disputed, and adjudication if there was one. Each judge has
        the fields of `Opinion.record`.
        """
        adjudication = {judge: opinion.record() for judge, opinion in self.adjudication.items()}
        return {
            "status": self.status,
            "combine": self.combine,
            "judges": {judge: opinion.record() for judge, opinion in self.opinions.items()},
            "disputed": list(self.disputed),
            **({"adjudication": adjudication} if adjudication else {}),
        }

    def _is_addressed(self, name: str) -> bool:
        return any(name in opinion.points for opinion in self.opinions.values())


def compute_disagreement_rate(records: Sequence[Mapping[str, Any]]) -> float | None:
    """Compute the share of disputed scores among those that at least two judges gave.

    `records` are those of `PanelVerdict.record`. None if no criterion has two scores.
    """
    compared = disputed = 0
    for record in records:
        tables = [judge["points"] for judge in record["judges"].values()]
        names = {name for table in tables for name in table}
        compared += sum(sum(name in table for table in tables) >= 2 for name in names)
        disputed += len(record["disputed"])
    return disputed / compared if compared else None


def _collect_points(opinions: Iterable[Opinion], name: str) -> list[int]:
    return [points for opinion in opinions if (points := opinion.points.get(name)) is not None]
