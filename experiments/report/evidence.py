"""What differences rest on: missing pairs, what could have been seen, and arms against each other."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np

from ansatz.eval.score import PERCENT, Dimension, Scale
from ansatz.eval.statistics import holm
from ansatz.eval.statistics.missing import MissingPairs, missing_pairs
from ansatz.eval.statistics.power import Variance, minimum_detectable, variance_split
from ansatz.eval.views import (
    COUNT,
    PROBABILITY,
    TIMES,
    Column,
    Cut,
    Entry,
    Fields,
    Results,
    Section,
    System,
    Table,
)
from ansatz.experiments.report.comparisons import MARGIN, TOO_FEW, Comparison, column, comparisons, headlines

_BELIEVED = (
    "Intervals of these comparisons, here and in every other table, are of a posterior. Before the data, "
    "turning right, turning wrong and staying have a Dirichlet distribution of weight {prior:g} each, and "
    "how alike problems of a family are is as likely anything. The chance is that of a difference above "
    "zero, for one comparison alone; stars ask for p as elsewhere."
)
_MOST_ARMS = 12  # held against each other
_SEEN = (
    "Detectable: the difference that a comparison of this size finds in 80 % of studies, alone and beside "
    "all others (median over arms). Noise: the share of the scatter between problems that repeats show to be "
    "the model's own; with twice the repeats, or twice the problems, errors would be as many times as large."
)
_WORDS = (
    f"No larger than x: two one-sided tests at 5 %, said up to {MARGIN:.0%} of the scale; beyond, there is "
    "not enough data to tell."
)
_MISSING = (
    "Problems scored in both arms count. p is for equal chances of a missing score (sign flips over "
    "families, as McNemar), after Holm over the table; bounds hold over the problems scored in either arm, "
    "whatever the missing scores are."
)

Place = tuple[str, str, str]


@lru_cache(maxsize=2)
def unequal_missing(data: Results) -> dict[Place, tuple[MissingPairs, float | None]]:
    """By model, arm and dimension where a score is missing in one arm alone; with p after Holm."""
    found = {}
    for row in comparisons(data):
        if row.dimension.role != "quality" or not row.delta.dropped:
            continue
        cut, values = data.cut(System(row.model, row.arm)), data.values(row.dimension.name)
        asked = cut.problems | cut.control.problems
        treated, control = (each.by_problem(values)[asked] for each in (cut, cut.control))
        pairs = missing_pairs(treated, control, data.family[asked], seed=data.seed)
        if pairs.treated_only or pairs.control_only:
            found[row.model, row.arm, row.dimension.name] = pairs
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
    found = [
        (place, pairs, p, data.dimension(place[2]).scale)
        for place, (pairs, p) in unequal_missing(data).items()
    ]
    fields: Fields[tuple[Place, MissingPairs, float | None, Scale]] = {
        "arm": lambda row: data.label(System(*row[0][:2])),
        "dimension": lambda row: row[0][2],
        Column("both", COUNT): lambda row: row[1].both,
        Column("arm only", COUNT): lambda row: row[1].treated_only,
        Column(f"{data.baseline} only", COUNT): lambda row: row[1].control_only,
        Column("neither", COUNT): lambda row: row[1].neither,
        Column("p", PROBABILITY): lambda row: row[2],
        "bounds": lambda row: " … ".join(row[3].show_change(end) for end in (row[1].low, row[1].high)),
    }
    table = Table.of("missing", "Problems by which arm scored them.", found, fields, shown=30)
    return Section("Missing pairs", tables=[table], notes=(_MISSING,)) if found else None


def believed(data: Results) -> Section | None:
    """A row for each comparison with a posterior; None without any."""
    found = [row for row in comparisons(data) if row.delta.chance is not None]
    if not found or data.prior is None:
        return None
    fields: Fields[Comparison] = {
        "arm": lambda row: data.label(System(row.model, row.arm)),
        "dimension": lambda row: row.dimension.name,
        "difference": lambda row: row.dimension.scale.show_change(row.delta.estimate),
        "credible, 95 %": lambda row: " … ".join(
            row.dimension.scale.show_change(end) for end in (row.delta.low, row.delta.high)
        ),
        Column("chance", PROBABILITY): lambda row: row.delta.chance,
        Column("families", COUNT): lambda row: row.delta.families,
    }
    caption = "What to believe where few problems are right or wrong."
    table = Table.of("posterior", caption, found, fields)
    return Section("Posterior", tables=[table], notes=(_BELIEVED.format(prior=data.prior),))


def seen(data: Results) -> Section | None:
    """What could have been seen on each dimension, and each arm's verdict in words."""
    shown = [each for each in data.of_role("quality") if any(c.dimension == each for c in comparisons(data))]
    if not shown or not data.treatments:
        return None
    columns = [Column("dimension"), Column("detectable"), Column("beside all"), Column("noise", PERCENT)]
    columns += [Column("× with more repeats", TIMES), Column("× with more problems", TIMES)]
    rows = [_seen(data, each) for each in shown]
    known = [row for row in rows if row[1] != "–"]
    words: list[list[Entry]] = [
        [data.label(system), *(verdict(data, _found(data, system, each)) for each in headlines(data))]
        for system in data.systems
        if system.arm != data.baseline
    ]
    heads = [Column("arm"), *(Column(each.name) for each in headlines(data))]
    tables = [Table("detectable", "By dimension.", columns, known)] * bool(known)
    tables.append(Table("verdicts", f"What may be said of an arm beside {data.baseline}.", heads, words))
    return Section("What could have been seen", tables=tables, notes=(_SEEN, _WORDS))


