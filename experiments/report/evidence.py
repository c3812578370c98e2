"""The evidence for differences: missing scores, detectable effects, and arms compared with each other."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

import numpy as np

from ansatz.eval.score import PERCENT, Dimension
from ansatz.eval.statistics import holm
from ansatz.eval.statistics.paired import MissingPairs, compare_missing
from ansatz.eval.statistics.power import Components, minimum_detectable, split_variance
from ansatz.experiments.report.comparisons import (
    MARGIN,
    TOO_FEW,
    Comparison,
    Place,
    column,
    compare_arms,
    headline_dimensions,
)
from ansatz.experiments.report.stopped_arms import explain_stop
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

_MOST_ARMS = 12  # compared with each other


@lru_cache(maxsize=2)
def find_unequal_missing(data: Results) -> dict[Place, tuple[MissingPairs, float | None]]:
    """Return the comparisons where a score is missing in one arm only, with p after Holm.

    A screening design has none: its attempts are compared within pairs.
    """
    found: dict[Place, MissingPairs] = {}
    if data.screened:
        return {}
    for place, row in compare_arms(data).items():
        if row.dimension.role != "quality" or not row.delta.dropped:
            continue
        seen = data.seen_by(System(*place[:2]))
        subset, values = seen.subset(System(*place[:2])), seen.values(row.dimension.name)
        asked = subset.problems | subset.control.problems
        treated, control = (each.mean_by_problem(values)[asked] for each in (subset, subset.control))
        pairs = compare_missing(treated, control, data.family[asked], seed=data.seed)
        if pairs.treated_only or pairs.control_only:
            found[place] = pairs
    adjusted = holm({place: each.p for place, each in found.items() if each.p is not None})
    return {place: (each, adjusted.get(place)) for place, each in found.items()}


def warn_of_missing_scores(data: Results) -> list[str]:
    """Warn of dimensions with scores missing more often in one arm (p < 0.05)."""
    names = dict.fromkeys(
        name for (_, _, name), (_, p) in find_unequal_missing(data).items() if p is not None and p < 0.05
    )
    if not names:
        return []
    return [
        f"Warning: arms differ in how often they have a score on {', '.join(names)}, so the pairs are not a "
        "random part of the problems. The table of missing pairs bounds the differences."
    ]


def missing_scores(data: Results) -> Section | None:
    """List the comparisons with a score missing in one arm only; None without any."""
    columns = [Column("arm"), Column("dimension"), Column("both", COUNT), Column("arm only", COUNT)]
    columns += [Column(f"{data.baseline} only", COUNT), Column("neither", COUNT), Column("p", PROBABILITY)]
    rows: list[list[Entry]] = []
    for (model, arm, name), (pairs, p) in find_unequal_missing(data).items():
        counts = (pairs.both, pairs.treated_only, pairs.control_only, pairs.neither)
        bounds = _between(data.dimension(name), pairs.low, pairs.high)
        rows.append([data.label(System(model, arm)), name, *counts, p, bounds])
    caption = "Number of problems by the arms that have a score."
    table = Table("missing", caption, [*columns, Column("bounds")], rows, max_rows=30)
    return Section("Missing pairs", tables=[table], notes=(NOTES["missing"],)) if rows else None


def _between(dimension: Dimension, low: float | None, high: float | None) -> str:
    return " … ".join(map(dimension.scale.show_change, (low, high)))


def detectable_effects(data: Results) -> Section | None:
    """Show the smallest detectable effect on each dimension, and a verdict on each arm."""
    shown = data.with_role("quality")
    if not shown or not data.treatments:
        return None
    columns = [Column("dimension"), Column("detectable"), Column("with all"), Column("noise", PERCENT)]
    columns += [Column("× with more repeats", TIMES), Column("× with more problems", TIMES)]
    known = [row for row in (_detectable_row(data, each) for each in shown) if row[1] != "–"]
    heads = [Column("arm"), *(Column(each.name) for each in headline_dimensions(data))]
    words: list[list[Entry]] = [
        [
            data.label(System(model, arm)),
            *(verdict(data, compare_arms(data)[model, arm, each.name]) for each in headline_dimensions(data)),
        ]
        for model in data.models
        for arm in data.treatments
    ]
    tables = [Table("detectable", "By dimension.", columns, known)] * bool(known)
    tables.append(Table("verdicts", f"Verdict on each arm compared with {data.baseline}.", heads, words))
    notes = NOTES["detectable"], NOTES["verdicts"].format(margin=MARGIN)
    return Section(
        "Detectable effects and verdicts", tables=tables, notes=notes, is_analysis=True, is_detail=True
    )


def verdict(data: Results, row: Comparison) -> str:
    """Return the verdict on a comparison. Without enough data, it states the smallest detectable effect.

    That is the effect that 80 % of such studies would detect, adjusted for all comparisons.
    """
    if row.dimension.role != "quality":
        return row.verdict_text
    if (text := explain_stop(data, row)) is not None or row.verdict_text != TOO_FEW:
        return text or row.verdict_text
    least, scale = (
        minimum_detectable(row.delta, level=data.main_comparisons.simultaneous_level(row.delta)),
        row.dimension.scale,
    )
    if least is None:
        return row.verdict_text
    size = f"larger than the whole scale ({scale.name})" if least > 1 else scale.show_size(least)
    return f"{row.verdict_text}: the smallest effect this study could detect is {size}"


def _detectable_row(data: Results, dimension: Dimension) -> list[Entry]:
    """Return medians over arms: the detectable effect, and how errors change with more data."""
    single, adjusted, splits = [], [], []
    values = data.values(dimension.name)
    for row in (row for row in compare_arms(data).values() if row.dimension == dimension):
        single.append(minimum_detectable(row.delta, level=data.level))
        adjusted.append(
            minimum_detectable(row.delta, level=data.main_comparisons.simultaneous_level(row.delta))
        )
        subset = data.subset(System(row.model, row.arm))
        noise = repeat_variance(subset, values) + repeat_variance(subset.control, values)
        differences = subset.mean_by_problem(values) - subset.control.mean_by_problem(values)
        splits.append(split_variance(noise, differences[~np.isnan(differences)]))
    found = [each for each in splits if each is not None]
    shares = (_median(each.repeats for each in found), _median(each.more_repeats for each in found))
    sizes = (dimension.scale.show_size(_median(each)) for each in (single, adjusted))
    return [dimension.name, *sizes, *shares, 0.5**0.5 if found else None]


def _median(values: Iterable[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return float(np.median(known)) if known else None


def variance_components(data: Results, row: Comparison) -> Components | None:
    """Split the variance of a comparison's differences; None with fewer than two families."""
    subset, values = data.subset(System(row.model, row.arm)), data.values(row.dimension.name)
    differences = subset.mean_by_problem(values) - subset.control.mean_by_problem(values)
    known = ~np.isnan(differences)
    families = data.family[known]
    if len(np.unique(families)) < 2:
        return None
    noise = repeat_variance(subset, values) + repeat_variance(subset.control, values)
    repeats = int(data.attempts.repeat.max()) + 1
    return Components.estimate(differences[known], families, noise[known], repeats)


