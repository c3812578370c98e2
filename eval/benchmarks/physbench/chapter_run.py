"""A run's attempts at PhysBench problems as columns: their P-REFS marks, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ansatz.eval.benchmarks.physbench.prefs_rubric import (
    CODES,
    CONCEPTUAL,
    CRITERIA,
    PROBLEM_SOLVING,
    PrefsCriterion,
)
from ansatz.eval.reading.answer_parts import Part
from ansatz.eval.views.attempts import Floats, Mask
from ansatz.eval.views.results import BenchmarkRun, Results
from ansatz.eval.views.tabulation import Rows, systems

KINDS = {"problem_solving": "problem solving", "conceptual": "conceptual"}
SOLVING = "problem_solving"
PART_NAMES: Mapping[Part, str] = {
    "formulation": "part 1: formulation",
    "solution": "part 2: solution",
    "final": "part 3: final answer",
}
PREFIXES = {"prefs.": "by a judge", "prefs_rules.": "by rules"}  # the first that a run has counts


class PhysBenchRun(BenchmarkRun):
    """Attempts at PhysBench problems, marked by a judge where there is one, else by rules."""

    def __init__(self, data: Results) -> None:
        super().__init__(data, "physbench")
        held = [prefix for prefix in PREFIXES if f"{prefix}score" in data.names]
        self.prefix = held[0] if held else ""
        self.marked_how = PREFIXES.get(self.prefix, "")
        self.conceptual = data.tagged("kind", "conceptual")
        self.kinds = {kind: self.part & data.tagged("kind", kind) for kind in KINDS}
        self.parts = {part: self._share(part) for part in PART_NAMES}

    def values(self, name: str) -> Floats:
        """Stored values by bare name: score, relevance, INT, …"""
        return self.data.values(f"error.{self.prefix}{name}" if name in CODES else f"{self.prefix}{name}")

    @property
    def is_marked(self) -> bool:
        """Whether any attempt has a mark."""
        return bool(self.prefix) and any(
            not np.isnan(self.values(name)[self.part]).all() for name in CRITERIA
        )

    def kinds_with(self, name: str) -> list[str]:
        """The kinds of questions on which any attempt has a value."""
        values = self.values(name)
        return [kind for kind, part in self.kinds.items() if not np.isnan(values[part]).all()]

    def systems(self, kind: str) -> Rows:
        """A row for every system, of its answers to a kind of questions."""
        return systems(self.data, self.kinds[kind])

    def _share(self, part: Part) -> Floats:
        """Points earned in a part over those that could be; NaN where none of its criteria has a mark."""
        earned = [self._points(rubric, part) for rubric in (PROBLEM_SOLVING, CONCEPTUAL)]
        return np.where(self.conceptual, earned[1], earned[0])

    def _points(self, rubric: Sequence[PrefsCriterion], part: Part) -> Floats:
        own = [each for each in rubric if each.part == part]
        values = np.array([self.values(each.name) for each in own])
        points = np.array([each.points for each in own], dtype=np.float64)[:, None] * ~np.isnan(values)
        total = points.sum(axis=0)
        gained = (points * np.nan_to_num(values)).sum(axis=0)
        return np.asarray(np.divide(gained, total, out=np.full(len(total), np.nan), where=total > 0))

    def is_full(self, *parts: Part) -> Floats:
        """1 where every criterion of these parts has full marks, 0 where one lacks some, NaN if unknown.

        A criterion without a mark stands for one that this problem has nothing to judge on, unless nothing
        is known of the whole.
        """
        found = []
        for rubric in (PROBLEM_SOLVING, CONCEPTUAL):
            values = np.array([self.values(each.name) for each in rubric if each.part in parts])
            full = ((values == 1.0) | np.isnan(values)).all(axis=0)
            known = ~np.isnan(values).all(axis=0) & ~np.isnan(self.values("fully_correct"))
            found.append(np.where(known, full, np.nan))
        return np.where(self.conceptual, found[1], found[0])

    def flawed(self) -> Floats:
        """Of attempts with a correct final answer, whether anything before it lacks marks."""
        return np.where(self.values("final_correct") == 1.0, 1.0 - self.values("fully_correct"), np.nan)

    def free_of(self, codes: Sequence[str]) -> Floats:
        """Whether an attempt bears none of these errors; one that a problem gives no occasion for counts."""
        errors = np.nan_to_num(np.array([self.values(code) for code in codes]))
        return np.where(np.isnan(self.values("score")), np.nan, (errors == 0).all(axis=0))

    @property
    def said(self) -> str:
        """How marks came about, for captions."""
        return f", marked {self.marked_how}{self.data.simulation}"


def questions(run: PhysBenchRun, part: Mask) -> int:
    """How many problems a part of the attempts is at."""
    return len(np.unique(run.data.attempts.problem[part & run.part]))
