"""The kinds of errors, and how each arm changes them (sections IV.3 and VI.1, table 19)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ansatz.eval.benchmarks.tps.chapter_run import Reviewer, TPSRun
from ansatz.eval.statistics.ratio import estimate_share
from ansatz.eval.verifier.errors import TAGS
from ansatz.experiments.report.tables import Figure, Panel, Section, Table, read_notes
from ansatz.experiments.report.tabulation import (
    Measure,
    Row,
    count_column,
    delta_column,
    estimate_column,
    system_rows,
)
from ansatz.experiments.results import Estimate, Floats, Numbers

NOTES = read_notes(__name__)

_HALLUCINATION = "error.hallucination"


def error_taxonomy(run: TPSRun) -> Section | None:
    """Show the share of every kind of error; None without the scorer `errors` and the tags of a judge."""
    ruled = {kind: run.data.values(kind) for kind in TAGS if kind in run.data.dimension_names}
    tables, figures = [], []
    if ruled:
        tables.append(_prevalence(run, "errors", "by rules", ruled))
        caption = f"Answers with an error of each kind, in %{run.data.simulation_note}"
        panel = Panel.from_rows(tables[0], "all items", labels=[_short(kind) for kind in ruled])
        figures.append(Figure("heatmap", "errors", caption, [panel]))
        if run.data.treatments:
            caption = "Change of the share of answers with an error, in points; less is better"
            columns = [delta_column(_short(kind), values) for kind, values in ruled.items()]
            tables.append(
                system_rows(run.data, run.part).without_baseline.table("error_changes", caption, *columns)
            )
            tables += [_reduction(run)] if _HALLUCINATION in ruled else []
    judged = {who.title: tags for who in run.reviewers if (tags := _tags(run, who))}
    tables += [_prevalence(run, f"errors_{title}", f"by the {title}", tags) for title, tags in judged.items()]
    if not tables:
        return None
    names = [*(("errors_note", "relative") if ruled else ()), *(("judged",) if judged else ())]
    return Section("Errors", tables=tables, figures=figures, notes=[NOTES[name] for name in names])


def _short(kind: str) -> str:
    return kind.removeprefix("error.")


def _prevalence(run: TPSRun, name: str, by: str, errors: Mapping[str, Floats]) -> Table:
    *_, last = errors.items()
    caption = (
        f"Answers with an error of each kind {by}, in %{run.data.simulation_note}; decidable: problems for "
        f"which {_short(last[0])} can be decided."
    )
    columns = [estimate_column(_short(kind), values) for kind, values in errors.items()]
    decidable = count_column("decidable", lambda row: row.subset.count_scored(last[1]))
    return system_rows(run.data, run.part).table(name, caption, *columns, decidable)


def _tags(run: TPSRun, reviewer: Reviewer) -> dict[str, Floats]:
    """Return whether any judge of a panel tagged each kind of error; empty for the verifier."""
    found = {kind: np.full(len(run.part), np.nan) for kind in TAGS}
    for row, [record] in run.data.details(run.part, f"{reviewer.prefix}kpi"):
        if "judges" in record:
            tagged = {tag for judge in record["judges"].values() for tag in judge["errors"]}
            for kind, values in found.items():
                values[row] = _short(kind) in tagged
    return found if not np.isnan(found[TAGS[0]]).all() else {}


def _reduction(run: TPSRun) -> Table:
    values = run.data.values(_HALLUCINATION)

    def rates(row: Row) -> tuple[Floats, Floats, Numbers]:
        """Return the rates in the baseline and the arm, and the families, of items with both rates."""
        before, after = row.subset.control.mean_by_problem(values), row.subset.mean_by_problem(values)
        both = ~np.isnan(before) & ~np.isnan(after)
        return before[both], after[both], run.data.family[both]

    def rate(side: int) -> Measure:
        def of(row: Row) -> float | None:
            found = rates(row)[side]
            return float(found.mean()) if len(found) else None

        return Measure("with arm" if side else run.data.baseline, of)

    def reduction(row: Row) -> Estimate | None:
        before, after, families = rates(row)
        found = estimate_share(before - after, before, families, run.data.level, _ends)
        return Estimate(found.value, found.low, found.high) if found.low is not None else None

    items = count_column("items", lambda row: len(rates(row)[0]))
    caption = "Hallucinated formulas: rates on the same items, and the relative reduction"
    columns = [rate(0), rate(1), Measure("reduction", reduction), items]
    return system_rows(run.data, run.part).without_baseline.table("hallucination", caption, *columns)


def _ends(reduction: float) -> tuple[float, float]:
    """Return the bounds of an item's decrease minus this share of its rate, for rates in [0, 1]."""
    rest = 1 - reduction
    return min(0.0, rest) - 1, max(0.0, rest)
