"""The report section that compares variants with their originals, pair by pair (figure 5 of the paper)."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from ansatz.eval.benchmarks.physbench.prefs_rubric import PREFIXES
from ansatz.eval.benchmarks.physbench.variants import NO_REGION, ORIGINAL_ID, REGION, REGIONS, read_pack
from ansatz.eval.score import PERCENT
from ansatz.eval.statistics import PairedDelta
from ansatz.experiments.report.tables import Figure, Panel, Section, Table, as_estimate, read_notes
from ansatz.experiments.report.tabulation import Measure, Row, Rows, count_column, mean_column
from ansatz.experiments.results import Estimate, Results

NOTES = read_notes(__name__)

_MEASURES = {
    "score": "P-REFS score",
    "final_correct": "final answer correct",
    "fully_correct": "fully correct",
}
_ALL = "all regions"


def contextual_robustness(data: Results) -> Section | None:
    """Return the section, or None if the run does not have both variants and originals."""
    found = {
        str(problem.tags.get(REGION, "")) for problem in data.problem_list if problem.tags.get(ORIGINAL_ID)
    }
    regions = [region for region in REGIONS if region in found]
    scored = [prefix for prefix in PREFIXES if f"{prefix}score" in data.dimension_names]
    measures = {f"{scored[0]}{name}": title for name, title in _MEASURES.items()} if scored else {}
    measures = {
        name: title
        for name, title in {**measures, "outcome": "outcome"}.items()
        if name in data.dimension_names
    }
    if not regions or not measures or NO_REGION not in found:
        return None
    parts = {read_pack(region).title: data.where_tag(REGION, region) for region in regions}
    parts[_ALL] = data.where(lambda problem: problem.tags.get(REGION, NO_REGION) != NO_REGION)
    originals = data.where_tag(REGION, NO_REGION)
    # a variant counts as an attempt at its original, with which it is paired
    subsets = data.as_originals(ORIGINAL_ID).subsets()
    rows = [
        Row((subset.label, title), subset.where(part), subset.where(originals))
        for subset in subsets
        for title, part in parts.items()
    ]
    judged = Rows(data, ["arm", "region"], rows, lambda _: None)
    tables = {title: _table(judged, name, title) for name, title in measures.items()}
    panels = []
    for title, table in tables.items():
        series: dict[str, list[Estimate]] = {title: [] for title in parts if title != _ALL}
        for region, delta in zip(table.column("region"), table.column("Δ"), strict=True):
            if region != _ALL:
                series[str(region)].append(as_estimate(delta))
        panels.append(Panel(title, list(dict.fromkeys(map(str, table.column("arm")))), series))
    caption = f"Variant minus original by region{data.simulation_note}, {data.level:.0%} intervals"
    return Section(
        "Robustness under contextual variants",
        findings=[_finding(title, judged.rows, table) for title, table in tables.items()],
        figures=[Figure("intervals", "robustness", caption, panels, "points of 100", zero=True)],
        tables=list(tables.values()),
        notes=(NOTES["variants_note"],),
    )


def _table(rows: Rows, dimension: str, title: str) -> Table:
    values = rows.data.values(dimension)

    def shift(row: Row) -> PairedDelta:
        """Variants minus their originals."""
        return row.subset.difference_from(row.context, values)

    def change(row: Row) -> PairedDelta | Estimate | None:
        """Leave the row of all regions out of the adjustment: it repeats the regions' comparisons."""
        return Estimate.from_delta(shift(row)) if row.labels[1] == _ALL else shift(row)

    return rows.table(
        f"robustness_{dimension.rpartition('.')[2]}",
        f"{title}: variants against their originals",
        Measure("original", lambda row: row.context.mean_value(values)),
        mean_column("variant", values),
        Measure("Δ", change, change=True),
        count_column("pairs", lambda row: float(shift(row).pairs)),
        count_column("dropped", lambda row: float(shift(row).dropped)),
    )


def _finding(title: str, rows: Sequence[Row], table: Table) -> str:
    deltas = [as_estimate(delta) for delta in table.column("Δ")]
    known = [
        (delta.value, row, delta.is_significant)
        for row, delta in zip(rows, deltas, strict=True)
        if delta.value is not None and row.labels[1] != _ALL
    ]
    if not known:
        return f"{title}: no variant and its original are both scored"
    value, row, _ = min(known, key=itemgetter(0))
    return (
        f"{title}: {sum(clear for *_, clear in known)} of {len(known)} pairs of arm and region "
        "differ from their originals after adjustment; the lowest difference is "
        f"{PERCENT.show_change(value)}, {row.subset.label} in {row.labels[1]}"
    )
