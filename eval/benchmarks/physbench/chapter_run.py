"""A run's attempts at PhysBench problems as columns: their P-REFS marks, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ansatz.eval.benchmarks.physbench.prefs_rubric import CODES, CONCEPTUAL, CRITERIA, PROBLEM_SOLVING
from ansatz.eval.reading.answer_parts import Part
from ansatz.eval.views.attempts import Floats
from ansatz.eval.views.results import BenchmarkRun, Results
from ansatz.eval.views.tabulation import Rows, systems

SOLVING = "problem_solving"
KINDS = {SOLVING: "problem solving", "conceptual": "conceptual"}
PART_NAMES: Mapping[Part, str] = {
    "formulation": "part 1: formulation",
    "solution": "part 2: solution",
    "final": "part 3: final answer",
}
PREFIXES = {"prefs.": "by a judge", "prefs_rules.": "by rules"}  # the first that a run has counts


class PhysBenchRun(BenchmarkRun):
    """Attempts at PhysBench problems, marked by a judge where there is one, else by rules.

    `parts` are the points earned in each part over those that could be. `said` tells captions how marks came
    about.
    """

    def __init__(self, data: Results) -> None:
        super().__init__(data, "physbench")
        self.prefix = next((prefix for prefix in PREFIXES if f"{prefix}score" in data.names), "")
        self.marked_how = PREFIXES.get(self.prefix, "")
        self.said = f", marked {self.marked_how}{data.simulation}"
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

    def _of(self, *parts: Part) -> dict[str, int]:
        """The criteria of some parts with their points, of both rubrics: a question has marks on its own."""
        return {each.name: each.points for each in (*CONCEPTUAL, *PROBLEM_SOLVING) if each.part in parts}

    def _share(self, part: Part) -> Floats:
        points = self._of(part)
        marks = np.ma.masked_invalid([self.values(name) for name in points])
        shares = np.ma.average(marks, axis=0, weights=list(points.values()))
        return np.asarray(np.ma.filled(shares, np.nan), dtype=np.float64)

    def is_full(self, *parts: Part) -> Floats:
        """1 where every criterion of these parts has full marks, 0 where one lacks some, NaN if unknown.

        A criterion without a mark stands for one that this problem has nothing to judge on, unless nothing
        is known of the whole.
        """
        marks = np.array([self.values(name) for name in self._of(*parts)])
        full = ((marks == 1.0) | np.isnan(marks)).all(axis=0)
        known = ~np.isnan(marks).all(axis=0) & ~np.isnan(self.values("fully_correct"))
        return np.where(known, full, np.nan)
