"""The chapter on a factorial design: what each switch does, how they work together, and whose the gain is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from ansatz.eval.factorial import Cells, Effect, Factorial, factorial_effects
from ansatz.eval.shapley import Attribution, shapley
from ansatz.eval.statistics import PairedDelta, Scores, holm
from ansatz.experiments.report.chart import Intervals, Panel
from ansatz.experiments.report.design import Design, find_design
from ansatz.experiments.report.scale import is_rubric, scale_of
from ansatz.experiments.report.section import COUNT, POINTS, Chapter, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import Systems, estimate
from ansatz.experiments.report.table import ReportData

_TOGETHER = "all together"
_HEADLINES = ("kpi", "judge.kpi", "outcome", "exact", "published", "strict")
_EFFECTS = (
    "The effect of a switch is what turning it on adds, averaged over the settings of the others. The "
    "interaction A × B is by how much B changes the effect of A: A and B together, less A alone, less B "
    "alone, plus neither; and so on for three. Paired within problems over those scored in every arm, with "
    "intervals over families, cut at what is possible (±100 points, ±200 for two switches, ±400 for three); "
    "p after Holm over all effects and dimensions of a model."
)
_PARTS = (
    "Shapley's division: each switch's gain averaged over all orders in which the switches may be turned "
    "on, so that the parts add up to the gain of all together. The share of a part has Fieller's interval, "
    "and none where the gain is not clear of zero. p after Holm over all parts and dimensions of a model."
)


def chapter(data: ReportData) -> Chapter | None:
    """Effects, interactions and attribution; None where the arms hold no factorial design."""
    design = find_design(data.switches, data.arms)
    if design is None or not data.quality:
        return None
    run = _Run(data, design)
    crossed = " × ".join(design.switches)
    title = f"The factorial design: {crossed}"
    return Chapter("factorial", title, [_effects(run), _attribution(run)])


class _Run(Systems):
    """The factorial arms of a run, model by model and dimension by dimension."""

    def __init__(self, data: ReportData, design: Design) -> None:
        super().__init__(data, {cell.problem: cell.family for cell in data.cells})
        self.design = design

    def cells(self, model: str, dimension: str) -> Cells:
        return {on: self._scores(model, arm, dimension) for on, arm in self.design.arms.items()}

    def _scores(self, model: str, arm: str, dimension: str) -> Scores:
        found: defaultdict[str, list[float | None]] = defaultdict(list)
        for cell in self.data.grouped.get((model, arm, dimension), []):
            found[cell.problem].append(cell.value)
        return found

    @cached_property
    def effects(self) -> dict[tuple[str, str], Factorial]:
        """By model and dimension; dimensions without a problem that is scored in every arm are left out."""
        found = {}
        for model in self.data.models:
            for dimension in self.data.quality:
                effects = factorial_effects(
                    self.cells(model, dimension),
                    self.families,
                    seed=self.data.seed,
                    resamples=self.data.resamples,
                    level=self.data.level,
                )
                if effects.problems:
                    found[model, dimension] = effects
        return found

    @cached_property
    def attributions(self) -> dict[tuple[str, str], Attribution]:
        return {
            (model, dimension): shapley(
                self.cells(model, dimension),
                self.families,
                seed=self.data.seed,
                resamples=self.data.resamples,
                level=self.data.level,
            )
            for model, dimension in self.effects
        }

    def adjusted(self, model: str) -> dict[tuple[str, tuple[str, ...]], float]:
        """p of every effect by dimension and switches, after Holm over all of them."""
        return holm(
            {
                (dimension, effect.switches): effect.delta.p
                for (of, dimension), found in self.effects.items()
                for effect in found.effects
                if of == model and effect.delta.p is not None
            }
        )

    def parts(self, model: str, dimension: str) -> dict[str, PairedDelta]:
        """Each switch's part of the gain, and the whole; empty where nothing could be told."""
        found = self.attributions.get((model, dimension))
        return {**found.parts, _TOGETHER: found.gain} if found else {}

    def adjusted_parts(self, model: str) -> dict[tuple[str, str], float]:
        """p of every part by dimension, after Holm over all of them."""
        parts = {
            dimension: self.parts(model, dimension) for of, dimension in self.attributions if of == model
        }
        raw = {(dimension, name): delta.p for dimension, own in parts.items() for name, delta in own.items()}
        return holm({place: p for place, p in raw.items() if p is not None})

    def groups(self) -> list[tuple[str, list[str]]]:
        """The dimensions of each table, by its name."""
        known = [name for name in self.data.quality if any(name == each for _, each in self.effects)]
        groups = [
            ("outcome", [name for name in known if not is_rubric(name)]),
            ("rubric", [name for name in known if is_rubric(name)]),
        ]
        return [(name, dimensions) for name, dimensions in groups if dimensions]

    def named(self, model: str) -> list[Entry]:
        return [model] if self.several_models else []

    def heading(self, first: str) -> list[Column]:
        return [*([Column("model")] if self.several_models else []), Column(first)]


