"""What the verifier makes of the labelled answers: found faults, false alarms, and what it could not judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.verifier import review
from tests.eval.faults.corpus import BLIND, CLEAN, DIMENSIONS, FAULTS, FRESH, Labelled, fresh, hand_written
from tests.eval.faults.generated import generated

SIDE_EFFECTS: Mapping[str, frozenset[str]] = {
    "wrong_formula": frozenset({"G2", "G3", "G5"}),  # a given may go unused, a limit be broken
    "invented_formula": frozenset({"G2", "G3", "G5"}),
    "dropped_given": frozenset({"G1", "G5"}),  # a factor left out is another formula
    "unit_slip": frozenset({"G4", "G5", "G8"}),
    "arithmetic_slip": frozenset({"G3", "G5"}),
    "impossible_value": frozenset({"G1", "G3", "G4", "G8"}),
    "hidden_assumption": frozenset(),
    "no_interpretation": frozenset({"G5"}),
    "disorder": frozenset({"G5"}),
}
"""Dimensions beside its own on which a fault may rightly cost marks: nothing is claimed for them."""


@dataclass(frozen=True)
class Judged:
    """A labelled answer and the verifier's marks."""

    answer: Labelled
    marks: Mapping[str, Mark]

    def points(self, dimension: str) -> int | None:
        return self.marks[dimension].points

    def detected(self) -> bool:
        """Whether the planted fault cost the marks that it should."""
        found = {name: self.points(name) for name in self.answer.most}
        return all(points is not None and points <= self.answer.most[name] for name, points in found.items())

    def claimed(self) -> tuple[str, ...]:
        """The dimensions on which the text deserves its marks in spite of its fault."""
        spared = {*self.answer.most, *SIDE_EFFECTS.get(self.answer.fault, ())}
        return tuple(name for name in self.answer.least if name not in spared)

    def alarms(self) -> tuple[str, ...]:
        """The dimensions on which the verifier finds fault where there is none."""
        return tuple(
            name
            for name in self.claimed()
            if (points := self.points(name)) is not None and points < self.answer.least[name]
        )


@dataclass(frozen=True)
class Row:
    """One dimension: faults found of those planted, alarms of clean texts claimed, clean texts not judged."""

    dimension: str
    found: int
    planted: int
    alarms: int
    clean: int
    unjudged: int

    @property
    def detection(self) -> tuple[float, float]:
        """The 95 % interval of the share of faults found."""
        return wilson(self.found, self.planted)

    @property
    def false_alarm(self) -> tuple[float, float]:
        """The 95 % interval of the share of clean texts with an alarm."""
        return wilson(self.alarms, self.clean)


def wilson(count: int, trials: int) -> tuple[float, float]:
    """Wilson's score interval of a share at 95 % (J. Am. Stat. Assoc. 22, 1927, 209-212); 0 to 1 of no trials."""
    from scipy.stats import binomtest

    if not trials:
        return 0.0, 1.0
    found = binomtest(count, trials).proportion_ci(0.95, method="wilson")
    return float(found.low), float(found.high)


def answers(part: str) -> Iterator[Labelled]:
    if part in (*FRESH, BLIND):
        yield from fresh(part)
        return
    yield from hand_written(part)
    yield from generated(part)


def judge(labelled: Iterable[Labelled]) -> list[Judged]:
    return [Judged(each, review(each.problem, each.transcript)) for each in labelled]


def by_dimension(judged: Iterable[Judged]) -> list[Row]:
    """A row per dimension, over the faults that belong to it and over the clean texts."""
    judged = list(judged)
    rows = []
    for name in DIMENSIONS:
        planted = [each for each in judged if FAULTS.get(each.answer.fault) == name]
        clean = [each for each in judged if each.answer.fault == CLEAN and name in each.answer.least]
        rows.append(
            Row(
                name,
                sum(each.detected() for each in planted),
                len(planted),
                sum(name in each.alarms() for each in clean),
                len(clean),
                sum(each.points(name) is None for each in clean),
            )
        )
    return rows


def by_fault(judged: Iterable[Judged]) -> dict[str, dict[str, tuple[int, int]]]:
    """For every kind of fault and every dimension: texts marked below what the clean text deserves, and texts."""
    table: dict[str, dict[str, tuple[int, int]]] = {}
    for each in judged:
        row = table.setdefault(each.answer.fault, dict.fromkeys(DIMENSIONS, (0, 0)))
        for name in each.answer.least:
            points = each.points(name)
            below, total = row[name]
            row[name] = (below + (points is not None and points < each.answer.least[name]), total + 1)
    return table
