"""Screening compared with one arm per switch: how differences vary, and requests for the same precision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ansatz.eval.score import Dimension
from ansatz.eval.statistics.power import Components
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report.comparisons import compare_arms, headline_dimensions
from ansatz.experiments.report.evidence import variance_components
from ansatz.experiments.results import Results
from ansatz.experiments.results.screened import AttemptPairs

ASSUMED = Components(families=0.03, problems=0.10, repeats=0.12)
"""Variances of differences of shares, assumed without a pilot: a standard deviation of 0.5, as if a quarter
of the problems changed."""
UNRELATED = 0.5
"""Variance of the difference of two unrelated answers, each right with a probability of a half."""
FEWEST = 4  # switches for which designs are compared


class SwitchScatter(NamedTuple):
    """How the differences of single switches vary on one dimension, and two unrelated answers."""

    dimension: Dimension
    by_switch: Mapping[str, Components]
    """Of the differences between an arm with this switch alone and the baseline."""
    unrelated: float
    """The variance of the difference of two unrelated answers, which no pair exceeds."""


class PairVariance(NamedTuple):
    """The variance of an effect from one pair of a screening design."""

    least: float
    """If all scatter of single switches is the model's variation between repeats."""
    most: float
    """If all of it is a varying effect, which adds up over the switches."""


@dataclass(frozen=True)
class DesignComparison:
    """Requests of a screening design relative to one arm per switch, for the same standard error."""

    dimension: str
    switches: int
    requests: dict[str, int]
    """By design, the attempts of this study's problems and repeats."""
    relative: dict[str, tuple[float, float]]
    """By switch, least and most attempts of screening over those of one arm per switch. The range is wide if
    the pilot has one repeat, which does not show how much of the scatter is the model's own."""

    unmoved: tuple[str, ...] = ()
    """Switches that changed no score in the pilot, so one arm for each has no scatter."""

    @property
    def losing(self) -> list[str]:
        """The switches for which screening may take more attempts."""
        return [switch for switch, (_, most) in self.relative.items() if most > 1]

    def describe(self) -> str:
        """Return the comparison in a few sentences."""
        least = min(low for low, _ in self.relative.values())
        most = max(high for _, high in self.relative.values())
        share = f"{least:.2f}" if most - least < 0.005 else f"{least:.2f} to {most:.2f}"
        lines = [
            f"Screening {self.switches} switches takes {self.requests['screening']:,} attempts here, one arm "
            f"per switch {self.requests['one_at_a_time']:,}. For the same standard error on "
            f"{self.dimension}, it takes {share} times the attempts."
        ]
        if self.losing:
            names = ", ".join(f"{each} ({self.relative[each][1]:.1f} times)" for each in self.losing)
            lines.append(f"It may lose on switches that move few answers: {names}.")
        if self.unmoved:
            lines.append(
                f"It loses on switches that changed no score in the pilot: {', '.join(self.unmoved)}."
            )
        lines.append(
            "It reports effects averaged over the other switches, so it also loses if switches make each "
            "other needless."
        )
        return " ".join(lines)


def compare_designs(design: Design, pilot: Path | None) -> DesignComparison | None:
    """Compare the two designs for a study with either; None with fewer than four switches.

    None, too, if the pilot has no arm with a single switch.
    """
    switches = _find_switches(design)
    scatter = next(read_switch_scatter(switches, pilot, design), None) if len(switches) >= FEWEST else None
    if scatter is None:
        return None
    variance = predict_pair_variance(scatter)
    singles = len(switches) + 1
    totals = {switch: _sum(parts) for switch, parts in scatter.by_switch.items()}
    relative = {
        switch: (2 * variance.least / (singles * total), 2 * variance.most / (singles * total))
        for switch, total in totals.items()
        if total
    }
    attempts = len(design.problems) * design.settings.most_repeats * len(design.models)
    return DesignComparison(
        scatter.dimension.name,
        len(switches),
        {"screening": 2 * attempts, "one_at_a_time": singles * attempts},
        relative,
        tuple(switch for switch, total in totals.items() if not total),
    )


