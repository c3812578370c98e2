"""The verifier on one problem: what it computes, what it quotes, and what it cannot score."""

import asyncio
import cProfile
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.agents import ToolCall
from ansatz.eval.problem_files import problems
from ansatz.eval.score import ScoringContext
from ansatz.eval.verifier.errors import Errors
from ansatz.eval.verifier.kpi import SOUND, compute_kpi, compute_published_kpi
from ansatz.eval.verifier.verifier import CHECKS, COARSE, Verifier, review
from ansatz.eval.verifier.working import Working
from tests.fakes.transcripts import attempt

EARTH = "heating.sutton_graves.earth"
[HEATING] = problems(
    [
        {
            "question": "A capsule of effective nose radius R_n = 0.6 m flies through air of density rho_inf = 3.1e-4 "
            "kg/m^3 at V_inf = 6800 m/s. Find the convective heat flux q_s at the stagnation point.\n\nq_s = ___ W/m^2",
            "given": [
                {"name": "R_n", "value": 0.6, "unit": "m"},
                {"name": "rho_inf", "value": 3.1e-4, "unit": "kg/m^3"},
                {"name": "V_inf", "value": 6800, "unit": "m/s"},
            ],
            "targets": [{"name": "q_s", "unit": "W/m^2", "value": 1244673.487}],
            "gold_equations": [EARTH],
            "trap_equations": ["heating.bound.kinetic_energy_flux"],
            "bounds": [{"target": "q_s", "low": 0, "high": 48.737e6, "reason": "beyond the energy flux"}],
            "reference_solution": {
                "steps": [
                    {"equation": EARTH, "symbol": "q_s", "value": 1244673.487, "unit": "W/m^2"}
                    | {"expression": "q_s = 0.00017415*sqrt(rho_inf/R_n)*V_inf**3"}
                ]
            },
        }
    ]
)

GOOD = """Given: R_n = 0.6 m, rho_inf = 3.1e-4 kg/m^3, V_inf = 6800 m/s.
Regime: we assume continuum flow and a laminar boundary layer, because the Knudsen number of a 0.6 m nose at this density
is about 0.0004, far below 0.01.
The Sutton-Graves correlation applies: q_s = k*sqrt(rho_inf/R_n)*V_inf^3 with k = 1.7415e-4 kg^0.5/m.
q_s = 1.7415e-4 * sqrt(3.1e-4/0.6) * 6800^3 = 1.2447e6 W/m^2
Check: q_s = 1.2447e6 W/m^2 is below the free-stream energy flux bound of 4.87e7 W/m^2.

q_s = 1.2447e6 W/m^2"""

LATEX = r"""**Givens:** $R_n = 0.6\,\mathrm{m}$, $\rho_\infty = 3.1\times10^{-4}\,\mathrm{kg/m^3}$, $V_\infty = 6800\,\mathrm{m/s}$.

\[
\dot q_s = k\sqrt{\frac{\rho_\infty}{R_n}}\,V_\infty^3
= 1.7415\times 10^{-4}\sqrt{\frac{3.1\times 10^{-4}}{0.6}}\,(6800)^3 = 1.24\times 10^{6}\ \mathrm{W/m^2}
\]

**q_s = 1.24×10⁶ W/m²**"""

GIVEN = "R_n = 0.6 m, rho_inf = 3.1e-4 kg/m^3, V_inf = 6800 m/s\n"
SLIP = (
    f"{GIVEN}q_s = k*sqrt(rho/Rn)*V^3 = 1.7415e-4*sqrt(3.1e-4/0.6)*6800^3 = 1.21e6 W/m^2\nq_s = 1.21e6 W/m^2"
)
BLUNDER = SLIP.replace("1.21e6", "3.4e6")
TRAPPED = f"{GIVEN}q_s = 0.5*rho_inf*V_inf^3 = 0.5*3.1e-4*6800^3 = 4.874e7 W/m^2\nq_s = 4.874e7 W/m^2"
CONSTANT = f"{GIVEN}q_s = 2.5e-4*sqrt(rho_inf/R_n)*V_inf^3 = 1.787e6 W/m^2\nq_s = 1.787e6 W/m^2"
TERSE = "q_s = 1.2447e6 W/m^2"


