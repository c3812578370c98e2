"""The chapter on a factorial design: what each switch does, how they work together, and whose the gain is."""

from __future__ import annotations

from collections.abc import Sequence

from ansatz.eval.factorial import Effect
from ansatz.experiments.report.chart import Intervals, Panel
from ansatz.experiments.report.design import find_design
from ansatz.experiments.report.factorial_run import TOGETHER, FactorialRun
from ansatz.experiments.report.scale import scale_of
from ansatz.experiments.report.section import COUNT, POINTS, Chapter, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import estimate
from ansatz.experiments.report.table import ReportData

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
    run = FactorialRun(data, design)
    crossed = " × ".join(design.switches)
    title = f"The factorial design: {crossed}"
    return Chapter("factorial", title, [_effects(run), _attribution(run)])


def _effects(run: FactorialRun) -> Section:
    tables = [_effect_table(run, name, dimensions) for name, dimensions in run.groups()]
    figures = [figure for model in run.data.models if (figure := _figure(run, model)) is not None]
    return Section(
        title="Effects and interactions",
        findings=_findings(run),
        tables=tables,
        figures=figures,
        notes=(_EFFECTS,),
    )


def _effect_table(run: FactorialRun, name: str, dimensions: Sequence[str]) -> Table:
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


def _terms(run: FactorialRun) -> list[tuple[str, ...]]:
    """Every effect by its switches, by order and then as the statistics name them."""
    return [effect.switches for effect in next(iter(run.effects.values())).effects] if run.effects else []


def _findings(run: FactorialRun) -> list[str]:
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


def _headline(run: FactorialRun) -> str:
    known = [dimension for _, dimension in run.effects]
    return next((name for name in _HEADLINES if name in known), known[0] if known else "")


def _figure(run: FactorialRun, model: str) -> Intervals | None:
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


def _attribution(run: FactorialRun) -> Section:
    return Section(
        title="Whose gain it is",
        tables=[
            *(_parts(run, name, dimensions) for name, dimensions in run.groups()),
            *([_shares(run)] if run.attributions else []),
        ],
        notes=(_PARTS,),
    )


def _parts(run: FactorialRun, name: str, dimensions: Sequence[str]) -> Table:
    columns = [*run.heading("part of"), *(Column(each, scale_of(each), change=True) for each in dimensions)]
    rows: list[list[Entry]] = []
    for model in run.data.models:
        found = {each: run.parts(model, each) for each in dimensions}
        adjusted = run.adjusted_parts(model)
        for part in (*sorted(run.design.switches), TOGETHER):
            shown = [
                estimate(parts[part], adjusted.get((dimension, part))) if parts else None
                for dimension, parts in found.items()
            ]
            rows.append([*run.named(model), part, *shown])
    caption = f"The gain in {name} of all switches together, divided among them{run.simulated}."
    return Table(f"parts_{name}", caption, columns, rows)


def _shares(run: FactorialRun) -> Table:
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
