"""The report chapter on PhysBench: at which P-REFS stage reasoning fails, and what improves it.

Tables, figures and appendices refer to the paper (Scaria et al., Dissecting Physics Reasoning in Small
Language Models).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ansatz.eval.benchmarks.physbench.answer_parts import Part
from ansatz.eval.benchmarks.physbench.prefs_rubric import (
    CODES,
    CONCEPTUAL,
    CRITERIA,
    PREFIXES,
    PROBLEM_SOLVING,
)
from ansatz.eval.benchmarks.physbench.template import COGNITIVE, KNOWLEDGE, TOPICS
from ansatz.eval.statistics import PairedDelta
from ansatz.experiments.report.tables import (
    Chapter,
    Figure,
    Panel,
    Section,
    Table,
    read_notes,
    without_intervals,
)
from ansatz.experiments.report.tabulation import (
    Measure,
    Row,
    Rows,
    count_column,
    delta_column,
    estimate_column,
    mean_column,
    system_rows,
)
from ansatz.experiments.results import BenchmarkRun, Floats, Mask, Results, System

NOTES = read_notes(__name__)

SOLVING = "problem_solving"
KINDS = {SOLVING: "problem solving", "conceptual": "conceptual"}
PART_NAMES: Mapping[Part, str] = {
    "formulation": "part 1: formulation",
    "solution": "part 2: solution",
    "final": "part 3: final answer",
}

_TAGS: Mapping[str, tuple[str, Sequence[str]]] = {
    "topic": ("topic", TOPICS),
    "cognitive": ("cognitive level", COGNITIVE),
    "knowledge": ("kind of knowledge", KNOWLEDGE),
}
_SCAFFOLD = re.compile(r"formulation(?:\(source=(\w+)\))?")
_FEW = 10  # questions below which a cell is unreliable


class PhysBenchRun(BenchmarkRun):
    """Attempts at PhysBench problems, with the scores of a judge if the run has any, else those by rules."""

    prefix: str
    """The prefix of the scores; empty without scores."""
    suffix: str
    """The end of captions, with the source of the scores."""
    kinds: dict[str, Mask]
    """The attempts at each kind of questions."""
    parts: dict[Part, Floats]
    """The points of each part as a share of its maximum."""

    def __init__(self, data: Results) -> None:
        super().__init__(data, "physbench")
        self.prefix = next((prefix for prefix in PREFIXES if f"{prefix}score" in data.dimension_names), "")
        self.scored_by = PREFIXES.get(self.prefix, "")
        self.suffix = f", scored {self.scored_by}{data.simulation_note}"
        self.kinds = {kind: self.part & data.where_tag("kind", kind) for kind in KINDS}
        self.parts = {part: self._share(part) for part in PART_NAMES}

    def values(self, name: str) -> Floats:
        """Return stored values by their name without prefix: score, relevance, INT, …"""
        return self.data.values(f"error.{self.prefix}{name}" if name in CODES else f"{self.prefix}{name}")

    @property
    def is_scored(self) -> bool:
        """Whether any attempt has a P-REFS score."""
        return bool(self.prefix) and any(
            not np.isnan(self.values(name)[self.part]).all() for name in CRITERIA
        )

    def kinds_with(self, name: str) -> list[str]:
        """Return the kinds of questions for which any attempt has a value."""
        values = self.values(name)
        return [kind for kind, part in self.kinds.items() if not np.isnan(values[part]).all()]

    def systems(self, kind: str) -> Rows:
        """Return a row for every system, with its answers to a kind of questions."""
        return system_rows(self.data, self.kinds[kind])

    def _points(self, *parts: Part) -> dict[str, int]:
        """Return the points of the criteria of some parts, from both rubrics."""
        return {each.name: each.points for each in (*CONCEPTUAL, *PROBLEM_SOLVING) if each.part in parts}

    def _share(self, part: Part) -> Floats:
        points = self._points(part)
        scores = np.ma.masked_invalid([self.values(name) for name in points])
        shares = np.ma.average(scores, axis=0, weights=list(points.values()))
        return np.asarray(np.ma.filled(shares, np.nan), dtype=np.float64)

    def is_full(self, *parts: Part) -> Floats:
        """Return 1 if every criterion of these parts has full points, 0 if one has not, NaN if unknown.

        A criterion without a score does not apply to the problem, unless the whole answer is unscored.
        """
        scores = np.array([self.values(name) for name in self._points(*parts)])
        full = ((scores == 1.0) | np.isnan(scores)).all(axis=0)
        known = ~np.isnan(scores).all(axis=0) & ~np.isnan(self.values("fully_correct"))
        return np.where(known, full, np.nan)


def chapter(data: Results) -> Chapter | None:
    """Return the sections for which the run has data; None without P-REFS scores."""
    run = PhysBenchRun(data)
    made: list[Section | None] = []
    if run.is_scored:
        made = [_stages(run), _gap(run), _formulation(run), _degradation(run), _prevalence(run)]
        made += [_breakdowns(run), _compliance(run)]
    return Chapter.from_sections("physbench", "PhysBench", made)


def _stages(run: PhysBenchRun) -> Section:
    """Show the share of points by stage (figure 3), and the differences between arms and the baseline."""
    score, kinds = run.values("score"), run.kinds_with("score")
    rows = [row for kind in kinds for row in run.systems(kind).rows]
    columns = [mean_column(name, run.parts[part]) for part, name in PART_NAMES.items()]
    columns += [mean_column("score", score), delta_column("Δ score", score)]
    whole = Rows(run.data, ["arm"], rows).table("", "", *columns)  # p is adjusted over all kinds together
    tables = {
        kind: replace(
            block,
            name=f"stages_{kind}",
            caption=f"Share of the points by part, {KINDS[kind]} questions{run.suffix}.",
            in_summary=kind == SOLVING,
        )
        for kind, block in whole.split_rows(kinds).items()
    }
    names = [*PART_NAMES.values(), "score"]
    panels = [Panel.from_columns(table, names, KINDS[kind]) for kind, table in tables.items()]
    caption = f"Share of the points by part{run.suffix}"
    figures = [Figure("heatmap", "stages", caption, panels)] if kinds else []
    return Section(
        "Stages of a solution",
        figures=figures,
        tables=list(tables.values()),
        notes=(NOTES["stages"], *((NOTES["rules"],) if run.scored_by == "by rules" else ())),
    )


def _gap(run: PhysBenchRun) -> Section | None:
    """Compare the correctness of final answers with that of whole solutions (figure 4)."""
    kinds = run.kinds_with("fully_correct")
    if not kinds:
        return None
    # for attempts with a correct final answer: whether any earlier criterion lacks points
    flawed = np.where(run.values("final_correct") == 1.0, 1.0 - run.values("fully_correct"), np.nan)
    names = {"final answer correct": "final_correct", "fully correct": "fully_correct"}
    measures = [
        each
        for title, name in names.items()
        for each in (estimate_column(title, run.values(name)), delta_column(f"Δ {title}", run.values(name)))
    ]
    finals = count_column("correct finals", lambda row: float(len(row.subset.known_values(flawed))))
    tables = {
        kind: run.systems(kind).table(
            f"gap_{kind}",
            f"Final answers and full solutions, {KINDS[kind]} questions{run.suffix}.",
            *measures,
            *(estimate_column("gap", flawed), finals),
            in_summary=kind == SOLVING,
        )
        for kind in kinds
    }
    panels = [Panel.from_columns(table, list(names), KINDS[kind]) for kind, table in tables.items()]
    caption = f"Final answer against full correctness{run.suffix}, {run.data.level:.0%} intervals"
    figure = Figure("intervals", "gap", caption, panels, "% of questions")
    shown = [without_intervals(table, *names) for table in tables.values()]
    return Section("The reasoning gap", tables=shown, figures=[figure], notes=(NOTES["gap"],))


def _formulation(run: PhysBenchRun) -> Section | None:
    """Compare arms without a formulation, with the model's, and with the reference's (appendix I).

    None if no two arms differ only in the formulation.
    """
    rows = _scaffold_rows(run)
    if not rows or SOLVING not in run.kinds_with("fully_correct"):
        return None

    def change(values: Floats, row: Row) -> PairedDelta | None:
        return (
            None
            if row.subset.system == row.context.system
            else row.subset.difference_from(row.context, values)
        )

    measures = {
        "final answer correct": run.values("final_correct"),
        "correct in parts 2 and 3": run.is_full("solution", "final"),
    }
    columns = [
        each
        for name, values in measures.items()
        for each in (
            estimate_column(name, values),
            Measure(f"Δ {name}", partial(change, values), change=True),
        )
    ]
    caption = f"The effect of a formulation, problem solving questions{run.suffix}."
    table = Rows(run.data, ["without", "formulation"], rows).table(
        "formulation", caption, *columns, in_summary=True
    )
    panels = [
        Panel.from_columns(
            replace(table, rows=[row for row in table.rows if row[0] == without]),
            list(measures),
            f"on top of {without}",
            label="formulation",
        )
        for without in dict.fromkeys(row[0] for row in table.rows)
    ]
    sources = f"No formulation, the model's, and the reference's{run.suffix}"
    caption = f"{sources}, {run.data.level:.0%} intervals"
    figure = Figure("intervals", "formulation", caption, panels, "% of questions")
    shown = without_intervals(table, *(f"Δ {name}" for name in measures))
    return Section(
        "Formulation scaffolds", tables=[shown], figures=[figure], notes=(NOTES["formulation_note"],)
    )


def _scaffold_rows(run: PhysBenchRun) -> list[Row]:
    """Return a row for each arm without a formulation, and for each arm that only adds one to it."""
    groups: dict[str, dict[str, str]] = {}  # by arm without a formulation: arms with one, by its source
    for without, arm, switch in run.data.find_added_switches(_SCAFFOLD.fullmatch):
        source = _SCAFFOLD.sub(r"\1", switch) or "formulation"  # the label if a run has only one form
        groups.setdefault(without, {})[source] = arm
    return [
        Row((control.label, source), control.with_arm(arm), control)
        for model in run.data.models
        for without, arms in groups.items()
        for control in [run.data.subset(System(model, without), run.kinds[SOLVING])]
        for source, arm in [
            ("none", without),
            *sorted(arms.items(), key=lambda each: (each[0] == "reference", each)),
        ]
    ]


def _degradation(run: PhysBenchRun) -> Section | None:
    """Show the share of solutions without an error up to each stage, in the rubric's order (figure 6)."""
    if SOLVING not in run.kinds_with("INT"):
        return None
    caption = f"Solutions still free of errors after each stage{run.suffix}"
    # a stage that does not apply to a problem counts as free of errors
    errors = np.maximum.accumulate([np.nan_to_num(run.values(code)) for code in CODES])
    free = np.where(np.isnan(run.values("score")), np.nan, errors == 0)
    measures = [estimate_column(code, values) for code, values in zip(CODES, free, strict=True)]
    table = run.systems(SOLVING).table("degradation", f"{caption}, problem solving questions.", *measures)
    panels = [Panel.from_rows(block, model) for model, block in table.split_rows(run.data.models).items()]
    figure = Figure("progression", "degradation", caption, panels, "% free of errors so far")
    return Section(
        "Where solutions break", tables=[without_intervals(table)], figures=[figure], notes=(NOTES["breaks"],)
    )


