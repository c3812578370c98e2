"""Whether a system reasons alike when the same physics is told in other words (figure 5), pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ansatz.eval.benchmarks.physbench.physbench_run import PREFIXES
from ansatz.eval.benchmarks.physbench.variants import NO_REGION, ORIGINAL_ID, REGION, REGIONS, pack
from ansatz.eval.score import PERCENT
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.results import Cut, Floats, Mask, Results, estimate
from ansatz.eval.views.section import COUNT, Column, Entry, Estimate, Figure, Panel, Section, Table

NOTES = Notes(__name__)

_MEASURES = {
    "score": "P-REFS score",
    "final_correct": "final answer correct",
    "fully_correct": "fully correct",
}
_ALL = "all regions"


class VariantRun:
    """Attempts at originals and at their variants."""

    def __init__(self, data: Results) -> None:
        self.data = data
        found = [(str(each.tags.get(REGION, "")), str(each.tags.get(ORIGINAL_ID, ""))) for each in data.asked]
        regions = {region for region, original in found if original}
        first: dict[str, int] = {}  # a set of variants by the place of its first problem
        places = [first.setdefault(original, place) for place, (_, original) in enumerate(found)]
        self.original = np.array(places, dtype=np.intp)
        self.regions = [each for each in REGIONS if each in regions]
        self.has_originals = NO_REGION in regions
        self.parts: dict[str, Mask] = {each: data.tagged(REGION, each) for each in (*self.regions, NO_REGION)}
        told = data.where(lambda problem: REGION in problem.tags and ORIGINAL_ID in problem.tags)
        self.parts[_ALL] = told & ~self.parts[NO_REGION]
        held = [each for each in PREFIXES if f"{each}score" in data.names]
        measures = {f"{held[0]}{name}": title for name, title in _MEASURES.items()} if held else {}
        measures["outcome"] = "outcome"
        self.measures = {name: title for name, title in measures.items() if name in data.names}

    def means(self, cut: Cut, values: Floats, region: str) -> Floats:
        """By place of the original, the mean over the attempts at its variants of a region."""
        rows = cut.where(self.parts[region]).rows
        known = rows[~np.isnan(values[rows])]
        originals, size = self.original[self.data.attempts.problem[known]], len(self.data.asked)
        counts = np.bincount(originals, minlength=size)
        sums = np.bincount(originals, weights=values[known], minlength=size)
        return np.asarray(np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0))

    def shift(self, cut: Cut, dimension: str, region: str) -> PairedDelta:
        """Variants of a region minus their originals."""
        values = self.data.values(dimension)
        variant, original = (self.means(cut, values, each) for each in (region, NO_REGION))
        asked = cut.where(self.parts[region] | self.parts[NO_REGION])
        number = len(np.unique(self.original[self.data.attempts.problem[asked.rows]]))
        [both] = np.nonzero(~np.isnan(variant) & ~np.isnan(original))
        return self.data.clustered(variant[both] - original[both], both, number - len(both))

    def mean(self, cut: Cut, dimension: str, region: str) -> float | None:
        found = self.means(cut, self.data.values(dimension), region)
        known = found[~np.isnan(found)]
        return float(known.mean()) if len(known) else None


@dataclass(frozen=True)
class Shifts:
    """A dimension's shifts by system and region, raw, and as shown with p after Holm."""

    raw: dict[tuple[Cut, str], PairedDelta]
    shown: dict[tuple[Cut, str], Estimate | None]


def contextual_robustness(data: Results) -> Section | None:
    """None where a run has no variants beside their originals."""
    run = VariantRun(data)
    if not run.regions or not run.measures or not run.has_originals:
        return None
    cuts = data.cuts()
    shifts = {}
    for dimension in run.measures:
        raw = {(cut, region): run.shift(cut, dimension, region) for cut in cuts for region in run.regions}
        shifts[dimension] = Shifts(raw, data.adjusted(raw))
    return Section(
        "Robustness under contextual variants",
        findings=[_finding(title, shifts[name]) for name, title in run.measures.items()],
        figures=[_figure(run, cuts, shifts)],
        tables=[_table(run, cuts, name, shifts[name]) for name in run.measures],
        notes=(NOTES["variants_note"],),
    )


def _title(region: str) -> str:
    return region if region == _ALL else pack(region).title


def _table(run: VariantRun, cuts: Sequence[Cut], dimension: str, shifts: Shifts) -> Table:
    columns = [Column("arm"), Column("region"), Column("original", PERCENT), Column("variant", PERCENT)]
    columns += [Column("Δ", PERCENT, change=True), Column("pairs", COUNT), Column("dropped", COUNT)]
    rows: list[list[Entry]] = []
    for cut in cuts:
        for region in (*run.regions, _ALL):
            delta = shifts.raw.get((cut, region)) or run.shift(cut, dimension, region)
            shown = shifts.shown[cut, region] if (cut, region) in shifts.shown else estimate(delta)
            means = (run.mean(cut, dimension, each) for each in (NO_REGION, region))
            rows.append([cut.label, _title(region), *means, shown, float(delta.pairs), float(delta.dropped)])
    caption = f"{run.measures[dimension]}: variants against their originals{run.data.simulation}."
    return Table(f"robustness_{dimension.rpartition('.')[2]}", caption, columns, rows)


def _figure(run: VariantRun, cuts: Sequence[Cut], shifts: dict[str, Shifts]) -> Figure:
    panels = []
    for name, title in run.measures.items():
        raw = shifts[name].raw
        series = {
            _title(region): [estimate(raw[cut, region]) or Estimate(None) for cut in cuts]
            for region in run.regions
        }
        panels.append(Panel(title, [cut.label for cut in cuts], series))
    caption = f"Variant minus original by region{run.data.simulation}, {run.data.level:.0%} intervals"
    return Figure("intervals", "robustness", caption, panels, "points of 100", zero=True)


def _finding(title: str, shifts: Shifts) -> str:
    known = {key: delta for key, delta in shifts.raw.items() if delta.estimate is not None}
    if not known:
        return f"{title}: no variant is scored beside its original"
    clear = [key for key in known if (found := shifts.shown[key]) and found.is_significant]
    (cut, region), worst = min(known.items(), key=lambda each: each[1].estimate or 0.0)
    families = max(delta.families for delta in known.values())
    low, high = PERCENT.show_change(worst.low), PERCENT.show_change(worst.high)
    ends = f" ({low} … {high})" if worst.low is not None else ""
    return (
        f"{title}: {len(clear)} of {len(known)} pairs of arm and region differ from their originals after "
        f"adjustment, over {families} families; the lowest difference is "
        f"{PERCENT.show_change(worst.estimate)}{ends}, {cut.label} in {_title(region)}"
    )
