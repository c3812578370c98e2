"""Whether a system reasons alike when the same physics is told in other words (figure 5), pair by pair."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from ansatz.eval.benchmarks.physbench.chapter_run import PREFIXES
from ansatz.eval.benchmarks.physbench.variants import NO_REGION, ORIGINAL_ID, REGION, REGIONS, pack
from ansatz.eval.score import PERCENT
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.views.attempts import Floats, Mask
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.results import Results, estimate
from ansatz.eval.views.section import Estimate, Figure, Panel, Section, Table, as_estimate
from ansatz.eval.views.tabulation import Measure, Row, Rows, counted, value

NOTES = Notes(__name__)

_MEASURES = {
    "score": "P-REFS score",
    "final_correct": "final answer correct",
    "fully_correct": "fully correct",
}
_ALL = "all regions"


class VariantRun:
    """Attempts at originals and at their variants, all of them taken as attempts at the original."""

    def __init__(self, data: Results) -> None:
        told = data.where(lambda problem: REGION in problem.tags and ORIGINAL_ID in problem.tags)
        regions = {str(problem.tags[REGION]) for problem in data.asked if problem.tags.get(ORIGINAL_ID)}
        self.data = data
        self.told_alike = data.as_originals(ORIGINAL_ID)
        self.regions = [each for each in REGIONS if each in regions]
        self.has_originals = NO_REGION in regions
        self.parts: dict[str, Mask] = {each: data.tagged(REGION, each) for each in (*self.regions, NO_REGION)}
        self.parts[_ALL] = told & ~self.parts[NO_REGION]
        held = [each for each in PREFIXES if f"{each}score" in data.names]
        measures = {f"{held[0]}{name}": title for name, title in _MEASURES.items()} if held else {}
        measures["outcome"] = "outcome"
        self.measures = {name: title for name, title in measures.items() if name in data.names}

    @cached_property
    def rows(self) -> Rows:
        """A row for every system and region, and for all regions."""
        rows = [
            Row((cut.label, _title(region)), cut.where(self.parts[region]), cut.where(self.parts[NO_REGION]))
            for cut in self.told_alike.cuts()
            for region in (*self.regions, _ALL)
        ]
        return Rows(self.data, ["arm", "region"], rows, lambda _: None)


def contextual_robustness(data: Results) -> Section | None:
    """None where a run has no variants beside their originals."""
    run = VariantRun(data)
    if not run.regions or not run.measures or not run.has_originals:
        return None
    tables = {name: _table(run, name) for name in run.measures}
    panels = [_panel(run.measures[name], table) for name, table in tables.items()]
    caption = f"Variant minus original by region{data.simulation}, {data.level:.0%} intervals"
    return Section(
        "Robustness under contextual variants",
        findings=[_finding(run, name, table) for name, table in tables.items()],
        figures=[Figure("intervals", "robustness", caption, panels, "points of 100", zero=True)],
        tables=list(tables.values()),
        notes=(NOTES["variants_note"],),
    )


def _title(region: str) -> str:
    return region if region == _ALL else pack(region).title


def _shift(row: Row, values: Floats) -> PairedDelta:
    """Variants minus their originals."""
    return row.cut.less(row.about, values)


def _table(run: VariantRun, dimension: str) -> Table:
    values = run.data.values(dimension)

    def change(row: Row) -> PairedDelta | Estimate | None:
        """All regions together are no comparison of their own, and not judged with the others."""
        delta = _shift(row, values)
        return estimate(delta) if row.labels[1] == _ALL else delta

    return run.rows.table(
        f"robustness_{dimension.rpartition('.')[2]}",
        f"{run.measures[dimension]}: variants against their originals",
        Measure("original", lambda row: row.about.value(values)),
        value("variant", values),
        Measure("Δ", change, change=True),
        counted("pairs", lambda row: float(_shift(row, values).pairs)),
        counted("dropped", lambda row: float(_shift(row, values).dropped)),
    )


def _panel(title: str, table: Table) -> Panel:
    """The differences of every system, a series for each region."""
    at = [column.name for column in table.columns].index("Δ")
    series: defaultdict[str, list[Estimate]] = defaultdict(list)
    for row in table.rows:
        if row[1] != _ALL:
            series[str(row[1])].append(as_estimate(row[at]))
    return Panel(title, list(dict.fromkeys(str(row[0]) for row in table.rows)), series)


def _finding(run: VariantRun, dimension: str, table: Table) -> str:
    title = run.measures[dimension]
    shown = zip(run.rows.rows, table.column("Δ"), strict=True)
    pairs = {row: each for row, each in shown if isinstance(each, Estimate) and row.labels[1] != _ALL}
    known = {row: each for row, each in pairs.items() if each.value is not None}
    if not known:
        return f"{title}: no variant is scored beside its original"
    row, worst = min(known.items(), key=lambda each: each[1].value or 0.0)
    clear = sum(each.is_significant for each in known.values())
    return (
        f"{title}: {clear} of {len(known)} pairs of arm and region "
        "differ from their originals after adjustment; the lowest difference is "
        f"{PERCENT.show_change(worst.value)}, {row.cut.label} in {row.labels[1]}"
    )
