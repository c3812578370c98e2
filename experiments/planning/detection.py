"""The smallest difference that a study can detect, also with more problems or repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ansatz.errors import StudyError
from ansatz.eval.score import Dimension
from ansatz.eval.statistics.power import Components, predict_detectable
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report.comparisons import Comparison, compare_arms, headline_dimensions
from ansatz.experiments.report.evidence import repeat_variance
from ansatz.experiments.results import Results, System

MORE_PROBLEMS, MORE_REPEATS = (1, 2, 4), (1, 3, 5)
"""Factors of problems and of families, and total numbers of repeats, for which detection is computed."""
ASSUMED = Components(families=0.03, problems=0.10, repeats=0.12)
"""Variances of differences of shares, assumed without a pilot: a standard deviation of 0.5, as if a quarter
of the problems changed."""


@dataclass(frozen=True)
class Detection:
    """The smallest difference of a dimension that is found with 80 % power, on a scale of 0 to 1."""

    dimension: str
    pairs: int
    families: int
    alone: float
    """For a single comparison."""
    together: float
    """For all comparisons of the study together, with adjusted p values."""
    more: dict[tuple[int, int], float | None]
    """As `together`, by (factor of problems, repeats). None if the pilot asked each problem once: the effect
    of repeats is then unknown."""
    largest: float | None = None
    """The largest difference in the pilot."""


def estimate_detection(design: Design, pilot: Path | None, power: float = 0.8) -> tuple[Detection, ...]:
    """Return the smallest detectable difference of each headline dimension.

    The arm whose differences vary most is the basis, so no arm is promised too much. Raises StudyError if the
    pilot shares no arm with the study, and LedgerError if the folder has no run.
    """
    tested = len(design.models) * (len(design.arms) - 1)
    if not tested:
        return ()
    if pilot is None:
        named = [each for each in design.dimensions if each.role == "quality"]
        headline = [each for each in named if not each.detail] or named[:4]
        found = [_Scatter(each.name, ASSUMED) for each in headline]
    else:
        found = list(_measure_scatter(design, read_results(pilot)))
    # The level of each of several simultaneous intervals (Z. Šidák, J. Am. Stat. Assoc. 62, 1967, 626-633).
    level = 0.95 ** (1 / (tested * max(len(found), 1)))
    families = Counter(problem.family for problem in design.problems.values())
    made = []
    for name, parts, paired, largest in found:
        sizes = np.array(list(families.values()), dtype=np.float64) * paired
        asked = [(times, design.settings.repeats) for times in MORE_PROBLEMS]
        asked += [(1, repeats) for repeats in MORE_REPEATS if repeats != design.settings.repeats]
        more = {
            (times, repeats): None
            if parts.repeats is None and repeats != design.settings.repeats
            else predict_detectable(parts, np.tile(sizes, times), repeats, level=level, power=power)
            for times, repeats in asked
        }
        alone = predict_detectable(parts, sizes, design.settings.repeats, level=0.95, power=power)
        together = more[1, design.settings.repeats]
        if alone is not None and together is not None:
            pairs = round(sizes.sum())
            made.append(Detection(name, pairs, len(sizes), alone, together, more, largest))
    return tuple(made)


class _Scatter(NamedTuple):
    """How the differences of a dimension vary."""

    dimension: str
    parts: Components
    paired: float = 1.0
    """The share of problems that are paired."""
    largest: float | None = None
    """The largest difference of an arm."""


def _measure_scatter(design: Design, data: Results) -> Iterator[_Scatter]:
    """Yield the variation of each headline dimension in a pilot."""
    shared = [arm for arm in data.treatments if arm in design.arms]
    if not shared:
        raise StudyError(f"the pilot shares no arm with the study: it has {', '.join(data.treatments)}")
    for dimension in headline_dimensions(data):
        rows = [
            row for row in compare_arms(data).values() if row.dimension == dimension and row.arm in shared
        ]
        known = [(row, parts) for row in rows if (parts := _components(data, row, dimension)) is not None]
        if not known:
            continue
        row, parts = max(known, key=lambda each: sum(filter(None, vars(each[1]).values())))
        largest = max((abs(each.delta.estimate) for each in rows if each.delta.estimate), default=None)
        paired = row.delta.pairs / max(row.delta.pairs + row.delta.dropped, 1)
        yield _Scatter(dimension.name, parts, paired, largest)


def _components(data: Results, row: Comparison, dimension: Dimension) -> Components | None:
    subset, values = data.subset(System(row.model, row.arm)), data.values(dimension.name)
    differences = subset.mean_by_problem(values) - subset.control.mean_by_problem(values)
    known = ~np.isnan(differences)
    families = data.family[known]
    if len(np.unique(families)) < 2:
        return None
    noise = repeat_variance(subset, values) + repeat_variance(subset.control, values)
    repeats = int(data.attempts.repeat.max()) + 1
    return Components.estimate(differences[known], families, noise[known], repeats)