def _prevalence(run: PhysBenchRun) -> Section | None:
    """Show how often each kind of error occurs; a solution can have several kinds (figure 12)."""
    if SOLVING not in run.kinds_with("INT"):
        return None
    rows = run.systems(SOLVING)
    caption = f"Share of problem solving questions with each kind of error{run.suffix}"
    tables = [
        rows.table("errors", f"{caption}.", *(estimate_column(code, run.values(code)) for code in CODES))
    ]
    if run.data.treatments:
        change = (
            f"Change from {run.data.baseline}: fewer is better; p is adjusted over the table{run.suffix}."
        )
        columns = [delta_column(f"Δ {code}", run.values(code)) for code in CODES]
        tables.append(rows.without_baseline.table("errors_change", change, *columns))
    figure = Figure("heatmap", "errors", f"{caption} (%)", [Panel.from_rows(tables[0])])
    tables[0] = without_intervals(tables[0])
    return Section("Kinds of errors", tables=tables, figures=[figure], notes=(NOTES["kinds"],))


def _breakdowns(run: PhysBenchRun) -> Section | None:
    """Show parts and score by topic, cognitive level and kind of knowledge (figures 15 to 18)."""
    made = [
        one
        for tag in _TAGS
        for kind in (run.kinds_with("final") if tag == "topic" else [None])
        if (one := _breakdown(run, tag, kind)) is not None
    ]
    if not made:
        return None
    note = (
        f"n is the number of questions. A cell with fewer than {_FEW} questions, or with few families, is "
        "unreliable. Panels without any score are left out."
    )
    figures, tables = zip(*made, strict=True)
    return Section("By topic and by Bloom's taxonomy", tables=tables, figures=figures, notes=(note,))


