"""Where the published and the strict rule differ, and why."""

from __future__ import annotations

from collections import Counter

from ansatz.eval.benchmarks.apbench.margin import margin
from ansatz.eval.benchmarks.apbench.scoring import readings
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.experiments.report.apbench.run import RULES, APBenchRun, is_message
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Section, Table
from ansatz.experiments.report.systems import System
from ansatz.quantities.scales import convert

_REASONS = ("wide margin", "unit not read", "narrow margin", "other")
_NOTE = (
    "Answers in numbers and choices. Wide margin: the number is off by more than the strict rule "
    "allows, and within the adaptive margin. Unit not read: the bare number passes in a unit of another "
    "size or dimension, or fails although it is right in its own unit. Narrow margin: the key lies near "
    "4.5e-5, where the adaptive margin vanishes."
)


def published_and_strict(run: APBenchRun) -> Section | None:
    """None where no answer has a verdict under both rules."""
    rows = [row for system in run.systems if (row := _row(run, system))]
    if not rows:
        return None
    columns = [
        *(Column("system"), Column("answers", COUNT), Column("both right", COUNT)),
        *(Column("published alone", COUNT), Column("strict alone", COUNT), Column("neither", COUNT)),
        *(Column("at odds", POINTS), *(Column(reason, COUNT) for reason in _REASONS)),
    ]
    caption = f"Answers by both rules, and why they are at odds{run.simulated}."
    return Section(
        title="Published and strict rule",
        findings=(_margins(run),),
        tables=[Table("rules", caption, columns, rows)],
        notes=(_NOTE,),
    )


def _row(run: APBenchRun, system: System) -> list[Entry]:
    verdicts = _verdicts(run, system)
    if not verdicts:
        return []
    counted = Counter(verdicts.values())
    odd = {key for key, (one, other) in verdicts.items() if one != other}
    reasons = Counter(
        _reason(problem, answer, verdicts[attempt.problem, attempt.repeat][0])
        for attempt, problem, answer in run.answered(system)
        if (attempt.problem, attempt.repeat) in odd
    )
    cases = [counted[case] for case in ((True, True), (True, False), (False, True), (False, False))]
    share = len(odd) / len(verdicts)
    return [run.label(system), len(verdicts), *cases, share, *(reasons[each] for each in _REASONS)]


def _verdicts(run: APBenchRun, system: System) -> dict[tuple[str, int], tuple[bool, bool]]:
    """By problem and repeat, what both rules say of answers that both can judge."""
    values: dict[str, dict[tuple[str, int], float]] = {rule: {} for rule in RULES}
    for rule in RULES:
        for cell in run.data.grouped.get((system.model, system.arm, rule), ()):
            problem = run.problems.get(cell.problem)
            if problem is not None and not is_message(problem) and cell.value is not None:
                values[rule][cell.problem, cell.repeat] = cell.value
    one, other = (values[rule] for rule in RULES)
    return {key: (one[key] == 1, other[key] == 1) for key in one if key in other}


def _reason(problem: Problem, answer: str, passed_published: bool) -> str:
    """The first target that tells why."""
    read = readings(problem, answer)
    for target in problem.targets:
        stated = read.get(target.name)
        if not isinstance(target, NumberTarget) or stated is None or not target.value:
            continue
        value = convert(stated.value, stated.unit, target.unit) if stated.unit else stated.value
        if value is None or abs(value - stated.value) > 1e-9 * abs(stated.value):
            return "unit not read"
        apart = abs(value - target.value) / abs(target.value)
        if passed_published and apart > 0.01:
            return "wide margin"
        if not passed_published and apart >= margin(target.value):
            return "narrow margin" if margin(target.value) < 0.01 else "other"
    return "other"


def _margins(run: APBenchRun) -> str:
    keys = [
        abs(target.value)
        for problem in run.problems.values()
        for target in problem.targets
        if isinstance(target, NumberTarget) and target.value
    ]
    widths = sorted(margin(key) for key in keys)
    if not widths:
        return "No number is asked for."
    middle = widths[len(widths) // 2]
    return (
        f"The adaptive margin of the {len(widths):,} numbers asked for lies between {widths[0]:.1%} and "
        f"{widths[-1]:.1%}, with a median of {middle:.1%}."
    )
