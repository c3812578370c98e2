"""What a question says of its regime, and three-valued judgement of conditions."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.knowledge_base.equation import WORDS, Predicate, library
from ansatz.knowledge_base.regime import AxisNumber, AxisWord, Facts, contradicted, facts, givens, judge
from ansatz.knowledge_base.regime.axis_phrases import phrases
from ansatz.knowledge_base.regime.derived_axes import derivations

INFINITE = float("inf")


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
        ("ρ∞ = 1.2 kg/m**3, density 3e-5 kg/m3. Kn = .05.", [("rho_inf", 1.2, "kg/m**3"), ("", 3e-5, "kg/m3"), ("Kn", 0.05, "-")]),
        ("1 000 K, 1.2 kg m^-3, 2,5 m s⁻¹ and 4.3 A", [("", 1000, "K"), ("", 1.2, "kg m^-3"), ("", 2.5, "m s⁻¹"), ("", 4.3, "A")]),
        (r"$\rho = 2\times10^{-4}~\text{kg/m}^3$ at $V=3\,\mathrm{km\,s^{-1}}$", [("rho", 2e-4, "kg/m^3"), ("V", 3, "km  s^-1")]),
        ("a = 3×10^999 m, b = 3* 10^5 m, c = 7\\times 10^{-3} s", [("b", 3e5, "m"), ("c", 7e-3, "s")]),
        ("`mu = 2e-5 Pa s`, p = 3 [kPa], 4 turns", [("mu", 2e-5, "Pa s"), ("p", 3, "[kPa]"), ("", 4, "-")]),
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
        ("$M_\\infty = 12$", "mach", 12),
        ("returns to Earth at 12.5 km/s", "speed", 12500),
        ("Re_x = 2.5 × 10^6", "Re_x", 2.5e6),
        ("chi-bar = 0.8", "chi_bar", 0.8),
        ("a nose radius of 30 cm", "nose_radius", 0.3),
        ("optical depth 0.02", "tau_opt", 0.02),
        ("a Prandtl number of 0.71", "prandtl", 0.71),
        ("a Biot number of 0.02", "biot", 0.02),
        ("a capsule of 2.3 m nose radius flies at 61 km", "altitude", 61e3),
        ("a capsule of 2.3 m nose radius flies at 61 km", "nose_radius", 2.3),
        ("a 300 K wall at 5 kPa", "p", 5e3),
        ("The cutoff ratio is 2. Find the efficiency with gamma 1.4", "gamma", 1.4),
        ("O2 relaxes vibrationally; vibrational relaxation at 4000 K", "T", 4000),
        ("a rocket climbs through 80 km", "altitude", 80e3),
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
        ("a proton moves at 0.92 c in air", "mach"),
        ("the cutoff ratio is 2. Find the efficiency with a known gamma", "gamma"),
    ],
)
def test_a_quantity_is_not_taken_for_another(text, axis):
    assert axis not in facts(text, library()).numbers


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
        ("kn > 1", "Between Kn = 0.001 and 0.01 one law holds, and beyond another.", None),
        ("speed > 6 km/s", "V = 6500 m/s", True),
        ("theta < 15 deg", "a 20 deg wedge", False),
        ("bl_state = turbulent", "The boundary layer is laminar.", False),
        ("bl_state != turbulent", "The boundary layer is laminar.", True),
        ("bl_state != turbulent", "The boundary layer is turbulent.", False),
        ("wall = cold", "a fully catalytic wall", None),
        ("wall = cold", "an adiabatic wall", False),
        ("wall = noncatalytic", "a fully catalytic cold wall", False),
        ("geometry = sphere", "a capsule", False),
        ("geometry = sphere", "a blunt body", None),
        ("gas = air", "a Titan entry", False),
        ("gas != steam", "a gas turbine burns in air above a steam turbine", None),
        ("device = pump", "a turbine", False),
        ("device = pump", "a turbine and a boiler", None),
        ("device = pump", "the turbine of a Rankine cycle", None),
        ("device = pump", "a pump and a turbine", True),
        ("T > 1000 K", "gas temperatures of T_gas = 900 K and T_tr = 1100 K", None),
        ("T > 1000 K", "gas temperatures of T_gas = 1900 K and T_tr = 1100 K", True),
        ("bl_state = laminar", "Which of the two laws holds, the laminar or the turbulent?", None),
        ("bl_state = laminar", "By how much does turbulent friction exceed the laminar value?", None),
        ("bl_state = laminar", "How would the heating change if the layer were turbulent?", None),
        ("bl_state = laminar", "Where on the plate will the flow become turbulent?", None),
        ("bl_state = turbulent", "What differs between laminar and turbulent recovery?", None),
        ("bl_state = laminar", "The layer is turbulent, not laminar.", False),
        ("wall = noncatalytic", "How much less than on a fully catalytic wall is it?", None),
        ("wall = noncatalytic", "The wall is fully catalytic.", False),
        ("geometry = cone", "How does a cone compare with a flat plate?", True),
        ("geometry = cone", "a flat plate", False),
        ("gas = air", "Is it air or carbon dioxide?", None),
        ("shock != normal", "A reservoir feeds a nozzle with a normal shock downstream.", None),
        ("chemistry != equilibrium", "Does the gas reach chemical equilibrium?", None),
        ("optical = thin", "A very opaque layer.", False),
        ("kn < 0.01", "free-molecular flow", False),
        ("kn < 0.01", "slightly rarefied flow", None),
        ("mach > 3", "supersonic flow", None),
        ("mach > 3", "at Mach 2", False),
        ("mach > 5", "a body flies at 7 km/s at 60 km altitude", True),
        ("kn < 0.01", "a wire of nose radius 0.0001 m flies at 7 km/s at an altitude of 80 km", False),
        ("T < 800", "gas at 3000 K and a wall at 300 K", None),
        ("cycle = rankine", "a Brayton cycle", False),
        ("time != steady", "steady-state conduction", False),
        ("entry = ballistic", "a vehicle of ballistic coefficient 300 kg/m^2 in equilibrium glide", False),
    ],
)
def test_judgement(predicate, text, verdict):
    judgement = judge(Predicate.parse(predicate), facts(text, library()))
    assert judgement.holds is verdict
    assert judgement.reason


def test_the_reason_is_in_words():
    wall = judge(Predicate.parse("bl_state = turbulent"), facts("The flow is laminar."))
    assert wall.reason == "needs bl_state = turbulent but the question says laminar"
    number = judge(Predicate.parse("kn < 0.01"), facts("Kn = 0.31"))
    assert number.reason == "needs kn < 0.01 but kn = 0.31 (stated as Kn = 0.31)"


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
    if judge(Predicate(var=axis, none_of=(wanted,)), known).holds:
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


@pytest.mark.parametrize(
    ("text", "axis", "words"),
    [
        ("The boundary layer is laminar and the wall is cold.", "bl_state", "laminar"),
        ("a fully catalytic, adiabatic wall", "wall", "adiabatic catalytic_full"),
        ("a swept cylinder", "geometry", "swept_cylinder"),
        ("chemical nonequilibrium", "chemistry", "finite_rate"),
        ("a Hohmann transfer", "thrust", "impulsive"),
        ("isentropic efficiency of the turbine", "device", "turbine"),
        ("an aircraft wing", "gas", ""),
        ("air flows past the probe", "gas", "air"),
        ("a lander enters the Martian atmosphere", "gas", "CO2-N2"),
        ("a probe to Titan", "gas", "N2-CH4"),
        ("pure nitrogen in the tunnel", "gas", "N2"),
        ("a helium tunnel", "gas", "He"),
        ("steam leaves the boiler", "gas", "steam"),
        ("R-134a is throttled", "gas", "refrigerant"),
        ("a flat plate at zero incidence", "geometry", "flat_plate"),
        ("a compression corner", "geometry", "wedge"),
        ("a hemispherical nose", "geometry", "sphere"),
        ("a cylindrical leading edge", "geometry", "cylinder"),
        ("the Apollo capsule", "geometry", "capsule"),
        ("a blunt-nosed vehicle", "geometry", "blunt_body"),
        ("gas flows through a pipe", "geometry", "duct"),
        ("a semi-infinite block", "geometry", "semi_infinite"),
        ("the layer stays laminar all the way", "bl_state", "laminar"),
        ("the boundary layer has become turbulent", "bl_state", "turbulent"),
        ("the flow is not only laminar but steady", "bl_state", "laminar"),
        ("the plate is perfectly insulated", "wall", "adiabatic"),
        ("a strongly cooled wall", "wall", "cold"),
        ("the wall is strongly cooled", "wall", "cold"),
        ("an isothermal wall", "wall", "isothermal"),
        ("the tile reradiates all the heat it receives", "wall", "radiative_eq"),
        ("the surface recombines every arriving atom", "wall", "catalytic_full"),
        ("a glassy, noncatalytic coating", "wall", "noncatalytic"),
        ("p v^1.25 = const", "process", "polytropic"),
        ("a wall that does not let atoms recombine", "wall", "noncatalytic"),
        ("an ablating heat shield", "wall", "ablating"),
        ("with constant specific heats", "chemistry", "calorically_perfect"),
        ("air in chemical equilibrium", "chemistry", "equilibrium"),
        ("chemically frozen flow", "chemistry", "frozen"),
        ("thermal nonequilibrium", "chemistry", "two_temperature"),
        ("the gas is nearly transparent", "optical", "thin"),
        ("self-absorption is negligible", "optical", "thin"),
        ("a normal shock at Mach 3", "shock", "normal"),
        ("an attached shock", "shock", "attached"),
        ("there is no shock in the nozzle", "shock", "none"),
        ("the standoff distance", "shock", "detached"),
        ("a polytropic compression", "process", "polytropic"),
        ("wet steam", "phase", "two_phase"),
        ("a feedwater heater", "device", "heat_exchanger"),
        ("a heat pump", "cycle", "heat_pump"),
        ("a sudden exposure to the flame", "time", "unsteady"),
        ("the surface temperature after 20 s", "time", "unsteady"),
        ("an ion engine", "thrust", "low"),
        ("an equilibrium glide", "entry", "glide"),
        ("the gas is compressed slowly at constant temperature", "process", "isothermal"),
        ("a tile in equilibrium with its own radiation", "wall", "radiative_eq"),
    ],
)
def test_what_a_phrase_states(text, axis, words):
    assert facts(text).sure(axis) == set(words.split())


@pytest.mark.parametrize(
    ("text", "axis", "word"),
    [
        ("the layer is not turbulent", "bl_state", "turbulent"),
        ("the layer is never fully turbulent", "bl_state", "turbulent"),
        ("where does the layer become turbulent?", "bl_state", "turbulent"),
        ("before it turns turbulent", "bl_state", "turbulent"),
        ("Is the boundary layer turbulent?", "bl_state", "turbulent"),
        ("whether the layer is laminar or turbulent", "bl_state", "laminar"),
        ("how much more than a laminar layer", "bl_state", "laminar"),
        ("unlike a laminar layer", "bl_state", "laminar"),
        ("if the layer were turbulent", "bl_state", "turbulent"),
        ("the laminar-to-turbulent transition", "bl_state", "turbulent"),
        ("instead of a fully catalytic wall", "wall", "catalytic_full"),
        ("a wall that is not fully catalytic", "wall", "catalytic_full"),
        ("rather than an ablating one", "wall", "ablating"),
        ("no normal shock forms", "shock", "normal"),
        ("without a normal shock", "shock", "normal"),
        ("the reservoir ahead of the normal shock", "shock", "normal"),
        ("vehicle in equilibrium glide", "chemistry", "equilibrium"),
        ("a water-cooled model", "gas", "steam"),
        ("a shock tube", "geometry", "duct"),
        ("an isothermal slab of gas", "process", "isothermal"),
        ("low-speed formulas overshoot the data", "flow", "incompressible"),
        ("air in a piston-cylinder device", "geometry", "cylinder"),
        ("the wall is kept at constant temperature", "process", "isothermal"),
    ],
)
def test_what_a_phrase_does_not_state(text, axis, word):
    assert word not in facts(text).sure(axis)


@pytest.mark.parametrize(
    ("text", "axis", "low", "high"),
    [
        ("hypersonic flow", "mach", 5, INFINITE),
        ("subsonic flow", "mach", 0, 1),
        ("above Mach 5", "mach", 5, INFINITE),
        ("free-molecular flow", "kn", 10, INFINITE),
        ("a grain much smaller than the mean free path", "kn", 1, INFINITE),
        ("the slip-flow regime", "kn", 0.01, 0.1),
        ("return from low Earth orbit", "speed", 7000, 8000),
        ("an optically thick layer", "tau_opt", 3, INFINITE),
        ("unit Prandtl number", "prandtl", 1, 1),
    ],
)
def test_words_that_place_a_number(text, axis, low, high):
    assert (low, high) in {(number.low, number.high) for number in facts(text).numbers[axis]}


def test_each_fact_names_its_words_their_place_and_a_confidence():
    text = "A laminar layer at Mach 6; the wall is not catalytic."
    known = facts(text, library())
    for found in (*known.stated.values(), *known.numbers.values()):
        for fact in found:
            assert 0 < fact.confidence <= 1
            assert fact.origin
            if fact.start >= 0:
                assert text[fact.start :].startswith(fact.quote)
    (mach,) = known.numbers["mach"]
    assert (mach.quote, text[mach.start]) == ("6", "6")


def test_the_standard_atmosphere_gives_the_state_at_an_altitude():
    known = facts("A body flies at 3 km/s at an altitude of 30 km; its nose radius is 0.5 m.", library())
    assert known.only("T_inf") == pytest.approx(226.5, abs=0.2)  # U.S. Standard Atmosphere 1976, table I
    assert known.only("p") == pytest.approx(1197, rel=2e-3)
    assert known.only("rho") == pytest.approx(1.841e-2, rel=2e-3)
    assert known.only("mach") == pytest.approx(9.94, rel=5e-3)
    assert all(number.origin for axis in known.numbers for number in known.numbers[axis])


def test_a_pattern_of_the_vocabulary_reads_the_same_in_lower_case():
    """Lowering a pattern would turn a class into its opposite."""
    assert not [each for each in phrases() if re.search(r"\\[A-Z]", each.pattern.pattern)]
