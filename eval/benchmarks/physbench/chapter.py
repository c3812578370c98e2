"""The chapter on PhysBench: where reasoning breaks, by the stages of P-REFS, and what mends it.

Tables, figures and appendices named here are those of its paper (Scaria et al., Dissecting Physics Reasoning
in Small Language Models).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np

from ansatz.eval.benchmarks.physbench.chapter_formulation import formulation_ablation
from ansatz.eval.benchmarks.physbench.chapter_variants import contextual_robustness
from ansatz.eval.benchmarks.physbench.physbench_run import KINDS, PART_NAMES, SOLVING, PhysBenchRun, questions
from ansatz.eval.benchmarks.physbench.physbench_template import COGNITIVE, KNOWLEDGE, TOPICS
from ansatz.eval.benchmarks.physbench.prefs_rubric import CODES, CONCEPTUAL, ERROR_TYPES, PROBLEM_SOLVING
from ansatz.eval.score import PERCENT
from ansatz.eval.statistics.agreement import spearman, spearman_p, with_interval
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.results import Cut, Results
from ansatz.eval.views.section import (
    COEFFICIENT,
    COUNT,
    PROBABILITY,
    Chapter,
    Column,
    Entry,
    Estimate,
    Figure,
    Panel,
    Section,
    Table,
    plain,
)
from ansatz.eval.views.tabulation import Row, Rows, best_gain, counted, gain, mean, value

NOTES = Notes(__name__)

_TAGS: Mapping[str, tuple[str, Sequence[str]]] = {
    "topic": ("topic", TOPICS),
    "cognitive": ("cognitive level", COGNITIVE),
    "knowledge": ("kind of knowledge", KNOWLEDGE),
}
_FEW = 10  # questions below which a cell says little


def chapter(data: Results) -> Chapter | None:
    """Every section that the run has something to say on; None without P-REFS marks and variants."""
    run = PhysBenchRun(data)
    made: list[Section | None] = []
    if run.is_marked:
        made = [_stages(run), _gap(run), formulation_ablation(run), _degradation(run), _prevalence(run)]
        made += [_breakdowns(run), _compliance(run)]
    return Chapter.of("physbench", "PhysBench", [*made, contextual_robustness(data)])


def _stages(run: PhysBenchRun) -> Section:
    """How much of each stage an arm gets right (figure 3), and by how much arms differ from the baseline."""
    score, kinds = run.values("score"), run.kinds_with("score")
    rows = [row for kind in kinds for row in run.systems(kind).rows]
    columns = [value(name, run.parts[part]) for part, name in PART_NAMES.items()]
    columns += [value("score", score), gain("Δ score", score)]
    whole = Rows(run.data, ["arm"], rows).table("", "", *columns)  # all kinds are judged together
    tables = {
        kind: replace(
            whole.block(at, len(run.data.systems)),
            name=f"stages_{kind}",
            caption=f"Share of the points by part, {KINDS[kind]} questions{run.said}.",
            summary=kind == SOLVING,
        )
        for at, kind in enumerate(kinds)
    }
    panels = [_weighed(run, kind, made) for kind, made in tables.items()]
    caption = f"Score and what each part adds to it{run.said}"
    figures = [Figure("stacked", "stages", caption, panels, "points of 100")] if kinds else []
    return Section(
        "Stages of a solution",
        findings=[line for model in run.data.models for line in _best_arms(run, model, tables)],
        figures=figures,
        tables=list(tables.values()),
        notes=(NOTES["stages"], *((NOTES["rules"],) if run.marked_how == "by rules" else ())),
    )


def _weighed(run: PhysBenchRun, kind: str, table: Table) -> Panel:
    """Each part's share of its own points, weighed by its points of all."""
    rubric = CONCEPTUAL if kind == "conceptual" else PROBLEM_SOLVING
    total = sum(each.points for each in rubric)
    panel = Panel.of_columns(table, list(PART_NAMES.values()), KINDS[kind])
    weights = {
        name: sum(each.points for each in rubric if each.part == part) / total
        for part, name in PART_NAMES.items()
    }
    series = {
        name: [Estimate(None if each.value is None else weights[name] * each.value) for each in shares]
        for name, shares in panel.series.items()
    }
    return Panel(panel.title, panel.labels, series)


