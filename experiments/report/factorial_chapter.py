"""The chapter on a factorial design: what each switch does, how they work together, and whose the gain is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from ansatz.eval.score import PERCENT
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.statistics.factorial import (
    effect_weights,
    gain_weights,
    possible_ends,
    shapley_weights,
    weighted,
)
from ansatz.eval.statistics.fieller import Share, share
from ansatz.eval.views import (
    COUNT,
    Chapter,
    Column,
    Entry,
    Estimate,
    Figure,
    Panel,
    Results,
    Section,
    System,
    Table,
)
from ansatz.eval.views.attempts import Floats, Numbers
from ansatz.experiments.report.comparisons import headlines

Place = tuple[str, str, str]
"""Model, dimension, and the effect or part."""

_FEWEST = 2  # switches; of a single one the delta table says all
_TOGETHER = "all together"
_EFFECTS = (
    "The effect of a switch is what turning it on adds, averaged over the settings of the others. The "
    "interaction A × B is by how much B changes the effect of A: A and B together, less A alone, less B "
    "alone, plus neither; and so on for three. Paired within problems over those scored in every arm, with "
    "intervals over families, cut at what is possible (±100 points, ±200 for two switches, ±400 for three); "
    "p and intervals hold for all effects and dimensions of a model at once."
)
_PARTS = (
    "Shapley's division: each switch's gain averaged over all orders in which the switches may be turned "
    "on, so that the parts add up to the gain of all together. The share of a part has Fieller's interval, "
    "and none where the gain is not clear of zero. p and intervals hold for all parts and dimensions of a "
    "model at once."
)


@dataclass(frozen=True)
class Crossing:
    """The switches of a 2^k design and the arm for each set of them that is on."""

    switches: tuple[str, ...]
    arms: Mapping[frozenset[str], str]


def find_design(switches: Mapping[str, frozenset[str]], arms: Sequence[str]) -> Crossing | None:
    """The largest full factorial among the arms; None where no two switches are crossed.

    What is on in every arm is no switch. Arms outside the factorial, such as a placebo, are left out.
    """
    held = [(switches[arm], arm) for arm in arms if arm in switches]
    if not held:
        return None
    common = frozenset.intersection(*(on for on, _ in held))
    by_set: dict[frozenset[str], str] = {}
    for on, arm in held:
        by_set.setdefault(on - common, arm)
    names = list(dict.fromkeys(name for on in by_set for name in sorted(on)))
    most = min(len(names), len(by_set).bit_length() - 1)
    for size in range(most, _FEWEST - 1, -1):
        for chosen in combinations(names, size):
            wanted = [frozenset(some) for number in range(size + 1) for some in combinations(chosen, number)]
            if all(on in by_set for on in wanted):
                return Crossing(chosen, {on: by_set[on] for on in wanted})
    return None


@dataclass(frozen=True, eq=False)
class Cells:
    """The problems scored in every arm, by their places: their means, of shape (2^k, problems)."""

    values: Floats
    places: Numbers
    dropped: int


class FactorialRun:
    """The factorial arms of a run, with weights of its effects and parts by what these are called."""

    def __init__(self, data: Results, design: Crossing) -> None:
        switches = sorted(design.switches)
        numbers = range(2 ** len(switches))
        self.data = data
        self.switches = switches
        self.effects = {
            _named([switches[bit] for bit in term]): weights
            for term, weights in effect_weights(len(switches)).items()
        }
        self.parts = {name: shapley_weights(len(switches), bit) for bit, name in enumerate(switches)}
        self.parts[_TOGETHER] = gain_weights(len(switches))
        self._arms = [
            design.arms[frozenset(name for bit, name in enumerate(switches) if arm >> bit & 1)]
            for arm in numbers
        ]

    @cached_property
    def cells(self) -> dict[tuple[str, str], Cells]:
        """By model and dimension; dimensions without a problem that is scored in every arm are left out."""
        found = {
            (model, each.name): self._cells(model, each.name)
            for model in self.data.models
            for each in self.data.of_role("quality")
        }
        return {place: cells for place, cells in found.items() if len(cells.places)}

    def _cells(self, model: str, dimension: str) -> Cells:
        cuts = [self.data.cut(System(model, arm)) for arm in self._arms]
        means = np.stack([cut.by_problem(self.data.values(dimension)) for cut in cuts])
        [places] = np.nonzero(~np.isnan(means).any(axis=0))
        asked = np.count_nonzero(np.any([cut.problems for cut in cuts], axis=0))
        return Cells(means[:, places], places, int(asked) - len(places))

    def judged(self, weights: Mapping[str, Floats]) -> dict[Place, Estimate | None]:
        """Weighted sums of arms by model, dimension and name, those of a model all together."""
        found: dict[Place, Estimate | None] = {}
        for model in self.data.models:
            deltas = {
                (*place, name): self._delta(cells, own)
                for place, cells in self.cells.items()
                if place[0] == model
                for name, own in weights.items()
            }
            found |= self.data.adjusted(deltas)
        return found

    def _delta(self, cells: Cells, weights: Floats) -> PairedDelta:
        differences = weighted(weights, cells.values)
        return self.data.clustered(differences, cells.places, cells.dropped, possible_ends(weights))

    def shares(self, cells: Cells) -> dict[str, Share]:
        """The switches' parts as fractions of the gain, bounded by what a problem can have."""
        whole = self.parts[_TOGETHER]
        gain = weighted(whole, cells.values)
        return {
            name: share(
                weighted(own, cells.values),
                gain,
                self.data.family[cells.places],
                self.data.level,
                lambda ratio, own=own: possible_ends(own - ratio * whole),  # type: ignore[misc]
            )
            for name, own in self.parts.items()
            if name != _TOGETHER
        }

    @cached_property
    def headlines(self) -> list[str]:
        known = {name for _, name in self.cells}
        return [each.name for each in headlines(self.data) if each.name in known] or sorted(known)[:1]

    def table(
        self, kind: str, title: str, head: str, found: Mapping[Place, Estimate | None]
    ) -> Iterator[Table]:
        """A table of estimates for the outcome and one for the rubric, where there are such dimensions."""
        names = dict.fromkeys(name for _, _, name in found)
        known = {name for _, name in self.cells}
        for group, is_outcome in (("outcome", True), ("rubric", False)):
            shown = [
                each
                for each in self.data.of_role("quality")
                if each.name in known and (each.scale == PERCENT) == is_outcome
            ]
            columns = [*self.heads(head), *(Column(each.name, each.scale, change=True) for each in shown)]
            rows = [
                [*self.named(model), name, *(found.get((model, each.name, name)) for each in shown)]
                for model in self.data.models
                for name in names
            ]
            if shown:
                caption = f"{title.format(group)}{self.data.simulation}."
                yield Table(f"{kind}_{group}", caption, columns, rows)

    def heads(self, first: str) -> list[Column]:
        return [*([Column("model")] if len(self.data.models) > 1 else []), Column(first)]

    def named(self, model: str) -> list[Entry]:
        return [model] if len(self.data.models) > 1 else []


