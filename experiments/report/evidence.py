"""What differences rest on: missing pairs, what could have been seen, and arms against each other."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

import numpy as np

from ansatz.eval.score import PERCENT, Dimension
from ansatz.eval.statistics import holm
from ansatz.eval.statistics.missing import MissingPairs, missing_pairs
from ansatz.eval.statistics.power import minimum_detectable, variance_split
from ansatz.experiments.report.comparisons import (
    MARGIN,
    TOO_FEW,
    Comparison,
    Place,
    column,
    comparisons,
    headlines,
)
from ansatz.experiments.report.tables import (
    COUNT,
    PROBABILITY,
    TIMES,
    Column,
    Entry,
    Section,
    Table,
    read_notes,
)
from ansatz.experiments.results import Results, Subset, System

NOTES = read_notes(__name__)

_MOST_ARMS = 12  # held against each other


@lru_cache(maxsize=2)
def unequal_missing(data: Results) -> dict[Place, tuple[MissingPairs, float | None]]:
    """By model, arm and dimension where a score is missing in one arm alone; with p after Holm."""
    found = {}
    for place, row in comparisons(data).items():
        if row.dimension.role != "quality" or not row.delta.dropped:
            continue
        subset, values = data.subset(System(*place[:2])), data.values(row.dimension.name)
        asked = subset.problems | subset.control.problems
        treated, control = (each.mean_by_problem(values)[asked] for each in (subset, subset.control))
        pairs = missing_pairs(treated, control, data.family[asked], seed=data.seed)
        if pairs.treated_only or pairs.control_only:
            found[place] = pairs
    adjusted = holm({place: each.p for place, each in found.items() if each.p is not None})
    return {place: (each, adjusted.get(place)) for place, each in found.items()}


def missing_warnings(data: Results) -> list[str]:
    """A line on the dimensions on which arms are scored unequally often; none where there is none."""
    names = dict.fromkeys(
        name for (_, _, name), (_, p) in unequal_missing(data).items() if p is not None and p < 0.05
    )
    if not names:
        return []
    return [
        f"Warning: not all arms are scored equally often on {', '.join(names)}: these pairs are no random "
        "part of the problems. See the bounds under Missing pairs."
    ]


def missing(data: Results) -> Section | None:
    """A row for each comparison with a score missing in one arm alone; None without any."""
    columns = [Column("arm"), Column("dimension"), Column("both", COUNT), Column("arm only", COUNT)]
    columns += [Column(f"{data.baseline} only", COUNT), Column("neither", COUNT), Column("p", PROBABILITY)]
    rows: list[list[Entry]] = []
    for (model, arm, name), (pairs, p) in unequal_missing(data).items():
        counts = (pairs.both, pairs.treated_only, pairs.control_only, pairs.neither)
        bounds = _between(data.dimension(name), pairs.low, pairs.high)
        rows.append([data.label(System(model, arm)), name, *counts, p, bounds])
    caption = "Problems by which arm scored them."
    table = Table("missing", caption, [*columns, Column("bounds")], rows, max_rows=30)
    return Section("Missing pairs", tables=[table], notes=(NOTES["missing"],)) if rows else None


def _between(dimension: Dimension, low: float | None, high: float | None) -> str:
    return " … ".join(map(dimension.scale.show_change, (low, high)))


def seen(data: Results) -> Section | None:
    """What could have been seen on each dimension, and each arm's verdict in words."""
    shown = data.with_role("quality")
    if not shown or not data.treatments:
        return None
    columns = [Column("dimension"), Column("detectable"), Column("beside all"), Column("noise", PERCENT)]
    columns += [Column("× with more repeats", TIMES), Column("× with more problems", TIMES)]
    known = [row for row in (_seen(data, each) for each in shown) if row[1] != "–"]
    heads = [Column("arm"), *(Column(each.name) for each in headlines(data))]
    words: list[list[Entry]] = [
        [
            data.label(System(model, arm)),
            *(verdict(data, comparisons(data)[model, arm, each.name]) for each in headlines(data)),
        ]
        for model in data.models
        for arm in data.treatments
    ]
    tables = [Table("detectable", "By dimension.", columns, known)] * bool(known)
    tables.append(Table("verdicts", f"What may be said of an arm beside {data.baseline}.", heads, words))
    said = NOTES["seen"], NOTES["words"].format(margin=MARGIN)
    return Section("What could have been seen", tables=tables, notes=said)


