"""The report chapter on ThermoQA: the analyses of its paper, and the effect of tools."""

from __future__ import annotations

import math
import re
from functools import cached_property
from itertools import groupby
from typing import Literal, NamedTuple

import numpy as np

from ansatz.eval.benchmarks.thermoqa.reading import is_balance
from ansatz.eval.benchmarks.thermoqa.score import (
    TargetVerdict,
    average_verdicts,
    judge_published,
    judge_strict,
)
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.eval.score import PERCENT, StatedValue
from ansatz.eval.statistics import mean_and_sigma
from ansatz.eval.statistics.ratio import estimate_share
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
from ansatz.experiments.report.tabulation import (
    Measure,
    Row,
    Rows,
    count_column,
    delta_column,
    mean_column,
    system_rows,
)
from ansatz.experiments.results import BenchmarkRun, Estimate, Floats, Mask, Results, Subset

NOTES = read_notes(__name__)

RULES = ("strict", "published")
FIRST = "strict"  # the rule of figures and analyses that have only one
KINDS: tuple[Literal["property", "reasoning"], ...] = ("property", "reasoning")

_MAX_ROWS = 12
_FEWEST_QUESTIONS = 3  # in a group; the spread of fewer is chance
_PLACE = r"(_?(f|g|sat|\d+s?|in|out|[hc]_(in|out)))?"
_PROPERTY = re.compile(rf"(h|s|u|v|rho|T|P|x|ef){_PLACE}|phase")
_GROUPS = {  # by tier: the tags, and their names in this tier
    "1": {"category": "category"},
    "2": {"category": "component", "subcategory": "depth", "fluid": "fluid"},
    "3": {"category": "cycle", "subcategory": "depth", "fluid": "fluid"},
}


def step_kind(name: str) -> Literal["property", "reasoning"]:
    """Classify a target as a state property or as a result of reasoning from states, by its symbol.

    Properties are h, s, u, v, ρ, T, P, x, flow exergy and phase at a state. Reasoning is the rest: works,
    heats, powers, flow rates, speeds, efficiencies, COP, entropy generation, exergy destruction and closure
    errors. An actual exit state such as h2 is a property, although its computation needs an efficiency.

    >>> step_kind("h2s"), step_kind("T_c_out"), step_kind("s_gen_pump"), step_kind("w_net")
    ('property', 'property', 'reasoning', 'reasoning')
    """
    return "property" if _PROPERTY.fullmatch(name) else "reasoning"


class Zeros:
    """The scores of an answer that states 0 for every number and no phase.

    Closure errors follow from other numbers, so the answer does not state them.
    """

    free: set[str]
    """The targets that pass under the published rule, such as any specific volume."""
    earned: dict[str, float | None]
    """The score by rule."""

    def __init__(self, problem: Problem) -> None:
        numbers = (target.name for target in problem.targets if isinstance(target, NumberTarget))
        names = [name for name in numbers if not is_balance(name)]
        published = judge_published(problem, dict.fromkeys(names, 0.0))
        strict = judge_strict(problem, dict.fromkeys(names, StatedValue(0.0)))
        self.free = {name for name, one in published.items() if one.passed}
        self.earned = {
            "published": average_verdicts(published.values()),
            "strict": average_verdicts(strict.values()),
        }


class QuestionGroup(NamedTuple):
    """The attempts at the questions of one kind."""

    tier: str
    by: str
    """What the group is a value of: category, component, cycle, depth or fluid."""
    kind: str
    part: Mask
    questions: int


