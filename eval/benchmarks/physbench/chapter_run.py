"""A run's attempts at PhysBench problems, with their P-REFS scores as columns."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ansatz.eval.benchmarks.physbench.answer_parts import Part
from ansatz.eval.benchmarks.physbench.prefs_rubric import CODES, CONCEPTUAL, CRITERIA, PROBLEM_SOLVING
from ansatz.experiments.report.tabulation import Rows, system_rows
from ansatz.experiments.results import BenchmarkRun, Floats, Results

SOLVING = "problem_solving"
KINDS = {SOLVING: "problem solving", "conceptual": "conceptual"}
PART_NAMES: Mapping[Part, str] = {
    "formulation": "part 1: formulation",
    "solution": "part 2: solution",
    "final": "part 3: final answer",
}
PREFIXES = {"prefs.": "by a judge", "prefs_rules.": "by rules"}
"""The prefixes of P-REFS scores; the chapter uses the first that a run has."""


class PhysBenchRun(BenchmarkRun):
    """Attempts at PhysBench problems, with the scores of a judge if the run has any, else those by rules.

    `parts` has the points of each part as a share of its maximum. `suffix` ends each caption with the
    source of the scores.
    """

    def __init__(self, data: Results) -> None:
        super().__init__(data, "physbench")
        self.prefix = next((prefix for prefix in PREFIXES if f"{prefix}score" in data.dimension_names), "")
        self.scored_by = PREFIXES.get(self.prefix, "")
        self.suffix = f", scored {self.scored_by}{data.simulation_note}"
        self.kinds = {kind: self.part & data.where_tag("kind", kind) for kind in KINDS}
        self.parts = {part: self._share(part) for part in PART_NAMES}

    def values(self, name: str) -> Floats:
        """Return stored values by their name without prefix: score, relevance, INT, …"""
        return self.data.values(f"error.{self.prefix}{name}" if name in CODES else f"{self.prefix}{name}")

    @property
    def is_scored(self) -> bool:
        """Whether any attempt has a P-REFS score."""
        return bool(self.prefix) and any(
            not np.isnan(self.values(name)[self.part]).all() for name in CRITERIA
        )

    def kinds_with(self, name: str) -> list[str]:
        """Return the kinds of questions for which any attempt has a value."""
        values = self.values(name)
        return [kind for kind, part in self.kinds.items() if not np.isnan(values[part]).all()]

    def systems(self, kind: str) -> Rows:
        """Return a row for every system, with its answers to a kind of questions."""
        return system_rows(self.data, self.kinds[kind])

    def _points(self, *parts: Part) -> dict[str, int]:
        """Return the points of the criteria of some parts, from both rubrics."""
        return {each.name: each.points for each in (*CONCEPTUAL, *PROBLEM_SOLVING) if each.part in parts}

    def _share(self, part: Part) -> Floats:
        points = self._points(part)
        scores = np.ma.masked_invalid([self.values(name) for name in points])
        shares = np.ma.average(scores, axis=0, weights=list(points.values()))
        return np.asarray(np.ma.filled(shares, np.nan), dtype=np.float64)

    def is_full(self, *parts: Part) -> Floats:
        """Return 1 if every criterion of these parts has full points, 0 if one has not, NaN if unknown.

        A criterion without a score does not apply to the problem, unless the whole answer is unscored.
        """
        scores = np.array([self.values(name) for name in self._points(*parts)])
        full = ((scores == 1.0) | np.isnan(scores)).all(axis=0)
        known = ~np.isnan(scores).all(axis=0) & ~np.isnan(self.values("fully_correct"))
        return np.where(known, full, np.nan)
