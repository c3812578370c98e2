"""Is it the setting-up or the carrying-out? Arms with a given, an own and no formulation (appendix I)."""

from __future__ import annotations

import re
from dataclasses import replace

from ansatz.eval.benchmarks.physbench.chapter_run import SOLVING, PhysBenchRun
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.views.attempts import Floats, System
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.section import Figure, Panel, Section, plain
from ansatz.eval.views.tabulation import Measure, Row, Rows, mean

NOTES = Notes(__name__)

_SCAFFOLD = re.compile(r"formulation(?:\(source=(\w+)\))?")


def groups_of(run: PhysBenchRun) -> dict[str, dict[str, str]]:
    """By arm without a formulation, that arm and those that add one, by its source: none, self, reference."""
    found: dict[str, dict[str, str]] = {}
    for without, arm, switch in run.data.one_more(_source):
        found.setdefault(without, {})[_source(switch)] = arm
    return {
        without: {"none": without}
        | dict(sorted(added.items(), key=lambda each: (each[0] == "reference", each)))
        for without, added in found.items()
    }


def _source(switch: str) -> str:
    """self or reference; "formulation" where a run has it in one form alone, "" for another switch."""
    found = _SCAFFOLD.fullmatch(switch)
    return "" if found is None else found[1] or "formulation"


def formulation_ablation(run: PhysBenchRun) -> Section | None:
    """None where no two arms differ in the formulation alone."""
    groups = groups_of(run)
    if not groups or SOLVING not in run.kinds_with("fully_correct"):
        return None
    measures = {
        "final answer correct": run.values("final_correct"),
        "correct in parts 2 and 3": run.is_full("solution", "final"),
    }
    rows = [
        Row((control.label, source), control.under(arm), control)
        for model in run.data.models
        for without, arms in groups.items()
        for control in [run.data.cut(System(model, without), run.kinds[SOLVING])]
        for source, arm in arms.items()
    ]
    caption = f"What a formulation is worth, problem solving questions{run.said}."
    table = Rows(run.data, ["without", "formulation"], rows).table(
        "formulation",
        caption,
        *(each for of in measures.items() for each in (mean(*of), _change(*of))),
        summary=True,
    )
    drawn = f"No formulation, the model's own, and the reference's{run.said}, {run.data.level:.0%} intervals"
    panels = [
        Panel.of_columns(
            replace(table, rows=[row for row in table.rows if row[0] == plain_arm]),
            list(measures),
            f"on top of {plain_arm}",
            label="formulation",
        )
        for plain_arm in dict.fromkeys(row[0] for row in table.rows)
    ]
    figure = Figure("intervals", "formulation", drawn, panels, "% of questions")
    notes = (NOTES["formulation_note"],)
    return Section(
        "Formulation scaffolds",
        tables=[plain(table, *(f"Δ {name}" for name in measures))],
        figures=[figure],
        notes=notes,
    )


def _change(name: str, values: Floats) -> Measure:
    """From the arm without a formulation; None for that arm itself."""

    def of(row: Row) -> PairedDelta | None:
        return None if row.cut.system == row.about.system else row.cut.less(row.about, values)

    return Measure(f"Δ {name}", of, change=True)
