"""Probes of keyed problems: what each kind changes, and that the key is recomputed."""

import pytest

from ansatz.errors import InvalidData
from ansatz.eval.outcome import judge_answer
from ansatz.eval.probes import add_probes, list_kinds
from ansatz.eval.problem import Problem
from ansatz.eval.problem_schema import read_item

DUCT = {
    "id": "duct",
    "question": "Air of density rho = 1.2 kg/m^3 flows at V = 50 m/s through a duct of area S = 0.5 m^2. "
    "Its temperature is T = 300 K. Find the dynamic pressure q.\n\nReport your answers as:\nq = ___ Pa",
    "given": [
        {"name": "rho", "value": 1.2, "unit": "kg/m^3", "description": "density"},
        {"name": "V", "value": 50, "unit": "m/s", "description": "speed"},
        {"name": "S", "value": 0.5, "unit": "m^2", "description": "area"},
        {"name": "T", "value": 300, "unit": "K", "description": "temperature"},
    ],
    "targets": [{"name": "q", "value": 1500, "unit": "Pa", "description": "dynamic pressure"}],
    "reference_solution": {
        "steps": [
            {"equation": "", "symbol": "q", "expression": "q = 0.5*rho*V**2", "value": 1500, "unit": "Pa"}
        ]
    },
}


def duct(**changes) -> Problem:
    return read_item({**DUCT, **changes}).to_problem()


def vary(kind, problem=None):
    """Return the variant of one kind."""
    found = add_probes([problem or duct()], [kind]).problems
    return found[1] if len(found) > 1 else None


def given(problem, name):
    return next((each.value, each.unit) for each in problem.givens if each.name == name)


def test_a_variant_belongs_to_its_original():
    original, variant = add_probes([duct()], ["reordered"]).problems
    assert (original.id, original.tags["probe"]) == ("duct", "original")
    assert (variant.id, variant.tags["probe"], variant.tags["original_id"]) == (
        "duct@reordered",
        "reordered",
        "duct",
    )
    assert variant.family == original.family


def test_new_numbers_get_a_new_key():
    variant = vary("renumbered")
    (rho, _), (V, _) = given(variant, "rho"), given(variant, "V")
    assert variant.targets[0].value == pytest.approx(0.5 * rho * V**2) != 1500
    assert f"rho = {rho:g} kg/m^3" in variant.question and f"V = {V:g} m/s" in variant.question


def test_a_key_that_the_steps_do_not_give_is_never_renumbered():
    wrong = duct(targets=[{"name": "q", "value": 1400, "unit": "Pa"}])
    found = add_probes([wrong], ["renumbered"])
    assert len(found.problems) == 1 and "do not give the key of q" in found.left_out[0][2]


def test_other_units_keep_the_physics():
    variant = vary("other_units")
    (rho, unit), (temperature, scale) = given(variant, "rho"), given(variant, "T")
    assert (unit, rho) in [("g/cm^3", pytest.approx(0.0012)), ("lb/ft^3", pytest.approx(0.07491355))]
    assert (scale, temperature) in [("degC", pytest.approx(26.85)), ("degF", pytest.approx(80.33))]
    target = variant.targets[0]
    assert (target.unit, target.value) in [("kPa", pytest.approx(1.5)), ("psi", pytest.approx(0.2175566))]
    assert f"q = ___ {target.unit}" in variant.question
    assert judge_answer(variant, "q = 1500 Pa")[0].exact


def test_reordered_givens_are_listed_once():
    variant = vary("reordered")
    text, _, data = variant.question.partition("\n\nData: ")
    assert "density rho flows at V" in text and all(f"{name} = " in data for name in ("rho", "V", "S", "T"))
    assert variant.targets == duct().targets and variant.question.endswith("q = ___ Pa")


def test_renamed_symbols_are_new_everywhere():
    variant = vary("renamed")
    names = {each.name for each in variant.givens}
    assert "rho" not in names and "rho" not in variant.question
    assert f"{variant.targets[0].name} = ___ Pa" in variant.question
    assert judge_answer(variant, f"{variant.targets[0].name} = 1500 Pa")[0].exact


def test_a_symbol_that_is_a_unit_keeps_its_name():
    mass = duct(
        question="A mass m = 3 kg falls h = 2 m. Find E.\n\nReport your answers as:\nE = ___ J",
        given=[{"name": "m", "value": 3, "unit": "kg"}, {"name": "h", "value": 2, "unit": "m"}],
        targets=[{"name": "E", "value": 58.8, "unit": "J"}],
        reference_solution={},
    )
    assert {"m"} <= {each.name for each in vary("renamed", mass).givens}


def test_irrelevant_data_stand_before_the_request():
    variant = vary("distracted")
    assert len(variant.givens) == 6 and variant.targets == duct().targets
    assert variant.question.index(f"{variant.givens[-1].name} = ") < variant.question.index(
        "Find the dynamic"
    )


def test_a_generated_set_is_renumbered_by_another_seed():
    other = duct(question=DUCT["question"].replace("50 m/s", "60 m/s"), family="ducts")
    found = add_probes([duct(family="ducts")], ["renumbered"], reload=lambda seed: [other]).problems
    assert "60 m/s" in found[1].question and found[1].id == "duct@renumbered"


def test_an_unknown_kind_is_refused_with_the_nearest():
    with pytest.raises(InvalidData, match="renamed"):
        add_probes([duct()], ["rename"])
    assert {"renumbered", "renamed", "other_units", "reordered", "distracted"} <= set(list_kinds())
