"""Who stands where: the composite KPI of every system by every reviewer, with what it rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ansatz.eval.benchmarks.tps.tps_run import LEAST, RUBRIC, SHARES, Reviewer, TPSRun
from ansatz.eval.score import PERCENT, POINTS
from ansatz.eval.statistics.ranks import rank_ranges, ranks
from ansatz.eval.views.attempts import Floats
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.results import Cut
from ansatz.eval.views.section import COUNT, Board, Column, Entry, Estimate, Table

NOTES = Notes(__name__)

_FRONTIER, _STRONG, _LOW = 0.80, 0.62, 0.50
_COLUMNS = (
    Column("rank", COUNT),
    *map(Column, ("model", "arm", "reviewer")),
    *(Column(name, PERCENT) for name in ("KPI", "KPI of all items", "KPI published")),
    Column("tier"),
    *(Column(name, PERCENT) for name in (*SHARES, "units right", "Pred OK", "coverage")),
    *(Column(name, POINTS) for name in RUBRIC),
    *(Column(name, COUNT) for name in ("tokens per attempt", "attempts", "failed")),
    Column("not ranked because"),
)


@dataclass(frozen=True, eq=False)
class Standing:
    """A system's place by one reviewer. `excluded` says why it has no rank; None for one that is ranked."""

    cut: Cut
    reviewer: Reviewer
    kpi: Estimate
    gain: Estimate | None
    kpi_of_all: float | None
    kpi_published: float | None
    predicted: float | None
    covered: float | None
    excluded: str | None
    rank: Estimate | None = None

    @property
    def tier(self) -> str:
        return tier_of(self.kpi_published)


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
    """Every system, the ranked ones first by KPI; p is adjusted by model.

    Equal KPIs share a rank, and each rank has the range that it takes when families are resampled.
    """
    kpi = run.reviewed(reviewer, "kpi")
    gains: dict[str, Estimate | None] = {}
    for model in run.data.models:
        gains |= run.data.adjusted({c.label: c.gain(kpi) for c in run.cuts if c.system.model == model})
    found = [_standing(run, cut, reviewer, gains.get(cut.label)) for cut in run.cuts]
    found.sort(key=lambda each: (each.excluded is not None, -(each.kpi.value or 0.0)))
    ranked = [each for each in found if each.excluded is None]
    return [*_placed(run, ranked, kpi), *found[len(ranked) :]]


def _placed(run: TPSRun, ranked: list[Standing], kpi: Floats) -> list[Standing]:
    """Systems with their ranks among each other."""
    if not ranked:
        return []
    means = np.stack([each.cut.by_problem(kpi) for each in ranked])
    asked = ~np.isnan(means).all(axis=0)
    settings = {"seed": run.data.seed, "resamples": run.data.resamples, "level": run.data.level}
    ranges = rank_ranges(means[:, asked], run.data.family[asked], **settings)  # type: ignore[arg-type]
    places = ranks(np.array([each.kpi.value or 0.0 for each in ranked]))
    ends = [(None, None)] * len(ranked) if ranges is None else ranges.tolist()
    return [
        replace(each, rank=Estimate(int(place), low, high))
        for each, place, (low, high) in zip(ranked, places, ends, strict=True)
    ]


def _standing(run: TPSRun, cut: Cut, reviewer: Reviewer, gain: Estimate | None) -> Standing:
    failed = run.data.attempts.failed
    stored = run.data.values(f"{reviewer.prefix}kpi")
    of_all = np.where(failed, np.nan, np.where(run.readable, stored, 0.0))
    readable, covered = run.predicted(cut), run.covered(reviewer, cut)
    return Standing(
        cut,
        reviewer,
        cut.mean(run.reviewed(reviewer, "kpi")),
        gain,
        cut.value(of_all),
        cut.value(run.reviewed(reviewer, "kpi_published")),
        readable,
        covered,
        _reason(run, cut, readable, covered),
    )


def _reason(run: TPSRun, cut: Cut, readable: float | None, covered: float | None) -> str | None:
    """Why a system is not ranked; None where it is."""
    if readable is None:
        return "no attempt"
    if readable < LEAST:
        lost = run.failed(cut)
        because = f", {lost} attempts failed for want of infrastructure" if lost else ""
        return f"only {readable:.0%} readable answers, below {LEAST:.0%}{because}"
    if covered is None or covered < LEAST:
        return f"only {covered or 0.0:.0%} of the readable answers reviewed, below {LEAST:.0%}"
    return None


def leaderboard(run: TPSRun) -> Board | None:
    """Every model and arm by every reviewer; None where nobody reviewed."""
    if not run.reviewers:
        return None
    places = [_place(run, each) for reviewer in run.reviewers for each in standings(run, reviewer)]
    families = len({problem.family for problem in run.problems})
    notices = [f"{len(run.problems)} items of {families} families. " + NOTES["leaderboard_notice"]]
    if run.data.simulated:
        named = ", ".join(sorted(run.data.simulated))
        warning = (
            "is a rule-based solver, not a language model; its scores are no claim about language models."
        )
        notices.insert(0, f"Simulated: {named} {warning}")
    table = Table("leaderboard", "", _COLUMNS, places)
    return Board(f"Leaderboard: {run.data.title}", notices, table)


def _place(run: TPSRun, each: Standing) -> list[Entry]:
    cut, data = each.cut, run.data
    return [
        each.rank,
        *(data.said_of(cut.system.model), cut.system.arm, each.reviewer.title),
        *(each.kpi, each.kpi_of_all, each.kpi_published, each.tier),
        *(cut.value(run.targets[name]) for name in (*SHARES, "units")),
        *(each.predicted, each.covered),
        *(cut.plain_mean(run.reviewed(each.reviewer, name)) for name in RUBRIC),
        *(cut.plain_mean(data.values("tokens")), len(cut.rows), run.failed(cut)),
        each.excluded or "",
    ]
