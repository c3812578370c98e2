"""Steps of an answer: kind, fate, share of the score, and whether they agree with each other."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.benchmarks.thermoqa.chapter_run import (
    KINDS,
    RULES,
    JudgedStep,
    contribution,
    question_score,
    step_kind,
)
from ansatz.eval.benchmarks.thermoqa.faults import lacks_reference_state
from ansatz.eval.benchmarks.thermoqa.generate import load as generate
from ansatz.eval.benchmarks.thermoqa.identities import agreements
from ansatz.eval.benchmarks.thermoqa.score import problem_score
from ansatz.eval.problem import NumberTarget
from tests.eval.thermoqa.cases import as_scored, number, problem

STATUSES = st.sampled_from(["pass", "out_of_tolerance", "missing"])
STEPS = st.lists(
    st.builds(
        JudgedStep,
        name=st.sampled_from(["h1", "s1", "w_net", "eta_th", "x4"]),
        weight=st.integers(1, 6).map(float),
        value=st.none(),
        published=STATUSES,
        strict=STATUSES | st.none(),
    ),
    max_size=12,
)
PROPERTIES = "h s u v rho T P x phase h1 h2s h_f s_g T_sat P_sat h_c_in s_h_out T_c_out s_in T2 ef9 x4 h10s"
REASONED = (
    "w_in q_H Q_dot W_dot_net V2 m3 m_dot_steam eta_th COP_R s_gen s_gen_pump S_gen_dot x_dest"
    " x_dest_total X_dest_dot energy_balance_error_gas"
)


@pytest.mark.parametrize(("kind", "names"), [("property", PROPERTIES), ("reasoning", REASONED)])
def test_the_symbol_tells_states_from_what_follows_from_them(kind, names):
    assert {step_kind(name) for name in names.split()} == {kind}


@given(STEPS, st.sampled_from(RULES))
@settings(max_examples=50)
def test_contributions_of_both_kinds_add_up_to_the_score(steps, rule):
    whole = sum(contribution(steps, rule, kind) for kind in KINDS)
    assert whole == pytest.approx(question_score(steps, rule) or 0.0)


def test_an_answer_is_judged_step_by_step():
    """The publisher's reading takes a number for the unit asked for, ours converts."""
    asked = problem(number("h1", 3000.0), number("s1", 6.5), number("w_out", 500.0, weight=3.0), tier="2")
    judged = as_scored(asked, "h1 = 3.001 MJ/kg\ns1 = 6.9 kJ/(kg·K)")
    fates = {rule: [one.status for one in each.values()] for rule, each in judged.items()}
    assert fates["strict"] == ["pass", "out_of_tolerance", "missing"]
    assert fates["published"] == ["out_of_tolerance", "pass", "missing"]
    assert problem_score(asked, judged["strict"]) == pytest.approx(0.2)
    closed = as_scored(problem(number("s_gen_turb", 0.0, unit="kJ/(kg*K)"), tier="3"), "s_gen_turb = 0")
    assert closed["published"]["s_gen_turb"].passed and closed["strict"] == {}


def test_every_identity_holds_in_keys_of_our_own_making():
    """And no question leaves its reference state open."""
    asked = generate((2, 3), seed=1, counts=[20, 30])
    assert not any(map(lacks_reference_state, asked))
    found = [agreements(each, key(each)) for each in asked]
    assert sum(map(len, found)) > 200
    assert all(all(each.values()) for each in found)


def key(asked):
    return {each.name: each.value for each in asked.targets if isinstance(each, NumberTarget)}


VALUES = {
    **{"h1": 192.0, "h2": 200.0, "h3": 3400.0, "h4": 2300.0, "w_pump": 8.0, "q_in": 3200.0},
    **{"w_turb": 1100.0, "w_net": 1092.0, "eta_th": 0.34125},
}
RANKINE = problem(*(number(name, value) for name, value in VALUES.items()), tier="3", category="RNK-I")


@pytest.mark.parametrize(
    ("changed", "broken"),
    [
        pytest.param({}, set(), id="the key"),
        pytest.param({"w_turb": 1200.0}, {"w_turb", "w_net"}, id="one step"),
        pytest.param(
            {"h3": 3600.0, "w_turb": 1300.0, "w_net": 1292.0, "q_in": 3400.0, "eta_th": 0.38},
            set(),
            id="wrong enthalpies, and works that follow from them",
        ),
        pytest.param({"h1": 192.05, "h2": 199.95}, set(), id="what rounding can hide"),
        pytest.param({"w_pump": 9.0}, {"w_pump"}, id="what it cannot"),
    ],
)
def test_a_value_disagrees_where_an_error_was_made(changed, broken):
    found = agreements(RANKINE, VALUES | changed)
    assert {name for name, agrees in found.items() if not agrees} == broken


@pytest.mark.parametrize(
    ("values", "unchecked"),
    [
        ({name: value for name, value in VALUES.items() if name != "w_pump"}, {"w_pump", "w_net"}),
        (VALUES | {"h3": math.inf}, {"w_turb"}),
        (VALUES | {"q_in": 0.0}, {"eta_th"}),
    ],
    ids=["missing", "infinite", "divided by 0"],
)
def test_an_identity_without_all_its_numbers_is_not_checked(values, unchecked):
    assert unchecked.isdisjoint(agreements(RANKINE, values))


def test_a_balance_is_put_to_what_has_no_definition_left():
    """q_in = w_net + h4 - h1, where h2 is not stated."""
    values = {name: value for name, value in VALUES.items() if name != "h2"}
    assert agreements(RANKINE, values)["q_in"]
    assert not agreements(RANKINE, values | {"q_in": 3600.0})["q_in"]


@pytest.mark.parametrize("dead", ["T₀ = 25°C", "T0 = 298.15 K", "T_0 = 25 °C"])
def test_exergy_destruction_follows_from_entropy_and_the_dead_state(dead):
    told = f"The dead state is {dead}, P₀ = 0.1 MPa."
    asked = problem(number("s_gen", 0.3), number("x_dest", 89.4), tier="2", question=told)
    assert agreements(asked, {"s_gen": 0.3, "x_dest": 89.4}) == {"x_dest": True}
    assert agreements(asked, {"s_gen": 0.3, "x_dest": 60.0}) == {"x_dest": False}
