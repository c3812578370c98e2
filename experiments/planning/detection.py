"""What a study could show: the smallest difference it finds, and what more problems or repeats would buy."""

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
"""So many times the problems, in so many times the families; repeats in all."""
ASSUMED = Components(families=0.03, problems=0.10, repeats=0.12)
"""Of shares, without a pilot: a standard deviation of 0.5, as where a quarter of the problems change."""


@dataclass(frozen=True)
class Detection:
    """By dimension, what is found with a chance of 80 %, in stored units (shares, not percent).

    `alone` is for a comparison that is the only one, `together` where all of the study are judged together.
    `more` are such differences by (times the problems, repeats), together; None where the pilot asked each
    problem once, so that nobody knows what repeats would still. `largest` is the pilot's largest difference.
    """

    dimension: str
    pairs: int
    families: int
    alone: float
    together: float
    more: dict[tuple[int, int], float | None]
    largest: float | None = None


def detections(design: Design, pilot: Path | None, power: float = 0.8) -> tuple[Detection, ...]:
    """For the headline dimensions; by the arm whose differences scatter most, so that none is promised more.

    Raises StudyError for a pilot that shares no arm with the study, and LedgerError without one.
    """
    tested = len(design.models) * (len(design.arms) - 1)
    if not tested:
        return ()
    if pilot is None:
        named = [each for each in design.dimensions if each.role == "quality"]
        shown = [each for each in named if not each.detail] or named[:4]
        found = [_Scatter(each.name, ASSUMED) for each in shown]
    else:
        found = list(_of_pilot(design, read_results(pilot)))
    # Of each of so many intervals that hold together (Z. Šidák, J. Am. Stat. Assoc. 62, 1967, 626-633).
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
    """Of a dimension: how differences scatter, the share of problems paired, and the largest effect."""

    dimension: str
    parts: Components
    paired: float = 1.0
    largest: float | None = None


def _of_pilot(design: Design, data: Results) -> Iterator[_Scatter]:
    """By headline dimension."""
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
    return Components.of(differences[known], families, noise[known], repeats)
