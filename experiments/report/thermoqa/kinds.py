"""Components, cycles and depths: which kinds of questions a system can do."""

from __future__ import annotations

from ansatz.eval.statistics import Scores
from ansatz.experiments.report.chart import Heatmap, Panel, Progression
from ansatz.experiments.report.section import POINTS, Column, Entry, Section, Table
from ansatz.experiments.report.systems import System
from ansatz.experiments.report.thermoqa.run import FIRST, ThermoQARun

_NAMES = {"1": "category", "2": "component", "3": "cycle"}


def components_and_cycles(run: ThermoQARun) -> Section:
    """A heatmap of systems × categories, components and cycles."""
    panels = []
    tables = []
    for tier in run.tiers:
        kinds = _values(run, tier, "category")
        means = {
            run.label(system): [run.mean(_part(run, system, tier, "category", kind)) for kind in kinds]
            for system in run.systems
        }
        name = _NAMES.get(tier, "category")
        panels.append(Panel(f"tier {tier}: {name}", [kind.replace("_", " ") for kind in kinds], means))
        rows: list[list[Entry]] = [[label, *(each.value for each in row)] for label, row in means.items()]
        columns = [Column("system"), *(Column(kind.replace("_", " "), POINTS) for kind in kinds)]
        tables.append(
            Table(
                f"tier_{tier}_{name}", f"Tier {tier} by {name}, {FIRST} rule{run.simulated}.", columns, rows
            )
        )
    caption = f"Mean score by kind of question, {FIRST} rule{run.simulated}"
    return Section(
        title="Components and cycles",
        figures=[Heatmap("kinds", caption, panels)],
        tables=tables,
    )


def depth_progression(run: ThermoQARun) -> Section | None:
    """Energy (A), entropy (B) and exergy (C) in tiers 2 and 3; None where no tier has depths."""
    tiers = [tier for tier in run.tiers if tier != "1" and len(_values(run, tier, "subcategory")) > 1]
    if not tiers:
        return None
    every = sorted({depth for tier in tiers for depth in _values(run, tier, "subcategory")})
    panels = []
    rows: list[list[Entry]] = []
    for tier in tiers:
        depths = _values(run, tier, "subcategory")
        series = {
            run.label(system): [run.mean(_part(run, system, tier, "subcategory", each)) for each in depths]
            for system in run.systems
        }
        panels.append(Panel(f"tier {tier}", depths, series))
        for label, estimates in series.items():
            by_depth = dict(zip(depths, estimates, strict=True))
            rows.append([tier, label, *(by_depth.get(depth) for depth in every)])
    columns = [Column("tier"), Column("system"), *(Column(f"depth {depth}", POINTS) for depth in every)]
    caption = f"Score by depth of analysis, {FIRST} rule{run.simulated}"
    note = (
        "Depth A asks for the energy balance, B also for entropy generation, C also for exergy "
        "destruction. The depths ask different questions with different numbers of steps, so a rise with "
        "depth may come from easy steps of high weight."
    )
    return Section(
        title="Depth",
        figures=[Progression("depth", caption, panels, axis="score (0–100)")],
        tables=[Table("depth", f"{caption}.", columns, rows)],
        notes=(note,),
    )


def _values(run: ThermoQARun, tier: str, tag: str) -> list[str]:
    """What a tag says on a tier, in alphabetical order."""
    return sorted({str(each.tags[tag]) for each in run.problems.values() if each.tags["tier"] == tier})


def _part(run: ThermoQARun, system: System, tier: str, tag: str, value: str) -> Scores:
    scores = run.scores(system, tier)
    return {id: each for id, each in scores.items() if run.problems[id].tags[tag] == value}
