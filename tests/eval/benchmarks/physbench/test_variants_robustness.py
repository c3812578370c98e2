"""Paired robustness deltas: what is planted in the scores of variants is found, and nothing else."""

import random

from ansatz.eval.benchmarks.physbench.chapter_variants import contextual_robustness
from ansatz.eval.benchmarks.physbench.variants import NO_REGION, REGIONS
from ansatz.eval.problem import LabelTarget, Problem
from ansatz.experiments.results import Estimate
from tests.experiments.rows import tried

QUESTION = Problem(
    id="", family="", benchmark="b", question="?", targets=(LabelTarget(name="x", weight=1, value="y"),)
)


def section(drop, noise=0.0, regions=(NO_REGION, *REGIONS)):
    """Of one model under two arms; the arm `shaky` loses `drop` on the variants of a region."""
    rng, problems = random.Random(1), []
    base = {str(family): rng.uniform(0.3, 0.7) for family in range(60)}
    for family in base:
        for region in regions:
            id = family if region == NO_REGION else f"{family}@{region}"
            tags = {"region": region, "original_id": family}
            problems.append(QUESTION.model_copy(update={"id": id, "family": family, "tags": tags}))

    def scored(problem, model, arm, repeat):
        lost = drop.get(problem.tags["region"], 0.0) if arm == "shaky" else 0.0
        return {"values": {"outcome": base[problem.family] - lost + rng.gauss(0, noise)}}

    rows = tried(problems, scored, arms=("baseline", "shaky"), dimensions=("outcome",))
    return contextual_robustness(rows.results)


def deltas(made):
    [table] = made.tables
    pairs = zip(table.rows, table.column("Δ"), strict=True)
    return {tuple(row[:2]): delta for row, delta in pairs if isinstance(delta, Estimate)}


def test_a_planted_drop_is_found_where_it_is_and_nowhere_else():
    made = section({"africa": 0.1}, noise=0.02)
    found = deltas(made)
    africa = found["shaky", "Africa"]
    assert africa.low < -0.1 < africa.high and africa.n == 60
    assert {key for key, each in found.items() if each.is_significant} - {("shaky", "all regions")} == {
        ("shaky", "Africa")
    }
    assert "Africa" in made.findings[0] and "1 of 6 pairs of arm and region" in made.findings[0]


def test_equal_scores_are_no_difference_also_in_the_last_bit():
    assert {(each.value, each.p) for each in deltas(section({})).values()} == {(0.0, 1.0)}


def test_a_run_without_variants_or_originals_has_no_such_section():
    assert section({}, regions=(NO_REGION,)) is None and section({}, regions=REGIONS) is None