def reviewed(answer, problem=HEATING, tools=()):
    return review(Working.read(problem, attempt(answer).model_copy(update={"tool_calls": tools})))


def shown(answer, problem=HEATING, tools=()):
    """The points of G1 to G5."""
    points = [mark.points for mark in reviewed(answer, problem, tools).values()]
    return "".join("-" if each is None else str(each) for each in points[:5])


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (GOOD, "22222"),
        (LATEX, "22222"),
        (SLIP, "22212"),
        (BLUNDER, "22202"),
        (TERSE, "--2-2"),
        (TRAPPED, "02222"),
        (CONSTANT, "1.2.2"),
        ("", "00000"),
    ],
    ids=["good", "latex", "slip", "blunder", "terse", "trapped", "constant", "empty"],
)
def test_scores_of_an_answer(answer, expected):
    assert re.fullmatch(expected, shown(answer))


@pytest.mark.parametrize(
    ("name", "spoil", "quoted"),
    [
        ("G4", ("= 1.2447e6 W/m^2\nCheck", "= 1.4447e6 W/m^2\nCheck"), "1.4447e6 W/m^2"),
        ("G4", ("sqrt(3.1e-4/0.6) * 6800^3", "sqrt(3.1e-4/0.6) * 6800^2"), "6800^2"),
        ("G4", ("1.7415e-4 * sqrt", "2 * 1.7415e-4 * sqrt"), "2 * 1.7415e-4"),
        ("G3", ("= 1.2447e6 W/m^2\nCheck", "= 1.2447e6 W/m\nCheck"), "W/m"),
        ("G5", ("\n\nq_s = 1.2447e6 W/m^2", "\n\nq_s = 9.9e7 W/m^2"), "9.9e7"),
    ],
)
def test_a_planted_fault_is_found_and_its_place_quoted(name, spoil, quoted):
    assert spoil[0] in GOOD
    mark = reviewed(GOOD.replace(*spoil))[name]
    assert mark.error
    assert any(quoted in finding.quote for finding in mark.findings), mark


def test_a_changed_given_is_a_finding():
    mark = reviewed(SLIP.replace("0.6", "0.9"))["G2"]
    assert mark.error
    assert mark.findings[0].quote == "R_n = 0.9 m"


