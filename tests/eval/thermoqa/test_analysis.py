"""Steps of an answer: kind, fate, contribution to the score, and what is given away."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.eval.benchmarks.thermoqa import load
from ansatz.eval.benchmarks.thermoqa.analysis import (
    KINDS,
    RULES,
    Step,
    adjacent,
    contribution,
    judge_steps,
    question_score,
    step_kind,
    zero_steps,
)
from ansatz.eval.benchmarks.thermoqa.generate import load as generate
from ansatz.eval.benchmarks.thermoqa.rescore import lacks_reference_state
from tests.eval.thermoqa.cases import DATA, PUBLISHED, number, problem

STATUSES = st.sampled_from(["pass", "out_of_tolerance", "missing"])
STEPS = st.lists(
    st.builds(
        Step,
        name=st.sampled_from(["h1", "s1", "w_net", "eta_th", "x4"]),
        weight=st.integers(1, 6).map(float),
        value=st.none(),
        published=STATUSES,
        strict=STATUSES | st.none(),
    ),
    max_size=12,
)


@pytest.mark.parametrize(
    "name",
    [
        "h",
        "s",
        "u",
        "v",
        "rho",
        "T",
        "P",
        "x",
        "phase",
        "h1",
        "h2s",
        "h_f",
        "s_g",
        "T_sat",
        "P_sat",
        "h_c_in",
        "s_h_out",
        "T_c_out",
        "s_in",
        "h_out",
        "T2",
        "ef9",
        "x4",
        "h10",
        "h10s",
    ],
)
def test_states_are_properties(name):
    assert step_kind(name) == "property"


@pytest.mark.parametrize(
    "name",
    [
        "w_in",
        "w_net",
        "q_in",
        "q_H",
        "Q_dot",
        "W_dot_net",
        "V2",
        "m3",
        "m_dot_steam",
        "eta_th",
        "eta_II",
        "COP_R",
        "s_gen",
        "s_gen_pump",
        "S_gen_dot",
        "x_dest",
        "x_dest_total",
        "X_dest_dot",
        "energy_balance_error_gas",
    ],
)
def test_what_follows_from_states_is_reasoning(name):
    assert step_kind(name) == "reasoning"


@given(STEPS, st.sampled_from(RULES))
def test_contributions_of_both_kinds_add_up_to_the_score(steps, rule):
    whole = sum(contribution(steps, rule, kind) for kind in KINDS)
    assert whole == pytest.approx(question_score(steps, rule) or 0.0)


@given(STEPS, st.sampled_from(RULES))
def test_a_score_is_the_weighted_mean_of_its_kinds(steps, rule):
    weights = {
        kind: sum(step.weight for step in steps if step.kind == kind and step.status(rule)) for kind in KINDS
    }
    parts = [(question_score(steps, rule, kind) or 0.0) * weights[kind] for kind in KINDS]
    if sum(weights.values()):
        assert question_score(steps, rule) == pytest.approx(sum(parts) / sum(weights.values()))


@given(STEPS)
def test_neighbours_skip_what_the_rule_leaves_out(steps):
    judged = [step for step in steps if step.strict]
    pairs = list(adjacent(steps, "strict"))
    assert len(pairs) == max(0, len(judged) - 1)
    assert [one for one, _ in pairs] + judged[-1:] == judged


def test_an_answer_is_judged_step_by_step():
    asked = problem(number("h1", 3000.0), number("s1", 6.5), number("w_out", 500.0, weight=3.0), tier="2")
    steps = judge_steps(asked, "h1 = 3.001 MJ/kg\ns1 = 6.9 kJ/(kg·K)")
    assert [step.strict for step in steps] == ["pass", "out_of_tolerance", "missing"]
    assert [step.published for step in steps] == ["out_of_tolerance", "pass", "missing"]
    assert [step.value for step in steps] == [pytest.approx(3001), pytest.approx(6.9), None]
    assert question_score(steps, "strict") == pytest.approx(0.2)


def test_zero_everywhere_passes_strictly_nowhere():
    asked = problem(number("h1", 3000.0), number("v1", 0.2), number("s1", 6.5), tier="2")
    steps = zero_steps(asked)
    assert question_score(steps, "strict") == 0
    assert [step.published for step in steps] == ["out_of_tolerance", "pass", "out_of_tolerance"]


@PUBLISHED
@pytest.mark.parametrize(("tier", "free"), [(1, 0.157), (2, 0.114), (3, 0.121)])
def test_zero_everywhere_earns_the_known_points(tier, free):
    """The share that the published rule gives away, as found on the publisher's files."""
    scores = [zero_steps(each) for each in load(str(DATA / f"tier{tier}-questions.jsonl"))]
    assert sum(question_score(steps, "published") for steps in scores) / len(scores) == pytest.approx(
        free, abs=6e-4
    )
    assert {question_score(steps, "strict") for steps in scores} == {0.0}


@PUBLISHED
def test_questions_with_an_open_reference_state_are_the_refrigerants_of_tier_2():
    found = [
        each
        for tier in (1, 2, 3)
        for each in load(str(DATA / f"tier{tier}-questions.jsonl"))
        if lacks_reference_state(each)
    ]
    assert len(found) == 10
    assert {(each.tags["tier"], each.tags["fluid"]) for each in found} == {("2", "R134a")}


def test_questions_of_our_own_making_have_no_such_fault():
    assert not any(map(lacks_reference_state, generate((2,), seed=3, counts=[101])))
