"""What each generated question promises: it loads, says all it needs, and gives nothing away."""

from statistics import mean

import iapws
import pytest

from ansatz.eval.benchmarks.thermoqa import load as load_file
from ansatz.eval.benchmarks.thermoqa.generate import generate, tier
from ansatz.eval.benchmarks.thermoqa.generated import Expected
from ansatz.eval.benchmarks.thermoqa.lookups import templates
from ansatz.eval.benchmarks.thermoqa.pages import pages
from ansatz.eval.benchmarks.thermoqa.score import ThermoQAScore, problem_score, published, strict
from ansatz.eval.problem import NumberTarget
from ansatz.eval.score import ScoringContext
from ansatz.knowledge_base.properties import saturation, state
from tests.fakes.transcripts import attempt


@pytest.fixture(scope="module")
def questions():
    """Every kind of every tier, those beyond the published set too."""
    return list(generate(seed=11, counts=(56, 57, 30), mix="even"))


def test_a_generated_file_loads_as_the_published_ones_do(tmp_path, questions):
    file = tmp_path / "questions.jsonl"
    file.write_text("".join(f"{one.line()}\n" for one in questions), encoding="utf-8")
    loaded = load_file(str(file))
    assert loaded == tuple(one.problem() for one in questions)
    assert {each.tags["tier"] for each in loaded} == {"1", "2", "3"}
    assert len(load_file(str(file), tiers=(2,))) == 57


def gold(one):
    """The answer block filled in with the key."""
    values = [
        f"{e.value:.7g}" if isinstance(e, Expected) else e.value.replace("_", " ") for e in one.expected
    ]
    blanks = one.question.split("Report your answers as:\n")[1].splitlines()
    return "\n".join(blank.replace("___", value) for blank, value in zip(blanks, values, strict=True))


async def test_the_key_earns_full_marks(questions):
    for one in questions:
        scores = await ThermoQAScore().score(ScoringContext(one.problem(), attempt(gold(one))))
        assert [score.value for score in scores] == [1.0, 1.0], (one.id, scores)


def test_zeros_and_blanks_earn_nothing_strictly_though_the_published_rule_pays(questions):
    paid = []
    for one in questions:
        problem = one.problem()
        zeros = "\n".join(
            f"{target.name} = 0 {getattr(target, 'unit', '').replace('-', '')}" for target in problem.targets
        )
        assert problem_score(problem, strict(problem, zeros)) == 0.0, one.id
        assert problem_score(problem, strict(problem, "")) == 0.0
        numbers = {target.name: 0.0 for target in problem.targets if isinstance(target, NumberTarget)}
        paid.append(problem_score(problem, published(problem, numbers)))
    assert mean(paid) > 0.05


@pytest.fixture(scope="module")
def below_cycles(questions):
    return [one for one in questions if one.tier < 3]


def test_every_given_is_printed_and_every_value_is_asked_for(below_cycles):
    for one in below_cycles:
        prose, block = one.question.split("\n\nReport your answers as:\n")
        assert "{" not in one.question
        for key, value in one.given.items():
            if isinstance(value, float):
                shown = value * 100 if key.startswith("eta") else value
                assert f"{shown:.10g}" in prose, (one.id, key)
        asked = [line.split(" ")[0].rstrip(":") for line in block.splitlines()]
        printed = {"phase": "Phase", "S_gen_dot": "Ṡ_gen", "X_dest_dot": "Ẋ_dest", "Q_dot": "Q̇"}
        assert asked == [printed.get(target.name, target.name) for target in one.problem().targets]


def test_every_convention_is_stated(below_cycles):
    for one in below_cycles:
        caloric = any(target.name[0] in "hsu" for target in one.problem().targets)
        told = " ".join((one.question, *one.given))
        if one.fluid == "R134a" and caloric:
            assert "IIR reference state (h = 200 kJ/kg and s = 1 kJ/(kg·K)" in told
        if one.fluid == "Air":
            assert "c_p = 1.005 kJ/(kg·K) and k = 1.4" in told and "s = 0 at 298.15 K" in told
        if one.tier == 2 and one.depth == "C":
            assert "T0 = 25 °C (298.15 K) and P0 = 0.1 MPa" in told
            assert "eta_II is the" in told
        assert ("dead state" in told) == (one.tier == 2 and one.depth == "C")


def test_each_kind_is_told_in_at_least_three_ways():
    phrasings = [template.phrasings for template in templates().values()]
    for page in (*pages(2).values(), *pages(3).values()):
        phrasings += [page.setups, *page.requests.values(), *filter(None, [page.reservoir_setups])]
    assert min(len(set(each)) for each in phrasings) >= 3


KELVIN = 273.15
CALLED = {"Water": "water", "R134a": "R134a"}
CRITICAL = {"Water": (647.096, 22.064e6), "R134a": (374.21, 4.05928e6)}  # K, Pa
SI = {"P_kPa": ("P", 1e3), "x": ("x", 1.0), "h_kJ_kg": ("h", 1e3), "s_kJ_kgK": ("s", 1e3)}


@pytest.fixture(scope="module")
def lookups():
    return list(generate((1,), seed=8, counts=[4 * len(tier(1).order("even"))], mix="even"))


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


def test_the_eight_categories_are_asked_of_both_fluids(lookups):
    asked = {(one.kind, one.fluid) for one in lookups}
    assert len({kind for kind, _ in asked}) == 8
    assert len(asked) == 16
    assert {(one.kind, one.depth) for one in lookups} == templates().keys()


def test_a_state_lies_where_its_category_says(lookups):
    for one in lookups:
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


def test_a_phase_asked_for_is_the_states(lookups):
    asked = [one for one in lookups if any(each.name == "phase_name" for each in one.expected)]
    assert {at(one).phase for one in asked} == {"subcooled_liquid", "superheated_vapor", "supercritical"}
    for one in asked:
        [phase] = [each.value for each in one.expected if each.name == "phase_name"]
        assert phase == at(one).phase


def test_no_temperature_is_asked_or_given_near_the_ice_point(lookups):
    for one in lookups:
        asked = [each.value for each in one.expected if each.name in ("T_C", "T_sat_C")]
        assert all(abs(value) >= 10 for value in (*asked, one.given.get("T_C", 99.0))), one.line()


def test_an_independent_steam_library_gives_the_same_key(lookups):
    """IAPWS-95 as implemented elsewhere; near the critical point the last digits of the givens matter most."""
    keys = {"T_C": "T", "T_sat_C": "T", "P_kPa": "P", "P_sat_kPa": "P", "x": "x"}
    compared = 0
    for one in lookups:
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
    assert compared > 100
