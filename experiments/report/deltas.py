"""Every arm against the baseline on every dimension: comparisons, and the tables that show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from ansatz.eval.score import Dimension
from ansatz.eval.statistics import PairedDelta, holm
from ansatz.eval.views import Chapter, Column, Cut, Entry, Estimate, Results, Section, Table
from ansatz.experiments.report.text import csv_text, number, short

_P_DIGITS = 5


@dataclass(frozen=True)
class Mean:
    """The mean over problems of the mean over repeats, and how many attempts are in it and are not."""

    value: float | None
    scored: int
    unscored: int
    errors: int


@dataclass(frozen=True)
class Comparison:
    """One arm against the baseline on one dimension. `p_holm` is p adjusted for all of its family."""

    model: str
    arm: str
    dimension: Dimension
    mean: Mean
    baseline: Mean
    delta: PairedDelta
    p_holm: float | None = None

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes zero."""
        low, high = self.delta.low, self.delta.high
        return low is not None and high is not None and (low > 0 or high < 0)

    @property
    def is_significant(self) -> bool:
        """Whether the interval excludes zero and p is below 0.05 even for so many comparisons."""
        return self.is_clear and self.p_holm is not None and self.p_holm < 0.05

    @property
    def is_better(self) -> bool:
        """Whether the difference is in the direction of improvement."""
        return ((self.delta.estimate or 0.0) > 0) == (self.dimension.better == "higher")

    @property
    def estimate(self) -> Estimate:
        """As a table shows it, with the adjusted p."""
        delta = self.delta
        return Estimate(
            delta.estimate, delta.low, delta.high, p=self.p_holm, n=delta.pairs, dropped=delta.dropped
        )


def column(dimension: Dimension, *, change: bool = True) -> Column:
    """A dimension's column: spelled out, with its scale."""
    return Column(f"{dimension.name} ({dimension.scale.name})", dimension.scale, change, dimension.better)


def headlines(data: Results) -> list[Dimension]:
    """The dimensions to look at first: those of quality that are no detail of another."""
    quality = data.of_role("quality")
    return [each for each in quality if not each.detail] or list(quality[:4])


@lru_cache(maxsize=2)
def comparisons(data: Results) -> tuple[Comparison, ...]:
    """Every arm against the baseline, on every dimension but kinds of errors, for every model.

    Quality is one family of comparisons for Holm's correction, resources are another.
    """
    rows: list[Comparison] = []
    for model in data.models:
        for role in ("quality", "resource"):
            family = data.of_role(role)
            cuts = {cut.system.arm: cut for cut in data.cuts() if cut.system.model == model}
            raw = [compare(cuts[arm], dimension) for arm in data.treatments for dimension in family]
            adjusted = holm({at: row.delta.p for at, row in enumerate(raw) if row.delta.p is not None})
            rows += [replace(row, p_holm=adjusted.get(at)) for at, row in enumerate(raw)]
    return tuple(rows)


def compare(cut: Cut, dimension: Dimension) -> Comparison:
    """One arm against the baseline on one dimension; p is not adjusted."""
    values, control = cut.data.values(dimension.name), cut.control
    delta = cut.less(control, values)
    if dimension.role != "resource":
        ends = (None if end is None else max(-1.0, min(1.0, end)) for end in (delta.low, delta.high))
        low, high = ends
        delta = replace(delta, low=low, high=high)
    treated, baseline = (mean_of(each, dimension) for each in (cut, control))
    return Comparison(cut.system.model, cut.system.arm, dimension, treated, baseline, delta)


def mean_of(cut: Cut, dimension: Dimension) -> Mean:
    values = cut.data.values(dimension.name)
    failed = int(np.count_nonzero(cut.data.attempts.failed[cut.rows]))
    scored = len(cut.known(values))
    return Mean(cut.value(values), scored, len(cut.rows) - scored - failed, failed)


def delta_chapters(data: Results) -> list[Chapter]:
    """For each model what moved, then differences and means by group of dimensions."""
    return [
        Chapter(
            data.per_model("deltas", model),
            data.said_of(model),
            [_moved(data, model), *(_group(data, model, *group) for group in _groups(data))],
        )
        for model in data.models
    ]