def _named(switches: Sequence[str]) -> str:
    return " × ".join(switches)


def chapter(data: Results) -> Chapter | None:
    """Effects, interactions and attribution; None where the arms hold no factorial design."""
    design = find_design(data.switches, data.arms)
    if design is None or not data.of_role("quality"):
        return None
    run = FactorialRun(data, design)
    title = f"The factorial design: {_named(design.switches)}"
    return Chapter("factorial", title, [_effects(run), _attribution(run)])


def _effects(run: FactorialRun) -> Section:
    found = run.judged(run.effects)
    shown = run.headlines[:3]
    figures = [
        _figure(run, model, names, found)
        for model in run.data.models
        if (names := [name for name in shown if (model, name) in run.cells])
    ]
    return Section(
        "Effects and interactions",
        findings=[_finding(run, model, found) for model in run.data.models if run.headlines],
        tables=list(run.table("effects", "Effects on {}, and interactions", "effect", found)),
        figures=figures,
        notes=(_EFFECTS,),
    )


def _finding(run: FactorialRun, model: str, found: Mapping[Place, Estimate | None]) -> str:
    """On the headline, which switches work, and which pairs do more or less together than apart."""
    dimension = run.data.dimension(run.headlines[0])
    moved = [
        f"{name} {dimension.scale.show_change(shown.value)}"
        for name in run.effects
        if (shown := found.get((model, dimension.name, name))) is not None and shown.is_significant
    ]
    named = f"{model}: " if len(run.data.models) > 1 else ""
    return f"{named}moves {dimension.name} by more than luck explains: {'; '.join(moved) or 'nothing'}"


def _figure(
    run: FactorialRun, model: str, names: Sequence[str], found: Mapping[Place, Estimate | None]
) -> Figure:
    labels, data = list(run.effects), run.data
    panels = [
        Panel(
            f"{each.name} ({each.scale.name})",
            labels,
            {"effect": [found[model, each.name, label] or Estimate(None) for label in labels]},
            each.scale,
            each.better,
        )
        for each in map(data.dimension, names)
    ]
    caption = f"{data.said_of(model)}: effects of the switches and interactions, {data.level:.0%} intervals"
    file = data.per_model("effects", model)
    return Figure("intervals", file, caption, panels, zero=True)


def _attribution(run: FactorialRun) -> Section:
    title = "The gain in {} of all switches together, divided among them"
    tables = list(run.table("parts", title, "part of", run.judged(run.parts)))
    tables += [_shares(run)] if run.cells else []
    return Section("Whose gain it is", tables=tables, notes=(_PARTS,))


def _shares(run: FactorialRun) -> Table:
    """Shares of the gain in the headline."""
    headline = run.headlines[0]
    columns = [*run.heads("switch"), Column(f"share of the gain in {headline}", PERCENT)]
    columns += [Column("problems", COUNT), Column("dropped", COUNT)]
    rows: list[list[Entry]] = []
    for (model, _), cells in (each for each in run.cells.items() if each[0][1] == headline):
        for switch, each in run.shares(cells).items():
            shown = Estimate(each.value, each.low, each.high) if each.low is not None else None
            rows.append([*run.named(model), switch, shown, len(cells.places), cells.dropped])
    return Table("shares", f"Shares of the gain in {headline}, in %{run.data.simulation}.", columns, rows)
