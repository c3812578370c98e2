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
from ansatz.eval.views.section import Board, BoardColumn, Estimate

NOTES = Notes(__name__)

_FRONTIER, _STRONG, _LOW = 0.80, 0.62, 0.50
_COLUMNS = {
    "rank": BoardColumn("rank", 0),
    "model": BoardColumn("model"),
    "arm": BoardColumn("arm"),
    "reviewer": BoardColumn("reviewer"),
    "kpi": BoardColumn("KPI", 1),
    "kpi_of_all_items": BoardColumn("KPI of all items", 1, detail=True),
    "kpi_published": BoardColumn("KPI published", 1),
    "tier": BoardColumn("tier"),
    **{name: BoardColumn(name, 1) for name in SHARES},
    "units_right": BoardColumn("units right", 1),
    "pred_ok": BoardColumn("Pred OK", 1),
    "coverage": BoardColumn("coverage", 1),
    **{name: BoardColumn(name, 2, detail=True) for name in RUBRIC},
    "tokens": BoardColumn("tokens per attempt", 0),
    "attempts": BoardColumn("attempts", 0, detail=True),
    "failed": BoardColumn("failed", 0, detail=True),
    "not_ranked_because": BoardColumn("not ranked because"),
}


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
    return Board("leaderboard", f"Leaderboard: {run.data.title}", notices, _COLUMNS, places)


def _place(run: TPSRun, each: Standing) -> dict[str, str | float | bool | None]:
    cut = each.cut
    tokens = cut.plain_mean(run.data.values("tokens"))
    marks = {name: cut.plain_mean(run.reviewed(each.reviewer, name)) for name in RUBRIC}
    return {
        "rank": each.rank.value if each.rank else None,
        "rank_low": each.rank.low if each.rank else None,
        "rank_high": each.rank.high if each.rank else None,
        "model": cut.system.model,
        "simulated": cut.system.model in run.data.simulated,
        "arm": cut.system.arm,
        "reviewer": each.reviewer.title,
        "kpi": PERCENT.number(each.kpi.value),
        "kpi_low": PERCENT.number(each.kpi.low),
        "kpi_high": PERCENT.number(each.kpi.high),
        "kpi_of_all_items": PERCENT.number(each.kpi_of_all),
        "kpi_published": PERCENT.number(each.kpi_published),
        "tier": each.tier,
        **{name: PERCENT.number(cut.value(run.targets[name])) for name in SHARES},
        "units_right": PERCENT.number(cut.value(run.targets["units"])),
        "pred_ok": PERCENT.number(each.predicted),
        "coverage": PERCENT.number(each.covered),
        **{name: POINTS.number(mark) for name, mark in marks.items()},
        "tokens": None if tokens is None else round(tokens, 1),
        "attempts": len(cut.rows),
        "failed": run.failed(cut),
        "not_ranked_because": each.excluded,
    }
