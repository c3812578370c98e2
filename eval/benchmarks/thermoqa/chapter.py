"""The chapter on ThermoQA: the analyses of its paper, and the tool track that it left open."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from operator import itemgetter
from typing import Any

import numpy as np

from ansatz.eval.benchmarks.thermoqa.chapter_gain import gain_by_kind
from ansatz.eval.benchmarks.thermoqa.chapter_run import FIRST, Steps, ThermoQARun
from ansatz.eval.benchmarks.thermoqa.chapter_steps import (
    discriminators,
    error_propagation,
    missing_or_wrong,
    self_consistency,
)
from ansatz.eval.benchmarks.thermoqa.rescore import free_items, lacks_reference_state
from ansatz.eval.benchmarks.thermoqa.steps import RULES, Rule, question_score, zero_steps
from ansatz.eval.score import PERCENT, Scale
from ansatz.eval.statistics import mean_and_sigma
from ansatz.eval.statistics.agreement import pearson
from ansatz.eval.views.attempts import Floats
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.results import Cut, Results
from ansatz.eval.views.section import (
    COEFFICIENT,
    COUNT,
    PROBABILITY,
    Chapter,
    Column,
    Entry,
    Estimate,
    Figure,
    Panel,
    Section,
    Table,
    as_estimate,
)
from ansatz.eval.views.tabulation import Measure, Row, best_gain, counted, gain, plain_mean, systems, value
from ansatz.eval.views.verdicts import estimate

NOTES = Notes(__name__)

_KINDS = {"1": "category", "2": "component", "3": "cycle"}


def chapter(data: Results) -> Chapter | None:
    """Every section that the run has something to say on; None without an answer to a ThermoQA question."""
    run = ThermoQARun(data)
    if not run.steps:
        return None
    makers: tuple[Callable[[ThermoQARun], Section | None], ...] = (
        *(_tools, gain_by_kind, _runs, _models, discriminators, _kinds, _depth, _tokens),
        *(missing_or_wrong, error_propagation, self_consistency, _published_and_strict),
    )
    return Chapter.of("thermoqa", "ThermoQA", [make(run) for make in makers])


def _tools(run: ThermoQARun) -> Section | None:
    """The centrepiece: every arm on every tier, against the baseline; None without one."""
    data, places = run.data, run.places()
    if not data.treatments:
        return None
    tables = []
    for rule in RULES:
        scores = run.scores[rule, None]
        each = [(value(at, scores, mask), gain(f"Δ {at}", scores, mask)) for at, mask in places.items()]
        columns = [column for pair in each for column in pair]
        caption = f"Score under the {rule} rule by tier and arm"
        tables.append(
            systems(data, run.part).table(f"tools_{rule}", caption, *columns, summary=rule == FIRST)
        )
    figures = []
    for model in data.models:
        cuts = [cut for cut in run.cuts if cut.system.model == model]
        panels = [
            Panel(
                name,
                [cut.system.arm for cut in cuts],
                {rule: [cut.where(mask).mean(run.scores[rule, None]) for cut in cuts] for rule in RULES},
            )
            for name, mask in places.items()
        ]
        caption = f"{data.said_of(model)}: score by tier and arm, {data.level:.0%} intervals"
        name = data.per_model("tools", model)
        figures.append(Figure("intervals", name, caption, panels, "score (0–100)"))
    note = NOTES["tools"].format(baseline=data.baseline, level=data.level)
    return Section(
        "Tools by tier", findings=_best_arms(run, tables[0]), figures=figures, tables=tables, notes=(note,)
    )


def _best_arms(run: ThermoQARun, table: Table) -> list[str]:
    """By model and tier, the arm that raises it most."""
    lines = []
    for model in run.data.models:
        for tier, mask in run.tiers.items():
            changes = zip(run.cuts, table.column(f"Δ tier {tier}"), strict=True)
            gains = {
                cut.where(mask): change
                for cut, change in changes
                if cut.system.model == model and isinstance(change, Estimate)
            }
            lines += best_gain(f"tier {tier}", gains, run.score)
    return lines


def _over_repeats(run: ThermoQARun, cut: Cut, rule: Rule) -> Floats:
    """Tiers × repeats: the mean over the questions that were scored; NaN without any."""
    repeats = [run.data.attempts.repeat == repeat for repeat in run.repeats]
    means = [
        [cut.where(mask & repeat).plain_mean(run.scores[rule, None]) for repeat in repeats]
        for mask in run.tiers.values()
    ]
    return np.array(means, dtype=np.float64)


def _runs(run: ThermoQARun) -> Section:
    """The leaderboard: mean ± σ over runs for every tier, the drop from tier 1 to 3, and the composite."""
    tables = [_run_table(run, rule) for rule in RULES]
    single = " One repeat was made, so there is no spread to show." if len(run.repeats) < 2 else ""
    return Section("Scores over runs", tables=tables, notes=(NOTES["runs"] + single,))


def _run_table(run: ThermoQARun, rule: Rule) -> Table:
    tiers, asked = list(run.tiers), np.array([len(run.asked(tier)) for tier in run.tiers])
    over = {cut.system: _over_repeats(run, cut, rule) for cut in run.cuts}

    def spread(name: str, of: Callable[[Floats], Floats], change: bool = False) -> Measure:
        return Measure(name, lambda row: _spread(of(over[row.cut.system])), change=change)

    columns = [spread(f"tier {tier}", itemgetter(at)) for at, tier in enumerate(tiers)]
    if len(tiers) > 1:
        columns.append(spread(f"tier {tiers[0]} → {tiers[-1]}", lambda each: each[-1] - each[0], change=True))
        columns.append(spread("composite", lambda each: asked @ each / asked.sum()))
    caption = f"Mean ± σ over runs under the {rule} rule"
    return systems(run.data, run.part, "system").table(f"runs_{rule}", caption, *columns)


def _known(scores: Floats) -> Floats:
    return scores[~np.isnan(scores)]


def _spread(scores: Floats) -> Estimate:
    known = _known(scores).tolist()
    mean, sigma = mean_and_sigma(known) if known else (None, None)
    return Estimate(mean, sigma=sigma)


def _models(run: ThermoQARun) -> Section | None:
    """Every pair of models on every tier: Welch's test over runs as the paper has it, and a bootstrap."""
    if len(run.data.models) < 2:
        return None
    columns = [
        *(Column("tier"), Column("models"), Column("Welch: difference", PERCENT, change=True)),
        *(Column("t", COEFFICIENT, change=True), Column("degrees of freedom", COEFFICIENT)),
        *(Column("p", PROBABILITY), Column("bootstrap: difference", PERCENT, change=True)),
    ]
    baselines = [cut for cut in run.cuts if cut.is_baseline]
    rows: list[list[Entry]] = []
    over = {cut: _over_repeats(run, cut, FIRST) for cut in baselines}
    for at, (tier, mask) in enumerate(run.tiers.items()):
        for first, second in combinations(baselines, 2):
            welch = _welch(_known(over[first][at]), _known(over[second][at]), run.data.level)
            bootstrap = estimate(first.where(mask).less(second.where(mask), run.score))
            rows.append([tier, f"{first.system.model} − {second.system.model}", *welch, bootstrap])
    caption = f"Pairs of models in the {run.data.baseline} arm, {FIRST} rule{run.data.simulation}."
    note = NOTES["models"].format(runs=len(run.repeats))
    return Section("Models compared", tables=[Table("models", caption, columns, rows)], notes=(note,))


