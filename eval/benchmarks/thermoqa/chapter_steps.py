"""Step by step: what separates systems, how answers fail, how errors run on, and whether answers agree."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

from ansatz.eval.benchmarks.thermoqa.chapter_run import FIRST, ThermoQARun
from ansatz.eval.benchmarks.thermoqa.identities import RELATIVE, ROUNDING, check
from ansatz.eval.benchmarks.thermoqa.steps import RULES, Rule, numbers_of
from ansatz.eval.problem import Problem
from ansatz.eval.score import PERCENT
from ansatz.eval.statistics.agreement import pearson
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.results import Cut
from ansatz.eval.views.section import COEFFICIENT, COUNT, Column, Entry, Estimate, Section, Table
from ansatz.eval.views.tabulation import Row, Rows, Tally

NOTES = Notes(__name__)

_SHOWN = 12
_FEWEST_QUESTIONS = 3  # in a group, below which a spread is chance
_FEWEST = 10  # answers behind a φ
_FEWEST_FAILURES = 4  # of each step: below that φ hangs on a single question
_FAILED = ("missing", "out_of_tolerance")
_TAGS = ("category", "fluid")

Group = tuple[str, str]
Fate = tuple[bool, bool]  # whether the value is right, and whether its identity holds
_HOLD: tuple[Fate, ...] = ((True, True), (False, True))
_WRONG: tuple[Fate, ...] = ((False, True), (False, False))


def discriminators(run: ThermoQARun) -> Section | None:
    """Groups by the spread between the best and the worst system; None for a single system."""
    several = len(run.data.models) > 1
    cuts = [cut for cut in run.cuts if cut.is_baseline] if several else run.cuts
    if len(cuts) < 2:
        return None
    what = "models" if several else "arms"
    tables = [
        _spreads("discriminators", f"Kinds of questions by the spread between {what}", run, cuts, _kinds),
        _spreads("discriminating_steps", f"Steps by the spread between {what}", run, cuts, _steps),
    ]
    note = NOTES["spread"].format(fewest=_FEWEST_QUESTIONS)
    return Section(f"What separates the {what}", tables=tables, notes=(note,))


Values = Callable[[ThermoQARun, int, Problem], Iterator[tuple[Group, float]]]


def _kinds(run: ThermoQARun, row: int, problem: Problem) -> Iterator[tuple[Group, float]]:
    score = float(run.score[row])
    for tag in _TAGS:
        if not math.isnan(score) and tag in problem.tags:
            yield (f"tier {problem.tags['tier']}", str(problem.tags[tag])), score


def _steps(run: ThermoQARun, row: int, problem: Problem) -> Iterator[tuple[Group, float]]:
    for step in run.steps.get(row, ()):
        if step.strict is not None:
            yield (f"tier {problem.tags['tier']}", step.name), float(step.strict == "pass")


def _spreads(name: str, caption: str, run: ThermoQARun, cuts: list[Cut], values: Values) -> Table:
    """Groups that every system has answered enough questions of, by how far the systems lie apart."""
    scores: defaultdict[Group, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    asked: defaultdict[tuple[Group, str], set[str]] = defaultdict(set)
    for cut in cuts:
        for row in cut.rows.tolist():
            problem = run.problem_of(row)
            for group, score in values(run, row, problem):
                scores[group][cut.label].append(score)
                asked[group, cut.label].add(problem.id)
    found: list[list[Entry]] = []
    for group, own in scores.items():
        means = {label: math.fsum(each) / len(each) for label, each in own.items()}
        best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
        high, low = means[best], means[worst]
        fewest = min(len(asked[group, label]) for label in means)
        if len(means) == len(cuts) and fewest >= _FEWEST_QUESTIONS and high > low:
            found.append([*group, len(asked[group, best]), high - low, high, best, low, worst])
    found.sort(key=lambda row: (-row[3], row[0], row[1]))  # type: ignore[operator]
    columns = [
        *(Column("tier"), Column("group"), Column("questions", COUNT), Column("spread", PERCENT)),
        *(Column("best", PERCENT), Column("best system"), Column("worst", PERCENT), Column("worst system")),
    ]
    return Table(name, f"{caption}, {FIRST} rule{run.data.simulation}.", columns, found, shown=_SHOWN)


def missing_or_wrong(run: ThermoQARun) -> Section:
    """Steps by their fate: under the strict rule in full, under the published one what differs."""
    strict, published = (Tally(lambda row, rule=rule: _fates(run, row.cut, rule)) for rule in RULES)  # type: ignore[misc]
    table = run.by_tier().table(
        "errors",
        f"Steps by their fate under the {FIRST} rule, in percent of those asked",
        strict.count("steps"),
        strict.share("passed", "pass"),
        strict.share("missing", "missing"),
        strict.share("out of tolerance", "out_of_tolerance"),
        strict.share("missing among failed", "missing", among=_FAILED),
        published.share("published: passed", "pass"),
        published.share("published: missing among failed", "missing", among=_FAILED),
    )
    return Section("Missing or wrong", tables=[table], notes=(NOTES["missing"],))


def _fates(run: ThermoQARun, cut: Cut, rule: Rule) -> Counter[str]:
    found = (step.status(rule) for _, steps in run.answered(cut) for step in steps)
    return Counter(status for status in found if status)


def error_propagation(run: ThermoQARun) -> Section | None:
    """φ between steps that follow each other; None where no question has two."""
    rows = [
        [*row.labels, *entries]
        for row in run.by_tier().rows
        if row.cut.is_baseline
        for entries in _cascades(run, row.cut)
    ]
    if not rows:
        return None
    rows.sort(key=_strongest_first)
    columns = [
        *(Column("tier"), Column("system"), Column("step"), Column("next step"), Column("answers", COUNT)),
        *(Column("φ", COEFFICIENT), Column("passed", PERCENT), Column("next passed", PERCENT)),
    ]
    said = run.data.simulation
    caption = f"Neighbouring steps by how closely their errors go together, {FIRST} rule{said}."
    note = NOTES["propagation"].format(baseline=run.data.baseline, answers=_FEWEST, failures=_FEWEST_FAILURES)
    table = Table("propagation", caption, columns, rows, shown=_SHOWN)
    return Section("Errors that propagate", tables=[table], notes=(note,))


def _cascades(run: ThermoQARun, cut: Cut) -> Iterator[list[Entry]]:
    pairs: defaultdict[Group, list[tuple[bool, bool, str]]] = defaultdict(list)
    for problem, steps in run.answered(cut):
        judged = [(step.name, step.status(FIRST) == "pass") for step in steps if step.status(FIRST)]
        for (one, first), (other, second) in pairwise(judged):
            pairs[one, other].append((first, second, problem.family))
    for names, answers in pairs.items():
        before, after, families = (list(each) for each in zip(*answers, strict=True))
        found = pearson(before, after, families, run.data.level)
        failures = min(len(answers) - sum(passed) for passed in (before, after))
        if found.value is not None and len(answers) >= _FEWEST and failures >= _FEWEST_FAILURES:
            shares = (sum(passed) / len(answers) for passed in (before, after))
            yield [*names, len(answers), Estimate(found.value, found.low, found.high), *shares]


def _strongest_first(row: list[Entry]) -> tuple[float, float, str, str]:
    """By φ, then by the number of answers behind it."""
    strength, answers = row[5], row[4]
    assert isinstance(strength, Estimate) and isinstance(answers, int)
    return -round(strength.value or 0.0, 9), -answers, str(row[0]), f"{row[2]} {row[3]}"


def self_consistency(run: ThermoQARun) -> Section | None:
    """Identities checked with each answer's own numbers; None where none applies."""
    by_identity: defaultdict[Group, Counter[Fate]] = defaultdict(Counter)
    systems = []
    for row in run.by_tier().rows:
        found = list(_checks(run, row.cut))
        for identity, fate in found:
            by_identity[row.about, identity][fate] += 1
        systems.append(replace(row, about=Counter(fate for _, fate in found)))
    if not by_identity:
        return None
    broken = {place: each[True, False] + each[False, False] for place, each in by_identity.items()}
    places = sorted(by_identity, key=lambda place: (-broken[place], place))
    identities = [Row(place, run.cuts[0], by_identity[place]) for place in places]
    of_fates = Tally(lambda row: row.about)
    measures = (
        of_fates.count("checks"),
        of_fates.share("hold", *_HOLD),
        of_fates.count("wrong values", *_WRONG),
        of_fates.share("inherited", (False, True), among=_WRONG),
        of_fates.share("made in place", (False, False), among=_WRONG),
    )
    tables = [
        Rows(run.data, ["tier", "system"], [row for row in systems if row.about]).table(
            "consistency", "Answers checked with their own numbers", *measures
        ),
        Rows(run.data, ["tier", "identity"], identities).table(
            "identities", "By identity, all systems, most broken first", *measures, shown=_SHOWN
        ),
    ]
    note = NOTES["consistency"].format(relative=RELATIVE, rounding=ROUNDING)
    return Section("Consistency of an answer with itself", tables=tables, notes=(note,))


def _checks(run: ThermoQARun, cut: Cut) -> Iterator[tuple[str, Fate]]:
    """Every identity that an answer's values allow, with the fate of the value it is about."""
    for problem, steps in run.answered(cut):
        fates = {step.name: step.status(FIRST) for step in steps}
        for one in check(problem, numbers_of(steps)):
            if fates[one.symbol] is not None:
                yield one.identity, (fates[one.symbol] == "pass", one.holds)
