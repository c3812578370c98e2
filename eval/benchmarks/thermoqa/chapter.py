"""The chapter on ThermoQA: the analyses of its paper, and the tool track that it left open."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
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
from ansatz.eval.statistics.association import pearson
from ansatz.eval.views.results import Cut, Results, estimate
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
from ansatz.eval.views.tabulation import Measure, TableText, each_system, given, tabulate

_KINDS = {"1": "category", "2": "component", "3": "cycle"}
_RUNS = (
    "A run is one repeat of the whole set; its score is the mean over its questions. ± is the sample "
    "standard deviation over runs, which shows how steady a system is on these questions and nothing of "
    "how it would do on others. The composite weighs the tiers by their numbers of questions, Σ nₜ Sₜ / Σ "
    "nₜ."
)
_DEPTH = (
    "Depth A asks for the energy balance, B also for entropy generation, C also for exergy "
    "destruction. The depths ask different questions with different numbers of steps, so a rise with "
    "depth may come from easy steps of high weight."
)
_TOKENS = (
    "Output tokens count reasoning tokens where the provider reports them; all tokens add what was sent. "
    "Tokens per point divides output tokens per question by the tier's score in points. r is Pearson's "
    "over questions, repeats averaged, with an interval from leaving out one family at a time. A "
    "correlation over questions also follows from hard questions taking longer answers: it is no effect "
    "of length."
)
_FAULTS = (
    "The published rule passes a value within 2 % or within an absolute tolerance, 0.5 for most, so that "
    "small numbers pass whatever is answered; the strict rule is relative, reads units, and keeps a floor "
    "only of the last digit that tables print. The row “0 everywhere” answers 0 to every number; free items "
    "are those that it passes."
)
_OPEN = (
    "Open questions ask for h or s of a refrigerant without naming the reference state that their key uses."
)


def chapter(data: Results) -> Chapter | None:
    """Every section that the run has something to say on; None without an answer to a ThermoQA question."""
    run = ThermoQARun(data)
    if not run.steps:
        return None
    makers: tuple[Callable[[ThermoQARun], Section | None], ...] = (
        *(_tools, gain_by_kind, _runs, _models, discriminators, _kinds, _depth, _tokens),
        *(missing_or_wrong, error_propagation, self_consistency, _published_and_strict),
    )
    made = [make(run) for make in makers]
    return Chapter("thermoqa", "ThermoQA", [section for section in made if section is not None])


def _tools(run: ThermoQARun) -> Section | None:
    """The centrepiece: every arm on every tier, against the baseline; None without one."""
    if not run.data.treatments:
        return None
    tables = {rule: _tier_table(run, rule) for rule in RULES}
    baseline, level = run.data.baseline, run.data.level
    note = (
        f"Means and differences from {baseline} in points of the question score, with "
        f"{level:.0%} intervals over question families; p after Holm over all arms and tiers "
        "of a model and rule. The last columns take all questions together, which weighs the tiers by "
        "their numbers of questions as the composite does."
    )
    return Section(
        "Tools by tier",
        findings=[line for model in run.data.models for line in _best_arms(run, model, tables[FIRST])],
        figures=[_tier_figure(run, model) for model in run.data.models],
        tables=list(tables.values()),
        notes=(note,),
    )


def _tier_table(run: ThermoQARun, rule: Rule) -> Table:
    scores = run.scores[rule, None]
    columns = []
    for name, mask in run.places().items():
        mean = Measure(name, given(lambda row, mask: row.cut.where(mask).value(scores), mask))
        change = Measure(
            f"Δ {name}", given(lambda row, mask: row.cut.where(mask).gain(scores), mask), change=True
        )
        columns += [mean, change]
    caption = f"Score under the {rule} rule by tier and arm{run.data.simulation}."
    text = TableText(f"tools_{rule}", caption, summary=rule == FIRST)
    return tabulate(text, ["arm"], each_system(run.data, run.part), columns)


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
    named = f"{model}: " if len(run.data.models) > 1 else ""
    lines = []
    for tier in run.tiers:
        changes = zip(run.cuts, table.column(f"tier {tier}"), table.column(f"Δ tier {tier}"), strict=True)
        own = [each for each in changes if each[0].system.model == model]
        gains = [each for each in own if isinstance(each[2], Estimate)]
        if gains:
            best, after, change = max(gains, key=lambda each: each[2].value or 0.0)  # type: ignore[union-attr]
            before = next(mean for cut, mean, _ in own if cut.is_baseline)
            clear = "" if isinstance(change, Estimate) and change.is_significant else ", not clear of luck"
            told = f"{PERCENT.show(before)} in {run.data.baseline}, {PERCENT.show(after)}"  # type: ignore[arg-type]
            lines.append(f"{named}tier {tier}: {told} in **{best.system.arm}**{clear}")
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
    return Section("Scores over runs", tables=tables, notes=(_RUNS + single,))


def _run_table(run: ThermoQARun, rule: Rule) -> Table:
    names = list(run.tiers)
    spans = len(names) > 1
    columns = [Column("system"), *(Column(f"tier {tier}", PERCENT) for tier in names)]
    if spans:
        columns += [
            Column(f"tier {names[0]} → {names[-1]}", PERCENT, change=True),
            Column("composite", PERCENT),
        ]
    asked = [len(run.asked(tier)) for tier in names]
    rows: list[list[Entry]] = []
    for cut in run.cuts:
        tiers = [_over_repeats(run, cut, tier, rule) for tier in names]
        row: list[Entry] = [cut.label, *(_spread(list(scores.values())) for scores in tiers)]
        if spans:
            both = sorted(tiers[0].keys() & tiers[-1].keys())
            whole = [repeat for repeat in run.repeats if all(repeat in scores for scores in tiers)]
            row.append(_spread([tiers[-1][repeat] - tiers[0][repeat] for repeat in both]))
            row.append(_spread([weighted_mean([s[repeat] for s in tiers], asked) for repeat in whole]))
        rows.append(row)
    caption = f"Mean ± σ over runs under the {rule} rule{run.data.simulation}."
    return Table(f"runs_{rule}", caption, columns, rows)


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
    note = (
        f"Welch's test takes the {len(run.repeats)} runs of each model as its sample. With three or so "
        "of them it cannot check that they scatter normally, its power is low "
        "(a difference under some four σ goes "
        "unseen), and a significant difference holds for these very questions only. The bootstrap pairs "
        "the models question by question and resamples question families, so that its interval says what "
        "other questions of the kind would leave of the difference. No p is adjusted here."
    )
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
        text = TableText(f"tier_{tier}_{name}", f"Tier {tier} by {name}, {FIRST} rule{run.data.simulation}.")
        columns = [_at_kind(run, tier, kind) for kind in kinds]
        tables.append(tabulate(text, ["system"], each_system(run.data, run.part), columns))
        panels.append(Panel.of_rows(tables[-1], f"tier {tier}: {name}"))
    caption = f"Mean score by kind of question, {FIRST} rule{run.data.simulation}"
    return Section(
        "Components and cycles", tables=tables, figures=[Figure("heatmap", "kinds", caption, panels)]
    )


def _at_kind(run: ThermoQARun, tier: str, kind: str) -> Measure:
    """The mean score on the questions of a tier that are of a kind."""
    mask = run.tiers[tier] & run.data.tagged("category", kind)
    return Measure(kind.replace("_", " "), lambda row: row.cut.where(mask).value(run.score))


def _depth(run: ThermoQARun) -> Section | None:
    """Energy (A), entropy (B) and exergy (C) in tiers 2 and 3; None where no tier has depths."""
    depths = {tier: run.values_of(tier, "subcategory") for tier in run.tiers if tier != "1"}
    depths = {tier: found for tier, found in depths.items() if len(found) > 1}
    if not depths:
        return None
    every = sorted({depth for found in depths.values() for depth in found})
    marks = {depth: run.data.tagged("subcategory", depth) for depth in every}
    rows = [row for row in run.tier_rows() if row.about in depths]
    columns = [
        Measure(
            f"depth {depth}",
            given(
                lambda row, depth: (
                    row.cut.where(marks[depth]).mean(run.score) if depth in depths[row.about] else None
                ),
                depth,
            ),
        )
        for depth in every
    ]
    caption = f"Score by depth of analysis, {FIRST} rule{run.data.simulation}"
    table = tabulate(TableText("depth", f"{caption}."), ["tier", "system"], rows, columns)
    panels = []
    for tier, found in depths.items():
        own = [
            [row[1], *(row[2 + every.index(depth)] for depth in found)]
            for row in table.rows
            if row[0] == tier
        ]
        panels.append(Panel.of_rows(Table("", "", (), own), f"tier {tier}", labels=found))
    figure = Figure("progression", "depth", caption, panels, "score (0–100)")
    return Section("Depth", tables=[table], figures=[figure], notes=(_DEPTH,))


def _tokens(run: ThermoQARun) -> Section | None:
    """What points cost in tokens, and whether longer answers are better; None where none were counted."""
    tokens = run.data.values("tokens")
    if not np.nansum(tokens[run.part]):
        return None
    columns = [
        *(Column("tier"), Column("system"), Column("output tokens per question", COUNT)),
        Column("all tokens per question", COUNT),
        Column("output tokens per point", Scale("tokens per point", 1, 1)),
        Column("r (output tokens, score)", COEFFICIENT, change=True),
    ]
    rows = [[*row.labels, *_token_entries(run, row.cut)] for row in run.tier_rows()]
    caption = f"Tokens by tier and system, {FIRST} rule{run.data.simulation}."
    return Section("Tokens", tables=[Table("tokens", caption, columns, rows)], notes=(_TOKENS,))


def _token_entries(run: ThermoQARun, cut: Cut) -> list[Entry]:
    scores = cut.by_problem(run.score)
    written = np.where(np.isnan(run.score), np.nan, run.data.values("output_tokens"))
    [known] = np.nonzero(~np.isnan(scores))
    if not len(known):
        return [None, None, None, None]
    x, y = cut.by_problem(written)[known].tolist(), scores[known].tolist()
    found = pearson(x, y, [run.data.asked[place].family for place in known.tolist()], run.data.level)
    per_question, points = math.fsum(x) / len(x), 100 * math.fsum(y) / len(y)
    everything = cut.plain_mean(run.data.values("tokens"))
    per_point = per_question / points if points else None
    return [per_question, everything, per_point, Estimate(found.value, found.low, found.high)]


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
    return Section("Published and strict", tables=[table], notes=[_FAULTS, *[_OPEN] * has_open])


def _rule_rows(run: ThermoQARun, tier: str) -> Iterator[list[Entry]]:
    asked = run.asked(tier)
    open_ones = {problem.id for problem in asked if lacks_reference_state(problem)}
    closed = run.data.where(lambda problem: problem.id not in open_ones)
    earned = run.data.measure(
        lambda row: _without_free(*_at(run, row)) if row in run.steps else None, run.part
    )
    for cut in run.cuts:
        own = cut.where(run.tiers[tier])
        strict, published = (own.value(run.scores[rule, None]) for rule in RULES)
        change = None if strict is None or published is None else strict - published
        kept = [own.where(closed).value(run.scores[rule, None]) if open_ones else None for rule in RULES]
        yield [
            tier,
            cut.label,
            len(asked),
            strict,
            published,
            change,
            own.value(earned),
            len(open_ones),
            *kept,
        ]
    zeros = [(problem, zero_steps(problem)) for problem in asked]
    kept_zeros = [steps for problem, steps in zeros if problem.id not in open_ones]
    strict, published = (_mean([question_score(steps, rule) for _, steps in zeros]) for rule in RULES)
    change = None if strict is None or published is None else strict - published
    free = _mean([_without_free(problem, steps) for problem, steps in zeros])
    without = [_mean([question_score(s, rule) for s in kept_zeros]) if open_ones else None for rule in RULES]
    yield [tier, "0 everywhere", len(asked), strict, published, change, free, len(open_ones), *without]


def _at(run: ThermoQARun, row: int) -> tuple[Problem, tuple[Step, ...]]:
    return run.data.asked[run.data.attempts.problem[row]], run.steps[row]


def _without_free(problem: Problem, steps: tuple[Step, ...]) -> float | None:
    free = free_items(problem)
    return question_score([step for step in steps if step.name not in free], "published")


def _mean(values: list[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return math.fsum(known) / len(known) if known else None
