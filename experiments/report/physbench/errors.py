"""Which errors occur (figure 12), and how few solutions are left free of them stage by stage (figure 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ansatz.eval.benchmarks.physbench.error_types import CODES, ERROR_TYPES
from ansatz.experiments.report.chart import Heatmap, Panel, Progression
from ansatz.experiments.report.physbench.run import Marked, PhysBenchRun
from ansatz.experiments.report.section import POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System, estimate

_KIND = "problem_solving"


def progressive_degradation(run: PhysBenchRun) -> Section | None:
    """The share of solutions without any error up to each stage, in the order of the rubric."""
    if _KIND not in run.kinds_with("INT"):
        return None
    series = {run.label(system): [_free(run, system, code) for code in CODES] for system in run.systems}
    panels = [
        Panel(
            model if run.several_models else "",
            CODES,
            {system.arm: series[run.label(system)] for system in run.systems if system.model == model},
        )
        for model in run.data.models
    ]
    caption = f"Solutions still free of errors after each stage{run.said}"
    columns = [Column("arm"), *(Column(code, POINTS) for code in CODES)]
    rows: list[list[Entry]] = [[label, *(each.value for each in line)] for label, line in series.items()]
    return Section(
        title="Where solutions break",
        findings=_steepest(run),
        figures=[Progression("degradation", caption, panels, axis="% free of errors so far")],
        tables=[Table("degradation", f"{caption}, problem solving questions.", columns, rows)],
        notes=(
            "A point counts the solutions without an error of its own kind or of any before it, so that a "
            "curve can only fall. An error stands where a judge tagged it or where its criterion lacks "
            "full marks, so that what is left out counts as well; a kind that a problem gives no occasion "
            "for counts as free.",
        ),
    )


def error_prevalence(run: PhysBenchRun) -> Section | None:
    """How often each kind of error occurs by itself; kinds do not exclude each other."""
    if _KIND not in run.kinds_with("INT"):
        return None
    means = {
        run.label(system): [run.mean(run.scores(system, code, _KIND)) for code in CODES]
        for system in run.systems
    }
    columns = [Column("arm"), *(Column(code, POINTS) for code in CODES)]
    rows: list[list[Entry]] = [[label, *(each.value for each in line)] for label, line in means.items()]
    caption = f"Share of problem solving questions with each kind of error{run.said}"
    return Section(
        title="Kinds of errors",
        figures=[Heatmap("errors", f"{caption} (%)", [Panel("", CODES, means)])],
        tables=[Table("errors", f"{caption}.", columns, rows), *_differences(run)],
        notes=("; ".join(f"**{each.code}** {each.name}: {each.meaning}" for each in ERROR_TYPES) + ".",),
    )


def _free(run: PhysBenchRun, system: System, last: str) -> Estimate:
    return run.mean(run.measured(system, _KIND, _is_free(CODES[: CODES.index(last) + 1])))


def _is_free(codes: Sequence[str]) -> Callable[[Marked], float | None]:
    def measure(attempt: Marked) -> float | None:
        known = [value for code in codes if (value := attempt.values.get(code)) is not None]
        if attempt.values.get("score") is None:
            return None
        return float(not any(known))

    return measure


def _differences(run: PhysBenchRun) -> list[Table]:
    """By how much each arm has more or fewer of an error than the baseline; none with a single arm."""
    columns = [Column("arm"), *(Column(f"Δ {code}", POINTS, change=True) for code in CODES)]
    rows: list[list[Entry]] = []
    for system in run.systems:
        control = run.baseline(system.model)
        if system == control:
            continue
        pairs = [(run.scores(system, code, _KIND), run.scores(control, code, _KIND)) for code in CODES]
        rows.append([run.label(system), *(estimate(run.difference(*pair)) for pair in pairs)])
    caption = f"Change from {run.data.baseline}: fewer is better; p is not adjusted{run.said}."
    return [Table("errors_change", caption, columns, rows)] if rows else []


def _steepest(run: PhysBenchRun) -> list[str]:
    """For the baseline of each model, the stage at which most of its solutions break."""
    lines = []
    for system in run.baselines():
        left = [1.0, *((_free(run, system, code).value or 0.0) for code in CODES)]
        falls = {code: left[at] - left[at + 1] for at, code in enumerate(CODES)}
        worst = max(falls, key=lambda code: falls[code])
        name = next(each.name for each in ERROR_TYPES if each.code == worst)
        lines.append(
            f"{run.label(system)}: most solutions break at {name} ({POINTS.show(falls[worst])} of 100)"
        )
    return lines
