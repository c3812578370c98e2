"""Paired robustness deltas: what is planted in the scores of variants is found, and nothing else."""

from __future__ import annotations

import random
from functools import cache

from ansatz.eval.benchmarks.physbench import variants
from ansatz.eval.benchmarks.physbench.chapter_variants import contextual_robustness
from ansatz.eval.problem import Problem
from ansatz.eval.views import Estimate, Section
from tests.experiments.rows import Cell, Rows


def section(rows: Rows) -> Section | None:
    return contextual_robustness(rows.results)


@cache
def _problems() -> tuple[Problem, ...]:
    return variants.load(count=60, seed=4)


def report(
    drop: dict[str, float], noise: float = 0.0, regions: tuple[str, ...] = ("original", *variants.REGIONS)
) -> Rows:
    """One model under two arms; the arm `shaky` loses `drop` on the variants of a region."""
    rng = random.Random(1)
    base = {problem.tags["original_id"]: rng.uniform(0.3, 0.7) for problem in _problems()}
    told = [problem for problem in _problems() if problem.tags["region"] in regions]
    cells = tuple(
        Cell(
            model="m",
            arm=arm,
            problem=problem.id,
            family=problem.family,
            repeat=0,
            dimension="outcome",
            value=base[problem.tags["original_id"]]
            - (drop.get(str(problem.tags["region"]), 0.0) if arm == "shaky" else 0.0)
            + rng.gauss(0, noise),
            state="scored",
        )
        for arm in ("baseline", "shaky")
        for problem in told
    )
    return Rows(
        title="t",
        models=("m",),
        arms=("baseline", "shaky"),
        baseline="baseline",
        dimensions=("outcome", "tokens"),
        cells=cells,
        planned=len(cells),
        tags={problem.id: problem.tags for problem in told},
        problems={problem.id: problem for problem in told},
    )


def deltas(made: Section) -> dict[tuple[object, ...], Estimate]:
    [table] = made.tables
    pairs = zip(table.rows, table.column("Δ"), strict=True)
    return {tuple(row[:2]): delta for row, delta in pairs if isinstance(delta, Estimate)}


def test_a_planted_drop_is_found_where_it_is_and_nowhere_else() -> None:
    made = section(report({"africa": 0.1}, noise=0.02))
    assert made
    found = deltas(made)
    africa = found["shaky", "Africa"]
    assert africa.low is not None and africa.high is not None
    assert africa.low < -0.1 < africa.high and africa.is_significant and africa.n == 60
    others = [key for key in found if key not in {("shaky", "Africa"), ("shaky", "all regions")}]
    assert not any(found[key].is_significant for key in others)
    assert "Africa" in made.findings[0] and "1 of 6 pairs of arm and region" in made.findings[0]


def test_equal_scores_are_no_difference_also_in_the_last_bit() -> None:
    made = section(report({}))
    assert made
    assert {(each.value, each.p) for each in deltas(made).values()} == {(0.0, 1.0)}


def test_a_run_without_variants_or_originals_has_no_such_section() -> None:
    assert section(report({}, regions=("original",))) is None
    assert section(report({}, regions=variants.REGIONS)) is None
