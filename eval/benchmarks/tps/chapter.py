"""The chapter on TPS-CalcBench: its three tracks, its analyses, and what noise does to them.

Tables and sections named here are those of its paper (arXiv:2604.17966).
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
from ansatz.eval.views.attempts import Floats
from ansatz.eval.views.notes import notes
from ansatz.eval.views.results import Results
from ansatz.eval.views.section import COUNT, Chapter, Figure, Panel, Section
from ansatz.eval.views.tabulation import Measure, Row, Tally, counted, gain, mean, plain_mean, systems, value

NOTES = notes(__name__)

_FRONTIER, _STRONG, _LOW = 0.80, 0.62, 0.50
_PROCESS_HIGH = 0.70
_QUADRANTS = ("HH", "HL", "LH", "LL")


def chapter(data: Results) -> Chapter | None:
    """Every section that the run has something to say on; None without an answer to a TPS item."""
    run = TPSRun(data)
    if np.isnan(run.targets["wrong"]).all():
        return None
    sections = [_track_a(run)]
    if run.reviewers:
        sections += [_track_b(run), _track_c(run), _outcome_and_process(run), _levels_and_domains(run)]
    sections += [made for make in (error_taxonomy, noise_sensitivity) if (made := make(run)) is not None]
    return Chapter("tps", "TPS-CalcBench", sections)


def _track_a(run: TPSRun) -> Section:
    """How near the stated values are, and whether their units are right (tables 8 and 11)."""
    exact, *others = SHARES
    table = systems(run.data, run.part).table(
        "track_a",
        "Outcome, in % of targets by weight",
        mean(exact, run.targets[exact]),
        *(value(name, run.targets[name]) for name in others),
        mean("units right", run.targets["units"]),
        Measure("Pred OK", lambda row: run.predicted(row.cut)),
        counted("attempts", lambda row: len(row.cut.rows)),
        counted("failed", lambda row: run.failed(row.cut)),
    )
    caption = f"Outcome by arm{run.data.simulation}: shares of the bands of relative error"
    panel = Panel.of_columns(table, SHARES, "all items")
    figure = Figure("stacked", "track_a", caption, [panel], "% of targets by weight")
    return Section("Track A: outcome", tables=[table], figures=[figure], notes=(NOTES["outcome"],))


def _track_b(run: TPSRun) -> Section:
    """The eight dimensions of the process, and how the reviews ended (tables 9 and 12)."""
    marks = [plain_mean(name, run.mark(name), scale=POINTS) for name in RUBRIC]
    coverage = Measure("coverage", lambda row: run.covered(row.about, row.cut))
    table = run.rows.table("track_b", "Process, mean marks 0–2", *marks, coverage)
    blocks = table.blocks(run.titles)
    panels = [Panel.of_rows(own, title, len(run.heads), RUBRIC) for title, own in blocks.items()]
    caption = f"Process{run.data.simulation}: mean mark in % of full marks"
    ended = Tally(lambda row: run.statuses(row.about, row.cut))
    reviews = run.rows.table(
        "reviews",
        "How the reviews ended, in attempts.",
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
    """Each baseline's weakest dimension."""
    lines = []
    for reviewer in run.reviewers:
        for cut in filter(lambda each: each.is_baseline, run.cuts):
            marks = {name: cut.plain_mean(run.reviewed(reviewer, name)) for name in RUBRIC}
            known = {name: mark for name, mark in marks.items() if mark is not None}
            if known:
                worst = min(known, key=known.__getitem__)
                said = f"({2 * known[worst]:.2f} of 2, {reviewer.title})"
                lines.append(f"{cut.label}: weakest on {worst} {said}")
    return lines