@pytest.mark.parametrize(
    "text",
    [
        "P_sat at 7100 kPa (7.1 MPa) = 290 °C (from tables)",
        "| T | P | h |\n|---|---|---|\n| 300 °C | 5 MPa | 2925.7 kJ/kg |",
        "The pressure is 22.064 MPa (22064 kPa).",
        "V = (0.5 m)3 = 0.125 m3",
        "w = 6.728 x 107 rad/s * 2 s = 1.3456 x 108 rad",
        "x = (1 - 0.25)/2 = 0.375 ≈ 0.38",
        "eta = 300 kW / 1000 kW = 30 %",
        "q = 0.5 * 250^2 = 31.25 kJ/kg",
        "sin(30°) = 0.5, cos(60) * 4 = 2",
        "log(1000) * 2 = 6",
        "T_2 = 300 * 2^0.4 = 395.9 K",
        "F = 2 kg * 9.81 m/s^2 = 19.62 N",
        "v = sqrt(2*9.81*5)\nv = 9.9 m/s",
        "1/d_i = 1/10 cm - 1/30 cm\nd_i = 15 cm",
        "c = (1.656 kHz)/(400 MHz) = 4.14 ppm",
        "P_1 = 2792.0 kPa\nP_2 - P_1 = 7600.0 - 2792.0 = 4808.0 kPa",
        "h_1 = 305.5 kJ/kg\nh_2 - h_1 = 6.56/0.73 = 8.99 kJ/kg",
        "v = 0.001022 m^3/kg\nw = 0.001022 * (10000 - 30) = 10.19 kJ/kg",
        "M = 2.1\nq = 3.0 kPa\nr = q*M^7 = 590 kPa",
        "c_p = 4.49 kJ/(kg K)\nq = 4.49 * 13 = 58.4 kJ/kg",
        "1 m³/h = 2.778×10⁻⁴ m³/s, so Q = 45 m³/h and Q = 45 × 2.778×10⁻⁴ = 0.0125 m³/s",
        "p_0 = 1.0 MPa\np = 0.5283 p_0 = 0.5283 × 1.0 MPa = 528.3 kPa",
        "A = 8.03×10⁻⁴ m²\nd = √(4A/π) = √(4·8.03×10⁻⁴/π) = 0.03197 m",
        r"$-(\partial v/\partial T)_P = -5.1e-5$ kJ/(kg K kPa), v = 0.00105 m^3/kg, T = 393 K, P = 143 kPa",
        # a unit after brackets applies to the whole bracket
        "h_1 = 3316.0 kJ/kg, h_2 = 2800.6 kJ/kg\nw = (3316.0 - 2800.6) kJ/kg = 515.4 kJ/kg",
        "T_1 = 353.15 K, T_2 = 293.15 K, c = 4.181 kJ/(kg K)\nq = 4.181 (353.15 - 293.15) kJ/kg = 250.9 kJ/kg",
        "P = 2.55 W, E = 5.1 J\nt = 5.1/2.55 s = 2 s",
        # a symbol after a closing bracket is a factor
        "h6 = 2675 kJ/kg\nq = (1 - 0.2) h6 = 2140 kJ/kg",
        "h_6 = 2675 kJ/kg\nq = (1 - 0.2)h6 = 2140 kJ/kg",
        "m = 3.5 kg\ni = (4 - 1) m = 10.5 kg",
        "m = 3.5 kg\nx = (4 - 1) m = 3 m",
        # a single equal figure may be a coincidence
        "t = 287.0 s\ns = 0.2870 * 2 = 0.574 kJ/(kg K)",
        "P = 85 kPa\nh = 85 * 2 = 170 kJ/kg",
        # a function of a quantity with units leaves the dimension open
        "P = 2792.0 kPa\ns = 1.5 kJ/(kg K) * ln(2792.0 kPa) = 11.9 kJ/(kg K)\n",
        "s = ln(2792.0 kPa) * 2 K = 15.87 kJ/kg",
        # limits are not factors
        r"c = 4.18 kJ/(kg K), dT = -10.0 K, T = 25 K, $q = \int_{25}^{15} c\,dT = -41.8$ kJ/kg",
        r"$y = 0.5 t^2 \big|_{12}^{15} = 40.5$",
    ],
)
def test_right_statements_have_no_findings(text):
    found = reviewed(text)
    assert not found["G4"].error, found["G4"]
    assert not found["G3"].error, found["G3"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Sum: 3 + 4.5 = 8.5", "G4"),
        ("m = 600 kPa = 6 MPa", "G3"),
        ("F = 2 kg * 9.81 m/s^2 = 19.62 W", "G3"),
        ("E = 3 J + 4 m = 7 J", "G3"),
        ("v = sqrt(2*9.81*5)\nv = 8.9 m/s", "G4"),
        ("1/f = 1/10 - 1/2\n1/f = -3/10", "G4"),
        ("c = (1.656 kHz)/(400 MHz) = 0.00414 ppm", "G4"),
        (r"W = 0.5 \* 10 \* 10^-6 \* 10^4 = 0.005 J", "G4"),
        ("P_1 = 2792.0 kPa\nP_2 - P_1 = 7600.0 - 2792.0 = 4808.0 kg", "G3"),
        ("h_1 = 305.5 kJ/kg\nh_2 - h_1 = 6.56/0.73 = 8.99 kPa", "G3"),
        ("a = 2\nb = 3.5\nc = (a + b)*b = 19.25\nd = (a + b)*b = 29.25", "G4"),
        ("w = (3316.0 - 2800.6) kJ/kg = 515.4 kPa", "G3"),
        ("h_1 = 3316.0 kJ/kg, h_2 = 2800.6 kJ/kg\nw = 3316.0 - 2800.6 = 515.4 kPa", "G3"),
        ("W = 2 (5 - 2) W = 7 W", "G4"),
    ],
)
def test_wrong_statements_are_findings(text, name):
    assert reviewed(text)[name].error


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("100 kPa act on 0.01 m^2.", "F = 100 * 0.01 = 1 kN", "F = 100 * 0.01 = 1 N"),
        ("500 N act on 25 mm^2.", "p = 500/25 = 20 MPa", "p = 500/25 = 20 Pa"),
        ("500 N act on 25 mm^2.", "p = 500/25e-6 = 2e7 Pa", "p = 500/25e-6 = 2e7 MPa"),
        ("d = 50 mm, V = 2 m/s", "Q = pi*0.05^2/4*2 = 0.003927 m^3/s", "Q = pi*50^2/4*2 = 3927 m^3/s"),
        ("V = 250 m/s", "k = V^2/2 = 31.25 kJ/kg", "k = V^2/2 = 31250 kJ/kg"),
        ("V = 250 m/s", "k = 250^2/2/1000 = 31.25 kJ/kg", "k = 250^2/2 = 31250 kJ/kg"),
        ("2675 kJ/kg, 250 m/s", "h = 2675 + 250^2/2000 = 2706.25 kJ/kg", "h = 2675 + 250^2/2 = 33925 kJ/kg"),
    ],
)
def test_the_units_of_the_givens_reveal_a_wrong_prefix(question, right, wrong):
    [problem] = problems([{"question": question, "targets": [{"name": "x", "unit": "-", "value": 1.0}]}])
    assert not reviewed(right, problem)["G3"].error
    assert reviewed(wrong, problem)["G3"].error


