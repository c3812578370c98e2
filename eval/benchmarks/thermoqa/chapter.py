"""The chapter on ThermoQA: the analyses of its paper, and the tool track that it left open."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter

import numpy as np

from ansatz.eval.benchmarks.thermoqa.chapter_gain import gain_by_kind
from ansatz.eval.benchmarks.thermoqa.chapter_run import FIRST, RULES, Rule, ThermoQARun, question_score
from ansatz.eval.benchmarks.thermoqa.faults import free_items, lacks_reference_state, score_of_zeros
from ansatz.eval.score import PERCENT
from ansatz.eval.statistics import mean_and_sigma
from ansatz.eval.views.attempts import Floats
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.results import Cut, Results
from ansatz.eval.views.section import (
    COUNT,
    Chapter,
    Column,
    Entry,
    Estimate,
    Figure,
    Panel,
    Section,
    Table,
)
from ansatz.eval.views.tabulation import Measure, counted, gain, systems, value

NOTES = Notes(__name__)

_SHOWN = 12
_FEWEST_QUESTIONS = 3  # in a group, below which a spread is chance


def chapter(data: Results) -> Chapter | None:
    """Every section that the run has something to say on; None without an answer to a ThermoQA question."""
    run = ThermoQARun(data)
    if not run.steps:
        return None
    made = (_tools(run), gain_by_kind(run), _runs(run), _kinds(run), _separating(run), _faults(run))
    return Chapter.of("thermoqa", "ThermoQA", made)


def _tools(run: ThermoQARun) -> Section | None:
    """The centrepiece: every arm on every tier, against the baseline; None without one."""
    data, places = run.data, run.places()
    if not data.treatments:
        return None
    tables = []
    for rule in RULES:
        scores = run.scores[rule]
        each = [(value(at, scores, mask), gain(f"Δ {at}", scores, mask)) for at, mask in places.items()]
        columns = [column for pair in each for column in pair]
        caption = f"Score under the {rule} rule by tier and arm"
        tables.append(
            systems(data, run.part).table(f"tools_{rule}", caption, *columns, summary=rule == FIRST)
        )
    note = NOTES["tools"].format(baseline=data.baseline, level=data.level)
    return Section("Tools by tier", tables=tables, notes=(note,))


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


def _over_repeats(run: ThermoQARun, cut: Cut, rule: Rule) -> Floats:
    """Tiers × repeats: the mean over the questions that were scored; NaN without any."""
    repeats = [run.data.attempts.repeat == repeat for repeat in run.repeats]
    means = [
        [cut.where(mask & repeat).plain_mean(run.scores[rule]) for repeat in repeats]
        for mask in run.tiers.values()
    ]
    return np.array(means, dtype=np.float64)


def _spread(scores: Floats) -> Estimate:
    known = scores[~np.isnan(scores)].tolist()
    mean, sigma = mean_and_sigma(known) if known else (None, None)
    return Estimate(mean, sigma=sigma)


def _kinds(run: ThermoQARun) -> Section:
    """Systems × categories, components, cycles, depths and fluids."""
    tables, panels = [], []
    for (tier, by), groups in groupby(run.groups, key=lambda group: (group.tier, group.by)):
        columns = [value(group.kind.replace("_", " "), run.score, group.part) for group in groups]
        caption = f"Tier {tier} by {by}, {FIRST} rule"
        tables.append(systems(run.data, run.part, "system").table(f"tier_{tier}_{by}", caption, *columns))
        panels.append(Panel.of_rows(tables[-1], f"tier {tier}: {by}"))
    caption = f"Mean score by kind of question, {FIRST} rule{run.data.simulation}"
    figure = Figure("heatmap", "kinds", caption, panels)
    return Section("Kinds of questions", tables=tables, figures=[figure], notes=(NOTES["depth"],))


def _separating(run: ThermoQARun) -> Section | None:
    """Kinds of questions by the spread between the best and the worst system; None for a single system."""
    several = len(run.data.models) > 1
    cuts = [cut for cut in run.cuts if cut.is_baseline] if several else run.cuts
    if len(cuts) < 2:
        return None
    what = "models" if several else "arms"
    rows = sorted(_spreads(run, cuts), key=lambda row: (-row[4], *row[:3]))  # type: ignore[operator]
    columns = [
        *(Column("tier"), Column("by"), Column("group"), Column("questions", COUNT)),
        *(Column("spread", PERCENT), Column("best", PERCENT), Column("best system")),
        *(Column("worst", PERCENT), Column("worst system")),
    ]
    caption = f"Kinds of questions by the spread between {what}, {FIRST} rule{run.data.simulation}."
    table = Table("discriminators", caption, columns, rows, shown=_SHOWN)
    note = NOTES["spread"].format(fewest=_FEWEST_QUESTIONS)
    return Section(f"What separates the {what}", tables=[table], notes=(note,))


def _spreads(run: ThermoQARun, cuts: list[Cut]) -> Iterator[list[Entry]]:
    """A row for each kind that every system has answered enough questions of."""
    for group in run.groups:
        own = [cut.where(group.part) for cut in cuts]
        if min(cut.scored(run.score) for cut in own) < _FEWEST_QUESTIONS:
            continue
        means = {cut.label: cut.value(run.score) or 0.0 for cut in own}
        best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
        if means[best] > means[worst]:
            spread = means[best] - means[worst]
            about = (group.tier, group.by, group.kind, group.questions)
            yield [*about, spread, means[best], best, means[worst], worst]


def _faults(run: ThermoQARun) -> Section:
    """Scores under both rules, without the faulty parts, and the points that answering 0 earns."""
    free = {problem.id: free_items(problem) for problem in run.problems}
    earned = run.measure(
        lambda problem, steps: question_score(
            [step for step in steps if step.name not in free[problem.id]], "published"
        )
    )
    strict, published = (run.scores[rule] for rule in RULES)
    tables = [
        run.by_tier().table(
            "faults",
            "Both rules, and the published one without what it gives away",
            counted("questions", lambda row: len(run.asked(row.about))),
            value("strict", strict),
            value("published", published),
            value("strict − published", strict - published),
            value("published without free items", earned),
        )
    ]
    notes = [NOTES["faults"]]
    open_ones = {tier: sum(map(lacks_reference_state, run.asked(tier))) for tier in run.tiers}
    if any(open_ones.values()):
        closed = run.part & ~run.data.where(lacks_reference_state)
        columns = [value(rule, run.scores[rule], closed) for rule in RULES]
        rows = run.by_tier().where(lambda row: open_ones[row.about])
        caption = "Both rules without the questions that leave a reference state open"
        left_out = counted("left out", lambda row: open_ones[row.about])
        tables.append(rows.table("open", caption, left_out, *columns))
        notes.append(NOTES["open"])
    zeros = [_zeros(run, tier) for tier in run.tiers]
    return Section("Published and strict", findings=zeros, tables=tables, notes=notes)


def _zeros(run: ThermoQARun, tier: str) -> str:
    """What answering 0 to every number earns, in a sentence."""
    scores = [score_of_zeros(problem) for problem in run.asked(tier)]
    earned = {}
    for rule in RULES:
        known = [score for each in scores if (score := each[rule]) is not None]
        earned[rule] = PERCENT.show(math.fsum(known) / len(known)) if known else "nothing"
    return (
        f"Tier {tier}: answering 0 to every number earns {earned['published']} by the published rule, "
        f"{earned['strict']} by the strict one"
    )
