"""The chapter on probes: variants against their originals, and which of the two an arm lifts."""

from __future__ import annotations

from operator import itemgetter

import numpy as np

from ansatz.eval.probes import ORIGINAL, ORIGINAL_ID, PROBE
from ansatz.eval.score import PERCENT, Dimension
from ansatz.eval.statistics import PairedDelta
from ansatz.experiments.report.comparisons import headline_dimensions
from ansatz.experiments.report.tables import Chapter, Figure, Panel, Section, Table, as_estimate, read_notes
from ansatz.experiments.report.tabulation import Measure, Row, Rows, count_column, mean_column
from ansatz.experiments.results import Estimate, Floats, Results, Subset

NOTES = read_notes(__name__)

_MOST_DIMENSIONS = 4
_ALL = "all probes"


def chapter(data: Results) -> Chapter | None:
    """Make the chapter; None if the run has no variants with their originals."""
    found = {str(each.tags[PROBE]): None for each in data.problem_list if PROBE in each.tags}
    kinds = [kind for kind in found if kind != ORIGINAL]
    if not kinds or ORIGINAL not in found:
        return None
    parts = {kind: data.where_tag(PROBE, kind) for kind in kinds}
    if len(kinds) > 1:
        parts[_ALL] = data.where(lambda problem: problem.tags.get(PROBE, ORIGINAL) != ORIGINAL)
    originals = data.where_tag(PROBE, ORIGINAL)
    # A variant counts as an attempt at its original, with which it is paired.
    rows = [
        Row((subset.label, kind), subset.where(part), subset.where(originals))
        for subset in data.as_originals(ORIGINAL_ID).subsets()
        for kind, part in parts.items()
    ]
    dimensions = headline_dimensions(data)[:_MOST_DIMENSIONS]
    shifts = Rows(data, ["arm", "probe"], rows, lambda _: None)
    made = [_make_shifts(data, shifts, each) for each in dimensions]
    rewritten = [_describe_paraphrases(data)] if data.paraphrases else []
    sections = [
        Section(
            "Variants against their originals",
            findings=[*(finding for _, finding, _ in made), *rewritten],
            figures=[figure for *_, figure in made],
            tables=[table for table, *_ in made],
            notes=(NOTES["probes"],),
        )
    ]
    if len(data.arms) > 1:
        lifts = [_make_lifts(shifts.without_baseline, each) for each in dimensions]
        sections.append(
            Section(
                "Does an arm improve originals or variants?",
                findings=[finding for _, finding in lifts],
                tables=[table for table, _ in lifts],
                notes=(NOTES["probe_lifts"],),
            )
        )
    return Chapter("probes", "Probes: understood or remembered?", sections)


def _make_shifts(data: Results, rows: Rows, dimension: Dimension) -> tuple[Table, str, Figure]:
    """Return the table of variant minus original, its finding, and its figure."""
    values = data.values(dimension.name)

    def shift(row: Row) -> PairedDelta:
        return row.subset.difference_from(row.context, values)

    def change(row: Row) -> PairedDelta | Estimate | None:
        """Leave the row of all probes out of the adjustment: it repeats the others."""
        return Estimate.from_delta(shift(row)) if row.labels[1] == _ALL else shift(row)

    table = rows.table(
        f"probes_{dimension.name}",
        f"{dimension.name}: variant minus original",
        Measure("original", lambda row: _originals_with_variant(row).mean_value(values), dimension.scale),
        mean_column("variant", values, scale=dimension.scale),
        Measure("Δ", change, dimension.scale, change=True),
        count_column("pairs", lambda row: float(shift(row).pairs)),
        count_column("dropped", lambda row: float(shift(row).dropped)),
    )
    deltas = [as_estimate(each) for each in table.column("Δ")]
    series: dict[str, list[Estimate]] = {}
    for row, delta in zip(rows.rows, deltas, strict=True):
        if row.labels[1] != _ALL:
            series.setdefault(str(row.labels[1]), []).append(delta)
    arms = list(dict.fromkeys(str(row.labels[0]) for row in rows.rows))
    caption = f"{dimension.name}: variant minus original{data.simulation_note}, {data.level:.0%} intervals"
    panel = Panel(dimension.name, arms, series)
    figure = Figure("intervals", f"probes_{dimension.name}", caption, [panel], "points of 100", zero=True)
    finding = _describe(dimension, rows, deltas, "differ from their originals after adjustment")
    return table, finding, figure


