"""The chapter on gain against cost: gain per dollar and per token, the frontier, and calibration of votes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from ansatz.eval.score import PERCENT, Dimension, Scale
from ansatz.eval.statistics import estimate_share
from ansatz.experiments.report.comparisons import headline_dimensions
from ansatz.experiments.report.tables import (
    COEFFICIENT,
    COUNT,
    Chapter,
    Column,
    Entry,
    Figure,
    Panel,
    Section,
    Table,
    read_notes,
)
from ansatz.experiments.results import Estimate, Results, Subset

NOTES = read_notes(__name__)

_THOUSANDS = {"tokens": 1000.0, "dollars": 1.0}
_PER = {"tokens": "1,000 tokens", "dollars": "dollar"}
_BINS = (0.0, 0.3, 0.5, 0.7, 0.9, 1.0)


def chapter(data: Results) -> Chapter | None:
    """Make the chapter; None without prices and votes, or without a quality dimension."""
    valued = {name for name in data.dimension_names if not np.isnan(data.values(name)).all()}
    costs = [name for name in ("dollars", "tokens") if name in valued]
    if (
        not costs
        or not data.treatments
        or not headline_dimensions(data)
        or not valued & {"dollars", "agreement"}
    ):
        return None
    sections = [_frontier(data, headline_dimensions(data)[0], costs), *_calibration(data)]
    return Chapter("spending", "What spending buys", sections)


def _frontier(data: Results, measure: Dimension, costs: Sequence[str]) -> Section:
    percent = measure.scale
    columns = [Column("model"), Column("arm"), Column(measure.name, percent)]
    columns += [Column(f"{cost} an attempt", Scale(cost, 1, 4 if cost == "dollars" else 0)) for cost in costs]
    columns += [Column(f"Δ {measure.name} per {_PER[cost]}", percent, change=True) for cost in costs]
    rows: list[list[Entry]] = []
    panels = []
    for model in data.models:
        subsets = [subset for subset in data.subsets() if subset.system.model == model]
        worth = [subset.estimate_mean(data.values(measure.name)) for subset in subsets]
        spent = [[subset.estimate_mean(data.values(cost), ends=None) for subset in subsets] for cost in costs]
        best = _find_frontier([each.value for each in spent[0]], [each.value for each in worth])
        for place, subset in enumerate(subsets):
            amounts = [each[place].value for each in spent]
            cells: list[Entry] = [model, subset.system.arm, worth[place], *amounts]
            ratios = [_gain_per_cost(data, subset, measure.name, cost) for cost in costs]
            is_known = bool(best) and None not in (spent[0][place].value, worth[place].value)
            rows.append([*cells, *ratios, ("yes" if place in best else "no") if is_known else None])
        series = {
            subset.system.arm: [spent[0][place], worth[place], Estimate(float(place in best))]
            for place, subset in enumerate(subsets)
        }
        panels += [Panel(data.display_name(model), [costs[0], measure.name], series, percent)] * bool(best)
    table = Table(
        "frontier",
        f"What each arm is worth and takes, and what it gains by cost{data.simulation_note}.",
        [*columns, Column("on the frontier")],
        rows,
    )
    drawn = f"{measure.name} against {costs[0]} per attempt{data.simulation_note}"
    caption = f"{data.title}: {drawn}; filled: no cheaper arm is better"
    figure = Figure("frontier", "frontier", caption, panels, axis=f"{costs[0]} per attempt")
    figures = [figure] * bool(panels)
    return Section("Gain and cost", (), [table], figures, notes=(NOTES["ratios"],), is_analysis=True)


def _gain_per_cost(data: Results, subset: Subset, measure: str, cost: str) -> Estimate | None:
    """Return the gain per additional cost; None for the baseline."""
    if subset.is_baseline:
        return None
    gains, costs = (
        subset.mean_by_problem(data.values(name)) - subset.control.mean_by_problem(data.values(name))
        for name in (measure, cost)
    )
    [both] = np.nonzero(~np.isnan(gains) & ~np.isnan(costs))
    found = estimate_share(gains[both], costs[both] / _THOUSANDS[cost], data.family[both], data.level)
    return Estimate(found.value, found.low, found.high, n=found.problems, families=found.families)


def _find_frontier(costs: Sequence[float | None], worth: Sequence[float | None]) -> set[int]:
    """Return the places that no arm of at most equal cost exceeds in value."""
    places = zip(costs, worth, range(len(worth)), strict=True)
    known = [(cost, value, at) for cost, value, at in places if cost is not None and value is not None]
    return {at for cost, value, at in known if not any(c <= cost and w > value for c, w, _ in known)}


def _calibration(data: Results) -> Iterator[Section]:
    agreement = data.values("agreement")
    right = data.values("exact" if "exact" in data.dimension_names else headline_dimensions(data)[0].name)
    rows: list[list[Entry]] = []
    findings = []
    for subset in data.subsets():
        voted = subset.where(~np.isnan(agreement) & ~np.isnan(right))
        apart = 0.0
        for low, high in pairwise(_BINS):
            part = voted.where((agreement >= low) & ((agreement < high) | (high == 1.0)))
            if len(part.rows):
                stated, found = float(agreement[part.rows].mean()), part.estimate_mean(right)
                apart += len(part.rows) * abs(stated - float(right[part.rows].mean()))
                rows.append([subset.label, f"{low:.0%} to {high:.0%}", float(len(part.rows)), stated, found])
        if len(voted.rows):
            both = agreement[voted.rows], right[voted.rows]
            is_known = both[0].std() > 0 and both[1].std() > 0
            related = COEFFICIENT.show(float(np.corrcoef(*both)[0, 1])) if is_known else "undefined"
            error = f"expected calibration error {100 * apart / len(voted.rows):.1f} points"
            findings.append(f"{subset.label}: {error}; correlation of agreement and right values {related}.")
    if rows:
        columns = [Column("arm"), Column("agreement"), Column("attempts", COUNT)]
        columns += [Column("mean agreement", PERCENT), Column("right values", PERCENT)]
        caption = (
            f"Agreement of independent answers, and the share of values within 1 %{data.simulation_note}."
        )
        table = Table("vote_calibration", caption, columns, rows)
        yield Section("How far a vote can be trusted", findings, [table], notes=(NOTES["calibration"],))
