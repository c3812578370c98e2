"""What attempts took: tokens, calls, time and money, also by solved problem; and models compared."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ansatz.eval.score import Scale
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.statistics.fieller import share
from ansatz.eval.views import Column, Entry, Estimate, Fields, Results, Section, System, Table
from ansatz.eval.views.section import COUNT
from ansatz.eval.views.tabulation import Measure, counted, plain_mean, systems
from ansatz.experiments.report.comparisons import column, comparisons, headlines

_MEANS = (
    ("input_tokens", "input tokens", 0),
    ("cached_tokens", "of these cached", 0),
    ("output_tokens", "output tokens", 0),
    ("reasoning_tokens", "of these reasoning", 0),
    ("model_calls", "model calls", 1),
    ("tool_calls", "tool calls", 1),
    ("seconds", "seconds", 2),
    ("dollars", "dollars", 4),
)
_UNKNOWN = "unknown"
_FULL = 1 - 1e-9
_SOLVED = (
    "What a solved attempt costs (full marks in {}): the dollars of all attempts over those solved, with "
    "Fieller's interval over families."
)
_COST = (
    "Means over the attempts that came to an end; seconds are the model's and the tools' working time, "
    "without waiting. Differences of cost from the baseline, paired by problem, stand with "
    "the other differences."
)
_MODELS = (
    "Differences of each arm from the baseline by model, of one model from another under each arm, and of "
    "what an arm adds to one from what it adds to another, "
    "paired by problem with intervals over families; models against each other are judged together over the "
    "arms and pairs of a table."
)


def cost(data: Results) -> Section:
    """What an attempt took on the mean, and all together where prices are known."""
    known = [each for each in _MEANS if not np.isnan(data.values(each[0])).all()]
    columns = [counted("attempts", lambda row: len(row.cut.known(data.values("tokens"))))]
    columns += [
        plain_mean(title, data.values(name), Scale(title, 1, decimals)) for name, title, decimals in known
    ]
    if any(name == "dollars" for name, _, _ in known):
        total = Scale("dollars in all", 1, 2)
        columns.append(
            Measure("dollars in all", lambda row: _total(row.cut.known(data.values("dollars"))), total)
        )
    table = systems(data).table("cost", "What attempts took", *columns)
    return Section("Cost", tables=[table, *_solved(data), *_bill(data)], notes=(_COST,))


def _total(known: np.ndarray) -> float | None:
    return float(known.sum()) if known.size else None


@dataclass(frozen=True)
class PerSolved:
    """Of one model and arm: attempts with a score and known dollars, how many have full marks, and what each
    of these costs; None where none has, its ends also where too few have for an interval."""

    model: str
    arm: str
    attempts: int
    solved: int
    dollars: float
    dollars_per_solved: float | None
    low: float | None
    high: float | None


def per_solved(data: Results) -> Iterator[PerSolved]:
    """By the first headline dimension; nothing where no dollars are known."""
    if not headlines(data):
        return
    values, dollars = data.values(headlines(data)[0].name), data.values("dollars")
    for cut in data.cuts():
        known = cut.rows[~np.isnan(values[cut.rows]) & ~np.isnan(dollars[cut.rows])]
        if not len(known):
            continue
        spent, right = dollars[known], (values[known] >= _FULL).astype(np.float64)
        families = data.family[data.attempts.problem[known]]
        solved, total = int(right.sum()), math.fsum(spent.tolist())
        several = len(np.unique(families)) > 1
        found = share(spent, right, families, data.level) if solved and several else None
        ends = (found.low, found.high) if found else (None, None)
        each = total / solved if solved else None
        yield PerSolved(cut.system.model, cut.system.arm, len(known), solved, total, each, *ends)


def _solved(data: Results) -> list[Table]:
    """None where no attempt cost anything that is known."""
    found = list(per_solved(data))
    if not any(row.dollars for row in found):
        return []
    fields: Fields[PerSolved] = {
        "model": lambda row: row.model,
        "arm": lambda row: row.arm,
        Column("attempts", COUNT): lambda row: row.attempts,
        Column("solved", COUNT): lambda row: row.solved,
        Column("dollars in all", Scale("dollars", 1, 2)): lambda row: row.dollars,
        Column("dollars per solved", Scale("dollars", 1, 4)): lambda row: (
            None if row.dollars_per_solved is None else Estimate(row.dollars_per_solved, row.low, row.high)
        ),
    }
    return [Table.of("solved", _SOLVED.format(headlines(data)[0].name), found, fields)]


def _bill(data: Results) -> list[Table]:
    """What was billed for all requests, those of attempts that failed and of judges too."""
    if not data.bill:
        return []
    scales = {"model": None, "arm": None, "dollars": Scale("dollars", 1, 2)}
    columns = [Column(name, scales.get(name, COUNT)) for name in data.bill[0]]
    rows = [
        [_UNKNOWN if name == "dollars" and value is None else value for name, value in each.items()]
        for each in data.bill
    ]
    return [Table("bill", "What all requests took, by model and arm, and by judge.", columns, rows)]


def models_compared(data: Results) -> Section | None:
    """A table for each headline dimension; None with a single model."""
    if len(data.models) < 2:
        return None
    tables: list[Table] = []
    for dimension in headlines(data):
        values, shown = data.values(dimension.name), column(dimension)
        deltas = {
            (row.model, row.arm): row.estimate for row in comparisons(data) if row.dimension == dimension
        }
        pairs = {
            (first, second, arm): _between(data, values, first, second, arm)
            for first, second in combinations(data.models, 2)
            for arm in data.arms
        }
        between = data.adjusted(pairs)
        names = [f"Δ {model}" for model in data.models]
        names += [f"{second} − {first}" for first, second in combinations(data.models, 2)]
        names += [f"Δ {second} − Δ {first}" for first, second in combinations(data.models, 2)]
        interactions = data.adjusted(
            {
                (first, second, arm): _interaction(data, values, first, second, arm)
                for first, second in combinations(data.models, 2)
                for arm in data.treatments
            }
        )
        columns = [Column("arm"), *(Column(name, shown.scale, True, shown.better) for name in names)]
        rows: list[list[Entry]] = [
            [
                arm,
                *(_undropped(deltas.get((model, arm))) for model in data.models),
                *(between[first, second, arm] for first, second in combinations(data.models, 2)),
                *(interactions.get((first, second, arm)) for first, second in combinations(data.models, 2)),
            ]
            for arm in data.arms
        ]
        caption = (
            f"{shown.name}: what each arm adds by model, and one model against another{data.simulation}."
        )
        tables.append(Table(f"models_{dimension.name}", caption, columns, rows, summary=not tables))
    return Section("Models compared", tables=tables, notes=(_MODELS,))


def _interaction(data: Results, values: np.ndarray, first: str, second: str, arm: str) -> PairedDelta:
    """By how much more an arm adds to the second model than to the first, paired by problem."""
    gains = []
    for model in (second, first):
        cut = data.cut(System(model, arm))
        gains.append(cut.by_problem(values) - cut.control.by_problem(values))
    differences = gains[0] - gains[1]
    [known] = np.nonzero(~np.isnan(differences))
    ends = (-2.0, 2.0) if data.is_share(values) else None
    return data.clustered(differences[known], known, len(data.asked) - len(known), ends)


def _between(data: Results, values: np.ndarray, first: str, second: str, arm: str) -> PairedDelta:
    one, other = (
        next(cut for cut in data.cuts() if (cut.system.model, cut.system.arm) == (model, arm))
        for model in (first, second)
    )
    return other.less(one, values)


def _undropped(found: Estimate | None) -> Estimate | None:
    return replace(found, dropped=None) if found else None