class ThermoQARun(BenchmarkRun):
    """Attempts at ThermoQA problems. Tiers are numbers as text, as in the tags of problems."""

    tiers: dict[str, Mask]
    """The attempts of each tier."""
    zeros: dict[str, Zeros]
    """By problem id, the scores of an answer of zeros."""
    scores: dict[str, Floats]
    """The score of each attempt, by rule."""
    parts: dict[str, Floats]
    """The contribution of the steps of each kind to the strict score."""
    unaided: Floats
    """The published score without the targets that a zero passes."""

    def __init__(self, data: Results) -> None:
        super().__init__(data, "thermoqa")
        tiers = sorted({str(problem.tags["tier"]) for problem in self.problems})
        self.tiers = {tier: self.part & data.where_tag("tier", tier) for tier in tiers}
        self.repeats = np.unique(data.attempts.repeat[self.part]).tolist()
        self.zeros = {problem.id: Zeros(problem) for problem in self.problems}
        self.scores = {rule: np.full(len(self.part), np.nan) for rule in RULES}
        self.parts = {kind: np.full(len(self.part), np.nan) for kind in KINDS}
        self.unaided = np.full(len(self.part), np.nan)
        for row, details in data.details(self.part, *RULES):
            verdicts = {
                rule: {
                    name: TargetVerdict(each["weight"], each["status"])
                    for name, each in found["targets"].items()
                }
                for rule, found in zip(RULES, details, strict=True)
                if "targets" in found
            }
            for rule, by_target in verdicts.items():
                self.scores[rule][row] = average_verdicts(by_target.values())
            if verdicts:
                free = self.zeros[data.problem_list[data.attempts.problem[row]].id].free
                earned = (one for name, one in verdicts["published"].items() if name not in free)
                self.unaided[row] = average_verdicts(earned)
            for kind, part in self.parts.items():
                part[row] = average_verdicts(
                    one if step_kind(name) == kind or not one.status else one._replace(status="missing")
                    for name, one in verdicts.get(FIRST, {}).items()
                )

    @cached_property
    def groups(self) -> list[QuestionGroup]:
        """The groups of questions of each tier."""
        groups = []
        for tier, mask in self.tiers.items():
            for tag, by in _GROUPS[tier].items():
                kinds = [str(problem.tags[tag]) for problem in self.questions(tier) if tag in problem.tags]
                groups += [
                    QuestionGroup(tier, by, kind, mask & self.data.where_tag(tag, kind), kinds.count(kind))
                    for kind in sorted(set(kinds))
                ]
        return groups

    def by_tier(self, head: str = "system") -> Rows:
        """Return a row for every tier and system."""
        rows = [
            Row((tier, subset.label), subset.where(mask), tier)
            for tier, mask in self.tiers.items()
            for subset in self.subsets
        ]
        return Rows(self.data, ["tier", head], rows)

    def questions(self, tier: str) -> list[Problem]:
        """Return the problems of a tier."""
        return [problem for problem in self.problems if problem.tags["tier"] == tier]


def chapter(data: Results) -> Chapter | None:
    """Return the sections for which the run has data; None without an answer to a ThermoQA question."""
    run = ThermoQARun(data)
    if all(np.isnan(scores).all() for scores in run.scores.values()):
        return None
    sections = (_tools(run), _gain(run), _runs(run), _kinds(run), _separating(run), _faults(run))
    return Chapter.from_sections("thermoqa", "ThermoQA", sections)


def _tools(run: ThermoQARun) -> Section | None:
    """Compare every arm with the baseline on every tier; None without an arm to compare."""
    if not run.data.treatments:
        return None
    parts = {f"tier {tier}": mask for tier, mask in run.tiers.items()}
    parts |= {"all tiers": run.part} if len(parts) > 1 else {}
    tables = []
    for rule, scores in run.scores.items():
        pairs = [
            (mean_column(name, scores, mask), delta_column(f"Δ {name}", scores, mask))
            for name, mask in parts.items()
        ]
        columns = [column for pair in pairs for column in pair]
        caption = f"Score under the {rule} rule by tier and arm"
        rows = system_rows(run.data, run.part)
        tables.append(rows.table(f"tools_{rule}", caption, *columns, in_summary=rule == FIRST))
    note = NOTES["tools"].format(baseline=run.data.baseline, level=run.data.level)
    return Section("Tools by tier", tables=tables, notes=(note,))


def _gain(run: ThermoQARun) -> Section | None:
    """Split the gain into property steps and reasoning steps; None without an arm to compare."""
    if not run.data.treatments:
        return None
    table = run.by_tier("arm").without_baseline.table(
        "gain",
        f"Gain over {run.data.baseline} in points of the {FIRST} score",
        delta_column("gain", run.scores[FIRST]),
        *(delta_column(f"on {kind} steps", run.parts[kind]) for kind in KINDS),
        Measure("share on property steps", lambda row: _property_share(run, row.subset)),
    )
    return Section(
        "Gain on property and reasoning steps",
        tables=[table],
        notes=(NOTES["kinds_of_steps"], NOTES["parts"]),
    )