def _originals_with_variant(row: Row) -> Subset:
    """Return the originals of the row's variants: a problem without a variant is left out."""
    has_variant = row.subset.problems[row.subset.data.attempts.problem]
    originals: Subset = row.context
    return originals.where(has_variant)


def _describe(dimension: Dimension, rows: Rows, deltas: list[Estimate], difference: str) -> str:
    """Count the pairs of arm and probe with a clear difference, and name the lowest one."""
    known = [
        (delta.value, row, delta.is_significant)
        for row, delta in zip(rows.rows, deltas, strict=True)
        if delta.value is not None and row.labels[1] != _ALL
    ]
    if not known:
        return f"{dimension.name}: no variant and its original are both scored"
    value, row, _ = min(known, key=itemgetter(0))
    return (
        f"{dimension.name}: {sum(clear for *_, clear in known)} of {len(known)} pairs of arm and probe "
        f"{difference}; the lowest difference is "
        f"{PERCENT.show_change(value)}, {row.labels[0]} under {row.labels[1]}"
    )


def _describe_paraphrases(data: Results) -> str:
    """Return how many questions were rewritten, and why the others were not."""
    counts = data.paraphrases
    made, dropped = counts["variants"], sum(counts["dropped"].values())
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in counts["dropped"].items())
    return (
        f"paraphrased: {made:,} of {made + dropped:,} texts ask the same by the check, and "
        f"{counts['recomputed']:,} of them give the key again; dropped: {reasons or 'none'}"
    )


def _make_lifts(rows: Rows, dimension: Dimension) -> tuple[Table, str]:
    """Return what each arm adds to originals and to variants, their difference, and the finding."""
    values = rows.data.values(dimension.name)

    def lift(subset: Subset) -> PairedDelta | None:
        return subset.delta(values)

    def interaction(row: Row) -> PairedDelta | Estimate | None:
        found = _interaction(row.subset, row.context, values)
        return Estimate.from_delta(found) if row.labels[1] == _ALL else found

    table = rows.table(
        f"probe_lifts_{dimension.name}",
        f"{dimension.name}: what an arm adds to originals and to variants",
        Measure(
            "originals",
            lambda row: Estimate.from_delta(lift(_originals_with_variant(row))),
            dimension.scale,
            change=True,
        ),
        Measure("variants", lambda row: Estimate.from_delta(lift(row.subset)), dimension.scale, change=True),
        Measure("variants − originals", interaction, dimension.scale, change=True),
    )
    deltas = [as_estimate(each) for each in table.column("variants − originals")]
    difference = "have an arm that adds another amount to the variants than to the originals"
    return table, _describe(dimension, rows, deltas, difference)


def _interaction(variants: Subset, originals: Subset, values: Floats) -> PairedDelta:
    """Subtract what an arm adds to originals from what it adds to their variants, paired by original."""
    means = [
        subset.mean_by_problem(values)
        for subset in (variants, variants.control, originals, originals.control)
    ]
    differences = means[0] - means[1] - means[2] + means[3]
    [both] = np.nonzero(~np.isnan(differences))
    dropped = int(np.count_nonzero(variants.problems | originals.problems)) - len(both)
    ends = (-2.0, 2.0) if variants.data.is_share(values) else None
    return variants.data.mean_over_families(differences[both], both, dropped, ends)