def _moved(data: Results, model: str) -> Section:
    """What a reader in a hurry wants: the changes that luck does not explain, largest first."""
    lines = []
    for arm in data.treatments:
        moved = [row for row in _rows(data, model, data.of_role("quality"), arm) if row.is_significant]
        moved.sort(key=lambda row: -abs(row.delta.estimate or 0.0))
        listed = "; ".join(
            f"{row.dimension.title} {short(column(row.dimension), row.estimate)}" for row in moved
        )
        lines.append(f"**{arm}**: {listed or 'nothing'}")
    return Section(f"Moved against {data.baseline} by more than luck explains", lines)


def _groups(data: Results) -> list[tuple[str, str, list[Dimension]]]:
    """What helped on first, then its details on their own scales, then what it cost."""
    quality = data.of_role("quality")
    groups = [
        ("outcome", "Outcome", [each for each in quality if each.scale.factor == 100]),
        ("rubric", "Rubric", [each for each in quality if each.scale.factor != 100]),
        ("resources", "Resources", list(data.of_role("resource"))),
    ]
    return [group for group in groups if group[2]]


def _group(data: Results, model: str, name: str, title: str, dimensions: Sequence[Dimension]) -> Section:
    deltas: list[list[Entry]] = [
        [arm, *(row.estimate for row in _rows(data, model, dimensions, arm))] for arm in data.treatments
    ]
    cuts = [cut for cut in data.cuts() if cut.system.model == model]
    means: list[list[Entry]] = [
        [cut.system.arm, *(_mean_entry(cut, dimension) for dimension in dimensions)] for cut in cuts
    ]
    spelled = "; ".join(f"**{each.name}** {each.summary}" for each in dimensions if each.summary)
    return Section(
        title,
        tables=[
            Table(
                name,
                f"{title}: difference from {data.baseline}.",
                [Column("arm"), *map(column, dimensions)],
                deltas,
            ),
            Table(
                f"{name}_means",
                f"{title}: means (scored / unscored / errors).",
                [Column("arm"), *(column(each, change=False) for each in dimensions)],
                means,
            ),
        ],
        notes=[f"{spelled}."] if spelled else [],
    )


def _mean_entry(cut: Cut, dimension: Dimension) -> str:
    mean = mean_of(cut, dimension)
    shown = number(column(dimension, change=False), mean.value)
    return f"{shown} ({mean.scored} / {mean.unscored} / {mean.errors})"


def _rows(data: Results, model: str, dimensions: Sequence[Dimension], arm: str) -> list[Comparison]:
    found = {row.dimension: row for row in comparisons(data) if (row.model, row.arm) == (model, arm)}
    return [found[dimension] for dimension in dimensions]


def deltas_csv(data: Results) -> str:
    """One row per model, arm and dimension; empty where there is no number."""
    rows = delta_records(data)
    return csv_text(list(rows[0]) if rows else ["model", "arm"], rows)


def delta_records(data: Results) -> list[dict[str, Any]]:
    """The comparisons as data, in the scale that is named."""
    return [_record(row, data.baseline) for row in comparisons(data)]


def _record(row: Comparison, baseline: str) -> dict[str, Any]:
    scale, delta = row.dimension.scale, row.delta
    means = {
        f"{side}_{name}": value
        for side, mean in (("arm", row.mean), ("baseline", row.baseline))
        for name, value in (
            ("mean", scale.number(mean.value)),
            *((each, getattr(mean, each)) for each in ("scored", "unscored", "errors")),
        )
    }
    return {
        "model": row.model,
        "arm": row.arm,
        "baseline": baseline,
        "dimension": row.dimension.name,
        "scale": scale.name,
        "delta": scale.number(delta.estimate),
        "low": scale.number(delta.low),
        "high": scale.number(delta.high),
        "p": None if delta.p is None else round(delta.p, _P_DIGITS),
        "p_holm": None if row.p_holm is None else round(row.p_holm, _P_DIGITS),
        "pairs": delta.pairs,
        "families": delta.families,
        "dropped": delta.dropped,
        **means,
    }