def verdict(data: Results, row: Comparison) -> str:
    """In words; of too few data, what would have been seen 4 times in 5 beside all other comparisons."""
    if row.words != TOO_FEW or row.dimension.role != "quality":
        return row.words
    seen = minimum_detectable(row.delta, level=data.quality.level_of(row.delta))
    shown = f"; one of {row.dimension.scale.show_size(seen)} would have been seen"
    return row.words + shown * (seen is not None)


def _found(data: Results, system: System, dimension: Dimension) -> Comparison:
    place = (system.model, system.arm, dimension)
    return next(row for row in comparisons(data) if (row.model, row.arm, row.dimension) == place)


def _seen(data: Results, dimension: Dimension) -> list[Entry]:
    rows = [row for row in comparisons(data) if row.dimension == dimension]
    scale = dimension.scale
    found = [
        [minimum_detectable(row.delta, level=data.level) for row in rows],
        [minimum_detectable(row.delta, level=data.quality.level_of(row.delta)) for row in rows],
    ]
    medians = [
        scale.show_size(float(np.median(known)) if known else None)
        for known in ([each for each in of if each is not None] for of in found)
    ]
    splits = [split for row in rows if (split := _split(data, row)) is not None]
    if not splits:
        return [dimension.name, *medians, None, None, None]
    noise = float(np.median([each.repeats for each in splits]))
    more = float(np.median([each.more_repeats for each in splits]))
    return [dimension.name, *medians, noise, more, 0.5**0.5]


def _split(data: Results, row: Comparison) -> Variance | None:
    cut, values = data.cut(System(row.model, row.arm)), data.values(row.dimension.name)
    noise = noise_of(cut, values) + noise_of(cut.control, values)
    differences = cut.by_problem(values) - cut.control.by_problem(values)
    return variance_split(noise, differences[~np.isnan(differences)])


def noise_of(cut: Cut, values: np.ndarray) -> np.ndarray:
    """By problem, the variance of the mean over repeats; NaN without two."""
    means = cut.by_problem(values)
    places = cut.data.attempts.problem[cut.rows]
    squares = (values[cut.rows] - means[places]) ** 2
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
        cuts = {arm: data.cut(System(model, arm)) for arm in data.arms}
        deltas = {(a, b): cuts[a].less(cuts[b], values) for b, a in combinations(data.arms, 2)}
        found = data.adjusted(deltas)
        columns = [Column("arm"), *(Column(f"− {arm}", shown.scale, True) for arm in data.arms[:-1])]
        rows: list[list[Entry]] = [
            [arm, *(found.get((arm, other)) for other in data.arms[:-1])] for arm in data.arms[1:]
        ]
        caption = f"{shown.name}: the row's arm less the column's, {data.said_of(model)}."
        tables.append(Table(data.per_model("arms", model), caption, columns, rows))
    note = (
        "p and intervals hold for all pairs of arms at once. `ansatz report --against ARM` tells all of one."
    )
    return Section("Arms against each other", tables=tables, notes=(note,))
