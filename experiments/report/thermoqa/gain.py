"""Where the gain of an arm falls: on state properties, or on what is reasoned from them."""

from __future__ import annotations

from ansatz.eval.benchmarks.thermoqa.analysis import KINDS, Kind, contribution
from ansatz.eval.share import share
from ansatz.eval.statistics import Scores
from ansatz.experiments.report.chart import Panel, Stacked
from ansatz.experiments.report.section import POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System, estimate
from ansatz.experiments.report.thermoqa.cures import NOTE, cures
from ansatz.experiments.report.thermoqa.run import FIRST, ThermoQARun, by_problem

_RULE = (
    "A step is a property step if its symbol is that of a state: h, s, u, v, ρ, T, P, x, the flow exergy "
    "ef, or the phase, at a numbered or named state. Works, heats, powers, flow rates, speeds, "
    "efficiencies, COP, entropy generation and exergy destruction are reasoning steps. The symbol alone "
    "decides: an actual exit state such as h2 is a property step although an efficiency leads to it."
)
_PARTS = (
    "The gain of a question splits exactly: each step adds its weight over the question's total weight. The "
    "share is that of the property steps in the whole gain, with Fieller's interval over families; it has no "
    "interval where the gain itself is not clear of zero, and the parts may have opposite signs."
)


def gain_by_kind(run: ThermoQARun) -> Section | None:
    """What falls on property steps and what on reasoning steps; None without an arm to compare."""
    if not run.data.treatments:
        return None
    return Section(
        title="Where the gain falls",
        figures=[_figure(run, model) for model in run.data.models],
        tables=[_split(run), _passed(run), cures(run)],
        notes=(_RULE, _PARTS, NOTE),
    )


def contributions(run: ThermoQARun, system: System, tier: str, kind: Kind) -> Scores:
    """What steps of a kind add to each attempt's score."""
    return by_problem(
        (each, None if each.steps is None else contribution(each.steps, FIRST, kind))
        for each in run.of(system, tier)
    )


def _split(run: ThermoQARun) -> Table:
    change = [
        Column(name, POINTS, change=True) for name in ("gain", "on property steps", "on reasoning steps")
    ]
    rows: list[list[Entry]] = []
    for tier in run.tiers:
        for model in run.data.models:
            rows += [_split_row(run, system, tier) for system in run.treatments(model)]
    caption = f"Gain over {run.data.baseline} in points of the {FIRST} score{run.simulated}."
    columns = [Column("tier"), Column("arm"), *change, Column("share on property steps", POINTS)]
    return Table("gain", caption, columns, rows)


def _split_row(run: ThermoQARun, system: System, tier: str) -> list[Entry]:
    control = run.baseline(system.model)
    whole = run.difference(run.scores(system, tier), run.scores(control, tier))
    parts = [
        run.difference(contributions(run, system, tier, kind), contributions(run, control, tier, kind))
        for kind in KINDS
    ]
    estimates = [Estimate(each.estimate, each.low, each.high) for each in (whole, *parts)]
    return [tier, run.label(system), *estimates, _property_share(run, system, tier)]


def _property_share(run: ThermoQARun, system: System, tier: str) -> Estimate:
    control = run.baseline(system.model)
    pairs = {
        kind: (
            _means(contributions(run, system, tier, kind)),
            _means(contributions(run, control, tier, kind)),
        )
        for kind in KINDS
    }
    both = pairs["property"][0].keys() & pairs["property"][1].keys()
    gains = {kind: {id: after[id] - before[id] for id in both} for kind, (after, before) in pairs.items()}
    whole = {id: gains["property"][id] + gains["reasoning"][id] for id in both}
    found = share(gains["property"], whole, run.families, run.data.level)
    if found.low is None:
        return Estimate(None)
    return Estimate(found.value, found.low, found.high)


def _means(scores: Scores) -> dict[str, float]:
    known = {id: [value for value in values if value is not None] for id, values in scores.items()}
    return {id: sum(values) / len(values) for id, values in known.items() if values}


def _passed(run: ThermoQARun) -> Table:
    columns = [Column("tier"), Column("arm")]
    for kind in KINDS:
        columns += [Column(f"{kind} steps", POINTS), Column(f"Δ {kind} steps", POINTS, change=True)]
    rows: list[list[Entry]] = []
    for tier in run.tiers:
        for system in run.systems:
            row: list[Entry] = [tier, run.label(system)]
            for kind in KINDS:
                scores = run.scores(system, tier, kind=kind)
                row.append(run.mean(scores).value)
                control = run.baseline(system.model)
                same = system == control
                row.append(
                    None if same else estimate(run.difference(scores, run.scores(control, tier, kind=kind)))
                )
            rows.append(row)
    caption = (
        f"Passed steps of each kind, by weight, under the {FIRST} rule{run.simulated}; p is not adjusted."
    )
    return Table("kinds", caption, columns, rows)


def _figure(run: ThermoQARun, model: str) -> Stacked:
    systems = run.treatments(model)
    panels = []
    for tier in run.tiers:
        series = {}
        for kind in KINDS:
            control = contributions(run, run.baseline(model), tier, kind)
            deltas = [run.difference(contributions(run, each, tier, kind), control) for each in systems]
            series[f"{kind} steps"] = [Estimate(delta.estimate) for delta in deltas]
        panels.append(Panel(f"tier {tier}", [system.arm for system in systems], series))
    name = f"gain_{run.data.models.index(model) + 1}" if run.several_models else "gain"
    simulated = " (simulated)" if model in run.data.simulated else ""
    return Stacked(
        name, f"{model}{simulated}: gain over {run.data.baseline} by kind of step", panels, "points"
    )
