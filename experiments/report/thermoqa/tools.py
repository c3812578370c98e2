"""The centrepiece: every arm on every tier, with its difference from the baseline on the same questions."""

from __future__ import annotations

from ansatz.eval.benchmarks.thermoqa.analysis import RULES, Rule
from ansatz.eval.statistics import PairedDelta, holm
from ansatz.experiments.report.chart import Intervals, Panel
from ansatz.experiments.report.section import POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System, estimate
from ansatz.experiments.report.thermoqa.run import FIRST, ThermoQARun

_ALL = None  # every tier together

Place = tuple[System, str | None]


def tools_by_tier(run: ThermoQARun) -> Section | None:
    """Tier × arm under both rules; None without an arm to compare."""
    if not run.data.treatments:
        return None
    figures = [_figure(run, model) for model in run.data.models]
    return Section(
        title="Tools by tier",
        findings=[finding for model in run.data.models for finding in _findings(run, model)],
        figures=figures,
        tables=[_table(run, rule) for rule in RULES],
        notes=(
            f"Means and differences from {run.data.baseline} in points of the question score, with "
            f"{run.data.level:.0%} intervals over question families; p after Holm over all arms and tiers "
            "of a model and rule. The last columns take all questions together, which weighs the tiers by "
            "their numbers of questions as the composite does.",
        ),
    )


def _places(run: ThermoQARun) -> list[str | None]:
    return [*run.tiers, _ALL] if len(run.tiers) > 1 else list(run.tiers)


def _heading(tier: str | None) -> str:
    return "all tiers" if tier is None else f"tier {tier}"


def _differences(run: ThermoQARun, model: str, rule: Rule) -> dict[Place, Estimate]:
    raw: dict[Place, PairedDelta] = {}
    for tier in _places(run):
        control = run.scores(run.baseline(model), tier, rule)
        for system in run.treatments(model):
            raw[system, tier] = run.difference(run.scores(system, tier, rule), control)
    adjusted = holm({place: delta.p for place, delta in raw.items() if delta.p is not None})
    shown = {place: estimate(delta, adjusted.get(place)) for place, delta in raw.items()}
    return {place: each for place, each in shown.items() if each is not None}


def _table(run: ThermoQARun, rule: Rule) -> Table:
    places = _places(run)
    columns = [Column("arm")]
    for tier in places:
        columns += [Column(_heading(tier), POINTS), Column(f"Δ {_heading(tier)}", POINTS, change=True)]
    rows: list[list[Entry]] = []
    for model in run.data.models:
        found = _differences(run, model, rule)
        for system in (run.baseline(model), *run.treatments(model)):
            row: list[Entry] = [run.label(system)]
            for tier in places:
                row += [run.mean(run.scores(system, tier, rule)).value, found.get((system, tier))]
            rows.append(row)
    caption = f"Score under the {rule} rule by tier and arm{run.simulated}."
    return Table(f"tools_{rule}", caption, columns, rows, summary=rule == FIRST)


def _figure(run: ThermoQARun, model: str) -> Intervals:
    systems = [run.baseline(model), *run.treatments(model)]
    panels = [
        Panel(
            _heading(tier),
            [system.arm for system in systems],
            {rule: [run.mean(run.scores(system, tier, rule)) for system in systems] for rule in RULES},
        )
        for tier in _places(run)
    ]
    number = run.data.models.index(model)
    name = f"tools_{number + 1}" if run.several_models else "tools"
    simulated = " (simulated)" if model in run.data.simulated else ""
    caption = f"{model}{simulated}: score by tier and arm, {run.data.level:.0%} intervals"
    return Intervals(name, caption, panels, axis="score (0–100)")


def _findings(run: ThermoQARun, model: str) -> list[str]:
    """For each tier the arm that raises it most."""
    found = _differences(run, model, FIRST)
    named = f"{model}: " if run.several_models else ""
    lines = []
    for tier in run.tiers:
        gains = {system: found[system, tier] for system in run.treatments(model) if (system, tier) in found}
        if not gains:
            continue
        best = max(gains, key=lambda system: gains[system].value or 0.0)
        before = POINTS.show(run.mean(run.scores(run.baseline(model), tier)).value)
        after = POINTS.show(run.mean(run.scores(best, tier)).value)
        clear = "" if gains[best].is_significant else ", not clear of luck"
        lines.append(
            f"{named}{_heading(tier)}: {before} in {run.data.baseline}, {after} in **{best.arm}**{clear}"
        )
    return lines