def _find_switches(design: Design) -> tuple[str, ...]:
    """Return the switches of a screening design, or the arms of a study with one switch each."""
    if design.pairs is not None:
        return design.pairs.switches
    arms = [arm for name, arm in design.arms.items() if name != design.settings.baseline]
    is_single = all(len(arm.switches) == 1 and not arm.follows and not arm.builds_on for arm in arms)
    return tuple(arm.name for arm in arms) if is_single else ()


def read_switch_scatter(
    switches: Sequence[str], pilot: Path | None, design: Design
) -> Iterator[SwitchScatter]:
    """Yield how differences of single switches vary, by headline dimension: in the pilot, or assumed."""
    if pilot is None:
        quality = [each for each in design.dimensions if each.role == "quality"]
        for each in [each for each in quality if not each.detail] or quality[:4]:
            yield SwitchScatter(each, dict.fromkeys(switches, ASSUMED), UNRELATED)
        return
    data = read_results(pilot)
    for dimension in headline_dimensions(data):
        found = _measure(data, dimension, switches)
        if found and any(_sum(parts) for parts in found.values()):
            values = data.values(dimension.name)
            yield SwitchScatter(dimension, found, 2 * float(np.nanvar(values)))


def _measure(data: Results, dimension: Dimension, switches: Sequence[str]) -> dict[str, Components]:
    """Return the components of the pilot's differences; of several models, those that vary most."""
    found: dict[str, Components] = {}
    for row in compare_arms(data).values() if not data.screened else ():
        if row.dimension == dimension and row.arm in switches:
            parts = variance_components(data, row)
            if parts is not None and (row.arm not in found or _sum(parts) > _sum(found[row.arm])):
                found[row.arm] = parts
    return found


def predict_pair_variance(scatter: SwitchScatter) -> PairVariance:
    """Predict the variance of an effect from one pair: varying effects add up over switches, noise does not.

    A switch that the pilot does not have varies like the mean of the others.
    """
    parts = list(scatter.by_switch.values())
    varying = float(np.mean([each.families + each.problems for each in parts])) * len(parts)
    totals = [_sum(each) for each in parts]
    if all(each.repeats is not None for each in parts):
        noise = float(np.mean([each.repeats or 0.0 for each in parts]))
        both = min(scatter.unrelated, varying + noise)
        return PairVariance(both, both)
    return PairVariance(min(scatter.unrelated, max(totals)), min(scatter.unrelated, varying))


def _sum(parts: Components) -> float:
    return parts.families + parts.problems + (parts.repeats or 0.0)


def screening_components(
    design: Design, pilot: Path | None
) -> Iterator[tuple[Dimension, Components, float, float | None]]:
    """Yield how effects from pairs vary on each headline dimension, the paired share and the largest effect.

    The effect of a switch on a problem is the same in each repeat. What the other switches and the model's
    variation add differs between repeats, because each has another pair.
    """
    assert design.pairs is not None
    data = None if pilot is None else read_results(pilot)
    if data is not None and data.screened:
        yield from _measure_pairs(data)
        return
    for scatter in read_switch_scatter(design.pairs.switches, pilot, design):
        total = predict_pair_variance(scatter).most
        own = max(scatter.by_switch.values(), key=_sum)
        scale = min(1.0, total / _sum(own)) if _sum(own) else 0.0
        families, problems = own.families * scale, own.problems * scale
        others = max(0.0, total - families - problems)
        yield scatter.dimension, Components(families, problems, others), 1.0, None


def _measure_pairs(data: Results) -> Iterator[tuple[Dimension, Components, float, float | None]]:
    """Yield the components in a screening run, of the model and switch with the largest variance."""
    for dimension in headline_dimensions(data):
        rows = [row for row in compare_arms(data).values() if row.dimension == dimension]
        known = [
            parts
            for model in data.models
            for parts in AttemptPairs.of(data, model).components(data.values(dimension.name))
        ]
        if known:
            largest = max((abs(row.delta.estimate) for row in rows if row.delta.estimate), default=None)
            pairs = max(row.delta.pairs for row in rows)
            share = pairs / max(max(row.delta.pairs + row.delta.dropped for row in rows), 1)
            yield dimension, max(known, key=_sum), share, largest
