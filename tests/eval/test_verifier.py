"""The verifier against hand-written solutions whose marks a reviewer can agree on, and against tricks."""

import asyncio
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.agents import ToolCall
from ansatz.eval.rubrics.kpi import SOUND, kpi, published
from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.verifier import CHECKS, Verifier, review
from ansatz.eval.score import ScoringContext
from tests.eval.heating_answers import (
    BLUNDER,
    CONTRADICTORY,
    FILLER,
    GOOD,
    HEADINGS,
    HEATING,
    LATEX,
    RIGHT_BY_TRAP,
    SLIP,
    STUFFED,
    TERSE,
    TRAPPED,
    attempt,
    marks,
)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (GOOD, "22222222"),
        (LATEX, "22221002"),
        (SLIP, "22211002"),
        (BLUNDER, "22201002"),
        (TERSE, "-02-1001"),
    ],
    ids=["good", "latex", "slip", "blunder", "terse"],
)
def test_marks_of_hand_written_solutions(answer, expected):
    found = marks(answer)
    assert "".join("-" if points is None else str(points) for points in found.values()) == expected


@pytest.mark.parametrize("trick", [HEADINGS, FILLER, STUFFED, HEATING.question, FILLER + HEADINGS + STUFFED])
def test_form_without_content_earns_nothing(trick):
    found = marks(trick)
    assert all(not points for points in found.values()), found


@pytest.mark.parametrize("padding", [HEADINGS, FILLER, STUFFED, HEATING.question])
def test_padding_a_terse_answer_gains_nothing(padding):
    bare, padded = marks(TERSE), marks(f"{padding}\n{TERSE}")
    assert all((padded[name] or 0) <= (bare[name] or 0) for name in CHECKS), (bare, padded)


def test_padding_never_improves_presentation():
    assert marks(GOOD.replace("\n\nq_s", f"\n{FILLER.replace('. ', '.' + chr(10))}\n\nq_s"))["G8"] < 2


def test_the_trap_fails_formula_selection_whatever_the_answer():
    assert marks(TRAPPED)["G1"] == 0
    assert marks(RIGHT_BY_TRAP)["G1"] == 0
    assert marks(TRAPPED)["G4"] == 2


def test_a_rejected_trap_is_no_trap():
    text = GOOD.replace("Regime:", "We do not use the free-stream kinetic energy flux here. Regime:")
    assert marks(text)["G1"] == 2


def test_arithmetic_does_not_count_against_the_formula():
    assert marks(BLUNDER)["G1"] == 2


def test_contradictory_finals():
    assert marks(CONTRADICTORY)["G8"] == 0


def test_trial_values_in_a_table_contradict_nothing():
    tried = "| q_s | u | v |\n|---|---|---|\n| 900000 | 3 | 2 |\n| 950000 | 4 | 5 |\n| 1244700 | 4 | 4 |\n\n"
    final = GOOD.rindex("q_s =")
    assert marks(GOOD[:final] + tried + GOOD[final:])["G8"] == 2
    assert marks(GOOD[:final] + tried.replace("| 1244700 | 4 | 4 |\n", "") + GOOD[final:])["G8"] == 0


def test_another_constant_is_the_right_form():
    text = (
        SLIP.split("\n")[0] + "\nq_s = 2.5e-4*sqrt(rho_inf/R_n)*V_inf^3 = 1.787e6 W/m^2\nq_s = 1.787e6 W/m^2"
    )
    assert marks(text)["G1"] == 1


