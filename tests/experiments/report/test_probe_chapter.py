"""Variants against originals: what is planted in their scores is found, and nothing else."""

import random

import pytest

from ansatz.eval.problem import LabelTarget, Problem
from ansatz.experiments.report.probe_chapter import chapter
from ansatz.experiments.results import Estimate
from tests.experiments.rows import tried

KINDS = ("renumbered", "renamed", "other_units")
QUESTION = Problem(
    id="", family="", benchmark="b", question="?", targets=(LabelTarget(name="x", weight=1, value="y"),)
)


def section(drop, noise=0.0, kinds=("original", *KINDS), lacking=lambda family, kind: False):
    """Of one model under two arms; the arm `shaky` loses `drop` on the variants of a kind."""
    rng, problems = random.Random(1), []
    base = {str(family): rng.uniform(0.3, 0.7) for family in range(60)}
    for family in base:
        for kind in (each for each in kinds if not lacking(family, each)):
            id = family if kind == "original" else f"{family}@{kind}"
            tags = {"probe": kind, "original_id": family}
            problems.append(QUESTION.model_copy(update={"id": id, "family": family, "tags": tags}))

    def scored(problem, model, arm, repeat):
        lost = drop.get(problem.tags["probe"], 0.0) if arm == "shaky" else 0.0
        return {"values": {"outcome": base[problem.family] - lost + rng.gauss(0, noise)}}

    rows = tried(problems, scored, arms=("baseline", "shaky"), dimensions=("outcome",))
    return chapter(rows.results)


def deltas(made, section=0):
    [table] = made.sections[section].tables
    pairs = zip(table.rows, table.column("Δ"), strict=True)
    return {tuple(row[:2]): delta for row, delta in pairs if isinstance(delta, Estimate)}


def test_a_planted_drop_is_found_where_it_is_and_nowhere_else():
    made = section({"renamed": 0.1}, noise=0.02)
    found = deltas(made)
    renamed = found["shaky", "renamed"]
    assert renamed.low < -0.1 < renamed.high and renamed.n == 60
    assert {key for key, each in found.items() if each.is_significant} - {("shaky", "all probes")} == {
        ("shaky", "renamed")
    }
    assert (
        "renamed" in made.sections[0].findings[0]
        and "1 of 6 pairs of arm and probe" in made.sections[0].findings[0]
    )


def test_equal_scores_are_no_difference_also_in_the_last_bit():
    assert {(each.value, each.p) for each in deltas(section({})).values()} == {(0.0, 1.0)}


def test_means_of_originals_leave_out_those_without_a_variant():
    made = section({"renamed": 0.1}, lacking=lambda family, kind: kind == "renamed" and int(family) % 3)
    for part in made.sections:
        [table] = part.tables
        row = next(each for each in table.rows if each[:2] == ["shaky", "renamed"])
        before, after, change = (getattr(each, "value", each) for each in row[2:5])
        assert change == pytest.approx(after - before)
    assert "of 3 pairs of arm and probe have an arm" in made.sections[1].findings[0]


def test_a_run_without_variants_or_originals_has_no_such_chapter():
    assert section({}, kinds=("original",)) is None and section({}, kinds=KINDS) is None


def test_an_arm_that_helps_originals_only_is_found():
    """The arm loses on renamed variants what it does not lose on originals."""
    made = section({"renamed": 0.1}, noise=0.02)
    [table] = made.sections[1].tables
    rows = {tuple(row[:2]): row[2:] for row in table.rows}
    originals, variants, difference = rows["shaky", "renamed"]
    assert abs(originals.value) < 0.02 and variants.value < -0.08
    assert difference.low < -0.1 < difference.high and difference.is_significant
    assert not rows["shaky", "other_units"][2].is_significant
