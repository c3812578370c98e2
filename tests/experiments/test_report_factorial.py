"""The chapter on a factorial design: found in what is on in each arm, and true to the statistics."""

import math
from dataclasses import replace

import numpy as np
import pytest

import ansatz as az
from ansatz.experiments.ledger.stored_results import read_results
from ansatz.experiments.report.chapters import benchmark_chapters
from ansatz.experiments.report.factorial_chapter import find_design
from tests.experiments.tps_input import tps_run


@pytest.fixture(scope="module")
def data():
    return tps_run(models=("steady",))


@pytest.mark.parametrize(
    ("arms", "switches"),
    [
        ("- a b ab", "ab"),
        ("- a b ab p", "ab"),  # with a placebo
        ("x xa xb xab", "ab"),  # what is on everywhere is no switch
        ("- a b c ab ac bc abc", "abc"),
        ("- a b c ab ac bc", "ab"),  # one arm short of three switches
        ("- a b c", None),  # one at a time
        ("- a", None),
        ("a", None),
        ("", None),
    ],
)
def test_the_largest_complete_crossing_is_found(arms, switches):
    """Arms by name, such as "a", "ab"; "-" is the bare one."""
    found = find_design({arm: frozenset(arm.strip("-")) for arm in arms.split()}, arms.split())
    assert (None if found is None else "".join(found.switches)) == switches
    assert found is None or len(found.arms) == 2 ** len(found.switches)


def test_unrelated_arms_do_not_multiply_the_search():
    """With 62 switches there are 61 million sets of six, which a search by size would visit."""
    single = {f"s{n}": frozenset({f"s{n}"}) for n in range(60)}
    crossed = {
        "none": frozenset[str](),
        "ab": frozenset({"a", "b"}),
        "a": frozenset("a"),
        "b": frozenset("b"),
    }
    switches = {**single, **crossed}
    found = find_design(switches, list(switches))
    assert found is not None and set(found.switches) == {"a", "b"}
    assert find_design({"none": frozenset(), **single}, ["none", *single]) is None


def test_effects_are_those_of_the_arms_paired_by_problem(data):
    """The interaction and a main effect, written out by hand over the problems scored in all four arms."""
    kpi = {
        arm: {a.problem: a.values["kpi"] for a in data.attempts if a.arm == arm and a.values}
        for arm in data.arms
    }
    shared = [id for id in kpi["both"] if kpi["both"][id] is not None]
    both, sheet, steps, bare = (
        np.array([kpi[arm][id] for id in shared]) for arm in ("both", "sheet", "steps", "zero-shot")
    )
    shown = {row["effect"]: row["kpi"] for row in data.tables("effects_outcome")}
    assert list(shown) == ["protocol", "retrieval", "protocol × retrieval"]
    assert shown["protocol × retrieval"].value == pytest.approx((both - sheet - steps + bare).mean())
    assert shown["retrieval"].value == pytest.approx((both - steps + sheet - bare).mean() / 2)
    for name, found in shown.items():
        most = 2.0 if "×" in name else 1.0
        assert -most <= found.low <= found.value <= found.high <= most
        assert found.n == 23 == len(shared)  # one attempt of an arm failed


def test_the_parts_add_up_to_the_gain(data):
    for name in ("parts_outcome", "parts_rubric"):
        *parts, whole = data.tables(name)
        assert whole.pop("part of") == "all together"
        for dimension, gain in whole.items():
            assert math.fsum(part[dimension].value for part in parts) == pytest.approx(gain.value)
    assert sum(row["share of the gain in kpi"].value for row in data.tables("shares")) == pytest.approx(1)


def test_a_design_without_crossing_has_no_such_chapter(data):
    crossed = replace(data, arms=("zero-shot", "sheet", "steps", "placebo"))
    assert [chapter.name for chapter in crossed.chapters] == ["tps"]


def test_a_dimension_that_no_problem_has_in_every_arm_is_left_out(data):
    attempts = tuple(
        replace(each, values={**each.values, "G7": None}) if each.arm == "both" else each
        for each in data.attempts
    )
    row = replace(data, attempts=attempts).tables("effects_rubric")[0]
    assert "G7" not in row and "G6" in row


def test_two_prompts_are_two_switches_wherever_they_are_on(tmp_path):
    long = "Convert every given to SI units before anything else is calculated, and say so."
    arms = az.full_factorial(az.WithPrompt("Sketch it."), si=az.WithPrompt(long))
    problems = [("What is 2 + 3? Report:\nx = ___", "5")]
    az.Study("prompts", models="offline:slide-rule", problems=problems, arms=arms).run(tmp_path)
    data = read_results(tmp_path)
    first, second = (next(iter(data.switches[arm])) for arm in ("with_prompt", "si"))
    assert data.switches["with_prompt+si"] == {first, second}
    assert first == "with_prompt(text=Sketch it.)" and second.endswith("else is…)")
    assert "factorial" in [each.name for each in benchmark_chapters(data)]
