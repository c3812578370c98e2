"""Track B: the eight dimensions of the process, and how the reviews ended (tables 9 and 12)."""

from __future__ import annotations

from collections import Counter

from ansatz.experiments.report.chart import Heatmap, Panel
from ansatz.experiments.report.scale import scale_of
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System
from ansatz.experiments.report.tps.run import RUBRIC, Reviewer, Status, TPSRun

LEAST = 0.8
"""Share of predictions, and of reviewed predictions, from which a system is compared (section V.1)."""

_STATUSES: tuple[Status, ...] = ("ok", "ok_partial", "failed", "no answer")
_NOTE = (
    "G1 formula selection, G2 parameter identification, G3 unit consistency, G4 calculation accuracy, G5 "
    "physical plausibility, G6 assumption justification, G7 result interpretation, G8 presentation clarity: "
    "means of the readable answers on the scale 0–2, each over the answers that have a mark on the "
    "dimension. Coverage: readable answers that have a KPI."
)
_ENDED = (
    "ok: every dimension has a mark. ok_partial: some have, or the judge's overall mark alone. failed: no "
    "KPI could be had. no answer: the attempt failed or states nothing that can be read. What the verifier "
    "leaves unmarked are dimensions that an answer gives it nothing to tell by."
)


def track_b(run: TPSRun) -> Section | None:
    """Means of the dimensions for every model, arm and reviewer; None where nobody reviewed."""
    if not run.reviewers:
        return None
    places = [(system, reviewer) for reviewer in run.reviewers for system in run.systems]
    columns = [*heading(run), *(Column(name, scale_of(name)) for name in RUBRIC), Column("coverage", POINTS)]
    rows = [[*label(run, *place), *means(run, *place), coverage(run, *place)] for place in places]
    ended = [*heading(run), *(Column(name, COUNT) for name in _STATUSES), Column("reviewed", COUNT)]
    return Section(
        title="Track B: process",
        findings=_findings(run),
        tables=[
            Table("track_b", f"Process, mean marks 0–2{run.simulated}.", columns, rows),
            Table("reviews", "How the reviews ended, in attempts.", ended, [_ended(run, *p) for p in places]),
        ],
        figures=[_figure(run)],
        notes=(_NOTE, _ENDED),
    )


def heading(run: TPSRun) -> list[Column]:
    """The columns that say what a row is about; reviewers are named where there are several."""
    return [Column("arm"), *([Column("reviewer")] if len(run.reviewers) > 1 else [])]


def label(run: TPSRun, system: System, reviewer: Reviewer) -> list[Entry]:
    """The entries of a row under `heading`."""
    return [run.label(system), *([reviewer.title] if len(run.reviewers) > 1 else [])]


def means(run: TPSRun, system: System, reviewer: Reviewer) -> list[float | None]:
    """The mean mark on each dimension, in [0, 1]."""
    found = []
    for name in RUBRIC:
        values = [reading.reviewed(reviewer, name) for reading in run.readings[system]]
        known = [value for value in values if value is not None]
        found.append(sum(known) / len(known) if known else None)
    return found


def coverage(run: TPSRun, system: System, reviewer: Reviewer) -> float | None:
    """The share of readable answers that have a KPI; None without a readable answer."""
    statuses = Counter(reading.status(reviewer) for reading in run.readings[system])
    readable = statuses.total() - statuses["no answer"]
    return (statuses["ok"] + statuses["ok_partial"]) / readable if readable else None


def _ended(run: TPSRun, system: System, reviewer: Reviewer) -> list[Entry]:
    statuses = Counter(reading.status(reviewer) for reading in run.readings[system])
    counts = [statuses[name] for name in _STATUSES]
    return [*label(run, system, reviewer), *counts, statuses["ok"] + statuses["ok_partial"]]


def _findings(run: TPSRun) -> list[str]:
    lines = []
    for reviewer in run.reviewers:
        for system in run.baselines():
            marked = dict(zip(RUBRIC, means(run, system, reviewer), strict=True))
            known = {name: value for name, value in marked.items() if value is not None}
            if known:
                worst = min(known, key=lambda name: known[name])
                lines.append(
                    f"{run.label(system)}: weakest on {worst} ({2 * known[worst]:.2f} of 2, {reviewer.title})"
                )
        covered = {system: coverage(run, system, reviewer) for system in run.systems}
        few = [
            f"{run.label(system)} ({share:.0%})"
            for system, share in covered.items()
            if share is not None and share < LEAST
        ]
        if few:
            lines.append(
                f"fewer than {LEAST:.0%} of the readable answers reviewed by the {reviewer.title}, so that "
                f"these marks are not to be compared with others': {'; '.join(few)}"
            )
    return lines


def _figure(run: TPSRun) -> Heatmap:
    panels = [
        Panel(
            reviewer.title,
            RUBRIC,
            {
                run.label(system): [Estimate(value) for value in means(run, system, reviewer)]
                for system in run.systems
            },
        )
        for reviewer in run.reviewers
    ]
    return Heatmap("track_b", f"Process{run.simulated}: mean mark in % of full marks", panels)
