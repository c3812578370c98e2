"""The smallest difference that a study can detect, also with more problems or repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ansatz.errors import StudyError
from ansatz.eval.score import Dimension
from ansatz.eval.statistics.power import (
    Components,
    predict_detectable,
    scale_range,
    sidak_level,
    variance_degrees,
)
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.planning.design_comparison import ASSUMED, screening_components
from ansatz.experiments.report.comparisons import compare_arms, headline_dimensions
from ansatz.experiments.report.evidence import variance_components
from ansatz.experiments.results import Results

MORE_PROBLEMS, MORE_REPEATS = (1, 2, 4), (1, 3, 5)
"""Factors of problems and of families, and total numbers of repeats, for which detection is computed."""


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
    together_range: tuple[float, float] | None = None
    """The range of `together` that the pilot leaves, with 90 %; None without a pilot."""


def estimate_detection(design: Design, pilot: Path | None) -> tuple[Detection, ...]:
    """Return the smallest detectable difference of each primary dimension, or else each headline one.

    The arm whose differences vary most is the basis, so no arm is promised too much. Raises StudyError if the
    pilot shares no arm with the study, and LedgerError if the folder has no run.
    """
    if len(design.arms) < 2:
        return ()
    found = find_scatter(design, pilot)
    level = simultaneous_level(design, found)
    families = Counter(problem.family for problem in design.problems.values())
    made = []
    for dimension, parts, paired, largest, known in found:
        sizes = np.array(list(families.values()), dtype=np.float64) * paired
        asked = [(times, design.settings.most_repeats) for times in MORE_PROBLEMS]
        asked += [(1, repeats) for repeats in MORE_REPEATS if repeats != design.settings.most_repeats]
        more = {
            (times, repeats): None
            if parts.repeats is None and repeats != design.settings.most_repeats
            else predict_detectable(parts, np.tile(sizes, times), repeats, level=level)
            for times, repeats in asked
        }
        alone = predict_detectable(parts, sizes, design.settings.most_repeats, level=0.95)
        together = more[1, design.settings.most_repeats]
        if alone is not None and together is not None:
            pairs = round(sizes.sum())
            least, most = scale_range(known) if known else (1.0, 1.0)
            range_ = (together * least, together * most) if known else None
            made.append(Detection(dimension.name, pairs, len(sizes), alone, together, more, largest, range_))
    return tuple(made)


class Scatter(NamedTuple):
    """How the differences on one dimension vary."""

    dimension: Dimension
    parts: Components
    paired: float = 1.0
    """Share of problems that were scored in both arms."""
    largest: float | None = None
    """The largest difference of the pilot."""
    degrees: float | None = None
    """Degrees of freedom of the pilot's variance."""


def find_scatter(design: Design, pilot: Path | None) -> tuple[Scatter, ...]:
    """Return the variances for the primary dimensions, or else the headline ones.

    They are the pilot's, or the assumed ones.
    """
    if design.pairs is not None:
        found = [Scatter(*each) for each in screening_components(design, pilot)]
        return tuple([each for each in found if each.dimension.name in design.primary] or found)
    if pilot is not None:
        return tuple(_measure_scatter(design, read_results(pilot)))
    named = [each for each in design.dimensions if each.role == "quality"]
    first = [each for each in named if each.name in design.primary]
    headline = first or [each for each in named if not each.detail] or named[:4]
    return tuple(Scatter(each, ASSUMED) for each in headline)


def simultaneous_level(design: Design, found: Sequence[Scatter]) -> float:
    """Return the level of each interval so that those of all comparisons hold together."""
    compared = [arm for arm in design.arms if design.paths is None or design.paths.is_compared(arm)]
    effects = len(design.pairs.switches) if design.pairs else len(compared) - 1
    return sidak_level(len(design.models) * effects * len(found))


def _measure_scatter(design: Design, data: Results) -> Iterator[Scatter]:
    """Yield the variation of each dimension in a pilot."""
    shared = [arm for arm in data.treatments if arm in design.arms]
    if not shared:
        raise StudyError(f"the pilot shares no arm with the study: it has {', '.join(data.treatments)}")
    primary = tuple(each for each in data.with_role("quality") if each.name in design.primary)
    for dimension in primary or headline_dimensions(data):
        rows = [
            row for row in compare_arms(data).values() if row.dimension == dimension and row.arm in shared
        ]
        known = [(row, parts) for row in rows if (parts := variance_components(data, row)) is not None]
        if not known:
            continue
        row, parts = max(known, key=lambda each: sum(filter(None, vars(each[1]).values())))
        largest = max((abs(each.delta.estimate) for each in rows if each.delta.estimate), default=None)
        paired = row.delta.pairs / max(row.delta.pairs + row.delta.dropped, 1)
        yield Scatter(dimension, parts, paired, largest, variance_degrees(row.delta))