def _effects(run: _Run) -> Section:
    tables = [_effect_table(run, name, dimensions) for name, dimensions in run.groups()]
    figures = [figure for model in run.data.models if (figure := _figure(run, model)) is not None]
    return Section(
        title="Effects and interactions",
        findings=_findings(run),
        tables=tables,
        figures=figures,
        notes=(_EFFECTS,),
    )


def _effect_table(run: _Run, name: str, dimensions: Sequence[str]) -> Table:
    columns = [*run.heading("effect"), *(Column(each, scale_of(each), change=True) for each in dimensions)]
    rows: list[list[Entry]] = []
    for model in run.data.models:
        adjusted = run.adjusted(model)
        for switches in _terms(run):
            row: list[Entry] = [*run.named(model), " × ".join(switches)]
            for dimension in dimensions:
                found = run.effects.get((model, dimension))
                p = adjusted.get((dimension, switches))
                row.append(_shown(found.effect(*switches), p) if found else None)
            rows.append(row)
    caption = f"Effects on {name}, and interactions{run.simulated}."
    return Table(f"effects_{name}", caption, columns, rows)


def _terms(run: _Run) -> list[tuple[str, ...]]:
    """Every effect by its switches, by order and then as the statistics name them."""
    return [effect.switches for effect in next(iter(run.effects.values())).effects] if run.effects else []


def _findings(run: _Run) -> list[str]:
    """On the headline, which switches work, and which pairs do more or less together than apart."""
    lines = []
    for (model, dimension), found in run.effects.items():
        if dimension != _headline(run):
            continue
        adjusted = run.adjusted(model)
        moved = []
        for effect in found.effects:
            shown = _shown(effect, adjusted.get((dimension, effect.switches)))
            if shown is not None and shown.is_significant:
                by = scale_of(dimension).show_change(shown.value)
                moved.append(f"{' × '.join(effect.switches)} {by}")
        named = f"{model}: " if run.several_models else ""
        told = "; ".join(moved) or "nothing"
        lines.append(f"{named}moves {dimension} by more than luck explains: {told}")
    return lines


def _headline(run: _Run) -> str:
    known = [dimension for _, dimension in run.effects]
    return next((name for name in _HEADLINES if name in known), known[0] if known else "")


def _figure(run: _Run, model: str) -> Intervals | None:
    names = [name for name in _HEADLINES if (model, name) in run.effects][:3]
    if not names:
        return None
    labels = [" × ".join(switches) for switches in _terms(run)]
    panels = [
        Panel(
            name,
            labels,
            {"effect": [_shown(each) or Estimate(None) for each in run.effects[model, name].effects]},
        )
        for name in names
    ]
    number = run.data.models.index(model) + 1
    simulated = " (simulated)" if model in run.data.simulated else ""
    return Intervals(
        f"effects_{number}" if run.several_models else "effects",
        f"{model}{simulated}: effects of the switches and interactions, {run.data.level:.0%} intervals",
        panels,
        axis="points (0–100)",
        zero=True,
    )


def _shown(effect: Effect, p: float | None = None) -> Estimate | None:
    """An effect of order k is a difference of differences, 2^(k − 1) of them."""
    return estimate(effect.delta, p, most=2.0 ** (effect.order - 1))


def _attribution(run: _Run) -> Section:
    return Section(
        title="Whose gain it is",
        tables=[
            *(_parts(run, name, dimensions) for name, dimensions in run.groups()),
            *([_shares(run)] if run.attributions else []),
        ],
        notes=(_PARTS,),
    )


def _parts(run: _Run, name: str, dimensions: Sequence[str]) -> Table:
    columns = [*run.heading("part of"), *(Column(each, scale_of(each), change=True) for each in dimensions)]
    rows: list[list[Entry]] = []
    for model in run.data.models:
        found = {each: run.parts(model, each) for each in dimensions}
        adjusted = run.adjusted_parts(model)
        for part in (*sorted(run.design.switches), _TOGETHER):
            shown = [
                estimate(parts[part], adjusted.get((dimension, part))) if parts else None
                for dimension, parts in found.items()
            ]
            rows.append([*run.named(model), part, *shown])
    caption = f"The gain in {name} of all switches together, divided among them{run.simulated}."
    return Table(f"parts_{name}", caption, columns, rows)


def _shares(run: _Run) -> Table:
    """Shares of the gain in the headline."""
    headline = _headline(run)
    columns = [*run.heading("switch"), Column(f"share of the gain in {headline}", POINTS)]
    columns += [Column("problems", COUNT), Column("dropped", COUNT)]
    rows: list[list[Entry]] = []
    for (model, dimension), found in run.attributions.items():
        for switch, each in found.shares.items() if dimension == headline else ():
            shown = Estimate(each.value, each.low, each.high) if each.low is not None else None
            rows.append([*run.named(model), switch, shown, found.problems, found.dropped])
    return Table("shares", f"Shares of the gain in {headline}, in %{run.simulated}.", columns, rows)