def _breakdown(run: PhysBenchRun, tag: str, kind: str | None) -> tuple[Figure, Table] | None:
    title, order = _TAGS[tag]
    asked = run.kinds[kind] if kind else run.part
    parts = {each: run.data.where_tag(tag, each) for each in order}
    parts = {each: mask for each, mask in parts.items() if (asked & mask).any()}
    measured = {"score": run.values("score")} | {name: run.parts[part] for part, name in PART_NAMES.items()}
    measured = {name: values for name, values in measured.items() if not np.isnan(values[asked]).all()}
    if len(parts) < 2 or not measured:
        return None
    places = run.data.attempts.problem
    columns = [
        mean_column(
            f"{each.replace('_', ' ')} (n {len(np.unique(places[asked & mask]))})",
            lambda row: row.context,
            mask,
        )
        for each, mask in parts.items()
    ]
    rows = [
        Row((name, subset.label), subset, of)
        for name, of in measured.items()
        for subset in run.data.subsets(asked)
    ]
    file = f"{tag}_{kind}" if kind else tag
    about = f"{KINDS[kind]} questions" if kind else "all questions"
    caption = f"Scores by {title}, {about}{run.suffix}"
    table = Rows(run.data, ["part", "arm"], rows).table(
        file, f"{caption}.", *columns, max_rows=len(run.data.systems)
    )
    labels = [each.replace("_", " ") for each in parts]
    blocks = table.split_rows(list(measured), first=1)
    panels = [Panel.from_rows(block, name, labels=labels) for name, block in blocks.items()]
    return Figure("heatmap", file, caption, panels, panels_per_row=min(2, len(panels))), table


def _compliance(run: PhysBenchRun) -> Section | None:
    """Compare the scores of answers that follow the answer template with the others (appendix H).

    None without a score.
    """
    if SOLVING not in run.kinds_with("score"):
        return None
    score, template = run.values("score"), run.values("template")
    rates = run.systems(SOLVING).table(
        "template",
        f"Compliance with the answer template, problem solving questions{run.suffix}.",
        mean_column("keeps the template", np.where(np.isnan(score), np.nan, template)),
        mean_column("score where kept", np.where(template == 1.0, score, np.nan)),
        mean_column("score where not", np.where(template == 0.0, score, np.nan)),
        count_column("answers", lambda row: float(len(row.subset.known_values(score)))),
    )
    return Section("Compliance with the answer template", tables=[rates], notes=(NOTES["template"],))
