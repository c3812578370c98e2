"""The chapter on a factorial design: what each switch does, how they work together, and whose the gain is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from ansatz.eval.score import PERCENT, Dimension
from ansatz.eval.statistics import Adjusted, PairedDelta
from ansatz.eval.statistics.factorial import Effect, Factorial, factorial_effects
from ansatz.eval.statistics.resampling import FLIPS
from ansatz.eval.statistics.shapley import Attribution, shapley
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
    estimate,
)
from ansatz.experiments.report.deltas import headlines

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


class FactorialRun:
    """The factorial arms of a run, model by model and dimension by dimension."""

    def __init__(self, data: Results, design: Crossing) -> None:
        self.data = data
        self.design = design

    def _cells(self, model: str, dimension: str) -> dict[frozenset[str], Mapping[str, list[float | None]]]:
        values = self.data.values(dimension)
        arms = self.design.arms.items()
        return {on: self.data.cut(System(model, arm)).scores(values) for on, arm in arms}  # type: ignore[misc]

    @property
    def _settings(self) -> dict[str, float]:
        return {"seed": self.data.seed, "resamples": self.data.resamples, "level": self.data.level}

    @cached_property
    def effects(self) -> dict[tuple[str, str], Factorial]:
        """By model and dimension; dimensions without a problem that is scored in every arm are left out."""
        found = {
            (model, each.name): factorial_effects(
                self._cells(model, each.name),
                self.data.families,
                **self._settings,  # type: ignore[arg-type]
            )
            for model in self.data.models
            for each in self.data.of_role("quality")
        }
        return {place: effects for place, effects in found.items() if effects.problems}

    @cached_property
    def attributions(self) -> dict[tuple[str, str], Attribution]:
        return {
            place: shapley(self._cells(*place), self.data.families, **self._settings)  # type: ignore[arg-type]
            for place in self.effects
        }

    def terms(self) -> list[tuple[str, ...]]:
        """Every effect by its switches, by order and then as the statistics name them."""
        return (
            [effect.switches for effect in next(iter(self.effects.values())).effects] if self.effects else []
        )

    def parts(self, place: tuple[str, str]) -> dict[str, PairedDelta]:
        """Each switch's part of the gain, and the whole; empty where nothing could be told."""
        found = self.attributions.get(place)
        return {**found.parts, _TOGETHER: found.gain} if found else {}

    @cached_property
    def judged_effects(self) -> dict[tuple[str, str, str], Adjusted]:
        """By model, dimension and switches, all effects and dimensions of a model together."""
        return self._by_model(
            {
                (*place, _named(effect.switches)): effect.delta
                for place, found in self.effects.items()
                for effect in found.effects
            }
        )

    @cached_property
    def judged_parts(self) -> dict[tuple[str, str, str], Adjusted]:
        """By model, dimension and switch, all parts and dimensions of a model together."""
        return self._by_model(
            {(*place, name): each for place in self.effects for name, each in self.parts(place).items()}
        )

    def _by_model(
        self, deltas: Mapping[tuple[str, str, str], PairedDelta]
    ) -> dict[tuple[str, str, str], Adjusted]:
        found: dict[tuple[str, str, str], Adjusted] = {}
        for model in self.data.models:
            own = {place: delta for place, delta in deltas.items() if place[0] == model}
            found |= self.data.judged(own, FLIPS).verdicts
        return found

    def shown(
        self, verdict: Adjusted | None, delta: PairedDelta | None, most: float = 1.0
    ) -> Estimate | None:
        """As a table shows it; without a p while a run goes on."""
        if verdict is None or delta is None:
            return estimate(delta, most=most)
        whole = replace(delta, low=verdict.low, high=verdict.high)
        return estimate(whole, verdict.p_adjusted if self.data.is_complete else None, most)

    def groups(self) -> list[tuple[str, list[Dimension]]]:
        """The dimensions of each table, by its name."""
        known = [
            each
            for each in self.data.of_role("quality")
            if any(each.name == name for _, name in self.effects)
        ]
        groups = [
            ("outcome", [each for each in known if each.scale == PERCENT]),
            ("rubric", [each for each in known if each.scale != PERCENT]),
        ]
        return [(name, dimensions) for name, dimensions in groups if dimensions]

    @cached_property
    def headlines(self) -> list[str]:
        known = {name for _, name in self.effects}
        return [each.name for each in headlines(self.data) if each.name in known] or sorted(known)[:1]

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
    return Section(
        "Effects and interactions",
        findings=[_finding(run, model) for model in run.data.models if run.headlines],
        tables=[_effect_table(run, name, dimensions) for name, dimensions in run.groups()],
        figures=[figure for model in run.data.models if (figure := _figure(run, model)) is not None],
        notes=(_EFFECTS,),
    )


