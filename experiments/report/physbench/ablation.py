"""Is it the setting-up or the carrying-out? Arms with a given, an own and no formulation (appendix I)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ansatz.eval.statistics import PairedDelta
from ansatz.experiments.report.chart import Intervals, Panel
from ansatz.experiments.report.physbench.run import Marked, PhysBenchRun
from ansatz.experiments.report.section import POINTS, Column, Entry, Section, Table
from ansatz.experiments.report.systems import System, estimate

_KIND = "problem_solving"
_SCAFFOLD = re.compile(r"formulation(?:\(source=(\w+)\))?")
_MEASURES = ("final answer correct", "correct in parts 2 and 3")
_NOTE = (
    "Each group holds arms that differ in nothing but the formulation: none, one that the model writes "
    "itself in a call before, or the reference's. The second measure asks for full marks on the steps and "
    "the final answer and takes the formulation as satisfied, so that a scaffold is not paid for what it "
    "was given. Differences are from the arm without, paired by question, over families; p is not "
    "adjusted."
)


@dataclass(frozen=True)
class Group:
    """An arm without a formulation, and those that add one, by its source."""

    plain: str
    scaffolds: dict[str, str]


def formulation_ablation(run: PhysBenchRun) -> Section | None:
    """None where no two arms differ in the formulation alone."""
    groups = find_groups(run)
    if not groups or _KIND not in run.kinds_with("fully_correct"):
        return None
    return Section(
        title="Formulation scaffolds",
        findings=[
            line for model in run.data.models for group in groups for line in _findings(run, model, group)
        ],
        figures=[_figure(run, model, groups) for model in run.data.models],
        tables=[_table(run, groups)],
        notes=(_NOTE,),
    )


def find_groups(run: PhysBenchRun) -> list[Group]:
    """In the order of the arms without; sources in the order none, self, reference."""
    switches = run.data.switches
    groups = []
    for plain in run.data.arms:
        on = switches.get(plain, frozenset())
        if plain not in switches or any(map(_source, on)):
            continue
        added = {
            source: arm
            for arm in run.data.arms
            if len(more := switches.get(arm, frozenset()) - on) == 1
            and on < switches[arm]
            and (source := _source(next(iter(more))))
        }
        if added:
            ordered = sorted(added, key=lambda source: (source == "reference", source))
            groups.append(Group(plain, {source: added[source] for source in ordered}))
    return groups


def _source(switch: str) -> str:
    """self or reference; "formulation" where a run has it in one form alone, "" for another switch."""
    found = _SCAFFOLD.fullmatch(switch)
    return "" if found is None else found[1] or "formulation"


def _values(attempt: Marked) -> dict[str, float | None]:
    return dict(
        zip(
            _MEASURES,
            (attempt.values.get("final_correct"), attempt.is_full("solution", "final")),
            strict=True,
        )
    )


def _scores(run: PhysBenchRun, system: System, measure: str) -> dict[str, list[float | None]]:
    measured = run.measured(system, _KIND, lambda attempt: _values(attempt)[measure])
    return {id: list(values) for id, values in measured.items()}


def _table(run: PhysBenchRun, groups: list[Group]) -> Table:
    columns = [Column("without"), Column("formulation")]
    for measure in _MEASURES:
        columns += [Column(measure, POINTS), Column(f"Δ {measure}", POINTS, change=True)]
    rows: list[list[Entry]] = []
    for model in run.data.models:
        for group in groups:
            for source, arm in {"none": group.plain, **group.scaffolds}.items():
                system, control = System(model, arm), System(model, group.plain)
                row: list[Entry] = [run.label(control), source]
                for measure in _MEASURES:
                    scores = _scores(run, system, measure)
                    row.append(run.mean(scores).value)
                    apart = run.difference(scores, _scores(run, control, measure))
                    row.append(None if system == control else estimate(apart))
                rows.append(row)
    caption = f"What a formulation is worth, problem solving questions{run.said}."
    return Table("formulation", caption, columns, rows, summary=True)


def _figure(run: PhysBenchRun, model: str, groups: list[Group]) -> Intervals:
    panels = []
    for group in groups:
        arms = {"none": group.plain, **group.scaffolds}
        series = {
            measure: [run.mean(_scores(run, System(model, arm), measure)) for arm in arms.values()]
            for measure in _MEASURES
        }
        panels.append(Panel(f"on top of {group.plain}", list(arms), series))
    name = f"formulation_{run.data.models.index(model) + 1}" if run.several_models else "formulation"
    caption = f"{model} with no formulation, its own, and the reference's{run.said}"
    caption += f", {run.data.level:.0%} intervals"
    return Intervals(name, caption, panels, axis="% of questions")


def _findings(run: PhysBenchRun, model: str, group: Group) -> list[str]:
    control = System(model, group.plain)
    named = f"{model}, " if run.several_models else ""
    lines = []
    for source, arm in group.scaffolds.items():
        changes = {
            measure: run.difference(_scores(run, System(model, arm), measure), _scores(run, control, measure))
            for measure in _MEASURES
        }
        words = [f"{measure} by {_change(delta)}" for measure, delta in changes.items() if delta.estimate]
        said = f"changes {' and '.join(words)}" if words else f"changes neither {' nor '.join(_MEASURES)}"
        lines.append(f"{named}on top of {group.plain}: formulation {source} {said}")
    return lines


def _change(delta: PairedDelta) -> str:
    shown = estimate(delta)
    clear = "" if shown and shown.is_significant else " (not clear of luck)"
    return f"{POINTS.show_change(delta.estimate)}{clear}"
