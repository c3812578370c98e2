"""avg@k, best@k and pass@k by level and system: the paper's tables 3 and its figures 1 and 2."""

from __future__ import annotations

from ansatz.eval.passing import Passing, passing
from ansatz.eval.statistics import PairedDelta
from ansatz.experiments.report.chart import Panel, Progression
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System
from ansatz.experiments.report.tpbench.run import ALL, TPBenchRun


def levels(run: TPBenchRun) -> Section | None:
    """None where nothing was verified."""
    k = run.repeats
    if not k:
        return None
    solved = any(outcome == "correct" for outcome in run.outcomes.values())
    return Section(
        title="Solved by level",
        findings=[_finding(run, system, k) for system in run.baselines()],
        figures=[_figure(run, k)] if solved else [],
        tables=[_overview(run, k), _table(run, k)],
        notes=(_note(run, k),),
    )


def _passing(run: TPBenchRun, system: System, level: str, k: int) -> Passing | None:
    attempts = run.attempts(system, level)
    return passing(attempts, run.families, k, seed=run.data.seed) if attempts else None


def _overview(run: TPBenchRun, k: int) -> Table:
    rows: list[list[Entry]] = []
    for system in run.systems:
        found = [_passing(run, system, level, k) for level in run.levels]
        rows.append([run.label(system), *(_estimate(each.average) if each else None for each in found)])
    columns = [Column("system"), *(Column(run.level_name(level), POINTS) for level in run.levels)]
    return Table("overview", f"avg@{k} by level{run.simulated}.", columns, rows, summary=True)


def _table(run: TPBenchRun, k: int) -> Table:
    columns = [
        *(Column("level"), Column("system"), Column("problems", COUNT), Column(f"avg@{k}", POINTS)),
        *(Column("deviation", POINTS), Column(f"best@{k}", POINTS)),
        *(Column(f"pass@{each}", POINTS) for each in _counts(k)),
        Column("dropped", COUNT),
    ]
    rows: list[list[Entry]] = []
    for level in run.levels:
        for system in run.systems:
            found = _passing(run, system, level, k)
            if found is None:
                continue
            fewer = [_passing(run, system, level, each) for each in _counts(k)]
            row: list[Entry] = [run.level_name(level), run.label(system), found.problems]
            row += [_estimate(found.average), found.deviation, _estimate(found.best)]
            row += [_estimate(each.passed) if each else None for each in fewer]
            rows.append([*row, found.dropped])
    caption = f"Auto-verified answers in {k} attempts at each problem{run.simulated}."
    return Table("levels", caption, columns, rows)


def _counts(k: int) -> list[int]:
    """1, 2, 4, ... and k itself."""
    return sorted({k, *(2**power for power in range(k.bit_length()) if 2**power <= k)})


def _figure(run: TPBenchRun, k: int) -> Progression:
    shown = [level for level in run.levels if level != ALL] or list(run.levels)
    panels = []
    for model in run.data.models:
        series = {
            system.arm: [
                _estimate(found.average) if (found := _passing(run, system, level, k)) else Estimate(None)
                for level in shown
            ]
            for system in run.systems
            if system.model == model
        }
        panels.append(Panel(model, shown, series))
    caption = f"Auto-verified share of correct answers by level, avg@{k} with 95 % intervals{run.simulated}"
    return Progression("levels", caption, panels, axis=f"avg@{k} (0–100)")


def _finding(run: TPBenchRun, system: System, k: int) -> str:
    found = _passing(run, system, ALL, k)
    if found is None or found.average.estimate is None or found.best.estimate is None:
        return f"{run.label(system)} has no problem with {k} scored attempts."
    solved = sum(any(value == 1 for value in tries) for tries in run.attempts(system, ALL).values())
    return (
        f"{run.label(system)} answers {100 * found.average.estimate:.1f} % correctly (avg@{k}) and solves "
        f"{solved} of {found.problems} problems at least once."
    )


def _estimate(delta: PairedDelta) -> Estimate:
    """Within [0, 1], where a normal interval might leave it."""
    low, high = (None if end is None else min(1.0, max(0.0, end)) for end in (delta.low, delta.high))
    return Estimate(delta.estimate, low, high, n=delta.pairs)


def _note(run: TPBenchRun, k: int) -> str:
    return (
        f"avg@{k} and best@{k} are means over the problems with at least {k} scored attempts, the others are "
        f"dropped; intervals are {run.data.level:.0%} over problem families. The deviation is the mean over "
        "problems of the sample standard deviation of a problem's attempts, the number in brackets in the "
        "paper's table 3. pass@n is the unbiased estimate 1 − C(N − c, n)/C(N, n) from all N attempts, c of "
        "them correct. A failure of the sandbox or the provider is no attempt."
    )