def _welch(first: Floats, second: Floats, level: float) -> list[Entry]:
    """Difference of means, t, degrees of freedom and p (B. L. Welch, Biometrika 34, 1947, 28-35).

    The difference alone with a single run on a side, or where no run differs from the others.
    """
    from scipy.stats import ttest_ind

    fewest = min(len(first), len(second))
    if not fewest:
        return [None] * 4
    difference = float(first.mean() - second.mean())
    if fewest < 2 or max(first.std(), second.std()) < 1e-12:
        return [Estimate(difference), None, None, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the runs of one side may all be alike
        found = ttest_ind(first, second, equal_var=False)
    low, high = map(float, found.confidence_interval(level))
    return [Estimate(difference, low, high), float(found.statistic), float(found.df), float(found.pvalue)]


def _kinds(run: ThermoQARun) -> Section:
    """A heatmap of systems × categories, components and cycles."""
    panels, tables = [], []
    for tier in run.tiers:
        kinds = run.values_of(tier, "category")
        name = _KINDS.get(tier, "category")
        columns = [
            value(kind.replace("_", " "), run.score, run.tiers[tier] & run.data.tagged("category", kind))
            for kind in kinds
        ]
        caption = f"Tier {tier} by {name}, {FIRST} rule"
        tables.append(systems(run.data, run.part, "system").table(f"tier_{tier}_{name}", caption, *columns))
        panels.append(Panel.of_rows(tables[-1], f"tier {tier}: {name}"))
    caption = f"Mean score by kind of question, {FIRST} rule{run.data.simulation}"
    return Section(
        "Components and cycles", tables=tables, figures=[Figure("heatmap", "kinds", caption, panels)]
    )


def _depth(run: ThermoQARun) -> Section | None:
    """Energy (A), entropy (B) and exergy (C) in tiers 2 and 3; None where no tier has depths."""
    depths = {tier: run.values_of(tier, "subcategory") for tier in run.tiers if tier != "1"}
    depths = {tier: found for tier, found in depths.items() if len(found) > 1}
    if not depths:
        return None
    every = sorted({depth for found in depths.values() for depth in found})
    marks = {depth: run.data.tagged("subcategory", depth) for depth in every}

    def at(depth: str) -> Measure:
        def score(row: Row) -> Estimate | None:
            return row.cut.where(marks[depth]).mean(run.score) if depth in depths[row.about] else None

        return Measure(f"depth {depth}", score)

    rows = run.by_tier().where(lambda row: row.about in depths)
    caption = f"Score by depth of analysis, {FIRST} rule{run.data.simulation}"
    table = rows.table("depth", f"{caption}.", *map(at, every))
    panels = [
        Panel(
            f"tier {tier}",
            found,
            {
                str(row[1]): [as_estimate(row[2 + every.index(depth)]) for depth in found]
                for row in table.rows
                if row[0] == tier
            },
        )
        for tier, found in depths.items()
    ]
    figure = Figure("progression", "depth", caption, panels, "score (0–100)")
    return Section("Depth", tables=[table], figures=[figure], notes=(NOTES["depth"],))


def _tokens(run: ThermoQARun) -> Section | None:
    """What points cost in tokens, and whether longer answers are better; None where none were counted."""
    tokens = run.data.values("tokens")
    if not np.nansum(tokens[run.part]):
        return None
    written = np.where(np.isnan(run.score), np.nan, run.data.values("output_tokens"))

    def per_point(row: Row) -> float | None:
        points = 100 * (row.cut.value(run.score) or 0.0)
        return (row.cut.value(written) or 0.0) / points if points else None

    def r(row: Row) -> Estimate | None:
        x, y = row.cut.by_problem(written), row.cut.by_problem(run.score)
        [known] = np.nonzero(~np.isnan(y))
        if not len(known):
            return None
        families = [run.data.asked[place].family for place in known.tolist()]
        found = pearson(x[known].tolist(), y[known].tolist(), families, run.data.level)
        return Estimate(found.value, found.low, found.high)

    table = run.by_tier().table(
        "tokens",
        f"Tokens by tier and system, {FIRST} rule",
        value("output tokens per question", written, scale=COUNT),
        plain_mean("all tokens per question", tokens, COUNT),
        Measure("output tokens per point", per_point, Scale("tokens per point", 1, 1)),
        Measure("r (output tokens, score)", r, COEFFICIENT, change=True),
    )
    return Section("Tokens", tables=[table], notes=(NOTES["tokens"],))


def _published_and_strict(run: ThermoQARun) -> Section:
    """Scores under both rules, with and without faulty parts, and the points that answering 0 earns."""
    open_ones = {problem.id for problem in run.problems if lacks_reference_state(problem)}
    closed = run.part & run.data.where(lambda problem: problem.id not in open_ones)
    free = {problem.id: free_items(problem) for problem in run.problems}
    earned = run.measure(lambda problem, steps: _without(free[problem.id], steps))
    has_open = {tier: any(each.id in open_ones for each in run.asked(tier)) for tier in run.tiers}

    def without_open(rule: Rule) -> Measure:
        plain = value(f"{rule} without them", run.scores[rule, None], closed)
        return replace(plain, of=lambda row: plain.of(row) if has_open[row.about] else None)

    rules = {rule: value(rule, run.scores[rule, None]) for rule in RULES}
    columns = [
        counted("questions", lambda row: len(run.asked(row.about))),
        *rules.values(),
        Measure(
            "strict − published", lambda row: _less(*(each.of(row) for each in rules.values())), change=True
        ),
        value("published without free items", earned),
        counted("open questions", lambda row: sum(each.id in open_ones for each in run.asked(row.about))),
        *map(without_open, RULES),
    ]
    kept = columns if open_ones else columns[:-3]
    caption = "Both rules, with and without the faulty parts of the benchmark"
    table = run.by_tier().table("faults", caption, *kept)
    size = len(run.cuts)
    rows: list[Sequence[Entry]] = []
    for at, tier in enumerate(run.tiers):
        zeros = _zeros_everywhere(run, tier, open_ones, free)
        rows += [*table.block(at, size).rows, zeros[: len(table.columns)]]
    notes = [NOTES["faults"], *[NOTES["open"]] * bool(open_ones)]
    return Section("Published and strict", tables=[replace(table, rows=rows)], notes=notes)


def _zeros_everywhere(
    run: ThermoQARun, tier: str, open_ones: Collection[str], free: Mapping[str, Collection[str]]
) -> list[Entry]:
    """What answering 0 to every number earns, as a row of the table."""
    zeros = {problem.id: zero_steps(problem) for problem in run.asked(tier)}
    closed = [steps for id, steps in zeros.items() if id not in open_ones]
    strict, published = (_mean(question_score(each, rule) for each in zeros.values()) for rule in RULES)
    earned = _mean(_without(free[id], steps) for id, steps in zeros.items())
    kept = [_mean(question_score(each, rule) for each in closed) for rule in RULES]
    shown = [tier, "0 everywhere", len(zeros), strict, published, _less(strict, published), earned]
    opened = len(zeros) - len(closed)
    return [*shown, opened, *(kept if opened else [None, None])]


def _without(free: Collection[str], steps: Steps) -> float | None:
    """The published score of the steps that do not pass for nothing."""
    return question_score([step for step in steps if step.name not in free], "published")


def _less(one: Any, other: Any) -> float | None:
    return None if one is None or other is None else one - other


def _mean(values: Iterable[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return math.fsum(known) / len(known) if known else None