def verdict(data: Results, row: Comparison) -> str:
    """Put a comparison in words; without enough data, with the effect that 4 of 5 such studies would detect.

    That is the smallest effect detected next to all other comparisons.
    """
    if row.words != TOO_FEW or row.dimension.role != "quality":
        return row.words
    least, scale = (
        minimum_detectable(row.delta, level=data.main_comparisons.level_of(row.delta)),
        row.dimension.scale,
    )
    if least is None:
        return row.words
    size = f"larger than the whole scale ({scale.name})" if least > 1 else scale.show_size(least)
    return f"{row.words}: the smallest effect this study could detect is {size}"


def _seen(data: Results, dimension: Dimension) -> list[Entry]:
    """Medians over all arms: what is detectable alone and beside all others, and what more data would buy."""
    alone, beside, splits = [], [], []
    values = data.values(dimension.name)
    for row in (row for row in comparisons(data).values() if row.dimension == dimension):
        alone.append(minimum_detectable(row.delta, level=data.level))
        beside.append(minimum_detectable(row.delta, level=data.main_comparisons.level_of(row.delta)))
        subset = data.subset(System(row.model, row.arm))
        noise = noise_of(subset, values) + noise_of(subset.control, values)
        differences = subset.mean_by_problem(values) - subset.control.mean_by_problem(values)
        splits.append(variance_split(noise, differences[~np.isnan(differences)]))
    found = [each for each in splits if each is not None]
    shares = (_median(each.repeats for each in found), _median(each.more_repeats for each in found))
    sizes = (dimension.scale.show_size(_median(each)) for each in (alone, beside))
    return [dimension.name, *sizes, *shares, 0.5**0.5 if found else None]


def _median(values: Iterable[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return float(np.median(known)) if known else None


def noise_of(subset: Subset, values: np.ndarray) -> np.ndarray:
    """By problem, the variance of the mean over repeats; NaN without two."""
    means = subset.mean_by_problem(values)
    places = subset.data.attempts.problem[subset.rows]
    squares = (values[subset.rows] - means[places]) ** 2
    known = ~np.isnan(squares)
    counts = np.bincount(places[known], minlength=len(means))
    sums = np.bincount(places[known], weights=squares[known], minlength=len(means))
    out = np.full(len(means), np.nan)
    return np.asarray(np.divide(sums, (counts - 1) * counts, out=out, where=counts > 1))


def arms_compared(data: Results) -> Section | None:
    """Every arm less every other on the first headline dimension, by model; None with fewer than three."""
    if not 3 <= len(data.arms) <= _MOST_ARMS or not headlines(data):
        return None
    dimension = headlines(data)[0]
    values, shown = data.values(dimension.name), column(dimension)
    tables = []
    for model in data.models:
        subsets = {arm: data.subset(System(model, arm)) for arm in data.arms}
        deltas = {
            (a, b): subsets[a].difference_from(subsets[b], values) for b, a in combinations(data.arms, 2)
        }
        found = data.estimate_deltas(deltas)
        columns = [Column("arm"), *(Column(f"− {arm}", shown.scale, True) for arm in data.arms[:-1])]
        rows: list[list[Entry]] = [
            [arm, *(found.get((arm, other)) for other in data.arms[:-1])] for arm in data.arms[1:]
        ]
        caption = f"{shown.name}: the row's arm less the column's, {data.display_name(model)}."
        tables.append(Table(data.name_by_model("arms", model), caption, columns, rows))
    note = (
        "p and intervals hold for all pairs of arms at once. `ansatz report --against ARM` tells all of one."
    )
    return Section("Arms against each other", tables=tables, notes=(note,))
