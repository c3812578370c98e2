"""Is it the setting-up or the carrying-out? Arms with a given, an own and no formulation (appendix I)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ansatz.eval.benchmarks.physbench.physbench_run import SOLVING, PhysBenchRun
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.views.attempts import Floats, System
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.section import Figure, Panel, Section, Table
from ansatz.eval.views.tabulation import Measure, Row, Rows, value

NOTES = Notes(__name__)

_SCAFFOLD = re.compile(r"formulation(?:\(source=(\w+)\))?")


@dataclass(frozen=True)
class Group:
    """An arm without a formulation, and those that add one, by its source."""

    plain: str
    scaffolds: dict[str, str]


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


def formulation_ablation(run: PhysBenchRun) -> Section | None:
    """None where no two arms differ in the formulation alone."""
    groups = find_groups(run)
    if not groups or SOLVING not in run.kinds_with("fully_correct"):
        return None
    measures = {
        "final answer correct": run.values("final_correct"),
        "correct in parts 2 and 3": run.is_full("solution", "final"),
    }
    return Section(
        "Formulation scaffolds",
        figures=[_figure(run, model, groups, measures) for model in run.data.models],
        tables=[_table(run, groups, measures)],
        notes=(NOTES["formulation_note"],),
    )


def _rows(run: PhysBenchRun, model: str, group: Group) -> list[Row]:
    """A row for the arm without and each that adds a formulation, with what it is compared to."""
    control = run.data.cut(System(model, group.plain), run.kinds[SOLVING])
    arms = {"none": group.plain, **group.scaffolds}
    return [Row((control.label, source), control.under(arm), control) for source, arm in arms.items()]


def _change(row: Row, values: Floats) -> PairedDelta | None:
    """From the arm without a formulation; None for that arm itself."""
    return None if row.cut.system == row.about.system else row.cut.less(row.about, values)


def _table(run: PhysBenchRun, groups: list[Group], measures: dict[str, Floats]) -> Table:
    rows = [row for model in run.data.models for group in groups for row in _rows(run, model, group)]

    def change(name: str, values: Floats) -> Measure:
        return Measure(f"Δ {name}", lambda row: _change(row, values), change=True)

    columns = [each for of in measures.items() for each in (value(*of), change(*of))]
    caption = f"What a formulation is worth, problem solving questions{run.said}."
    return Rows(run.data, ["without", "formulation"], rows).table(
        "formulation", caption, *columns, summary=True
    )


def _figure(run: PhysBenchRun, model: str, groups: list[Group], measures: dict[str, Floats]) -> Figure:
    panels = []
    for group in groups:
        rows = _rows(run, model, group)
        labels = [str(row.labels[1]) for row in rows]
        series = {name: [row.cut.mean(values) for row in rows] for name, values in measures.items()}
        panels.append(Panel(f"on top of {group.plain}", labels, series))
    caption = f"{model} with no formulation, its own, and the reference's{run.said}"
    caption += f", {run.data.level:.0%} intervals"
    name = run.data.per_model("formulation", model)
    return Figure("intervals", name, caption, panels, "% of questions")