STEPS = [
    {"equation": "", "symbol": "A", "value": 0.00125664, "unit": "m^2", "expression": "A = pi*d**2/4"},
    {"equation": "", "symbol": "sigma", "value": 3.9789e6, "unit": "Pa", "expression": "sigma = F/A"},
]
[ROD] = problems(
    [
        {
            "question": "A rod of diameter d = 0.04 m carries a force F = 5000 N. Find the stress sigma in Pa.",
            "given": [{"name": "d", "value": 0.04, "unit": "m"}, {"name": "F", "value": 5000, "unit": "N"}],
            "targets": [{"name": "sigma", "unit": "Pa", "value": 3.9789e6}],
            "reference_solution": {"steps": STEPS},
        }
    ]
)


@pytest.mark.parametrize(
    ("answer", "points", "quoted"),
    [
        ("A = pi*d^2/4 = 0.001257 m^2\nsigma = F/A = 3.979e6 Pa", 2, ""),
        ("A = pi*0.04^2/4 = 0.001257 m^2\nsigma = 5000/0.001257 = 3.979e6 Pa", 2, ""),
        ("A = pi*d^2/4 = 0.001257 m^2\nsigma = F/A = 3.2e6 Pa", 2, ""),  # an error of arithmetic
        ("A = pi*0.04^2/4 = 0.00136 m^2\nsigma = 5000/0.00136 = 3.68e6 Pa", 1, ""),
        ("r = 0.02 m\nA = pi*r^2 = 0.001257 m^2\nsigma = F/A = 3.2e6 Pa", 2, ""),  # another route
        ("A = pi*d^2 = 0.005027 m^2\nsigma = F/A = 9.947e5 Pa", 1, "pi*d^2"),
        ("A = pi*0.04^2 = 0.005027 m^2\nsigma = 5000/0.005027 = 9.947e5 Pa", 0, "pi*0.04^2"),
        ("A = pi*d^2/4 = 0.001257 m^2\nsigma = F*A = 6.283 Pa", 1, "F*A"),
    ],
)
def test_formulas_are_compared_with_steps_without_ids(answer, points, quoted):
    mark = reviewed(answer, ROD)["G1"]
    assert mark.points == points, mark
    assert bool(mark.error) == bool(quoted) and all(quoted in each.quote for each in mark.findings)


