"""The report chapter on TPS-CalcBench: its three tracks, its analyses, and the effect of noise.

Tables and sections refer to the paper (arXiv:2604.17966).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np

from ansatz.eval.benchmarks.tps.chapter_errors import error_taxonomy
from ansatz.eval.benchmarks.tps.chapter_noise import noise_sensitivity
from ansatz.eval.benchmarks.tps.chapter_run import RUBRIC, SHARES, STATUSES, TPSRun
from ansatz.eval.score import PERCENT, POINTS
from ansatz.experiments.report.tables import COUNT, Chapter, Figure, Panel, Section, read_notes
from ansatz.experiments.report.tabulation import (
    Measure,
    Row,
    Tally,
    attempt_mean_column,
    count_column,
    delta_column,
    estimate_column,
    mean_column,
    system_rows,
)
from ansatz.experiments.results import Floats, Results

NOTES = read_notes(__name__)

_FRONTIER, _STRONG, _LOW = 0.80, 0.62, 0.50
_PROCESS_HIGH = 0.70
_QUADRANTS = ("HH", "HL", "LH", "LL")


def chapter(data: Results) -> Chapter | None:
    """Return the sections for which the run has data; None without an answer to a TPS item."""
    run = TPSRun(data)
    if np.isnan(run.targets["wrong"]).all():
        return None
    sections = [_track_a(run)]
    if run.reviewers:
        sections += [_track_b(run), _track_c(run), _outcome_and_process(run), _levels_and_domains(run)]
    sections += [made for make in (error_taxonomy, noise_sensitivity) if (made := make(run)) is not None]
    return Chapter("tps", "TPS-CalcBench", sections)


def _track_a(run: TPSRun) -> Section:
    """Show the accuracy of the stated values, and whether their units are right (tables 8 and 11)."""
    exact, *others = SHARES
    table = system_rows(run.data, run.part).table(
        "track_a",
        "Outcome, in % of targets by weight",
        estimate_column(exact, run.targets[exact]),
        *(mean_column(name, run.targets[name]) for name in others),
        estimate_column("units right", run.targets["units"]),
        Measure("Pred OK", lambda row: run.predicted(row.subset)),
        count_column("attempts", lambda row: len(row.subset.rows)),
        count_column("failed", lambda row: run.failed(row.subset)),
    )
    caption = f"Outcome by arm{run.data.simulation_note}: shares of the bands of relative error"
    panel = Panel.from_columns(table, SHARES, "all items")
    figure = Figure("stacked", "track_a", caption, [panel], "% of targets by weight")
    return Section("Track A: outcome", tables=[table], figures=[figure], notes=(NOTES["outcome"],))


def _track_b(run: TPSRun) -> Section:
    """Show the eight dimensions of the process, and the status of the reviews (tables 9 and 12)."""
    marks = [attempt_mean_column(name, run.mark(name), scale=POINTS) for name in RUBRIC]
    coverage = Measure("coverage", lambda row: run.covered(row.context, row.subset))
    table = run.rows.table("track_b", "Process, mean scores 0–2", *marks, coverage)
    blocks = table.split_rows(run.titles)
    panels = [Panel.from_rows(own, title, len(run.heads), RUBRIC) for title, own in blocks.items()]
    caption = f"Process{run.data.simulation_note}: mean score in % of the maximum"
    ended = Tally(lambda row: run.statuses(row.context, row.subset))
    reviews = run.rows.table(
        "reviews",
        "Status of the reviews, in attempts.",
        *(ended.count(name, name) for name in STATUSES),
        ended.count("reviewed", *STATUSES[:2]),
    )
    return Section(
        "Track B: process",
        findings=_weakest(run),
        tables=[table, reviews],
        figures=[Figure("heatmap", "track_b", caption, panels)],
        notes=(NOTES["process"], NOTES["ended"]),
    )


def _weakest(run: TPSRun) -> list[str]:
    """Return a line with each baseline's weakest dimension."""
    lines = []
    for reviewer in run.reviewers:
        for subset in filter(lambda each: each.is_baseline, run.subsets):
            marks = {name: subset.attempt_mean(run.reviewed(reviewer, name)) for name in RUBRIC}
            known = {name: mark for name, mark in marks.items() if mark is not None}
            if known:
                worst = min(known, key=known.__getitem__)
                score = f"({2 * known[worst]:.2f} of 2, {reviewer.title})"
                lines.append(f"{subset.label}: weakest on {worst} {score}")
    return lines