def _effect_table(run: FactorialRun, name: str, dimensions: Sequence[Dimension]) -> Table:
    rows: list[list[Entry]] = []
    for model in run.data.models:
        for switches in run.terms():
            shown = [_effect(run, (model, each.name), switches) for each in dimensions]
            rows.append([*run.named(model), _named(switches), *shown])
    columns = [*run.heads("effect"), *(Column(each.name, each.scale, change=True) for each in dimensions)]
    caption = f"Effects on {name}, and interactions{run.data.simulation}."
    return Table(f"effects_{name}", caption, columns, rows)


def _effect(run: FactorialRun, place: tuple[str, str], switches: Sequence[str]) -> Estimate | None:
    found = run.effects.get(place)
    if found is None:
        return None
    effect = found.effect(*switches)
    return run.shown(run.judged_effects.get((*place, _named(switches))), effect.delta, _most(effect))


def _most(effect: Effect) -> float:
    """An effect of order k is a difference of differences, 2^(k − 1) of them."""
    return 2.0 ** (effect.order - 1)


def _finding(run: FactorialRun, model: str) -> str:
    """On the headline, which switches work, and which pairs do more or less together than apart."""
    dimension = run.data.dimension(run.headlines[0])
    moved = []
    for switches in run.terms():
        shown = _effect(run, (model, dimension.name), switches)
        if shown is not None and shown.is_significant:
            moved.append(f"{_named(switches)} {dimension.scale.show_change(shown.value)}")
    named = f"{model}: " if len(run.data.models) > 1 else ""
    return f"{named}moves {dimension.name} by more than luck explains: {'; '.join(moved) or 'nothing'}"


def _figure(run: FactorialRun, model: str) -> Figure | None:
    names = [name for name in run.headlines if (model, name) in run.effects][:3]
    if not names:
        return None
    labels = [_named(switches) for switches in run.terms()]
    panels = [
        Panel(
            name,
            labels,
            {
                "effect": [
                    _effect(run, (model, name), each.switches) or Estimate(None)
                    for each in run.effects[model, name].effects
                ]
            },
        )
        for name in names
    ]
    data = run.data
    caption = f"{data.said_of(model)}: effects of the switches and interactions, {data.level:.0%} intervals"
    name = data.per_model("effects", model)
    return Figure("intervals", name, caption, panels, "points (0–100)", zero=True)


def _attribution(run: FactorialRun) -> Section:
    tables = [_parts(run, name, dimensions) for name, dimensions in run.groups()]
    tables += [_shares(run)] if run.attributions else []
    return Section("Whose gain it is", tables=tables, notes=(_PARTS,))


def _parts(run: FactorialRun, name: str, dimensions: Sequence[Dimension]) -> Table:
    columns = [*run.heads("part of"), *(Column(each.name, each.scale, change=True) for each in dimensions)]
    rows: list[list[Entry]] = []
    for model in run.data.models:
        for part in (*sorted(run.design.switches), _TOGETHER):
            places = [(model, each.name) for each in dimensions]
            shown = [
                run.shown(run.judged_parts.get((*place, part)), run.parts(place).get(part))
                for place in places
            ]
            rows.append([*run.named(model), part, *shown])
    caption = f"The gain in {name} of all switches together, divided among them{run.data.simulation}."
    return Table(f"parts_{name}", caption, columns, rows)


def _shares(run: FactorialRun) -> Table:
    """Shares of the gain in the headline."""
    headline = run.headlines[0]
    columns = [*run.heads("switch"), Column(f"share of the gain in {headline}", PERCENT)]
    columns += [Column("problems", COUNT), Column("dropped", COUNT)]
    rows: list[list[Entry]] = []
    for (model, dimension), found in run.attributions.items():
        for switch, each in found.shares.items() if dimension == headline else ():
            shown = Estimate(each.value, each.low, each.high) if each.low is not None else None
            rows.append([*run.named(model), switch, shown, found.problems, found.dropped])
    return Table("shares", f"Shares of the gain in {headline}, in %{run.data.simulation}.", columns, rows)
