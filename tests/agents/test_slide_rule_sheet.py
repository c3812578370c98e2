"""Reference sheets, their conditions, and the choice they lead to."""

import pytest

from ansatz.agents.slide_rule.chain import plan
from ansatz.agents.slide_rule.reading import read
from ansatz.agents.slide_rule.regime import Case
from ansatz.agents.slide_rule.sheet import Sheet, read_sheet

FRICTION = """[E1] Laminar plate friction (friction.laminar)
    cf = 0.664/sqrt(Re)
    where cf [-] local skin friction coefficient; Re [-] Reynolds number
    applies when: bl_state in {laminar}; Re < 5e5
    do not use when: mach > 5 (underpredicts; heating (wall) matters)

[E2] Turbulent plate friction (friction.turbulent)
    cf = 0.0592/Re**0.2
    where cf [-] local skin friction coefficient; Re [-] Reynolds number
    applies when: bl_state in {turbulent}; best for: 5e5 <= Re <= 1e7

[E3] Transformed plate friction (friction.transformed)
    cf = C*Re**(-n)
    where cf [-] local skin friction coefficient; Re [-] Reynolds number; C = 0.37; n = 0.2
    best for: Re > 1e7

excluded: Rough plate friction (friction.rough) — needs wall = rough but the question says smooth
"""
ANSWER = "\n\nReport your answers as:\nc_f = ___"


def test_entries_are_read_with_units_constants_and_conditions():
    sheet = read_sheet(FRICTION)
    laminar, turbulent, transformed = sheet.formulas
    assert (laminar.name, laminar.id) == ("Laminar plate friction", "friction.laminar")
    assert laminar.requires == ("bl_state in {laminar}", "Re < 5e5")
    assert laminar.avoid == ("mach > 5",)
    assert turbulent.best_for == ("5e5 <= Re <= 1e7",)
    assert transformed.best_for == ("Re > 1e7",)
    assert {constant.name: constant.value for constant in transformed.constants} == {"C": 0.37, "n": 0.2}
    assert sheet.exclusions[0].id == "friction.rough"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no sheet",
        "[E1] nameless",
        "[E1] Bad (a.b)\n    y = x +\n    where y [m] y; x [m] x",
        "[E1] Unknown symbol (a.b)\n    y = x*z\n    where y [m] y; x [m] x",
    ],
)
def test_an_entry_that_cannot_be_read_is_left_out(text):
    assert read_sheet(text) == Sheet()


def chosen(question, sheet=FRICTION):
    return plan(read(question + ANSWER), read_sheet(sheet))


@pytest.mark.parametrize(
    ("regime", "name"),
    [
        ("The boundary layer is laminar", "Laminar plate friction"),
        ("The boundary layer is turbulent", "Turbulent plate friction"),
    ],
)
def test_conditions_decide(regime, name):
    found = chosen(f"{regime} at Reynolds number Re = 2e5. Find the skin friction coefficient c_f.")
    assert found.steps[-1].formula.name == name
    assert len(found.rejected) == 1


def test_a_rejection_says_why():
    found = chosen(
        "The layer is turbulent at Reynolds number Re = 2e6. Find the skin friction coefficient c_f."
    )
    ((name, reason),) = found.rejected
    assert name == "Laminar plate friction"
    assert "turbulent" in reason


def test_best_for_breaks_the_tie():
    found = chosen("A smooth plate has Reynolds number Re = 3e7. Find the skin friction coefficient c_f.")
    assert found.steps[-1].formula.name == "Transformed plate friction"


def test_do_not_use_rejects():
    question = "Laminar flow at M = 7 and Reynolds number Re = 2e5. Find the skin friction coefficient c_f."
    assert dict(chosen(question).rejected)["Laminar plate friction"].startswith("M = 7")


