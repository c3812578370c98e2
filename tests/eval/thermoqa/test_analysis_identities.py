"""Does an answer agree with itself: identities hold in right keys, break where a step does, and survive rounding."""

import math

import pytest

from ansatz.eval.benchmarks.thermoqa import load
from ansatz.eval.benchmarks.thermoqa.analysis import judge_steps
from ansatz.eval.benchmarks.thermoqa.analysis_identities import check
from ansatz.eval.benchmarks.thermoqa.generate import load as generate
from ansatz.eval.problem import NumberTarget
from tests.eval.thermoqa.cases import DATA, PUBLISHED, number, problem, published_runs


def key(asked):
    return {each.name: each.value for each in asked.targets if isinstance(each, NumberTarget)}


@PUBLISHED
def test_every_identity_holds_in_the_published_keys():
    checks = [
        one
        for tier in (2, 3)
        for asked in load(str(DATA / f"tier{tier}-questions.jsonl"))
        for one in check(asked, key(asked))
    ]
    assert len(checks) > 900
    assert [one for one in checks if not one.holds] == []


def test_every_identity_holds_in_keys_of_our_own_making():
    checks = [one for asked in generate((2, 3), seed=1, counts=[60, 82]) for one in check(asked, key(asked))]
    assert len(checks) > 700
    assert [one for one in checks if not one.holds] == []


def rankine():
    names = {"h1": 192.0, "h2": 200.0, "h3": 3400.0, "h4": 2300.0, "w_pump": 8.0, "q_in": 3200.0}
    names |= {"w_turb": 1100.0, "w_net": 1092.0, "eta_th": 0.34125}
    asked = problem(*(number(name, value) for name, value in names.items()), tier="3")
    return asked.model_copy(update={"tags": {"tier": "3", "category": "RNK-I"}}), names


def test_a_broken_step_breaks_only_the_identities_it_is_in():
    asked, values = rankine()
    assert all(one.holds for one in check(asked, values))
    broken = {one.identity for one in check(asked, values | {"w_turb": 1200.0}) if not one.holds}
    assert broken == {"w_turb = h3 - h4", "w_net = w_turb - w_pump"}


def test_an_inherited_error_keeps_the_identity():
    """Wrong enthalpies, and a work that follows from them."""
    asked, values = rankine()
    wrong = values | {"h3": 3600.0, "w_turb": 1300.0, "w_net": 1292.0, "q_in": 3400.0, "eta_th": 0.38}
    assert all(one.holds for one in check(asked, wrong))


def test_what_rounding_can_hide_is_no_contradiction():
    asked, values = rankine()
    assert all(one.holds for one in check(asked, values | {"h1": 192.05, "h2": 199.95}))
    assert not all(one.holds for one in check(asked, values | {"w_pump": 9.0}))


def test_an_identity_with_a_missing_term_is_not_checked():
    asked, values = rankine()
    del values["w_pump"]
    assert not any("w_pump" in one.identity for one in check(asked, values))


@pytest.mark.parametrize("dead", ["T₀ = 25°C", "T0 = 298.15 K", "T_0 = 25 °C"])
def test_exergy_destruction_follows_from_entropy_and_the_dead_state(dead):
    asked = problem(number("s_gen", 0.3), number("x_dest", 89.4), tier="2")
    asked = asked.model_copy(update={"question": f"The dead state is {dead}, P₀ = 0.1 MPa."})
    [one] = check(asked, {"s_gen": 0.3, "x_dest": 89.4})
    assert one.holds and one.implied == pytest.approx(298.15 * 0.3)
    [one] = check(asked, {"s_gen": 0.3, "x_dest": 60.0})
    assert not one.holds


def test_numbers_that_are_none_are_not_compared():
    asked, values = rankine()
    assert not [one for one in check(asked, values | {"h3": math.inf}) if "h3" in one.identity]
    assert not [one for one in check(asked, values | {"q_in": 0.0}) if "/" in one.identity]


@PUBLISHED
def test_a_language_model_mostly_agrees_with_itself():
    """GPT-5.4 on tier 3: nearly all of its wrong values follow from its own earlier ones."""
    holding = total = 0
    for asked, response, _, _ in published_runs(3):
        steps = judge_steps(asked, response["response_text"])
        for one in check(asked, {step.name: step.value for step in steps if step.value is not None}):
            total += 1
            holding += one.holds
    assert total > 800
    assert 0.97 < holding / total < 1
