"""Parts and score by topic, by cognitive level and by kind of knowledge (figures 15 to 18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ansatz.eval.benchmarks.physbench.answer_template import PARTS, Part
from ansatz.eval.benchmarks.physbench.template import COGNITIVE, KNOWLEDGE, TOPICS
from ansatz.eval.statistics import Scores
from ansatz.experiments.report.chart import Heatmap, Panel
from ansatz.experiments.report.physbench.run import KINDS, PART_NAMES, PhysBenchRun, by_problem
from ansatz.experiments.report.section import POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System

_TAGS: Mapping[str, tuple[str, Sequence[str]]] = {
    "topic": ("topic", TOPICS),
    "cognitive": ("cognitive level", COGNITIVE),
    "knowledge": ("kind of knowledge", KNOWLEDGE),
}
_WHOLE = "score"
_FEW = 10  # questions below which a cell says little


def breakdowns(run: PhysBenchRun) -> Section | None:
    """Heatmaps for each kind of question by topic, and over both kinds by Bloom's two dimensions."""
    figures, tables = [], []
    for tag in _TAGS:
        for kind in run.kinds_with("final") if tag == "topic" else (None,):
            made = _one(run, tag, kind)
            if made:
                figures.append(made[0])
                tables.append(made[1])
    if not figures:
        return None
    return Section(
        title="By topic and by Bloom's taxonomy",
        figures=figures,
        tables=tables,
        notes=(
            f"n is the number of questions. With fewer than {_FEW} of them, or of few families, a cell says "
            "little. Panels without any mark are left out.",
        ),
    )


def _one(run: PhysBenchRun, tag: str, kind: str | None) -> tuple[Heatmap, Table] | None:
    title, order = _TAGS[tag]
    values = [value for value in order if _questions(run, tag, value, kind)]
    panels = []
    rows: list[list[Entry]] = []
    for part in (*PARTS, None):
        series = {
            run.label(system): [_mean(run, system, part, (tag, value, kind)) for value in values]
            for system in run.systems
        }
        if all(each.value is None for line in series.values() for each in line):
            continue
        name = PART_NAMES[part] if part else _WHOLE
        panels.append(Panel(name, [value.replace("_", " ") for value in values], series))
        own: list[list[Entry]] = [[name, label, *(e.value for e in line)] for label, line in series.items()]
        rows = [*rows, *own] if part else [*own, *rows]  # the score first, which the report shows
    if len(values) < 2 or not panels:
        return None
    counted = [f"{value.replace('_', ' ')} (n {_questions(run, tag, value, kind)})" for value in values]
    asked = f"{KINDS[kind]} questions" if kind else "all questions"
    caption = f"Marks by {title}, {asked}{run.said}"
    file = f"{tag}_{kind}" if kind else tag
    columns = [Column("part"), Column("arm"), *(Column(name, POINTS) for name in counted)]
    return Heatmap(file, caption, panels, beside=min(2, len(panels))), Table(
        file, f"{caption}.", columns, rows, shown=len(run.systems)
    )


def _questions(run: PhysBenchRun, tag: str, value: str, kind: str | None) -> int:
    return sum(
        each.tags.get(tag) == value and kind in (None, each.tags.get("kind"))
        for each in run.problems.values()
    )


def _mean(
    run: PhysBenchRun, system: System, part: Part | None, place: tuple[str, str, str | None]
) -> Estimate:
    tag, value, kind = place
    scores: Scores = by_problem(
        (each, each.part(part) if part else each.values.get("score"))
        for each in run.of(system, kind)
        if each.problem.tags.get(tag) == value
    )
    return run.mean(scores)
