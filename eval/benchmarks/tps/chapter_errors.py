"""What goes wrong: the error taxonomy, and what each arm does to it (sections IV.3 and VI.1, table 19)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from ansatz.eval.benchmarks.tps.tps_run import Reviewer, TPSRun
from ansatz.eval.statistics.fieller import share
from ansatz.eval.verifier.errors import TAGS
from ansatz.eval.views.attempts import Floats, Numbers
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.results import Cut
from ansatz.eval.views.section import Estimate, Figure, Panel, Section, Table
from ansatz.eval.views.tabulation import Measure, Row, Tally, counted, gain, mean, systems

NOTES = Notes(__name__)

_HALLUCINATION = "error.hallucination"
Tags = Mapping[int, tuple[str, ...]]
"""By attempt, the kinds of error that any member of a judge found."""


def error_taxonomy(run: TPSRun) -> Section | None:
    """Prevalence of every kind of error; None without the scorer `errors` and without the tags of a judge."""
    tags = {reviewer: _tags(run, reviewer) for reviewer in run.reviewers}
    judged = [_judged(run, reviewer, found) for reviewer, found in tags.items() if found]
    kinds = [name for name in TAGS if name in run.data.names]
    if not kinds:
        return Section("Errors", tables=judged, notes=(NOTES["judged"],)) if judged else None
    tables = [_prevalence(run, kinds), _of_all_tags(run, kinds)]
    if run.data.treatments:
        tables.append(_changes(run, kinds))
        if _HALLUCINATION in kinds:
            tables.append(_reduction(run))
    caption = f"Answers with an error of each kind, in %{run.data.simulation}"
    panel = Panel.of_rows(tables[0], "all items", labels=[_short(kind) for kind in kinds])
    return Section(
        "Errors",
        findings=[line for cut in run.cuts if cut.is_baseline if (line := _most_frequent(run, cut, kinds))],
        tables=[*tables, *judged],
        figures=[Figure("heatmap", "errors", caption, [panel])],
        notes=(NOTES["errors_note"], NOTES["relative"], *([NOTES["judged"]] if judged else [])),
    )


def _short(kind: str) -> str:
    return kind.removeprefix("error.")


def _prevalence(run: TPSRun, kinds: list[str]) -> Table:
    last = run.data.values(kinds[-1])
    caption = (
        f"Answers with an error of each kind, in %{run.data.simulation}; told: problems of which "
        f"{_short(kinds[-1])} can be told."
    )
    columns = [mean(_short(kind), run.data.values(kind)) for kind in kinds]
    told = counted("told", lambda row: row.cut.scored(last))
    return systems(run.data, run.part).table("errors", caption, *columns, told)


def _counts(run: TPSRun, cut: Cut, kinds: list[str]) -> Counter[str]:
    """How many attempts bear each tag."""
    return Counter({kind: int(np.count_nonzero(run.data.values(kind)[cut.rows] == 1)) for kind in kinds})


def _of_all_tags(run: TPSRun, kinds: list[str]) -> Table:
    tags = Tally(lambda row: _counts(run, row.cut, kinds))

    def density(row: Row) -> str:
        attempts = len(row.cut.rows) - run.failed(row.cut)
        return f"{tags(row).total() / attempts:.2f}" if attempts else "–"

    return systems(run.data, run.part).table(
        "error_tags",
        "Kinds of error in % of all tags of an arm",
        *(tags.share(_short(kind), kind) for kind in kinds),
        tags.count("tags"),
        Measure("tags per attempt", density, None),
    )


def _changes(run: TPSRun, kinds: list[str]) -> Table:
    caption = "Change of the share of answers with an error, in points; less is better"
    columns = [gain(_short(kind), run.data.values(kind)) for kind in kinds]
    return systems(run.data, run.part).treated.table("error_changes", caption, *columns)


def _reduction(run: TPSRun) -> Table:
    values = run.data.values(_HALLUCINATION)

    def rates(row: Row) -> tuple[Floats, Floats, Numbers]:
        """Of items of which both can be told, the rate in the baseline and in the arm, and their families."""
        before, after = row.cut.control.by_problem(values), row.cut.by_problem(values)
        both = ~np.isnan(before) & ~np.isnan(after)
        return before[both], after[both], run.data.family[both]

    def rate(side: int) -> Measure:
        def of(row: Row) -> float | None:
            found = rates(row)[side]
            return float(found.mean()) if len(found) else None

        return Measure("with arm" if side else run.data.baseline, of)

    def reduction(row: Row) -> Estimate | None:
        before, after, families = rates(row)
        found = share(before - after, before, families, run.data.level, _ends)
        return Estimate(found.value, found.low, found.high) if found.low is not None else None

    items = counted("items", lambda row: len(rates(row)[0]))
    caption = "Hallucinated formulas: rates on the same items, and the relative reduction"
    columns = [rate(0), rate(1), Measure("reduction", reduction), items]
    return systems(run.data, run.part).treated.table("hallucination", caption, *columns)


def _ends(reduction: float) -> tuple[float, float]:
    """The least and the most by which an item's fall can exceed this share of its rate, in [0, 1]."""
    kept = 1 - reduction
    return min(0.0, kept) - 1, max(0.0, kept)


def _tags(run: TPSRun, reviewer: Reviewer) -> Tags:
    """What a judge tagged, from its record; empty for the verifier, which tags nothing itself."""
    found = {}
    for row, [record] in run.data.details(run.part, f"{reviewer.prefix}kpi"):
        if "judges" in record:
            judges = record["judges"].values()
            found[row] = tuple(dict.fromkeys(tag for judge in judges for tag in judge["errors"]))
    return found


def _judged(run: TPSRun, reviewer: Reviewer, tags: Tags) -> Table:
    """A judge's own tags, as published: shares of all its tags, and how often it saw a hallucination."""
    invented = _short(_HALLUCINATION)
    saw = run.data.measure(lambda row: float(invented in tags[row]) if row in tags else None, run.part)
    told = Tally(lambda row: Counter(tag for at in row.cut.rows.tolist() for tag in tags.get(at, ())))
    return systems(run.data, run.part).table(
        f"error_tags_{reviewer.title}",
        f"Kinds of error in % of the tags of the {reviewer.title}",
        *(told.share(_short(kind), _short(kind)) for kind in TAGS),
        told.count("tags"),
        counted("answers", lambda row: sum(at in tags for at in row.cut.rows.tolist())),
        mean("answers with hallucination", saw),
    )


def _most_frequent(run: TPSRun, cut: Cut, kinds: list[str]) -> str:
    counts = _counts(run, cut, kinds)
    total = counts.total()
    if not total:
        return ""
    first = max(counts, key=counts.__getitem__)
    line = f"{cut.label}: most frequent is {_short(first)} ({counts[first] / total:.0%} of tags)"
    if _HALLUCINATION in counts:
        line += f"; hallucination makes {counts[_HALLUCINATION] / total:.0%} of tags"
    return line