def test_a_plain_sheet_has_no_sense_of_regime():
    plain = "\n".join(
        line for line in FRICTION.splitlines() if not line.strip().startswith(("applies", "best", "do not"))
    )
    turbulent = (
        "The boundary layer is turbulent at Reynolds number Re = 2e6. Find the skin friction coefficient c_f."
    )
    assert chosen(turbulent, plain).steps[-1].formula.name == "Laminar plate friction"
    assert chosen(turbulent, plain).rejected == ()


CASE = read(
    "A laminar hypersonic flow of air at M_inf = 12 and V_inf = 3600 m/s over a sharp cone with a non-catalytic"
    " wall at T_w = 900 K. The flow is not turbulent. Find the drag."
)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("mach > 5", True),
        ("mach < 5", False),
        ("M < 5", False),
        ("2000 <= speed <= 8000 m/s", True),
        ("2 <= speed <= 3 km/s", False),
        ("speed > 4 km/s and mach > 5", False),
        ("speed > 3 km/s and mach > 5", True),
        ("kn < 0.01", None),
        ("kn < 0.01 and mach > 5", None),
        ("mach < 1 or speed > 1 km/s", True),
        ("Tw < 2000 K", True),
        ("T > 1000 K", None),
        ("gas in {air}", True),
        ("gas in {air, N2}", True),
        ("gas = CO2", False),
        ("gas not in {CO2}", True),
        ("gas not in {air}", False),
        ("gas in {diatomic}", None),
        ("bl_state = laminar", True),
        ("bl_state != turbulent", True),
        ("bl_state in {turbulent, transitional}", False),
        ("geometry in {flat_plate}", False),
        ("geometry in {cone, wedge}", True),
        ("wall in {noncatalytic}", True),
        ("wall = catalytic_full", False),
        ("wall = adiabatic", None),
        ("flow = supersonic", None),
        ("flow = subsonic", False),
        ("the body is a cone", None),
        ("sharp cone", True),
        ("equilibrium radiation dominates", None),
    ],
)
def test_conditions_are_true_false_or_unknown(condition, holds):
    assert Case(CASE, lambda *_: None).judge(condition).holds is holds


def test_a_word_of_the_regime_gives_a_range_for_a_number():
    case = Case(read("A hypersonic continuum flow. Find q."), lambda *_: None)
    verdicts = {c: case.judge(c).holds for c in ("mach > 3", "mach < 2", "mach > 8", "kn < 0.1", "kn > 1")}
    assert verdicts == {
        "mach > 3": True,
        "mach < 2": False,
        "mach > 8": None,
        "kn < 0.1": True,
        "kn > 1": False,
    }


def test_a_number_that_is_not_given_is_worked_out_for_a_condition():
    question = (
        "Air at temperature T_inf = 220 K flows at speed V_inf = 1500 m/s over a plate with Reynolds number Re = 1e5."
        " Find the skin friction coefficient c_f."
    )
    assert dict(chosen(question).rejected)["Laminar plate friction"] == "mach = 5.1, against 'mach > 5'"


def test_a_chain_of_formulas():
    question = (
        "Air of temperature T_inf = 250 K, density rho_inf = 0.4 kg/m^3 and viscosity mu_inf = 1.6e-5 Pa*s flows at"
        " speed V_inf = 80 m/s over a plate of length L = 0.1 m; the layer is laminar. Find the skin friction"
        " coefficient c_f."
    )
    found = chosen(question)
    assert [step.formula.name for step in found.steps] == ["Reynolds number", "Laminar plate friction"]
    assert found.steps[-1].value == pytest.approx(0.664 / (0.4 * 80 * 0.1 / 1.6e-5) ** 0.5, rel=0.01)


def test_an_excluded_name_is_kept_out_of_memory_too():
    question = "A surface inclined at theta = 20 deg. Find the pressure coefficient C_p.\n\nReport your answers as:\nC_p = ___"
    warning = "excluded: Newtonian sine-squared law (newtonian.sine) — needs mach > 3 but the question says subsonic"
    assert plan(read(question), Sheet()).steps[-1].formula.name == "Newtonian sine-squared law"
    assert plan(read(question), read_sheet(warning)).steps == ()