def _track_c(run: TPSRun) -> Section:
    """Show the KPI with its basis and tier, and why a system is not ranked (table 10)."""
    kpi, published = run.mark("kpi"), run.mark("kpi_published")
    ranks = {(who, system): rank for who in run.reviewers for system, rank in run.ranks(who).items()}

    def order(row: Row) -> tuple[int, bool, float]:
        unranked = bool(run.unranked(row.context, row.subset))
        return run.reviewers.index(row.context), unranked, -(row.subset.mean_value(kpi(row)) or 0.0)

    rows = replace(run.rows, rows=sorted(run.rows.rows, key=order), comparison_group=_by_reviewer)
    table = rows.table(
        "track_c",
        f"Composite KPI (0–100) and its difference from {run.data.baseline}",
        Measure("rank", lambda row: ranks.get((row.context, row.subset.system)), COUNT),
        estimate_column("KPI", kpi),
        delta_column("Δ KPI", kpi),
        mean_column("KPI of all items", lambda row: run.kpi_of_all(row.context)),
        mean_column("KPI published", published),
        Measure("Pred OK", lambda row: run.predicted(row.subset)),
        Measure("coverage", lambda row: run.covered(row.context, row.subset)),
        Measure("tier", lambda row: tier_of(row.subset.mean_value(published(row))), None),
        Measure("not ranked because", lambda row: run.unranked(row.context, row.subset), None),
    )
    panels = [Panel.from_columns(own, ["KPI"], title) for title, own in table.split_rows(run.titles).items()]
    caption = f"Composite KPI{run.data.simulation_note}, {run.data.level:.0%} intervals"
    figure = Figure("intervals", "track_c", caption, panels, "KPI (0–100)")
    return Section("Track C: composite", tables=[table], figures=[figure], notes=(NOTES["composite"],))


def _by_reviewer(row: Row) -> object:
    """Group the differences whose p values are adjusted together: by model and reviewer."""
    return row.subset.system.model, row.context


def tier_of(published: float | None) -> str:
    """Return the tier of a published KPI in [0, 1]; the source has no name for 50 to 62."""
    if published is None:
        return "–"
    if published > _FRONTIER:
        return "frontier"
    if published >= _STRONG:
        return "strong"
    return "low" if published < _LOW else "unnamed"


def _outcome_and_process(run: TPSRun) -> Section:
    """Compare outcome and process item by item, such as correct answers by a wrong method (table 22)."""
    columns = [estimate_column(name, partial(_quadrant, run, name)) for name in _QUADRANTS]
    problems = count_column("problems", lambda row: row.subset.count_scored(_quadrant(run, "HH", row)))
    table = run.rows.table("quadrants", "Outcome × process, in % of reviewed answers", *columns, problems)
    panels = [
        Panel.from_columns(own, _QUADRANTS, title) for title, own in table.split_rows(run.titles).items()
    ]
    caption = (
        f"Outcome × process{run.data.simulation_note}: HL is right answers by a wrong or unexplained method"
    )
    figure = Figure("stacked", "quadrants", caption, panels, "% of reviewed answers")
    return Section("Outcome against process", tables=[table], figures=[figure], notes=(NOTES["quadrant"],))


def _quadrant(run: TPSRun, name: str, row: Row) -> Floats:
    """Return 1 for an attempt in the quadrant, 0 for one in another, NaN for one without a review."""
    process = run.reviewed(row.context, "kpi_published")
    right, high = run.targets["right"] == 1, process >= _PROCESS_HIGH - 1e-9
    found = (right == (name[0] == "H")) & (high == (name[1] == "H"))
    return np.where(np.isnan(process), np.nan, found)


def _levels_and_domains(run: TPSRun) -> Section:
    """Show the KPI of every arm and its gain by level and domain (tables 15, 18, section VI.3)."""
    means, gains, panels = [], [], []
    first = run.reviewers[0].title
    treated = replace(run.rows.without_baseline, comparison_group=_by_reviewer)
    for tag in ("level", "domain"):
        items = Counter(str(problem.tags[tag]) for problem in run.problems)
        order = sorted(items) if tag == "level" else list(items)
        parts = {each: run.data.where_tag(tag, each) for each in order}
        columns = [
            estimate_column(f"{each} ({items[each]})", run.mark("kpi"), mask) for each, mask in parts.items()
        ]
        means.append(run.rows.table(f"kpi_by_{tag}", f"KPI by {tag}, items in brackets", *columns))
        panels.append(Panel.from_rows(means[-1].split_rows(run.titles)[first], tag, len(run.heads), order))
        for name, title, scale in (("kpi", "KPI", PERCENT), ("G1", "G1", POINTS)):
            masks = {"all": run.data.all_attempts, **parts}
            columns = [delta_column(each, run.mark(name), mask, scale) for each, mask in masks.items()]
            caption = f"Gain in {title} over {run.data.baseline} by {tag}"
            gains.append(treated.table(f"gain_{name}_by_{tag}", caption, *columns))
    caption = f"KPI by level and domain{run.data.simulation_note}, by the {first}"
    return Section(
        "Levels and domains",
        tables=[*means, *(gains if run.data.treatments else [])],
        figures=[Figure("heatmap", "breakdown", caption, panels)],
        notes=(NOTES["parts"],),
    )