def repeat_variance(subset: Subset, values: np.ndarray) -> np.ndarray:
    """Return, by problem, the variance of the mean over repeats; NaN with fewer than two."""
    means = subset.mean_by_problem(values)
    places = subset.data.attempts.problem[subset.rows]
    squares = (values[subset.rows] - means[places]) ** 2
    known = ~np.isnan(squares)
    counts = np.bincount(places[known], minlength=len(means))
    sums = np.bincount(places[known], weights=squares[known], minlength=len(means))
    out = np.full(len(means), np.nan)
    return np.asarray(np.divide(sums, (counts - 1) * counts, out=out, where=counts > 1))


def arms_compared(data: Results) -> Section | None:
    """Compare all pairs of arms on the first headline dimension; None with fewer than three arms."""
    if not 3 <= len(data.arms) <= _MOST_ARMS or not headline_dimensions(data):
        return None
    dimension = headline_dimensions(data)[0]
    values, shown = data.values(dimension.name), column(dimension)
    tables = []
    for model in data.models:
        subsets = {arm: data.subset(System(model, arm)) for arm in data.arms}
        deltas = {
            (a, b): subsets[a].difference_from(subsets[b], values) for b, a in combinations(data.arms, 2)
        }
        found = data.estimate_deltas(deltas)
        columns = [Column("arm"), *(Column(f"minus {arm}", shown.scale, True) for arm in data.arms[:-1])]
        rows: list[list[Entry]] = [
            [arm, *(found.get((arm, other)) for other in data.arms[:-1])] for arm in data.arms[1:]
        ]
        caption = f"{shown.name}: the row's arm minus the column's, {data.display_name(model)}."
        tables.append(Table(data.name_by_model("arms", model), caption, columns, rows))
    note = (
        "p and intervals hold for all pairs of arms at once. `ansatz report --against ARM` has the details."
    )
    return Section("Arms against each other", (), tables, notes=(note,), is_analysis=True, is_detail=True)
