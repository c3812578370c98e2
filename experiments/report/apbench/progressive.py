"""Progressive and independent asking, paired: the same questions, with and without earlier right answers."""

from __future__ import annotations

from ansatz.eval import Problem
from ansatz.eval.statistics import PairedDelta, holm, problem_means
from ansatz.experiments.report.apbench.run import RULES, APBenchRun, Wanted, is_message, position
from ansatz.experiments.report.chart import Intervals, Panel
from ansatz.experiments.report.scale import scale_of
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System, estimate

_NOTE = (
    "Both arms of a pair differ by the intervention `progressive` alone. First questions are asked "
    "alike in both and are left out. What was shown depends on what was right before, so that a "
    "difference is that of the way of asking a whole set. p is adjusted by Holm over the rows of the "
    "table; intervals resample whole sets. An earlier answer is shown where it is right by the "
    "dimension that the arm names; the table counts by the published rule, the arm's default."
)
_DIMENSIONS = (*RULES, "message")


def progressive_and_independent(run: APBenchRun) -> Section | None:
    """None where no two arms differ by progressive asking alone."""
    pairs = run.pairs()
    later = [place for place in run.positions if place > 1]
    if not pairs or not later:
        return None
    return Section(
        title="Progressive and independent asking",
        tables=[_table(run), _by_position(run, later), _shown(run)],
        figures=[_figure(run, later)],
        notes=(_NOTE,),
    )


def _table(run: APBenchRun) -> Table:
    columns = [
        *(Column("independent"), Column("progressive"), Column("dimension"), Column("pairs", COUNT)),
        *(Column("independent mean", POINTS), Column("progressive mean", POINTS)),
        Column("Δ progressive", POINTS, change=True),
    ]
    found = [
        (one, other, dimension, _difference(run, one, other, dimension, _later))
        for one, other in run.pairs()
        for dimension in _DIMENSIONS
    ]
    adjusted = holm({at: row[3].p for at, row in enumerate(found) if row[3].p is not None})
    rows: list[list[Entry]] = []
    for at, (one, other, dimension, delta) in enumerate(found):
        if not delta.pairs:
            continue
        means = (run.mean(run.scores(each, dimension, _later)).value for each in (one, other))
        change = estimate(delta, adjusted.get(at))
        rows.append([run.label(one), run.label(other), dimension, delta.pairs, *means, change])
    caption = (
        f"Questions after the first of a set, asked with and without earlier right answers{run.simulated}."
    )
    return Table("progressive", caption, columns, rows, summary=True)


def _by_position(run: APBenchRun, later: list[int]) -> Table:
    columns = [
        *(Column("progressive"), Column("rule")),
        *(Column(f"Δ at q{place}", POINTS, change=True) for place in later),
    ]
    rows: list[list[Entry]] = [
        [
            run.label(other),
            rule,
            *(estimate(_difference(run, one, other, rule, _at(place))) for place in later),
        ]
        for one, other in run.pairs()
        for rule in RULES
    ]
    caption = f"Difference by position, numbers and choices{run.simulated}; p is not adjusted."
    return Table("progressive_positions", caption, columns, rows)


def _shown(run: APBenchRun) -> Table:
    """What the difference can rest on: prompts that hold an earlier answer, and the tokens they take."""
    scale = scale_of("tokens")
    columns = [
        *(Column("progressive"), Column("questions asked", COUNT), Column("after a right answer", COUNT)),
        *(Column("independent tokens", scale), Column("progressive tokens", scale)),
        Column("Δ tokens", scale, change=True),
    ]
    rows: list[list[Entry]] = []
    for one, other in run.pairs():
        asked, after = _after_right(run, other)
        means = [_plain_mean(run, each) for each in (one, other)]
        delta = _difference(run, one, other, "tokens", _later)
        rows.append([run.label(other), asked, after, *means, estimate(delta)])
    caption = f"Questions after the first, and those of a set with an earlier right answer{run.simulated}."
    return Table("progressive_shown", caption, columns, rows)


def _after_right(run: APBenchRun, system: System) -> tuple[int, int]:
    """Later questions asked in all repeats, and those with an earlier answer right by the published rule."""
    cells = run.data.grouped.get((system.model, system.arm, "published"), ())
    right = {(cell.problem, cell.repeat) for cell in cells if cell.value == 1}
    later = [cell for cell in cells if cell.problem in run.problems and _later(run.problems[cell.problem])]
    after = [
        cell for cell in later if any((id, cell.repeat) in right for id in run.problems[cell.problem].follows)
    ]
    return len(later), len(after)


def _plain_mean(run: APBenchRun, system: System) -> float | None:
    """The mean over problems of the mean over repeats, of an amount that is no share."""
    means = problem_means(run.scores(system, "tokens", _later)).values()
    return sum(means) / len(means) if means else None


def _figure(run: APBenchRun, later: list[int]) -> Intervals:
    panels = []
    for rule in RULES:
        series = {}
        for one, other in run.pairs():
            deltas = [_difference(run, one, other, rule, _at(place)) for place in later]
            series[run.label(other)] = [Estimate(each.estimate, each.low, each.high) for each in deltas]
        panels.append(Panel(f"{rule} rule", [f"q{place}" for place in later], series))
    caption = f"Progressive less independent by position, numbers and choices{run.simulated}"
    return Intervals("progressive", caption, panels, "points", zero=True)


def _difference(run: APBenchRun, one: System, other: System, dimension: str, wanted: Wanted) -> PairedDelta:
    return run.difference(run.scores(other, dimension, wanted), run.scores(one, dimension, wanted))


def _later(problem: Problem) -> bool:
    return position(problem) > 1


def _at(place: int) -> Wanted:
    def wanted(problem: Problem) -> bool:
        return position(problem) == place and not is_message(problem)

    return wanted