def test_a_tool_that_evaluated_the_equation_shows_it():
    call = ToolCall(name="evaluate", arguments={"id": EARTH}, result="1.2447e6", ok=True, seconds=0)
    assert shown(TERSE, tools=(call,)) == "2-2-2"


def scored(answer):
    scores = asyncio.run(Verifier().score(ScoringContext(HEATING, attempt(answer))))
    return {score.dimension: score for score in scores}


def test_the_sums_follow_from_the_scores_with_their_evidence():
    scores, spoiled = scored(GOOD), scored(BLUNDER)
    assert all(COARSE in scores[name].evidence for name in ("G6", "G7", "G8"))
    shares = {name: scores[name].value for name in CHECKS if scores[name].value is not None}
    assert scores["kpi"].value == compute_kpi(shares, True)
    assert scores["kpi_published"].value == compute_published_kpi(shares)
    assert scored("q_s = 2 * 0.61e6 W/m^2 = 1.22e6 W/m^2")["kpi"].value == SOUND  # G2 is unshown
    assert spoiled["kpi"].details["spoiled_by"] == ["G4"] and spoiled["G4"].details["error"]
    [finding] = spoiled["G4"].details["findings"]
    assert (finding["kind"], finding["stated"]) == ("arithmetic", 3.4e6)
    assert finding["computed"] == pytest.approx(1.2447e6, rel=1e-3)


def test_a_problem_without_reference_is_still_checked():
    given, target = {"name": "F", "value": 3.0, "unit": "N"}, {"name": "W", "unit": "J", "value": 7.5}
    [problem] = problems([{"question": "How much is the work?", "given": [given], "targets": [target]}])
    assert shown("F = 3 N\nW = 3 N * 2.5 m = 7.5 J", problem) == "-2222"


def tags(answer):
    scores = asyncio.run(Errors().score(ScoringContext(HEATING, attempt(answer))))
    return {each.dimension.removeprefix("error."): each.value for each in scores}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GOOD, set()),
        (SLIP, {"arithmetic"}),
        (TRAPPED, {"formula"}),
        ("q_s = 1.2447e6 W", {"unit"}),
        ("q_s = -5 W/m^2", {"plausibility"}),
        (
            GOOD.replace("k*sqrt(rho_inf/R_n)*V_inf^3", "k*rho_inf^0.7*V_inf^2.6/R_n^0.4")
            .replace("sqrt(3.1e-4/0.6) * 6800^3 = 1.2447e6", "3.1e-4^0.7 * 6800^2.6/0.6^0.4 = 7.1e3")
            .replace("1.2447e6", "7.1e3"),
            {"formula", "hallucination", "arithmetic"},
        ),
    ],
    ids=["good", "slip", "trapped", "unit", "negative", "invented"],
)
def test_tags_of_single_answers(text, expected):
    found = tags(text)
    assert {name for name, value in found.items() if value == 1} == expected, found


def test_an_unknown_error_is_none():
    found = tags(TERSE)
    assert found["arithmetic"] is found["hallucination"] is found["formula"] is None
    assert set(tags("").values()) == {None}


SIGNS = "\\{}^_$*|=≈:.,;()[] 0123456789eExabTτhq/·-+√°π%\n"


@pytest.mark.slow
@given(st.text(max_size=300) | st.text(alphabet=SIGNS, max_size=200))
@settings(max_examples=300)
def test_no_text_makes_it_raise(text):
    found = reviewed(f"q_s = {text}")
    assert list(found) == [f"G{number}" for number in range(1, 9)]
    assert {mark.points for mark in found.values()} <= {None, 0, 1, 2}


@pytest.mark.slow
def test_work_grows_linearly_with_the_answer():
    calls = []
    for times in (20, 200):
        profiler = cProfile.Profile()
        profiler.runcall(reviewed, GOOD * times)
        calls.append(sum(entry.callcount for entry in profiler.getstats()))
    assert calls[1] < 15 * calls[0]