def _best_arms(run: PhysBenchRun, model: str, tables: Mapping[str, Table]) -> list[str]:
    """For each kind of question the arm that raises the score most."""
    lines = []
    for kind, table in tables.items():
        changes = zip(run.cuts(kind), table.column("Δ score"), strict=True)
        gains = {cut: one for cut, one in changes if cut.system.model == model and isinstance(one, Estimate)}
        lines += best_gain(KINDS[kind], gains, run.values("score"))
    return lines


def _gap(run: PhysBenchRun) -> Section | None:
    """Right answers with a wrong way to them: final answers against whole solutions (figure 4)."""
    kinds = run.kinds_with("fully_correct")
    if not kinds:
        return None
    flawed = run.flawed()
    names = {"final answer correct": "final_correct", "fully correct": "fully_correct"}
    measures = [
        each
        for title, name in names.items()
        for each in (mean(title, run.values(name)), gain(f"Δ {title}", run.values(name)))
    ]
    finals = counted("correct finals", lambda row: float(len(row.cut.known(flawed))))
    tables = {
        kind: run.systems(kind).table(
            f"gap_{kind}",
            f"Final answers and whole solutions, {KINDS[kind]} questions{run.said}.",
            *measures,
            *(mean("gap", flawed), finals),
            summary=kind == SOLVING,
        )
        for kind in kinds
    }
    panels = [Panel.of_columns(table, list(names), KINDS[kind]) for kind, table in tables.items()]
    caption = f"Final answer against full correctness{run.said}, {run.data.level:.0%} intervals"
    lines = []
    for kind in kinds:
        known = flawed[run.kinds[kind] & ~np.isnan(flawed)]
        if len(known):
            lines.append(
                f"{KINDS[kind]}: of {len(known)} attempts with a correct final answer, {known.sum():.0f} "
                f"({known.mean():.0%}) lack full marks on the way to it"
            )
    figure = Figure("intervals", "gap", caption, panels, "% of questions")
    shown = [plain(table, *names) for table in tables.values()]
    return Section("The reasoning gap", lines, shown, [figure], (NOTES["gap"],))


def _degradation(run: PhysBenchRun) -> Section | None:
    """The share of solutions without any error up to each stage, in the order of the rubric (figure 6)."""
    if SOLVING not in run.kinds_with("INT"):
        return None
    free = {code: run.free_of(CODES[: at + 1]) for at, code in enumerate(CODES)}
    caption = f"Solutions still free of errors after each stage{run.said}"
    measures = [mean(code, free[code]) for code in CODES]
    table = run.systems(SOLVING).table("degradation", f"{caption}, problem solving questions.", *measures)
    lines, panels = [], []
    for at, model in enumerate(run.data.models):
        arms = len(run.data.arms)
        own = [[arm, *row[1:]] for arm, row in zip(run.data.arms, table.rows[at * arms :], strict=False)]
        title = model if len(run.data.models) > 1 else ""
        panels.append(Panel.of_rows(Table("", "", table.columns, own), title))
    for cut in (cut for cut in run.cuts(SOLVING) if cut.is_baseline):
        left = [1.0, *(cut.value(free[code]) or 0.0 for code in CODES)]
        falls = {each: left[at] - left[at + 1] for at, each in enumerate(ERROR_TYPES)}
        worst = max(falls, key=falls.__getitem__)
        lines.append(
            f"{cut.label}: most solutions break at {worst.name} ({PERCENT.show(falls[worst])} of 100)"
        )
    figure = Figure("progression", "degradation", caption, panels, "% free of errors so far")
    return Section("Where solutions break", lines, [plain(table)], [figure], (NOTES["breaks"],))


def _prevalence(run: PhysBenchRun) -> Section | None:
    """How often each kind of error occurs by itself; kinds do not exclude each other (figure 12)."""
    if SOLVING not in run.kinds_with("INT"):
        return None
    rows = run.systems(SOLVING)
    caption = f"Share of problem solving questions with each kind of error{run.said}"
    tables = [rows.table("errors", f"{caption}.", *(mean(code, run.values(code)) for code in CODES))]
    if run.data.treatments:
        told = f"Change from {run.data.baseline}: fewer is better; p is adjusted over the table{run.said}."
        changes = [gain(f"Δ {code}", run.values(code)) for code in CODES]
        tables.append(rows.treated.table("errors_change", told, *changes))
    notes = "; ".join(f"**{each.code}** {each.name}: {each.meaning}" for each in ERROR_TYPES) + "."
    figure = Figure("heatmap", "errors", f"{caption} (%)", [Panel.of_rows(tables[0])])
    tables[0] = plain(tables[0])
    return Section("Kinds of errors", tables=tables, figures=[figure], notes=(notes,))


