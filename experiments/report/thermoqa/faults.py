"""Both rules side by side, and what the benchmark's known faults are worth."""

from __future__ import annotations

from ansatz.eval.benchmarks.thermoqa.analysis import RULES, Rule, is_faulty, question_score, zero_steps
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Section, Table
from ansatz.experiments.report.thermoqa.run import Scores, System, ThermoQARun


def published_and_strict(run: ThermoQARun) -> Section:
    """Scores under both rules, with and without faulty questions, and the points that answering 0 earns."""
    columns = [
        *(Column("tier"), Column("system"), Column("questions", COUNT)),
        *(Column(rule, POINTS) for rule in RULES),
        Column("strict − published", POINTS, change=True),
        *(Column("faulty questions", COUNT), *(Column(f"{rule} without them", POINTS) for rule in RULES)),
    ]
    rows = [row for tier in run.tiers for row in _rows(run, tier)]
    note = (
        "The published rule passes a value within 2 % or within an absolute tolerance, 0.5 for most, so "
        "that small numbers pass whatever is answered; the strict rule is relative, reads units, and "
        "keeps a floor only of the last digit that tables print. The row “0 everywhere” answers 0 to "
        "every number. Faulty questions ask for h or s of R-134a without naming the reference state their "
        "key uses."
    )
    table = Table("faults", f"Both rules, with and without faulty questions{run.simulated}.", columns, rows)
    return Section(title="Published and strict", tables=[table], notes=(note,))


def _rows(run: ThermoQARun, tier: str) -> list[list[Entry]]:
    asked = {id: problem for id, problem in run.problems.items() if problem.tags["tier"] == tier}
    faulty = {id for id, problem in asked.items() if is_faulty(problem)}
    rows: list[list[Entry]] = []
    for label, scores in (*_of_systems(run, tier), ("0 everywhere", _of_zeros(run, tier))):
        whole = {rule: run.mean(scores[rule]) for rule in RULES}
        kept = {
            rule: run.mean({id: each for id, each in scores[rule].items() if id not in faulty})
            for rule in RULES
        }
        strict, published = whole["strict"].value, whole["published"].value
        change = None if strict is None or published is None else strict - published
        without = [kept[rule].value if faulty else None for rule in RULES]
        rows.append([tier, label, len(asked), strict, published, change, len(faulty), *without])
    return rows


def _of_systems(run: ThermoQARun, tier: str) -> list[tuple[str, dict[Rule, Scores]]]:
    return [(run.label(system), _by_rule(run, system, tier)) for system in run.systems]


def _by_rule(run: ThermoQARun, system: System, tier: str) -> dict[Rule, Scores]:
    return {rule: run.scores(system, tier, rule) for rule in RULES}


def _of_zeros(run: ThermoQARun, tier: str) -> dict[Rule, Scores]:
    found: dict[Rule, dict[str, list[float | None]]] = {rule: {} for rule in RULES}
    for id, problem in run.problems.items():
        if problem.tags["tier"] == tier:
            steps = zero_steps(problem)
            for rule in RULES:
                found[rule][id] = [question_score(steps, rule)]
    return dict(found)
