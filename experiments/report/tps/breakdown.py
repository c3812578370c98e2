"""By level and by domain: the KPI of every arm, and where its gain falls (tables 15 and 18, section VI.3)."""

from __future__ import annotations

from functools import partial

from ansatz.eval.statistics import PairedDelta, Scores, holm
from ansatz.experiments.report.chart import Heatmap, Panel
from ansatz.experiments.report.scale import scale_of
from ansatz.experiments.report.section import POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System, estimate
from ansatz.experiments.report.tps.process import heading, label
from ansatz.experiments.report.tps.run import Reading, Reviewer, TPSRun

TAGS = ("level", "domain")
_NOTE = (
    "Means of the readable answers that were reviewed. Differences are paired by item, with intervals over "
    "families; p is adjusted after Holm over all arms and parts of one table and model. Parts with few "
    "families have wide intervals, and arms' ranks within them mean little."
)


def breakdown(run: TPSRun) -> Section | None:
    """KPI by level and domain, and the gains in KPI and G1; None where nobody reviewed."""
    if not run.reviewers:
        return None
    tables = [_means(run, tag) for tag in TAGS]
    if run.data.treatments:
        tables += [_gains(run, tag, name) for tag in TAGS for name in ("kpi", "G1")]
    return Section(
        title="Levels and domains",
        findings=_findings(run),
        tables=tables,
        figures=[_figure(run)],
        notes=(_NOTE,),
    )


def _mark(reviewer: Reviewer, name: str, reading: Reading) -> float | None:
    return reading.reviewed(reviewer, name)


def _scores(run: TPSRun, system: System, reviewer: Reviewer, name: str) -> Scores:
    return run.scores(system, partial(_mark, reviewer, name))


def _headed(run: TPSRun, tag: str, value: str) -> str:
    """A part's name with the number of its items."""
    return f"{value} ({sum(problem.tags[tag] == value for problem in run.problems.values())})"


def _ordered(run: TPSRun, tag: str) -> list[str]:
    return sorted(run.tags(tag)) if tag == "level" else list(run.tags(tag))


def _means(run: TPSRun, tag: str) -> Table:
    values = _ordered(run, tag)
    columns = [*heading(run), *(Column(_headed(run, tag, value), POINTS) for value in values)]
    rows: list[list[Entry]] = []
    for reviewer in run.reviewers:
        for system in run.systems:
            scores = _scores(run, system, reviewer, "kpi")
            means = [run.mean(run.tagged(scores, tag, value)) for value in values]
            known = [Estimate(each.value, each.low, each.high) for each in means]
            rows.append([*label(run, system, reviewer), *known])
    return Table(f"kpi_by_{tag}", f"KPI by {tag}, items in brackets{run.simulated}.", columns, rows)


def _gains(run: TPSRun, tag: str, name: str) -> Table:
    values = _ordered(run, tag)
    scale = scale_of(name)
    columns = [*heading(run), *(Column(value, scale, change=True) for value in ("all", *values))]
    rows: list[list[Entry]] = []
    for reviewer in run.reviewers:
        for model in run.data.models:
            rows += _gain_rows(run, model, reviewer, (tag, name))
    shown = "KPI" if name == "kpi" else name
    caption = f"Gain in {shown} over {run.data.baseline} by {tag}{run.simulated}."
    return Table(f"gain_{name}_by_{tag}", caption, columns, rows)


def _gain_rows(run: TPSRun, model: str, reviewer: Reviewer, what: tuple[str, str]) -> list[list[Entry]]:
    """The gains of a model's arms; `what` is the tag and the dimension."""
    tag, name = what
    control = _scores(run, run.baseline(model), reviewer, name)
    found: dict[tuple[System, str | None], PairedDelta] = {}
    for system in run.treatments(model):
        treated = _scores(run, system, reviewer, name)
        found[system, None] = run.difference(treated, control)
        for value in _ordered(run, tag):
            found[system, value] = run.difference(
                run.tagged(treated, tag, value), run.tagged(control, tag, value)
            )
    adjusted = holm({place: delta.p for place, delta in found.items() if delta.p is not None})
    return [
        [
            *label(run, system, reviewer),
            *(
                estimate(found[system, value], adjusted.get((system, value)))
                for value in (None, *_ordered(run, tag))
            ),
        ]
        for system in run.treatments(model)
    ]


def _findings(run: TPSRun) -> list[str]:
    """The best and the worst part of every baseline."""
    lines = []
    for system in run.baselines():
        for tag in TAGS:
            scores = _scores(run, system, run.reviewers[0], "kpi")
            means = {value: run.mean(run.tagged(scores, tag, value)).value for value in _ordered(run, tag)}
            known = {value: mean for value, mean in means.items() if mean is not None}
            if len(known) > 1:
                best, worst = max(known, key=known.__getitem__), min(known, key=known.__getitem__)
                lines.append(
                    f"{run.label(system)}: of the {tag}s, highest KPI on {best} ({100 * known[best]:.1f}), "
                    f"lowest on {worst} ({100 * known[worst]:.1f})"
                )
    return lines


def _figure(run: TPSRun) -> Heatmap:
    reviewer = run.reviewers[0]
    panels = []
    for tag in TAGS:
        values = _ordered(run, tag)
        series = {}
        for system in run.systems:
            scores = _scores(run, system, reviewer, "kpi")
            series[run.label(system)] = [run.mean(run.tagged(scores, tag, value)) for value in values]
        panels.append(Panel(tag, values, series))
    return Heatmap("breakdown", f"KPI by level and domain{run.simulated}, by the {reviewer.title}", panels)
