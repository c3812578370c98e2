"""How much of each stage an arm gets right (figure 3), and by how much arms differ from the baseline."""

from __future__ import annotations

from ansatz.eval.benchmarks.physbench.answer_template import PARTS, Part
from ansatz.eval.benchmarks.physbench.prefs_rubric import CONCEPTUAL, PROBLEM_SOLVING
from ansatz.eval.statistics import PairedDelta, holm
from ansatz.experiments.report.chart import Panel, Stacked
from ansatz.experiments.report.physbench.run import KINDS, PART_NAMES, PhysBenchRun
from ansatz.experiments.report.section import POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System, estimate

_NOTE = (
    "P-REFS gives a problem 10 points: 2 for its formulation (interpretation, modelling), 6 for the solution "
    "(relevance 1, application 1, calculation 1, correctness 2, coherence 1), 2 for the final answer; a "
    "conceptual question 5 points (1, 3, 1). Parts are shares of their own points, the score is the share of "
    "all. p after Holm over all arms and kinds of a model."
)
_RULES = (
    "Marked by rules, without a language model: interpretation, calculation, units, formulas and order are "
    "the rule-based verifier's findings, the final answer is compared with the key, and an assumption "
    "counts when it is stated. Rules do not read explanations, so that of conceptual questions only the "
    "final answer is marked, and an answer in words not at all. What is not shown earns nothing."
)


def stages(run: PhysBenchRun) -> Section:
    """Parts and score of every arm, problems apart from conceptual questions."""
    kinds = run.kinds_with("score")
    return Section(
        title="Stages of a solution",
        findings=[line for model in run.data.models for line in _findings(run, model, kinds)],
        figures=[_figure(run, kinds)] if kinds else [],
        tables=[_table(run, kind) for kind in kinds],
        notes=(_NOTE, *((_RULES,) if run.marked_how == "by rules" else ())),
    )


def _differences(run: PhysBenchRun, model: str, kinds: tuple[str, ...]) -> dict[tuple[str, System], Estimate]:
    raw: dict[tuple[str, System], PairedDelta] = {}
    for kind in kinds:
        control = run.scores(run.baseline(model), "score", kind)
        for system in run.treatments(model):
            raw[kind, system] = run.difference(run.scores(system, "score", kind), control)
    adjusted = holm({place: delta.p for place, delta in raw.items() if delta.p is not None})
    shown = {place: estimate(delta, adjusted.get(place)) for place, delta in raw.items()}
    return {place: each for place, each in shown.items() if each is not None}


def _table(run: PhysBenchRun, kind: str) -> Table:
    columns = [Column("arm"), *(Column(name, POINTS) for name in PART_NAMES.values())]
    columns += [Column("score", POINTS), Column("Δ score", POINTS, change=True)]
    rows: list[list[Entry]] = []
    for model in run.data.models:
        found = _differences(run, model, run.kinds_with("score"))
        for system in (run.baseline(model), *run.treatments(model)):
            parts = [run.mean(run.part_scores(system, part, kind)).value for part in PARTS]
            score = run.mean(run.scores(system, "score", kind)).value
            rows.append([run.label(system), *parts, score, found.get((kind, system))])
    caption = f"Share of the points by part, {KINDS[kind]} questions{run.said}."
    return Table(f"stages_{kind}", caption, columns, rows, summary=kind == "problem_solving")


def _figure(run: PhysBenchRun, kinds: tuple[str, ...]) -> Stacked:
    labels = [run.label(system) for system in run.systems]
    panels = [
        Panel(
            KINDS[kind],
            labels,
            {
                name: [_contribution(run, system, part, kind) for system in run.systems]
                for part, name in PART_NAMES.items()
            },
        )
        for kind in kinds
    ]
    caption = f"Score and what each part adds to it{run.said}"
    return Stacked("stages", caption, panels, "points of 100")


def _contribution(run: PhysBenchRun, system: System, part: Part, kind: str) -> Estimate:
    """The part's share of its own points, weighed by its points of all."""
    rubric = CONCEPTUAL if kind == "conceptual" else PROBLEM_SOLVING
    weight = sum(each.points for each in rubric if each.part == part) / sum(each.points for each in rubric)
    share = run.mean(run.part_scores(system, part, kind)).value
    return Estimate(None if share is None else weight * share)


def _findings(run: PhysBenchRun, model: str, kinds: tuple[str, ...]) -> list[str]:
    found = _differences(run, model, kinds)
    named = f"{model}: " if run.several_models else ""
    lines = []
    for kind in kinds:
        gains = {system: each for (of, system), each in found.items() if of == kind}
        if not gains:
            continue
        best = max(gains, key=lambda system: gains[system].value or 0.0)
        before = POINTS.show(run.mean(run.scores(run.baseline(model), "score", kind)).value)
        after = POINTS.show(run.mean(run.scores(best, "score", kind)).value)
        clear = "" if gains[best].is_significant else ", not clear of luck"
        lines.append(
            f"{named}{KINDS[kind]}: {before} in {run.data.baseline}, {after} in **{best.arm}**{clear}"
        )
    return lines