def _breakdowns(run: PhysBenchRun) -> Section | None:
    """Parts and score by topic, by cognitive level and by kind of knowledge (figures 15 to 18)."""
    made = [
        one
        for tag in _TAGS
        for kind in (run.kinds_with("final") if tag == "topic" else [None])
        if (one := _breakdown(run, tag, kind)) is not None
    ]
    if not made:
        return None
    note = (
        f"n is the number of questions. With fewer than {_FEW} of them, or of few families, a cell says "
        "little. Panels without any mark are left out."
    )
    figures, tables = zip(*made, strict=True)
    return Section("By topic and by Bloom's taxonomy", tables=tables, figures=figures, notes=(note,))


def _breakdown(run: PhysBenchRun, tag: str, kind: str | None) -> tuple[Figure, Table] | None:
    title, order = _TAGS[tag]
    asked = run.kinds[kind] if kind else run.part
    parts = {each: run.data.tagged(tag, each) for each in order}
    parts = {each: mask for each, mask in parts.items() if (asked & mask).any()}
    measured = {"score": run.values("score")} | {name: run.parts[part] for part, name in PART_NAMES.items()}
    measured = {name: values for name, values in measured.items() if not np.isnan(values[asked]).all()}
    if len(parts) < 2 or not measured:
        return None
    columns = [
        value(f"{each.replace('_', ' ')} (n {questions(run, asked & mask)})", lambda row: row.about, mask)
        for each, mask in parts.items()
    ]
    rows = [Row((name, cut.label), cut, of) for name, of in measured.items() for cut in run.data.cuts(asked)]
    file = f"{tag}_{kind}" if kind else tag
    about = f"{KINDS[kind]} questions" if kind else "all questions"
    caption = f"Marks by {title}, {about}{run.said}"
    size = len(run.data.systems)
    table = Rows(run.data, ["part", "arm"], rows).table(file, f"{caption}.", *columns, shown=size)
    labels = [each.replace("_", " ") for each in parts]
    panels = [
        Panel.of_rows(table.block(at, size, 1), name, labels=labels) for at, name in enumerate(measured)
    ]
    return Figure("heatmap", file, caption, panels, beside=min(2, len(panels))), table


def _compliance(run: PhysBenchRun) -> Section | None:
    """Does keeping the answer template go with better reasoning (appendix H)? None without a score."""
    if SOLVING not in run.kinds_with("score"):
        return None
    score, template = run.values("score"), run.values("template")
    known = ~np.isnan(score) & ~np.isnan(template)
    rates = run.systems(SOLVING).table(
        "template",
        f"Compliance with the answer template, problem solving questions{run.said}.",
        value("keeps the template", np.where(np.isnan(score), np.nan, template)),
        value("score where kept", np.where(template == 1.0, score, np.nan)),
        value("score where not", np.where(template == 0.0, score, np.nan)),
        counted("answers", lambda row: float(len(row.cut.known(score)))),
    )
    cuts = [cut for cut in run.data.cuts(run.kinds[SOLVING] & known) if len(cut.rows)]
    tables = [rates, _correlations(run, cuts)]
    return Section("Keeping the template", tables=tables, notes=(NOTES["template"],))


def _correlations(run: PhysBenchRun, cuts: list[Cut]) -> Table:
    """Of compliance with score, over systems and over answers."""
    data = run.data
    kept, scores = ([run.values(name)[cut.rows].tolist() for cut in cuts] for name in ("template", "score"))
    families = [data.asked[at].family for cut in cuts for at in data.attempts.problem[cut.rows]]
    all_kept, all_scores = ([each for own in of for each in own] for of in (kept, scores))
    answers = with_interval(spearman, [all_kept, all_scores], families, data.level)
    rates, means = [fmean(own) for own in kept], [fmean(own) for own in scores]
    systems = spearman(rates, means)
    p = spearman_p(rates, means, seed=data.seed)
    rows: list[list[Entry]] = [
        ["systems", systems.value, p, float(systems.items)],
        ["answers", Estimate(answers.value, answers.low, answers.high), None, float(answers.items)],
    ]
    columns = [Column("over"), Column("ρ", COEFFICIENT), Column("p", PROBABILITY), Column("n", COUNT)]
    return Table("template_correlation", f"Compliance and score{run.said}.", columns, rows)
