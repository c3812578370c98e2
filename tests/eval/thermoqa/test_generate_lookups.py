"""Property look-ups: the state lies where its category says, and another library has the same key."""

import iapws
import pytest

from ansatz.eval.benchmarks.thermoqa.generate import generate, tier
from ansatz.eval.benchmarks.thermoqa.generated import Expected
from ansatz.eval.benchmarks.thermoqa.lookups import templates
from ansatz.knowledge_base.properties import saturation, state

KELVIN = 273.15
CALLED = {"Water": "water", "R134a": "R134a"}
CRITICAL = {"Water": (647.096, 22.064e6), "R134a": (374.21, 4.05928e6)}  # K, Pa
SI = {"P_kPa": ("P", 1e3), "x": ("x", 1.0), "h_kJ_kg": ("h", 1e3), "s_kJ_kgK": ("s", 1e3)}


@pytest.fixture(scope="module")
def questions():
    return list(generate((1,), seed=8, counts=[8 * len(tier(1).order("even"))], mix="even"))


def inputs(question):
    """SI values of the givens, with the quality that a saturated state's words imply."""
    found = {}
    for key, value in question.given.items():
        if key == "T_C":
            found["T"] = value + KELVIN
        elif key != "fluid":
            symbol, factor = SI[key]
            found[symbol] = value * factor
    if question.kind in ("saturated_liquid", "saturated_vapor"):
        found["x"] = float(question.kind == "saturated_vapor")
    return found


def at(question):
    return state(CALLED[question.fluid], **inputs(question))


def test_the_eight_categories_are_asked_of_both_fluids(questions):
    asked = {(one.kind, one.fluid) for one in questions}
    assert len({kind for kind, _ in asked}) == 8
    assert len(asked) == 16
    assert {(one.kind, one.depth) for one in questions} == templates().keys()


def test_a_state_lies_where_its_category_says(questions):
    for one in questions:
        found, (hot, dense) = at(one), CRITICAL[one.fluid]
        if one.kind == "subcooled_liquid":
            assert found.phase == "subcooled_liquid" and found.P > saturation(found.fluid, T=found.T).P
        elif one.kind == "superheated_vapor":
            assert found.phase == "superheated_vapor" and found.T > saturation(found.fluid, P=found.P).T + 5
        elif one.kind == "supercritical":
            assert min(found.T - hot, found.P - dense) > 0
        elif one.kind == "wet_steam":
            assert found.x is not None and 0.04 < found.x < 0.96
        elif one.depth == "near_boundary":
            assert 0.9 < abs(found.T - saturation(found.fluid, P=found.P).T) < 4.1
        elif one.depth == "tricky":
            assert max(found.T - hot, found.P - dense) > 0


def test_a_phase_asked_for_is_the_states(questions):
    asked = [one for one in questions if any(each.name == "phase_name" for each in one.expected)]
    assert {at(one).phase for one in asked} == {"subcooled_liquid", "superheated_vapor", "supercritical"}
    for one in asked:
        [phase] = [each.value for each in one.expected if each.name == "phase_name"]
        assert phase == at(one).phase


def test_no_temperature_is_asked_or_given_near_the_ice_point(questions):
    for one in questions:
        asked = [each.value for each in one.expected if each.name in ("T_C", "T_sat_C")]
        assert all(abs(value) >= 10 for value in (*asked, one.given.get("T_C", 99.0))), one.line()


def test_an_independent_steam_library_gives_the_same_key(questions):
    """IAPWS-95 as implemented elsewhere; near the critical point the last digits of the givens matter most."""
    keys = {"T_C": "T", "T_sat_C": "T", "P_kPa": "P", "P_sat_kPa": "P", "x": "x"}
    compared = 0
    for one in questions:
        given = inputs(one)
        if one.fluid != "Water" or not given.keys() <= {"T", "P", "x"} or one.kind == "phase_determination":
            continue
        theirs = iapws.IAPWS95(
            **{name: value / 1e6 if name == "P" else value for name, value in given.items()}
        )
        for each in one.expected:
            if not isinstance(each, Expected):
                continue
            name = keys.get(each.name) or each.name.split("_")[0]
            value = getattr(theirs, name)
            value = value - KELVIN if name == "T" else value * 1e3 if name == "P" else value
            assert each.value == pytest.approx(value, rel=2e-5), (each, one.line())
            compared += 1
    assert compared > 200