def _property_share(run: ThermoQARun, subset: Subset) -> Estimate:
    gains = {
        kind: subset.mean_by_problem(of) - subset.control.mean_by_problem(of)
        for kind, of in run.parts.items()
    }
    [both] = np.nonzero(~np.isnan(gains["property"]))
    on_properties, on_reasoning = (gains[kind][both] for kind in KINDS)
    has_reasoning = any(
        np.nansum(each.mean_by_problem(run.parts["reasoning"])) for each in (subset, subset.control)
    )
    reach = 1.0 if has_reasoning else 0.0  # without reasoning steps, the share is 1
    families = run.data.family[both]
    found = estimate_share(
        on_properties, on_properties + on_reasoning, families, run.data.level, lambda _: (-reach, reach)
    )
    return Estimate(None) if found.low is None else Estimate(found.value, found.low, found.high)


def _runs(run: ThermoQARun) -> Section:
    """Show the leaderboard: mean ± σ over runs by tier, the drop from tier 1 to 3, and the composite."""
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
    """Return mean and σ over repeats; the score of a repeat is the mean over its scored questions."""
    repeats = [run.data.attempts.repeat == repeat for repeat in run.repeats]
    means = np.array(
        [[subset.where(mask & each).attempt_mean(scores) for each in repeats] for mask in run.tiers.values()],
        dtype=np.float64,
    )
    found = {f"tier {tier}": of_tier for tier, of_tier in zip(run.tiers, means, strict=True)}
    if len(found) > 1:
        first, *_, last = run.tiers
        counts = np.array([len(run.questions(tier)) for tier in run.tiers])
        found |= {
            f"tier {first} → {last}": means[-1] - means[0],
            "composite": counts @ means / counts.sum(),
        }
    known = {name: each[~np.isnan(each)].tolist() for name, each in found.items()}
    return {
        name: Estimate(mean, sigma=sigma)
        for name, each in known.items()
        for mean, sigma in [mean_and_sigma(each) if each else (None, None)]
    }


def _kinds(run: ThermoQARun) -> Section:
    """Show systems × categories, components, cycles, depths and fluids."""
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
    """Sort groups of questions by the spread between best and worst system; None for a single system."""
    several = len(run.data.models) > 1
    subsets = [subset for subset in run.subsets if subset.is_baseline] if several else run.subsets
    if len(subsets) < 2:
        return None
    rows: list[list[Entry]] = []
    for group in run.groups:
        parts = [subset.where(group.part) for subset in subsets]
        if min(subset.count_scored(run.scores[FIRST]) for subset in parts) >= _FEWEST_QUESTIONS:
            means = {subset.label: subset.mean_value(run.scores[FIRST]) or 0.0 for subset in parts}
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
    table = Table("discriminators", caption, columns, rows, max_rows=_MAX_ROWS)
    note = NOTES["spread"].format(fewest=_FEWEST_QUESTIONS)
    return Section(f"What separates the {what}", tables=[table], notes=(note,))


def _faults(run: ThermoQARun) -> Section:
    """Show scores under both rules, without free items, and the points of an answer of zeros."""
    strict, published = (run.scores[rule] for rule in RULES)
    table = run.by_tier().table(
        "faults",
        "Both rules, and the published one without what it gives away",
        count_column("questions", lambda row: len(run.questions(row.context))),
        mean_column("strict", strict),
        mean_column("published", published),
        mean_column("strict − published", strict - published),
        mean_column("published without free items", run.unaided),
    )
    findings = []
    for tier in run.tiers:
        earned = {}
        for rule in RULES:
            scores = [run.zeros[problem.id].earned[rule] for problem in run.questions(tier)]
            known = [score for score in scores if score is not None]
            earned[rule] = PERCENT.show(math.fsum(known) / len(known)) if known else "nothing"
        findings.append(
            f"Tier {tier}: answering 0 to every number earns {earned['published']} by the published rule, "
            f"{earned['strict']} by the strict one"
        )
    return Section("Published and strict", findings=findings, tables=[table], notes=(NOTES["faults"],))
