"""Does keeping the answer template go with better reasoning? Compliance against score (appendix H)."""

from __future__ import annotations

from statistics import fmean

from ansatz.eval.agreement import spearman, with_interval
from ansatz.eval.association import spearman_p
from ansatz.experiments.report.physbench.run import Marked, PhysBenchRun, by_problem
from ansatz.experiments.report.section import (
    COEFFICIENT,
    COUNT,
    POINTS,
    PROBABILITY,
    Column,
    Entry,
    Estimate,
    Section,
    Table,
)

_KIND = "problem_solving"
_NOTE = (
    "An answer keeps the template where all three parts are labelled, none is empty, and they stand in "
    "order; marks do not depend on it. Over systems, ρ is Spearman's rank correlation of the compliance "
    "rate with the mean score, as the paper has it, with a permutation p; over answers it is that of "
    "keeping the template with the score, with an interval by leaving out families. Arms that ask for the "
    "template and help in other ways too make both go together without the one causing the other; an arm "
    "that asks for the template alone tells them apart."
)


def template_compliance(run: PhysBenchRun) -> Section | None:
    """None without a score."""
    if _KIND not in run.kinds_with("score"):
        return None
    return Section(
        title="Keeping the template",
        tables=[_rates(run), _correlations(run)],
        notes=(_NOTE,),
    )


def _scored(run: PhysBenchRun) -> list[tuple[Marked, str]]:
    return [
        (each, run.label(system))
        for system in run.systems
        for each in run.of(system, _KIND)
        if each.values.get("score") is not None and each.values.get("template") is not None
    ]


def _rates(run: PhysBenchRun) -> Table:
    names = ("keeps the template", "score where kept", "score where not")
    columns = [Column("arm"), *(Column(name, POINTS) for name in names), Column("answers", COUNT)]
    rows: list[list[Entry]] = []
    for system in run.systems:
        own = [each for each in run.of(system, _KIND) if each.values.get("score") is not None]
        split = [
            run.mean(
                by_problem((each, each.values["score"]) for each in own if each.values["template"] == kept)
            ).value
            for kept in (1.0, 0.0)
        ]
        rate = run.mean(by_problem((each, each.values["template"]) for each in own)).value
        rows.append([run.label(system), rate, *split, float(len(own))])
    caption = f"Compliance with the answer template, problem solving questions{run.said}."
    return Table("template", caption, columns, rows)


def _correlations(run: PhysBenchRun) -> Table:
    scored = _scored(run)
    kept = [each.values["template"] for each, _ in scored]
    scores = [each.values["score"] for each, _ in scored]
    families = [each.problem.family for each, _ in scored]
    answers = with_interval(
        lambda at: spearman([kept[n] for n in at], [scores[n] for n in at]), families, run.data.level
    )
    rates, means = [], []
    for label in dict.fromkeys(label for _, label in scored):
        own = [each for each, of in scored if of == label]
        rates.append(fmean(each.values["template"] or 0.0 for each in own))
        means.append(fmean(each.values["score"] or 0.0 for each in own))
    systems = spearman(rates, means)
    p = spearman_p(rates, means, seed=run.data.seed)
    rows: list[list[Entry]] = [
        ["systems", systems.value, p, float(systems.items)],
        ["answers", Estimate(answers.value, answers.low, answers.high), None, float(answers.items)],
    ]
    columns = [Column("over"), Column("ρ", COEFFICIENT), Column("p", PROBABILITY), Column("n", COUNT)]
    return Table("template_correlation", f"Compliance and score{run.said}.", columns, rows)
