"""Whether a system reasons alike when the same physics is told in other words (figure 5), pair by pair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from ansatz.eval.benchmarks.physbench.variants import NO_REGION, ORIGINAL_ID, REGION, REGIONS, pack
from ansatz.eval.statistics import PairedDelta, Scores, holm, problem_means
from ansatz.experiments.report.chart import Intervals, Panel
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System, Systems, estimate
from ansatz.experiments.report.table import ReportData

_MEASURES = {
    "score": "P-REFS score",
    "final_correct": "final answer correct",
    "fully_correct": "fully correct",
}
_PREFIXES = ("prefs.", "prefs_rules.")  # the first that a run has counts
_ALL = "all regions"
_DIGITS = 12
_NOTE = (
    "Every variant is compared with its own original: the same family, numbers, question and key, with other "
    "names, places and objects. Deltas are variant minus original, averaged over questions; families of "
    "questions are resampled for the intervals; p is Holm-adjusted over a measure's arms and regions, though "
    "not for all regions together. An interval that includes zero does not show that nothing changed: its "
    "ends say how large a change remains possible."
)


class VariantRun(Systems):
    """Attempts at originals and at their variants, by system."""

    def __init__(self, data: ReportData) -> None:
        self.originals = {
            id: str(tags[ORIGINAL_ID])
            for id, tags in data.tags.items()
            if REGION in tags and ORIGINAL_ID in tags
        }
        self.region = {id: str(data.tags[id][REGION]) for id in self.originals}
        self.regions = tuple(each for each in REGIONS if each in self.region.values())
        families = {id: data.problems[id].family for id in self.originals if id in data.problems}
        super().__init__(data, families)

    @cached_property
    def measures(self) -> dict[str, str]:
        """Dimensions by how a report calls them: marks of P-REFS where there are some, and outcomes."""
        held = [each for each in _PREFIXES if f"{each}score" in self.data.dimensions]
        found = {f"{held[0]}{name}": title for name, title in _MEASURES.items()} if held else {}
        named = {name: title for name, title in found.items() if name in self.data.dimensions}
        return named | ({"outcome": "outcome"} if "outcome" in self.data.dimensions else {})

    def scores(self, system: System, dimension: str, region: str) -> Scores:
        """The mean score of a region, or of all but the originals, by the original's id; None where unscored.

        Rounded, since a mean of three equal scores may differ from them in the last bit: such a difference
        has the same sign everywhere and would pass for a sure one.
        """
        found: defaultdict[str, list[float | None]] = defaultdict(list)
        for cell in self.data.grouped.get((system.model, system.arm, dimension), ()):
            told = self.region.get(cell.problem)
            if told == region or (region == _ALL and told not in (None, NO_REGION)):
                found[self.originals[cell.problem]].append(cell.value)
        means = problem_means(found)
        return {id: [round(means[id], _DIGITS) if id in means else None] for id in found}

    def shift(self, system: System, dimension: str, region: str) -> PairedDelta:
        """Variants of a region minus their originals."""
        return self.difference(
            self.scores(system, dimension, region), self.scores(system, dimension, NO_REGION)
        )


def section(data: ReportData) -> Section | None:
    """None where a run has no variants beside their originals."""
    run = VariantRun(data)
    if not run.regions or not run.measures or NO_REGION not in run.region.values():
        return None
    return Section(
        title="Robustness under contextual variants",
        findings=[_finding(run, dimension) for dimension in run.measures],
        figures=[_figure(run)],
        tables=[_table(run, dimension) for dimension in run.measures],
        notes=(_NOTE,),
    )


def _title(region: str) -> str:
    return region if region == _ALL else pack(region).title


def _shifts(run: VariantRun, dimension: str) -> dict[tuple[System, str], tuple[PairedDelta, float | None]]:
    """Every system and region, with the adjusted p."""
    found = {
        (system, region): run.shift(system, dimension, region)
        for system in run.systems
        for region in run.regions
    }
    adjusted = holm({key: delta.p for key, delta in found.items() if delta.p is not None})
    return {key: (delta, adjusted.get(key)) for key, delta in found.items()}


def _table(run: VariantRun, dimension: str) -> Table:
    columns = [Column("arm"), Column("region"), Column("original", POINTS), Column("variant", POINTS)]
    columns += [
        Column("Δ", POINTS, change=True),
        Column("pairs", COUNT),
        Column("dropped", COUNT),
    ]
    shifts = _shifts(run, dimension)
    rows: list[Sequence[Entry]] = []
    for system in run.systems:
        for region in (*run.regions, _ALL):
            delta, p = shifts.get((system, region)) or (run.shift(system, dimension, region), None)
            rows.append(
                [
                    run.label(system),
                    _title(region),
                    run.mean(run.scores(system, dimension, NO_REGION)).value,
                    run.mean(run.scores(system, dimension, region)).value,
                    estimate(delta, p),
                    float(delta.pairs),
                    float(delta.dropped),
                ]
            )
    caption = f"{run.measures[dimension]}: variants against their originals{run.simulated}."
    return Table(f"robustness_{dimension.rpartition('.')[2]}", caption, columns, rows)


def _figure(run: VariantRun) -> Intervals:
    panels = [
        Panel(
            title,
            [run.label(system) for system in run.systems],
            {
                _title(region): [
                    estimate(run.shift(system, dimension, region)) or Estimate(None) for system in run.systems
                ]
                for region in run.regions
            },
        )
        for dimension, title in run.measures.items()
    ]
    caption = f"Variant minus original by region{run.simulated}, {run.data.level:.0%} intervals"
    return Intervals("robustness", caption, panels, axis="points of 100", zero=True)


def _finding(run: VariantRun, dimension: str) -> str:
    shifts = _shifts(run, dimension)
    known = {key: delta for key, (delta, _) in shifts.items() if delta.estimate is not None}
    title = run.measures[dimension]
    if not known:
        return f"{title}: no variant is scored beside its original"
    clear = [key for key in known if (found := estimate(*shifts[key])) and found.is_significant]
    (system, region), worst = min(known.items(), key=lambda each: each[1].estimate or 0.0)
    families = max(delta.families for delta in known.values())
    ends = (
        f" ({POINTS.show_change(worst.low)} … {POINTS.show_change(worst.high)})"
        if worst.low is not None
        else ""
    )
    return (
        f"{title}: {len(clear)} of {len(known)} pairs of arm and region differ from their originals after "
        f"adjustment, over {families} families; the lowest difference is {POINTS.show_change(worst.estimate)}"
        f"{ends}, {run.label(system)} in {_title(region)}"
    )