@pytest.mark.parametrize(
    ("text", "points"),
    [
        (SLIP.replace("R_n = 0.6 m", "R_n = 0.9 m").replace("/0.6", "/0.9"), 1),
        (SLIP.replace("rho_inf = 3.1e-4 kg/m^3", "rho_inf = 0.31 g/m^3").replace("3.1e-4/", "0.00031/"), 2),
        ("With the speed of 7 m/s, q_s = 7^3 = 343 W/m^2", 0),
        # The square root is no numerical solution, whose givens need not be written out.
        ("By the square root of density: q_s = 1.7415e-4*sqrt(rho_inf/R_n)*V_inf^3 = 9e6 W/m^2", 0),
        (SLIP.replace("R_n = 0.6 m", "R_n = 0.6 m (small): sqrt(rho_inf/R_n) = 0.02273"), 2),
        (SLIP.replace("V_inf = 6800 m/s", "V_inf = 6800 m/s = 68 km/s"), 2),
        (SLIP + "\nAt the speed V_inf = 0 the flux vanishes.", 2),
        (SLIP.replace("R_n = 0.6 m", "R_n = 0.6 m (V_inf = 680 m/s)").replace("V_inf = 6800 m/s", ""), 1),
    ],
)
def test_parameters(text, points):
    assert marks(text)["G2"] == points


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("q_s = 1244.7 kW/m^2", 2),
        ("q_s = 1.2447e6", 0),
        ("q_s = 1.2447e6 W", 0),
        ("q_s = 1244.7 kW/m^2 = 12447 W/m^2\nq_s = 1244.7 kW/m^2", 1),
        ("V_inf = 6800 kg\nq_s = 1244.7 kW/m^2", 1),
        ("q_s = 3.1e-4 kg/m^3*6800 m/s = 1.2447e6 W/m^2", 1),
        ("rho_inf = 3.1e-4 kg/m^3 is about 60 km of altitude.\nq_s = 1244.7 kW/m^2", 2),
        ("The flux of 1244.7 kW/m^2 is about 124.5 W/cm^2.\nq_s = 1244.7 kW/m^2", 2),
        ("0.5 V^2 = 23.12 MJ/kg\nq_s = 1244.7 kW/m^2", 2),
        ("l = 1/1100 m = 0.91 mm\nq_s = 1244.7 kW/m^2", 2),
        ("V_inf = 6800 m/s is kept - the flux q_e = 48.7 MW/m^2 is no limit.\nq_s = 1244.7 kW/m^2", 2),
        ("m_dot = 2.1 kg/m^2s = 0.21 g/cm^2s\nq_s = 1244.7 kW/m^2", 2),
    ],
)
def test_units(text, points):
    assert marks(text)["G3"] == points


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("q_s = 2*3 W/m^2 = 6 W/m^2", 2),
        ("q_s = 0.5*1.2 kg/m^3*(340 m/s)^3 = 23.58 MW/m^2", 2),
        ("q_s = 1.234*5.678 = 7.01 W/m^2", 2),
        ("q_s = 1.234*5.678 = 7.05 W/m^2", 1),
        ("q_s = 1.234*5.678 = 9.05 W/m^2", 0),
        ("2 + 2 = 4\nq_s = 5 W/m^2", 1),
        ("q_s = sin(30°)*4 = 2 W/m^2", 2),
        ("rho_inf = 2 kg/m^3, V_inf = 10 m/s\nq_s = 0.5*rho_inf*V_inf^3 = 1000 W/m^2", 2),
        ("q_s = min(1,5*0.4) = 1 W/m^2", 2),
        (r"$q_s = \max\left[\frac{3}{2}, \min\{4; 2\cdot3\}\right] = 4$ W/m^2", 2),
        ("q_s = min(1, 0.4) = 1 W/m^2", 0),
        ("q_s = 5 W/m^2", None),
        ("V = 5.7 m/s (V^2 = 32.49)\nq_s = 2*V = 11.4 W/m^2", 2),
        ("About M = 5.7\nq_s = 1.288 M^2 = 41.3 W/m^2", 2),  # M = 5.66 before it was rounded
        ("About M = 5.7\nq_s = 1.288 M^2 = 44.3 W/m^2", 0),
        ("q_s = 2 (3.5) {0.6 + sqrt(0.36 + 0.22797)} = 9.568 W/m^2", 2),
    ],
)
def test_arithmetic(text, points):
    assert marks(text)["G4"] == points


def test_numbers_carried_over_from_a_tool_count_as_computed():
    call = ToolCall(
        name="run_python", arguments={"code": "print(1)"}, result="1244673.48", ok=True, seconds=0
    )
    assert marks("q_s = 1.24467e6 W/m^2", tools=(call,))["G4"] == 2
    assert marks("q_s = 1.5e6 W/m^2", tools=(call,))["G4"] is None


def test_code_given_to_a_tool_is_working():
    code = "import math\nrho = 3.1e-4\nRn = 0.6\nV = 6800\nq = 1.7415e-4*math.sqrt(rho/Rn)*V**3\nprint(q)"
    call = ToolCall(name="run_python", arguments={"code": code}, result="1244673.487", ok=True, seconds=0)
    found = marks(TERSE, tools=(call,))
    assert (found["G1"], found["G2"], found["G4"]) == (2, 2, 2)


