"""What a question says of its regime, and three-valued judgement of conditions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.knowledge_base.equation import WORDS, Predicate, library
from ansatz.knowledge_base.regime import AxisNumber, AxisWord, Facts, contradicted, facts, givens, judge
from ansatz.knowledge_base.regime.derived_axes import derivations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a nose of effective radius R_n = 0.6 m.", [("R_n", 0.6, "m")]),
        ("density rho_inf = 3.1e-4 kg/m^3\nat V_inf = 6800 m/s", [("rho_inf", 3.1e-4, "kg/m^3"), ("V_inf", 6800, "m/s")]),
        (r"with $V_{\infty} = 7$ km/s", [("V_inf", 7, "km/s")]),
        ("M∞ = 12.5 and Re = 1.2×10^5", [("M_inf", 12.5, "-"), ("Re", 1.2e5, "-")]),
        ("at 291.0°C and 11200.0 kPa", [("", 291.0, "°C"), ("", 11200.0, "kPa")]),
        ("has a quality of 0.52.", [("", 0.52, "-")]),
        ("cp = 1004.5 J/(kg K), gamma = 1.4", [("cp", 1004.5, "J/(kg K)"), ("gamma", 1.4, "-")]),
        ("a 5-deg cone, x = 3 in the limit, K = 2 at 30°", [("", 5, "deg"), ("x", 3, "-"), ("K", 2, "-"), ("", 30, "°")]),
        ("T = −40 °C and 1,200 kPa", [("T", -40, "°C"), ("", 1200, "kPa")]),
        ("q = 3 W/m².\n\nReport your answers as:\nq_s = ___ W/m^2 (1 digit)", [("q", 3, "W/m²")]),
    ],
)  # fmt: skip
def test_givens(text, expected):
    assert [(found.symbol, found.number, found.unit) for found in givens(text)] == expected


@pytest.mark.parametrize(
    ("text", "axis", "value"),
    [
        ("a Mach 8 stream", "mach", 8),
        ("with M_inf = 8", "mach", 8),
        ("the altitude is 60 km", "altitude", 60e3),
        ("a 10 deg wedge", "theta", 0.17453293),
        ("swept back by Lambda = 60 deg", "sweep", 1.04719755),
        ("the wall is at 300 K", "Tw", 300),
        ("where T_w is 300 K", "Tw", 300),
        ("air at T_inf = 226 K and M_inf = 8", "T_inf", 226),
        ("water at 2 MPa", "p", 2e6),
        ("a Reynolds number of 2e6 based on the distance from the leading edge", "Re_x", 2e6),
        ("an optical thickness of 0.02", "tau_opt", 0.02),
    ],
)
def test_number_axes(text, axis, value):
    assert facts(text).only(axis) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "axis"),
    [
        ("the characteristic vibrational temperature theta_v = 3371 K", "T"),
        ("the speed of sound is 300 m/s", "speed"),
        ("the dynamic pressure is 20 kPa", "p"),
        ("the flight-path angle is 5 deg", "theta"),
        ("3 kg of gas", "T"),
        ("air at T_inf = 226 K and M_inf = 8", "T"),
    ],
)
def test_a_quantity_is_not_taken_for_another(text, axis):
    assert axis not in facts(text).numbers


@pytest.mark.parametrize(
    ("text", "axis", "words"),
    [
        ("The boundary layer is laminar and the wall is cold.", "bl_state", {"laminar"}),
        ("a fully catalytic, adiabatic wall", "wall", {"catalytic_full", "adiabatic"}),
        ("The wall is not fully catalytic.", "wall", None),
        ("an aircraft wing", "gas", None),
        ("a swept cylinder", "geometry", {"swept_cylinder"}),
        ("chemical nonequilibrium", "chemistry", {"finite_rate"}),
        ("a Hohmann transfer", "thrust", {"impulsive"}),
        ("isentropic efficiency of the turbine", "device", {"turbine"}),
    ],
)
def test_word_axes(text, axis, words):
    assert facts(text).sure(axis) == frozenset(words or ())


def test_axes_are_derived_with_the_equations_of_the_base():
    known = facts("Air at Mach 10 over a 5.7295779513 deg wedge with Re_x = 1e4 and gamma = 1.4.", library())
    assert known.only("K_hyp") == pytest.approx(0.998334)
    assert known.only("kn") == pytest.approx(1.482941e-3)
    assert known.only("chi_bar") == pytest.approx(10.0)
    assert "derived from mach, Re_x, gamma" in known.numbers["kn"][0].origin


def test_every_derivation_fits_its_equation():
    for derivation in derivations():
        assert set(derivation.inputs) == set(library().get(derivation.equation).inputs)


def test_a_stated_axis_is_not_derived_again():
    known = facts("At Mach 10 and Re_x = 1e4 the Knudsen number is Kn = 0.5.", library())
    assert known.only("kn") == 0.5


@pytest.mark.parametrize(
    ("predicate", "text", "verdict"),
    [
        ("kn < 0.01", "Kn = 0.3", False),
        ("kn < 0.01", "Kn = 0.003", True),
        ("kn < 0.01", "a capsule", None),
        ("speed > 6 km/s", "V = 6500 m/s", True),
        ("theta < 15 deg", "a 20 deg wedge", False),
        ("bl_state = turbulent", "The boundary layer is laminar.", False),
        ("bl_state = turbulent", "Is the boundary layer laminar or turbulent?", None),
        ("bl_state != turbulent", "The boundary layer is laminar.", True),
        ("bl_state != turbulent", "The boundary layer is turbulent.", False),
        ("wall = cold", "a fully catalytic wall", None),
        ("wall = cold", "an adiabatic wall", False),
        ("wall = noncatalytic", "a fully catalytic cold wall", False),
        ("geometry = sphere", "a capsule", False),
        ("geometry = sphere", "a blunt body", None),
        ("geometry = sphere", "a flat plate", False),
        ("gas = air", "a Titan entry", False),
        ("gas != steam", "a gas turbine burns in air above a steam turbine", None),
        ("device = pump", "a turbine", False),
        ("device = pump", "a turbine and a boiler", None),
        ("device = pump", "the turbine of a Rankine cycle", None),
        ("device = pump", "a pump and a turbine", True),
        ("T > 1000 K", "gas temperatures of T_gas = 900 K and T_tr = 1100 K", None),
        ("T > 1000 K", "gas temperatures of T_gas = 1900 K and T_tr = 1100 K", True),
    ],
)
def test_judgement(predicate, text, verdict):
    judgement = judge(Predicate.parse(predicate), facts(text))
    assert judgement.holds is verdict
    assert judgement.reason


def test_the_reason_is_in_words():
    wall = judge(Predicate.parse("bl_state = turbulent"), facts("The flow is laminar."))
    assert wall.reason == "needs bl_state = turbulent but the question says laminar"
    number = judge(Predicate.parse("kn < 0.01"), facts("Kn = 0.3"))
    assert number.reason == "needs kn < 0.01 but kn = 0.3 (stated as Kn = 0.3)"


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.sampled_from(["lt", "le", "gt", "ge"]))
def test_a_limit_and_its_opposite_never_agree(value, limit, name):
    opposite = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}[name]
    known = Facts({"kn": (AxisNumber(value, value, "stated"),)})
    verdicts = [judge(Predicate(var="kn", **{each: limit}), known).holds for each in (name, opposite)]
    assert verdicts.count(True) == 1
    if abs(value - limit) > 0.06 * abs(limit):
        assert verdicts.count(False) == 1


@given(st.sampled_from(sorted(WORDS)), st.data())
def test_words_are_judged_in_three_values(axis, data):
    words = st.sampled_from(WORDS[axis].values)
    wanted, stated = data.draw(words), frozenset(data.draw(st.sets(words, max_size=2)))
    known = Facts(stated={axis: tuple(AxisWord(word, "stated", 0.9) for word in stated)})
    holds = judge(Predicate(var=axis, eq=wanted), known).holds
    if holds:
        assert wanted in stated
    if holds is False:
        assert wanted not in stated
        assert any(WORDS[axis].exclude(wanted, word) for word in stated)
    if not stated:
        assert holds is None
    if judge(Predicate(var=axis, ne=wanted), known).holds:
        assert wanted not in stated


@pytest.mark.slow
def test_hardly_any_entry_is_contradicted_by_its_own_words():
    """What an entry is called, assumes and relates speaks of its own regime, in many authors' words."""
    base = library()
    said = [
        (equation, text)
        for equation in base
        for text in (
            equation.name,
            "; ".join(equation.aliases),
            "; ".join(equation.assumptions),
            relates(equation),
        )
    ]
    wrong = [(equation.id, text) for equation, text in said if any(contradicted(equation, facts(text, base)))]
    assert len(wrong) <= 0.005 * len(said), wrong


def relates(equation):
    inputs = ", ".join(equation.symbols[name].desc for name in equation.inputs)
    return f"{equation.symbols[equation.output].desc} from {inputs}"
