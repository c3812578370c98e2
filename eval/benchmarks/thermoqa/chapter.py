"""The chapter on ThermoQA: the analyses of its paper, and the tool track that it left open."""

from __future__ import annotations

import math
from itertools import groupby

import numpy as np

from ansatz.eval.benchmarks.thermoqa.chapter_run import FIRST, KINDS, RULES, ThermoQARun
from ansatz.eval.score import PERCENT
from ansatz.eval.statistics import mean_and_sigma
from ansatz.eval.statistics.fieller import share
from ansatz.experiments.report.tables import (
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
from ansatz.experiments.report.tabulation import Measure, count_column, delta_column, mean_column, system_rows
from ansatz.experiments.results import Estimate, Floats, Results, Subset

NOTES = read_notes(__name__)

_SHOWN = 12
_FEWEST_QUESTIONS = 3  # in a group, below which a spread is chance


def chapter(data: Results) -> Chapter | None:
    """Every section that the run has something to say on; None without an answer to a ThermoQA question."""
    run = ThermoQARun(data)
    if all(np.isnan(scores).all() for scores in run.scores.values()):
        return None
    made = (_tools(run), _gain(run), _runs(run), _kinds(run), _separating(run), _faults(run))
    return Chapter.from_sections("thermoqa", "ThermoQA", made)


def _tools(run: ThermoQARun) -> Section | None:
    """The centrepiece: every arm on every tier, against the baseline; None without one."""
    if not run.data.treatments:
        return None
    places = {f"tier {tier}": mask for tier, mask in run.tiers.items()}
    places |= {"all tiers": run.part} if len(places) > 1 else {}
    tables = []
    for rule, scores in run.scores.items():
        each = [
            (mean_column(at, scores, mask), delta_column(f"Δ {at}", scores, mask))
            for at, mask in places.items()
        ]
        columns = [column for pair in each for column in pair]
        caption = f"Score under the {rule} rule by tier and arm"
        rows = system_rows(run.data, run.part)
        tables.append(rows.table(f"tools_{rule}", caption, *columns, in_summary=rule == FIRST))
    note = NOTES["tools"].format(baseline=run.data.baseline, level=run.data.level)
    return Section("Tools by tier", tables=tables, notes=(note,))


def _gain(run: ThermoQARun) -> Section | None:
    """What falls on property steps and what on reasoning steps; None without an arm to compare."""
    if not run.data.treatments:
        return None
    table = run.by_tier("arm").without_baseline.table(
        "gain",
        f"Gain over {run.data.baseline} in points of the {FIRST} score",
        delta_column("gain", run.scores[FIRST]),
        *(delta_column(f"on {kind} steps", run.parts[kind]) for kind in KINDS),
        Measure("share on property steps", lambda row: _property_share(run, row.subset)),
    )
    return Section("Where the gain falls", tables=[table], notes=(NOTES["kinds_of_steps"], NOTES["parts"]))


def _property_share(run: ThermoQARun, subset: Subset) -> Estimate:
    gains = {
        kind: subset.mean_by_problem(of) - subset.control.mean_by_problem(of)
        for kind, of in run.parts.items()
    }
    [both] = np.nonzero(~np.isnan(gains["property"]))
    own, other = (gains[kind][both] for kind in KINDS)
    reasoned = any(
        np.nansum(each.mean_by_problem(run.parts["reasoning"])) for each in (subset, subset.control)
    )
    reach = 1.0 if reasoned else 0.0  # a tier without reasoning steps has no other share
    families = run.data.family[both]
    found = share(own, own + other, families, run.data.level, lambda _: (-reach, reach))
    return Estimate(None) if found.low is None else Estimate(found.value, found.low, found.high)


def _runs(run: ThermoQARun) -> Section:
    """The leaderboard: mean ± σ over runs for every tier, the drop from tier 1 to 3, and the composite."""
    tables = []
    for rule in RULES:
        over = {subset.system: _over_repeats(run, subset, run.scores[rule]) for subset in run.subsets}
        columns = [
            Measure(name, lambda row, name=name, over=over: over[row.subset.system][name], change="→" in name)  # type: ignore[misc]
            for name in next(iter(over.values()))
        ]
        rows = system_rows(run.data, run.part, "system")
        tables.append(rows.table(f"runs_{rule}", f"Mean ± σ over runs under the {rule} rule", *columns))
    single = " One repeat was made, so there is no spread to show." if len(run.repeats) < 2 else ""
    return Section("Scores over runs", tables=tables, notes=(NOTES["runs"] + single,))


def _over_repeats(run: ThermoQARun, subset: Subset, scores: Floats) -> dict[str, Estimate]:
    """A run's scores are the means over the questions that were scored in it."""
    repeats = [run.data.attempts.repeat == repeat for repeat in run.repeats]
    means = np.array(
        [[subset.where(mask & each).attempt_mean(scores) for each in repeats] for mask in run.tiers.values()],
        dtype=np.float64,
    )
    found = {f"tier {tier}": own for tier, own in zip(run.tiers, means, strict=True)}
    if len(found) > 1:
        first, *_, last = run.tiers
        asked = np.array([len(run.asked(tier)) for tier in run.tiers])
        found |= {f"tier {first} → {last}": means[-1] - means[0], "composite": asked @ means / asked.sum()}
    known = {name: each[~np.isnan(each)].tolist() for name, each in found.items()}
    return {
        name: Estimate(mean, sigma=sigma)
        for name, each in known.items()
        for mean, sigma in [mean_and_sigma(each) if each else (None, None)]
    }


def _kinds(run: ThermoQARun) -> Section:
    """Systems × categories, components, cycles, depths and fluids."""
    tables, panels = [], []
    for (tier, by), groups in groupby(run.groups, key=lambda group: (group.tier, group.by)):
        columns = [mean_column(each.kind.replace("_", " "), run.scores[FIRST], each.part) for each in groups]
        caption = f"Tier {tier} by {by}, {FIRST} rule"
        tables.append(system_rows(run.data, run.part, "system").table(f"tier_{tier}_{by}", caption, *columns))
        panels.append(Panel.from_rows(tables[-1], f"tier {tier}: {by}"))
    caption = f"Mean score by kind of question, {FIRST} rule{run.data.simulation_note}"
    figure = Figure("heatmap", "kinds", caption, panels)
    return Section("Kinds of questions", tables=tables, figures=[figure], notes=(NOTES["depth"],))


def _separating(run: ThermoQARun) -> Section | None:
    """Kinds of questions by the spread between the best and the worst system; None for a single system."""
    several = len(run.data.models) > 1
    subsets = [subset for subset in run.subsets if subset.is_baseline] if several else run.subsets
    if len(subsets) < 2:
        return None
    rows: list[list[Entry]] = []
    for group in run.groups:
        own = [subset.where(group.part) for subset in subsets]
        if min(subset.count_scored(run.scores[FIRST]) for subset in own) >= _FEWEST_QUESTIONS:
            means = {subset.label: subset.mean_value(run.scores[FIRST]) or 0.0 for subset in own}
            best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
            about = (group.tier, group.by, group.kind, group.questions, means[best] - means[worst])
            rows.append([*about, means[best], best, means[worst], worst])
    rows = sorted((row for row in rows if row[4]), key=lambda row: (-row[4], *row[:3]))  # type: ignore[operator]
    columns = [
        *(Column("tier"), Column("by"), Column("group"), Column("questions", COUNT)),
        *(Column("spread", PERCENT), Column("best", PERCENT), Column("best system")),
        *(Column("worst", PERCENT), Column("worst system")),
    ]
    what = "models" if several else "arms"
    caption = f"Kinds of questions by the spread between {what}, {FIRST} rule{run.data.simulation_note}."
    table = Table("discriminators", caption, columns, rows, max_rows=_SHOWN)
    note = NOTES["spread"].format(fewest=_FEWEST_QUESTIONS)
    return Section(f"What separates the {what}", tables=[table], notes=(note,))


def _faults(run: ThermoQARun) -> Section:
    """Scores under both rules, without the faulty parts, and the points that answering 0 earns."""
    strict, published = (run.scores[rule] for rule in RULES)
    table = run.by_tier().table(
        "faults",
        "Both rules, and the published one without what it gives away",
        count_column("questions", lambda row: len(run.asked(row.context))),
        mean_column("strict", strict),
        mean_column("published", published),
        mean_column("strict − published", strict - published),
        mean_column("published without free items", run.unaided),
    )
    findings = []
    for tier in run.tiers:
        earned = {}
        for rule in RULES:
            scores = [run.zeros[problem.id].earned[rule] for problem in run.asked(tier)]
            known = [score for score in scores if score is not None]
            earned[rule] = PERCENT.show(math.fsum(known) / len(known)) if known else "nothing"
        findings.append(
            f"Tier {tier}: answering 0 to every number earns {earned['published']} by the published rule, "
            f"{earned['strict']} by the strict one"
        )
    return Section("Published and strict", findings=findings, tables=[table], notes=(NOTES["faults"],))
