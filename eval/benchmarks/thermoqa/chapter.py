"""The chapter on ThermoQA: the analyses of its paper, and the tool track that it left open."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean, pstdev

import numpy as np

from ansatz.eval.benchmarks.thermoqa.chapter_gain import gain_by_kind
from ansatz.eval.benchmarks.thermoqa.chapter_run import FIRST, ThermoQARun
from ansatz.eval.benchmarks.thermoqa.chapter_steps import (
    discriminators,
    error_propagation,
    missing_or_wrong,
    self_consistency,
)
from ansatz.eval.benchmarks.thermoqa.rescore import free_items, lacks_reference_state
from ansatz.eval.benchmarks.thermoqa.steps import RULES, Rule, Step, question_score, zero_steps
from ansatz.eval.problem import Problem
from ansatz.eval.score import PERCENT, Scale
from ansatz.eval.statistics import mean_and_sigma, weighted_mean
from ansatz.eval.statistics.agreement import pearson
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
)
from ansatz.eval.views.tabulation import Measure, Row, best_gain, gain, plain_mean, systems, value
from ansatz.eval.views.verdicts import estimate

NOTES = Notes(__name__)

_KINDS = {"1": "category", "2": "component", "3": "cycle"}


Scored = Mapping[tuple[Rule, bool], float | None]
"""Scores by rule, and whether open questions are left out."""


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
    if not run.data.treatments:
        return None
    tables = {rule: _tier_table(run, rule) for rule in RULES}
    return Section(
        "Tools by tier",
        findings=[line for model in run.data.models for line in _best_arms(run, model, tables[FIRST])],
        figures=[_tier_figure(run, model) for model in run.data.models],
        tables=list(tables.values()),
        notes=(NOTES["tools"].format(baseline=run.data.baseline, level=run.data.level),),
    )


def _tier_table(run: ThermoQARun, rule: Rule) -> Table:
    scores = run.scores[rule, None]
    columns = [
        column
        for name, mask in run.places().items()
        for column in (value(name, scores, mask), gain(f"Δ {name}", scores, mask))
    ]
    caption = f"Score under the {rule} rule by tier and arm"
    return systems(run.data, run.part).table(f"tools_{rule}", caption, *columns, summary=rule == FIRST)


def _tier_figure(run: ThermoQARun, model: str) -> Figure:
    cuts = [cut for cut in run.cuts if cut.system.model == model]
    panels = [
        Panel(
            name,
            [cut.system.arm for cut in cuts],
            {rule: [cut.where(mask).mean(run.scores[rule, None]) for cut in cuts] for rule in RULES},
        )
        for name, mask in run.places().items()
    ]
    caption = f"{run.data.said_of(model)}: score by tier and arm, {run.data.level:.0%} intervals"
    name = run.data.per_model("tools", model)
    return Figure("intervals", name, caption, panels, "score (0–100)")


def _best_arms(run: ThermoQARun, model: str, table: Table) -> list[str]:
    """For each tier the arm that raises it most."""
    lines = []
    for tier, mask in run.tiers.items():
        changes = zip(run.cuts, table.column(f"Δ tier {tier}"), strict=True)
        gains = {
            cut.where(mask): change
            for cut, change in changes
            if cut.system.model == model and isinstance(change, Estimate)
        }
        lines += best_gain(f"tier {tier}", gains, run.score)
    return lines


def _over_repeats(run: ThermoQARun, cut: Cut, tier: str, rule: Rule) -> dict[int, float]:
    """By repeat, the mean over the questions of a tier that were scored in it."""
    found = {}
    for repeat in run.repeats:
        part = run.tiers[tier] & (run.data.attempts.repeat == repeat)
        mean = cut.where(part).plain_mean(run.scores[rule, None])
        if mean is not None:
            found[repeat] = mean
    return found


def _runs(run: ThermoQARun) -> Section:
    """The leaderboard: mean ± σ over runs for every tier, the drop from tier 1 to 3, and the composite."""
    tables = [_run_table(run, rule) for rule in RULES]
    single = " One repeat was made, so there is no spread to show." if len(run.repeats) < 2 else ""
    return Section("Scores over runs", tables=tables, notes=(NOTES["runs"] + single,))


def _run_table(run: ThermoQARun, rule: Rule) -> Table:
    tiers, asked = list(run.tiers), [len(run.asked(tier)) for tier in run.tiers]
    over = {cut.system: [_over_repeats(run, cut, tier, rule) for tier in tiers] for cut in run.cuts}

    def spread(name: str, of: Callable[[list[dict[int, float]]], Iterable[float]]) -> Measure:
        return Measure(name, lambda row: _spread(list(of(over[row.cut.system]))), change=of is drop)

    def at(tier: str) -> Measure:
        return spread(f"tier {tier}", lambda scores: scores[tiers.index(tier)].values())

    def drop(scores: list[dict[int, float]]) -> Iterator[float]:
        first, *_, last = scores
        return (last[repeat] - first[repeat] for repeat in sorted(first.keys() & last.keys()))

    def composite(scores: list[dict[int, float]]) -> Iterator[float]:
        whole = (repeat for repeat in run.repeats if all(repeat in each for each in scores))
        return (weighted_mean([each[repeat] for each in scores], asked) for repeat in whole)

    columns = [at(tier) for tier in tiers]
    if len(tiers) > 1:
        columns += [spread(f"tier {tiers[0]} → {tiers[-1]}", drop), spread("composite", composite)]
    caption = f"Mean ± σ over runs under the {rule} rule"
    return systems(run.data, run.part, "system").table(f"runs_{rule}", caption, *columns)


def _spread(scores: list[float]) -> Estimate:
    if not scores:
        return Estimate(None)
    mean, sigma = mean_and_sigma(scores)
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
    for tier, mask in run.tiers.items():
        for first, second in combinations(baselines, 2):
            over = [list(_over_repeats(run, cut, tier, FIRST).values()) for cut in (first, second)]
            row: list[Entry] = [tier, f"{first.system.model} − {second.system.model}"]
            row += _welch(over[0], over[1], run.data.level) if all(over) else [None] * 4
            rows.append([*row, estimate(first.where(mask).less(second.where(mask), run.score))])
    caption = f"Pairs of models in the {run.data.baseline} arm, {FIRST} rule{run.data.simulation}."
    note = NOTES["models"].format(runs=len(run.repeats))
    return Section("Models compared", tables=[Table("models", caption, columns, rows)], notes=(note,))


def _welch(first: Sequence[float], second: Sequence[float], level: float) -> list[Entry]:
    """Difference of means, t, degrees of freedom and p (B. L. Welch, Biometrika 34, 1947, 28-35).

    The difference alone with a single run on a side, or where no run differs from the others.
    """
    from scipy.stats import ttest_ind

    difference = fmean(first) - fmean(second)
    if min(len(first), len(second)) < 2 or max(map(pstdev, (first, second))) < 1e-12:
        return [Estimate(difference), None, None, None]
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
    panels = []
    for tier, found in depths.items():
        own = [
            [row[1], *(row[2 + every.index(depth)] for depth in found)]
            for row in table.rows
            if row[0] == tier
        ]
        panels.append(Panel.of_rows(Table("", "", (), own), f"tier {tier}", labels=found))
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
    has_open = any(map(lacks_reference_state, run.problems))
    columns = [Column("tier"), Column("system"), Column("questions", COUNT)]
    columns += [
        *(Column(rule, PERCENT) for rule in RULES),
        Column("strict − published", PERCENT, change=True),
    ]
    columns += [Column("published without free items", PERCENT), Column("open questions", COUNT)]
    columns += [Column(f"{rule} without them", PERCENT) for rule in RULES]
    size = len(columns) if has_open else len(columns) - 3
    rows = [row[:size] for tier in run.tiers for row in _rule_rows(run, tier)]
    caption = f"Both rules, with and without the faulty parts of the benchmark{run.data.simulation}."
    table = Table("faults", caption, columns[:size], rows)
    return Section(
        "Published and strict", tables=[table], notes=[NOTES["faults"], *[NOTES["open"]] * has_open]
    )


def _rule_rows(run: ThermoQARun, tier: str) -> Iterator[list[Entry]]:
    asked = run.asked(tier)
    open_ones = {problem.id for problem in asked if lacks_reference_state(problem)}
    closed = run.data.where(lambda problem: problem.id not in open_ones)
    earned = run.data.measure(
        lambda row: _without_free(*_at(run, row)) if row in run.steps else None, run.part
    )

    def entries(label: str, scores: Scored, free: float | None) -> list[Entry]:
        strict, published = (scores[rule, False] for rule in RULES)
        change = None if strict is None or published is None else strict - published
        kept = [scores[rule, True] if open_ones else None for rule in RULES]
        return [tier, label, len(asked), strict, published, change, free, len(open_ones), *kept]

    for cut in run.cuts:
        own = {False: cut.where(run.tiers[tier]), True: cut.where(run.tiers[tier] & closed)}
        scores = {(rule, kept): own[kept].value(run.scores[rule, None]) for rule in RULES for kept in own}
        yield entries(cut.label, scores, own[False].value(earned))
    zeros = [(problem, zero_steps(problem)) for problem in asked]
    without = [steps for problem, steps in zeros if problem.id not in open_ones]
    of_zeros = {False: [steps for _, steps in zeros], True: without}
    scores = {
        (rule, kept): _mean([question_score(steps, rule) for steps in of_zeros[kept]])
        for rule in RULES
        for kept in of_zeros
    }
    yield entries("0 everywhere", scores, _mean([_without_free(*each) for each in zeros]))


def _at(run: ThermoQARun, row: int) -> tuple[Problem, tuple[Step, ...]]:
    return run.data.asked[run.data.attempts.problem[row]], run.steps[row]


def _without_free(problem: Problem, steps: tuple[Step, ...]) -> float | None:
    free = free_items(problem)
    return question_score([step for step in steps if step.name not in free], "published")


def _mean(values: list[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return math.fsum(known) / len(known) if known else None