@pytest.mark.parametrize(
    ("id", "points"), [("heating.sutton_graves.earth", 2), ("heating.bound.kinetic_energy_flux", 0)]
)
def test_an_equation_evaluated_by_a_tool_is_formula_selection(id, points):
    values = {"rho": "3.1e-4 kg/m^3", "Rn": "0.6 m", "V": "6800 m/s"}
    call = ToolCall(
        name="evaluate_equation",
        arguments={"id": id, "values": values},
        result="q = 1 W/m**2",
        ok=True,
        seconds=0,
    )
    found = marks("q_s = 9e6 W/m^2", tools=(call,))
    assert (found["G1"], found["G2"]) == (points, 2)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("q_s = 1.2e6 W/m^2", 1),
        ("q_s = 6e7 W/m^2", 0),
        ("q_s = -5 W/m^2", 0),
        ("q_s = 1.2e6 W/m^2. This is less than the limit of 4.9e7 W/m^2.", 2),
        ("q_s = 1.2e6 W/m^2, which does not exceed the energy flux 0.5*rho*V^3 = 4.87e7 W/m^2.", 2),
        ("q_s = 1.2e6 W/m^2. Typical entry values lie between 0.1 and 10 MW/m^2; q_s < 10 MW/m^2", 2),
        ("q_s = 1.2e6 W/m^2. This is above the limit of 4.9e7 W/m^2.", 0),
        ("q_s = 1.2e6 W/m^2 > 0", 1),
        ("q_s = 1.2e6 W/m^2. The speed of 6800 m/s is below the limit of 9000 m/s.", 1),
        ("T_w = -20 K\nq_s = 1.2e6 W/m^2", 0),
    ],
)
def test_plausibility(text, points):
    assert marks(text)["G5"] == points


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("We assume a laminar boundary layer and a cold wall.", 1),
        ("We assume continuum laminar flow because the Knudsen number is 0.0004 < 0.01.", 2),
        ("We assume ideal conditions and that all values are accurate.", 0),
        ("Assumptions: laminar, cold wall, continuum", 1),
    ],
)
def test_assumptions(text, points):
    assert marks(f"{text}\n{TERSE}")["G6"] == points


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("The convective heat flux at the stagnation point means the capsule nose needs an ablator.", 2),
        ("The stagnation heat flux is higher than usual.", 1),
        ("The result is reasonable and means the design is significant for engineering.", 0),
        ("Interpretation of the heat flux result", 0),
    ],
)
def test_interpretation(text, points):
    assert marks(f"{TERSE}\n{text}\n{TERSE}")["G7"] == points


def test_an_empty_answer_is_worth_nothing():
    found = asyncio.run(Verifier().score(ScoringContext(HEATING, attempt("", stop="refused"))))
    assert [each.dimension for each in found] == [*CHECKS, "kpi", "kpi_published"]
    assert all(each.value == 0 for each in found)


def test_the_sums_are_over_what_was_judged():
    scores = {
        each.dimension: each
        for each in asyncio.run(Verifier().score(ScoringContext(HEATING, attempt(TERSE))))
    }
    shares = {name: scores[name].value for name in CHECKS if scores[name].value is not None}
    assert scores["kpi_published"].value == pytest.approx(published(shares))
    assert scores["kpi"].value == pytest.approx(kpi(shares, True, {"G2"}))
    assert "not judged: G1, G4" in scores["kpi"].evidence
    good = {
        each.dimension: each.value
        for each in asyncio.run(Verifier().score(ScoringContext(HEATING, attempt(GOOD))))
    }
    assert good["kpi"] == good["kpi_published"] == 1


def test_a_wrong_value_overlooked_elsewhere_counts_as_a_fault(monkeypatch):
    monkeypatch.setattr("ansatz.eval.rubrics.verifier.CHECKS", dict.fromkeys(CHECKS, lambda _: Mark(2, "")))
    wrong = attempt(GOOD.replace("q_s", "q_x"))  # states nothing for the target
    scores = {each.dimension: each for each in asyncio.run(Verifier().score(ScoringContext(HEATING, wrong)))}
    assert scores["kpi"].value == pytest.approx(SOUND - 0.075) and scores["kpi_published"].value == 1
    assert scores["kpi"].evidence == "G5 to G8 count as zero: a final value is wrong"


@given(st.text() | st.text(alphabet="q_s=^*/+-()[]{}0123456789.eE kWm<>|\\$ρ√×\n"))
@settings(max_examples=200, deadline=None)
def test_no_text_raises(text):
    marks(text)
    marks(f"{TERSE}\n{text}")


def test_a_usual_answer_is_reviewed_quickly():
    review(HEATING, attempt(GOOD))
    started = time.process_time()
    for _ in range(20):
        review(HEATING, attempt(GOOD))
    assert (time.process_time() - started) / 20 < 0.05
