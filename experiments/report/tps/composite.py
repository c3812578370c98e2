"""Track C: the KPI with what it rests on, its tiers, and who is not ranked and why (table 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from ansatz.eval.statistics import holm
from ansatz.experiments.report.chart import Intervals, Panel
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System, estimate
from ansatz.experiments.report.tps.outcome import failed, predicted
from ansatz.experiments.report.tps.process import LEAST, coverage, heading, label
from ansatz.experiments.report.tps.run import Reading, Reviewer, TPSRun

_FRONTIER, _STRONG, _LOW = 0.80, 0.62, 0.50
_NOTE = (
    "KPI: the weighted sum of the eight dimensions, in which checks, assumptions, meaning and order (G5 to "
    "G8) count for a sound calculation alone, over readable answers that have one; a system that answers "
    "only what it can gains by that. KPI of all items counts an answer that cannot be read as zero. KPI "
    "published is the plain weighted mean, in which form makes up for a wrong formula. Tiers are its, as "
    "published: frontier above 80, strong from 62, low below 50; between 50 and 62 the source names none. "
    "A system with fewer than 80 % readable answers, or with fewer than 80 % "
    "of those reviewed, is not ranked. Intervals are over families of items and hold nothing of a "
    "reviewer's own error. p is adjusted after Holm over the arms of a model."
)


@dataclass(frozen=True)
class Standing:
    """A system's place by one reviewer. `excluded` says why it has no rank; None for one that is ranked."""

    system: System
    reviewer: Reviewer
    kpi: Estimate
    kpi_of_all: Estimate
    kpi_published: Estimate
    predicted: float | None
    covered: float | None
    tier: str
    excluded: str | None
    rank: int | None = None


def tier_of(published: float | None) -> str:
    """The tier of a published KPI in [0, 1]; the source names none between 50 and 62."""
    if published is None:
        return "–"
    if published > _FRONTIER:
        return "frontier"
    if published >= _STRONG:
        return "strong"
    return "low" if published < _LOW else "unnamed"


def standings(run: TPSRun, reviewer: Reviewer) -> list[Standing]:
    """Every system, the ranked ones first by KPI; equal KPIs share a rank."""
    found = [_standing(run, system, reviewer) for system in run.systems]
    found.sort(key=lambda each: (each.excluded is not None, -(each.kpi.value or 0.0)))
    ranked = [each.kpi.value or 0.0 for each in found if each.excluded is None]
    return [each if each.excluded else replace(each, rank=_rank(each, ranked)) for each in found]


def track_c(run: TPSRun) -> Section | None:
    """The KPI of every model and arm; None where nobody reviewed."""
    if not run.reviewers:
        return None
    rows: list[list[Entry]] = []
    for reviewer in run.reviewers:
        gains = _gains(run, reviewer)
        rows += [_row(run, each, gains.get(each.system)) for each in standings(run, reviewer)]
    columns = [*heading(run), Column("rank", COUNT), Column("KPI", POINTS)]
    columns += [Column("Δ KPI", POINTS, change=True)]
    columns += [Column(name, POINTS) for name in ("KPI of all items", "KPI published", "Pred OK", "coverage")]
    columns += [Column("tier"), Column("not ranked because")]
    caption = f"Composite KPI (0–100) and its difference from {run.data.baseline}{run.simulated}."
    return Section(
        title="Track C: composite",
        tables=[Table("track_c", caption, columns, rows)],
        figures=[_figure(run)],
        notes=(_NOTE,),
    )


def kpi(reviewer: Reviewer, reading: Reading) -> float | None:
    """The KPI of an attempt: None unless it is readable and reviewed."""
    return reading.reviewed(reviewer, "kpi")


def kpi_published(reviewer: Reviewer, reading: Reading) -> float | None:
    """As `kpi`, by the published sum."""
    return reading.reviewed(reviewer, "kpi_published")


def kpi_of_all(reviewer: Reviewer, reading: Reading) -> float | None:
    """The KPI in which an answer that cannot be read earns nothing; None where the attempt failed."""
    if reading.verdicts is None:
        return None
    return reading.marks.get(reviewer.kpi) if reading.is_readable else 0.0


def _standing(run: TPSRun, system: System, reviewer: Reviewer) -> Standing:
    mean, whole, published = (
        run.mean(run.scores(system, partial(value, reviewer))) for value in (kpi, kpi_of_all, kpi_published)
    )
    readable, covered = predicted(run, system), coverage(run, system, reviewer)
    reason = _reason(run, system, readable, covered)
    tier = tier_of(published.value)
    return Standing(system, reviewer, mean, whole, published, readable, covered, tier, reason)


def _reason(run: TPSRun, system: System, readable: float | None, covered: float | None) -> str | None:
    """Why a system is not ranked; None where it is."""
    if readable is None or not run.readings[system]:
        return "no attempt"
    if readable < LEAST:
        lost = failed(run, system)
        because = f", {lost} attempts failed for want of infrastructure" if lost else ""
        return f"only {readable:.0%} readable answers, below {LEAST:.0%}{because}"
    if covered is None or covered < LEAST:
        return f"only {covered or 0.0:.0%} of the readable answers reviewed, below {LEAST:.0%}"
    return None


def _rank(standing: Standing, kpis: Sequence[float]) -> int:
    """One more than the ranked systems with a higher KPI; what differs by rounding alone is equal."""
    return 1 + sum(other > (standing.kpi.value or 0.0) + 1e-12 for other in kpis)


def _gains(run: TPSRun, reviewer: Reviewer) -> dict[System, Estimate | None]:
    """Each arm's difference from its model's baseline; p after Holm over the arms of a model."""
    found: dict[System, Estimate | None] = {}
    value = partial(kpi, reviewer)
    for model in run.data.models:
        control = run.scores(run.baseline(model), value)
        raw = {each: run.difference(run.scores(each, value), control) for each in run.treatments(model)}
        adjusted = holm({each: delta.p for each, delta in raw.items() if delta.p is not None})
        found |= {each: estimate(delta, adjusted.get(each)) for each, delta in raw.items()}
    return found


def _row(run: TPSRun, each: Standing, gain: Estimate | None) -> list[Entry]:
    return [
        *label(run, each.system, each.reviewer),
        each.rank,
        each.kpi,
        gain,
        each.kpi_of_all.value,
        each.kpi_published.value,
        each.predicted,
        each.covered,
        each.tier,
        each.excluded or "",
    ]


def _figure(run: TPSRun) -> Intervals:
    labels = [run.label(system) for system in run.systems]
    series = {
        reviewer.title: [run.mean(run.scores(system, partial(kpi, reviewer))) for system in run.systems]
        for reviewer in run.reviewers
    }
    caption = f"Composite KPI{run.simulated}, {run.data.level:.0%} intervals"
    return Intervals("track_c", caption, [Panel("all items", labels, series)], axis="KPI (0–100)")