def _track_c(run: TPSRun) -> Section:
    """The KPI with what it rests on, its tiers, and who is not ranked and why (table 10)."""
    kpi, published = run.mark("kpi"), run.mark("kpi_published")
    ranks = {(who, system): rank for who in run.reviewers for system, rank in run.ranks(who).items()}

    def order(row: Row) -> tuple[int, bool, float]:
        unranked = bool(run.unranked(row.about, row.cut))
        return run.reviewers.index(row.about), unranked, -(row.cut.value(kpi(row)) or 0.0)

    rows = replace(run.rows, rows=sorted(run.rows.rows, key=order), together=_by_reviewer)
    table = rows.table(
        "track_c",
        f"Composite KPI (0–100) and its difference from {run.data.baseline}",
        Measure("rank", lambda row: ranks.get((row.about, row.cut.system)), COUNT),
        mean("KPI", kpi),
        gain("Δ KPI", kpi),
        value("KPI of all items", lambda row: run.kpi_of_all(row.about)),
        value("KPI published", published),
        Measure("Pred OK", lambda row: run.predicted(row.cut)),
        Measure("coverage", lambda row: run.covered(row.about, row.cut)),
        Measure("tier", lambda row: tier_of(row.cut.value(published(row))), None),
        Measure("not ranked because", lambda row: run.unranked(row.about, row.cut), None),
    )
    panels = [Panel.of_columns(own, ["KPI"], title) for title, own in table.blocks(run.titles).items()]
    caption = f"Composite KPI{run.data.simulation}, {run.data.level:.0%} intervals"
    figure = Figure("intervals", "track_c", caption, panels, "KPI (0–100)")
    return Section("Track C: composite", tables=[table], figures=[figure], notes=(NOTES["composite"],))


def _by_reviewer(row: Row) -> object:
    """Differences are judged together by model and reviewer."""
    return row.cut.system.model, row.about


def tier_of(published: float | None) -> str:
    """The tier of a published KPI in [0, 1]; the source names none between 50 and 62."""
    if published is None:
        return "–"
    if published > _FRONTIER:
        return "frontier"
    if published >= _STRONG:
        return "strong"
    return "low" if published < _LOW else "unnamed"


def _outcome_and_process(run: TPSRun) -> Section:
    """Right answers by wrong ways: outcome against process, item by item (table 22)."""
    columns = [mean(name, partial(_quadrant, run, name)) for name in _QUADRANTS]
    problems = counted("problems", lambda row: row.cut.scored(_quadrant(run, "HH", row)))
    said = run.data.simulation
    table = run.rows.table("quadrants", "Outcome × process, in % of reviewed answers", *columns, problems)
    panels = [Panel.of_columns(own, _QUADRANTS, title) for title, own in table.blocks(run.titles).items()]
    caption = f"Outcome × process{said}: HL is right answers by a wrong or unexplained way"
    figure = Figure("stacked", "quadrants", caption, panels, "% of reviewed answers")
    return Section("Outcome against process", tables=[table], figures=[figure], notes=(NOTES["quadrant"],))


def _quadrant(run: TPSRun, name: str, row: Row) -> Floats:
    """1 for an attempt in the quadrant, 0 for one in another, none for one that was not reviewed."""
    process = run.reviewed(row.about, "kpi_published")
    right, high = run.targets["right"] == 1, process >= _PROCESS_HIGH - 1e-9
    found = (right == (name[0] == "H")) & (high == (name[1] == "H"))
    return np.where(np.isnan(process), np.nan, found)


def _levels_and_domains(run: TPSRun) -> Section:
    """By level and domain: the KPI of every arm, and where its gain falls (tables 15, 18, section VI.3)."""
    means, gains, panels = [], [], []
    first = run.reviewers[0].title
    treated = replace(run.rows.treated, together=_by_reviewer)
    for tag in ("level", "domain"):
        items = Counter(str(problem.tags[tag]) for problem in run.problems)
        order = sorted(items) if tag == "level" else list(items)
        parts = {each: run.data.tagged(tag, each) for each in order}
        columns = [mean(f"{each} ({items[each]})", run.mark("kpi"), mask) for each, mask in parts.items()]
        means.append(run.rows.table(f"kpi_by_{tag}", f"KPI by {tag}, items in brackets", *columns))
        panels.append(Panel.of_rows(means[-1].blocks(run.titles)[first], tag, len(run.heads), order))
        for name, title, scale in (("kpi", "KPI", PERCENT), ("G1", "G1", POINTS)):
            masks = {"all": run.data.everything, **parts}
            columns = [gain(each, run.mark(name), mask, scale) for each, mask in masks.items()]
            caption = f"Gain in {title} over {run.data.baseline} by {tag}"
            gains.append(treated.table(f"gain_{name}_by_{tag}", caption, *columns))
    caption = f"KPI by level and domain{run.data.simulation}, by the {first}"
    return Section(
        "Levels and domains",
        tables=[*means, *(gains if run.data.treatments else [])],
        figures=[Figure("heatmap", "breakdown", caption, panels)],
        notes=(NOTES["parts"],),
    )
