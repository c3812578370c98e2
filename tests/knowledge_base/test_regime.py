"""Facts about the regime of a question, and three-valued judgement of conditions."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.knowledge_base.equation import WORDS, Predicate, library
from ansatz.knowledge_base.regime import (
    SURE,
    Fact,
    Facts,
    find_contradicted,
    find_facts,
    find_givens,
    judge_condition,
)
from ansatz.knowledge_base.regime.axis_phrases import load_phrases
from ansatz.knowledge_base.regime.derived_axes import load_derivations

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
def test_givens_are_read(text, expected):
    assert [(found.symbol, found.number, found.unit) for found in find_givens(text)] == expected


@pytest.mark.parametrize(
    ("text", "axis", "value"),
    [
        ("a Mach 8 stream", "mach", 8),
        ("$M_\\infty = 12$", "mach", 12),
        ("a 10 deg wedge", "theta", 0.17453293),
        ("where T_w is 300 K", "Tw", 300),
        ("air at T_inf = 226 K and M_inf = 8", "T_inf", 226),
        ("a Reynolds number of 2e6 based on the distance from the leading edge", "Re_x", 2e6),
        ("chi-bar = 0.8", "chi_bar", 0.8),
        ("a nose radius of 30 cm", "nose_radius", 0.3),
        ("optical depth 0.02", "tau_opt", 0.02),
        ("a capsule of 2.3 m nose radius flies at 61 km", "altitude", 61e3),
        ("a capsule of 2.3 m nose radius flies at 61 km", "nose_radius", 2.3),
        ("a 300 K wall at 5 kPa", "p", 5e3),
        ("The cutoff ratio is 2. Find the efficiency with gamma 1.4", "gamma", 1.4),
        ("O2 relaxes vibrationally; vibrational relaxation at 4000 K", "T", 4000),
        ("a rocket climbs through 80 km", "altitude", 80e3),
        # What is another quantity.
        ("the characteristic vibrational temperature theta_v = 3371 K", "T", None),
        ("the speed of sound is 300 m/s", "speed", None),
        ("the dynamic pressure is 20 kPa", "p", None),
        ("the flight-path angle is 5 deg", "theta", None),
        ("3 kg of gas", "T", None),
        ("air at T_inf = 226 K and M_inf = 8", "T", None),
        ("a proton moves at 0.92 c in air", "mach", None),
        ("the cutoff ratio is 2. Find the efficiency with a known gamma", "gamma", None),
    ],
)
def test_axis_of_a_quantity(text, axis, value):
    known = find_facts(text, library())
    assert known.only(axis) == pytest.approx(value) if value else not known.on(axis)


@pytest.mark.parametrize(
    ("text", "axis", "low", "high"),
    [
        ("hypersonic flow", "mach", 5, INFINITE),
        ("above Mach 5", "mach", 5, INFINITE),
        ("a grain much smaller than the mean free path", "kn", 1, INFINITE),
        ("the slip-flow regime", "kn", 0.01, 0.1),
        ("return from low Earth orbit", "speed", 7000, 8000),
        ("an optically thick layer", "tau_opt", 3, INFINITE),
        ("unit Prandtl number", "prandtl", 1, 1),
    ],
)
def test_words_assign_a_number_to_an_axis(text, axis, low, high):
    assert (low, high) in {(fact.low, fact.high) for fact in find_facts(text).on(axis)}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Air at Mach 10 over a 5.7295779513 deg wedge with Re_x = 1e4 and gamma = 1.4.", {"K_hyp": 0.998334, "kn": 1.482941e-3, "chi_bar": 10}),
        ("At Mach 10, Re_x = 1e4, T_inf = 300 K and 30 km altitude the Knudsen number is Kn = 0.5.", {"kn": 0.5, "T_inf": 300}),  # as stated
        # U.S. Standard Atmosphere 1976, table I
        ("A body flies at 3 km/s at an altitude of 30 km.", {"T_inf": 226.5, "p": 1197, "rho": 1.841e-2, "mach": 9.94}),
    ],
)  # fmt: skip
def test_derived_axes(text, values):
    known = find_facts(text, library())
    assert {axis: known.only(axis) for axis in values} == pytest.approx(values, rel=2e-3)


def test_derivations_match_their_equations():
    for derivation in load_derivations():
        assert set(derivation.inputs) == set(library().get(derivation.equation).inputs)


@pytest.mark.parametrize(
    ("axis", "words", "texts"),
    [
        ("bl_state", "laminar", ["the layer stays laminar all the way", "the flow is not only laminar but steady"]),
        ("bl_state", "turbulent", ["the boundary layer has become turbulent"]),
        ("wall", "adiabatic catalytic_full", ["a fully catalytic, adiabatic wall"]),
        ("wall", "adiabatic", ["the plate is perfectly insulated"]),
        ("wall", "cold", ["a strongly cooled wall", "the wall is strongly cooled"]),
        ("wall", "radiative_eq", ["the tile reradiates all the heat it receives", "a tile in equilibrium with its own radiation"]),
        ("wall", "catalytic_full", ["the surface recombines every arriving atom"]),
        ("wall", "noncatalytic", ["a glassy, noncatalytic coating", "a wall that does not let atoms recombine"]),
        ("chemistry", "finite_rate", ["chemical nonequilibrium"]),
        ("chemistry", "equilibrium", ["air in chemical equilibrium"]),
        ("chemistry", "frozen", ["chemically frozen flow"]),
        ("chemistry", "two_temperature", ["thermal nonequilibrium"]),
        ("gas", "", ["an aircraft wing"]),
        ("gas", "air", ["air flows past the probe"]),
        ("gas", "CO2-N2", ["a lander enters the Martian atmosphere"]),
        ("gas", "N2", ["pure nitrogen in the tunnel"]),
        ("geometry", "swept_cylinder", ["a swept cylinder"]),
        ("geometry", "sphere", ["a hemispherical nose"]),
        ("geometry", "cylinder", ["a cylindrical leading edge"]),
        ("geometry", "blunt_body", ["a blunt-nosed vehicle"]),
        ("optical", "thin", ["the gas is nearly transparent", "self-absorption is negligible"]),
        ("shock", "normal", ["a normal shock at Mach 3"]),
        ("shock", "none", ["there is no shock in the nozzle"]),
        ("process", "polytropic", ["p v^1.25 = const", "a polytropic compression"]),
        ("process", "isothermal", ["the gas is compressed slowly at constant temperature"]),
        ("device", "turbine", ["isentropic efficiency of the turbine"]),
        ("time", "unsteady", ["a sudden exposure to the flame", "the surface temperature after 20 s"]),
        ("entry", "glide", ["an equilibrium glide"]),
    ],
)  # fmt: skip
def test_phrase_states_a_word(axis, words, texts):
    for text in texts:
        assert find_facts(text).words(axis, SURE) == set(words.split()), text


@pytest.mark.parametrize(
    ("axis", "word", "texts"),
    [
        ("bl_state", "turbulent", ["the layer is not turbulent", "the layer is never fully turbulent"]),
        ("bl_state", "turbulent", ["where does the layer become turbulent?", "before it turns turbulent", "if the layer were turbulent"]),
        ("bl_state", "turbulent", ["Is the boundary layer turbulent?", "the laminar-to-turbulent transition", "What differs between laminar and turbulent recovery?"]),
        ("bl_state", "laminar", ["whether the layer is laminar or turbulent", "how much more than a laminar layer", "unlike a laminar layer"]),
        ("wall", "catalytic_full", ["instead of a fully catalytic wall", "a wall that is not fully catalytic"]),
        ("wall", "ablating", ["rather than an ablating one"]),
        ("shock", "normal", ["no normal shock forms", "without a normal shock", "the reservoir ahead of the normal shock"]),
        ("chemistry", "equilibrium", ["vehicle in equilibrium glide"]),
        ("gas", "steam", ["a water-cooled model"]),
        ("geometry", "duct", ["a shock tube"]),
        ("geometry", "cylinder", ["air in a piston-cylinder device"]),
        ("process", "isothermal", ["an isothermal slab of gas", "the wall is kept at constant temperature"]),
        ("flow", "incompressible", ["low-speed formulas overshoot the data"]),
    ],
)  # fmt: skip
def test_negated_or_open_phrase_states_nothing(axis, word, texts):
    for text in texts:
        assert word not in find_facts(text).words(axis, SURE), text


def test_patterns_are_equal_in_lower_case():
    """Lowering a pattern would turn a class into its opposite."""
    assert not [each for each in load_phrases() if re.search(r"\\[A-Z]", each.pattern.pattern)]


def test_fact_has_words_position_and_confidence():
    text = "A laminar layer in hypersonic flow at Mach 6; the wall is not catalytic."
    known = find_facts(text, library())
    for fact in (fact for several in known.axes.values() for fact in several):
        assert 0 < fact.confidence <= 1 and fact.origin
        assert fact.start < 0 or text[fact.start :].startswith(fact.quote)
    (mach,) = known.on("mach")
    assert (mach.quote, text[mach.start]) == ("6", "6")


@pytest.mark.parametrize(
    ("predicate", "text", "verdict"),
    [
        ("kn < 0.01", "Kn = 0.3", False),
        ("kn < 0.01", "Kn = 0.003", True),
        ("kn < 0.01", "a capsule", None),
        ("kn < 0.01", "free-molecular flow", False),
        ("kn < 0.01", "slightly rarefied flow", None),
        ("kn < 0.01", "a wire of nose radius 0.0001 m flies at 7 km/s at an altitude of 80 km", False),
        ("kn > 1", "Between Kn = 0.001 and 0.01 one law holds, and beyond another.", None),
        ("speed > 6 km/s", "V = 6500 m/s", True),
        ("theta < 15 deg", "a 20 deg wedge", False),
        ("mach > 3", "supersonic flow", None),
        ("mach > 5", "a body flies at 7 km/s at 60 km altitude", True),
        ("T > 1000 K", "gas temperatures of T_gas = 900 K and T_tr = 1100 K", None),
        ("T > 1000 K", "gas temperatures of T_gas = 1900 K and T_tr = 1100 K", True),
        ("T < 800", "gas at 3000 K and a wall at 300 K", None),
        ("bl_state = turbulent", "The boundary layer is laminar.", False),
        ("bl_state != turbulent", "The boundary layer is laminar.", True),
        ("bl_state != turbulent", "The boundary layer is turbulent.", False),
        ("bl_state = laminar", "How would the heating change if the layer were turbulent?", None),
        ("bl_state = laminar", "The layer is turbulent, not laminar.", False),
        ("wall = cold", "a fully catalytic wall", None),
        ("wall = cold", "an adiabatic wall", False),
        ("wall = noncatalytic", "a fully catalytic cold wall", False),
        ("wall = noncatalytic", "How much less than on a fully catalytic wall is it?", None),
        ("geometry = sphere", "a capsule", False),
        ("geometry = sphere", "a blunt body", None),
        ("geometry = cone", "How does a cone compare with a flat plate?", True),
        ("gas = air", "a Titan entry", False),
        ("gas = air", "Is it air or carbon dioxide?", None),
        ("gas != steam", "a gas turbine burns in air above a steam turbine", None),
        ("device = pump", "a turbine", False),
        ("device = pump", "a turbine and a boiler", None),
        ("device = pump", "the turbine of a Rankine cycle", None),
        ("device = pump", "a pump and a turbine", True),
        ("shock != normal", "A reservoir feeds a nozzle with a normal shock downstream.", None),
        ("chemistry != equilibrium", "Does the gas reach chemical equilibrium?", None),
        ("time != steady", "steady-state conduction", False),
        ("entry = ballistic", "a vehicle of ballistic coefficient 300 kg/m^2 in equilibrium glide", False),
    ],
)
def test_condition_is_judged(predicate, text, verdict):
    assert judge_condition(Predicate.parse(predicate), find_facts(text, library())).holds is verdict


def test_reason_is_readable():
    wall = judge_condition(Predicate.parse("bl_state = turbulent"), find_facts("The flow is laminar."))
    assert wall.reason == "needs bl_state = turbulent but the question says laminar"
    number = judge_condition(Predicate.parse("kn < 0.01"), find_facts("Kn = 0.31"))
    assert number.reason == "needs kn < 0.01 but kn = 0.31 (stated as Kn = 0.31)"
    derived = judge_condition(Predicate.parse("kn < 0.01"), find_facts("Mach 10, Re_x = 100", library()))
    assert derived.reason == "needs kn < 0.01 but kn = 0.148 (derived from mach, Re_x, gamma)"


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.sampled_from(["lt", "le", "gt", "ge"]))
def test_limit_and_its_opposite_never_agree(value, limit, name):
    opposite = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}[name]
    known = Facts({"kn": (Fact("stated", low=value, high=value),)})
    verdicts = [
        judge_condition(Predicate(var="kn", **{each: limit}), known).holds for each in (name, opposite)
    ]
    assert verdicts.count(True) == 1
    if abs(value - limit) > 0.06 * abs(limit):
        assert verdicts.count(False) == 1


@given(st.sampled_from(sorted(axis for axis in WORDS if not WORDS[axis].open)), st.data())
def test_words_are_judged_in_three_values(axis, data):
    words = st.sampled_from(WORDS[axis].values)
    wanted, stated = data.draw(words), data.draw(st.sets(words, max_size=2))
    known = Facts({axis: tuple(Fact("stated", 0.9, word=word) for word in stated)})
    holds = judge_condition(Predicate(var=axis, eq=wanted), known).holds
    if holds or holds is False:
        assert holds == (wanted in stated)
    if holds is False:
        assert any(WORDS[axis].exclude(wanted, word) for word in stated)
    if not stated:
        assert holds is None
    if judge_condition(Predicate(var=axis, none_of=(wanted,)), known).holds:
        assert wanted not in stated


@pytest.mark.slow
def test_entries_rarely_contradict_their_phrases():
    """Names, assumptions and symbols of an entry describe its regime in the words of many authors."""
    phrases = []
    for one in library():
        inputs = ", ".join(one.symbols[name].desc for name in one.inputs)
        relates = f"{one.symbols[one.output].desc} from {inputs}"
        texts = (one.name, "; ".join(one.aliases), "; ".join(one.assumptions), relates)
        phrases += [(one, text) for text in texts]
    wrong = [
        (one.id, text) for one, text in phrases if any(find_contradicted(one, find_facts(text, library())))
    ]
    assert len(wrong) <= 0.005 * len(phrases), wrong


@pytest.mark.parametrize(
    ("text", "axis", "value"),
    [
        ("A plane flies at three times the speed of sound.", "mach", 3.0),
        ("A stream at 30 % of the speed of sound", "mach", 0.3),
        ("An electron at 0.9 c", "speed", 0.9 * 299_792_458),
        ("Air at 20 C flows at 10 m/s over a plate", "mach", 0.0291),
        ("Water (nu = 1e-6 m^2/s) flows at 2 m/s over a plate, at a distance of 0.5 m", "Re_x", 1e6),
        ("Air at 1 Pa and 300 K in a channel 10 um wide", "kn", 679),
        ("Pipe flow with Re = 5e4", "Re", 5e4),
    ],
)
def test_speeds_and_groups_are_derived(text, axis, value):
    assert find_facts(text, library()).only(axis) == pytest.approx(value, rel=1e-2)


def test_named_wall_temperature_or_gas_is_no_contradiction():
    assert not find_facts("What is the recovery temperature of the layer?").words("wall", SURE)
    assert find_facts("An orbit with eccentricity 1.2", library()).words("orbit") == {"hyperbolic"}
    known = find_facts("Entry at Titan; the gas is nitrogen-methane.", library())
    assert judge_condition(Predicate(var="gas", eq="N2-CH4"), known).holds is not False


def test_stated_group_outside_a_fitted_range_excludes():
    known = find_facts("Friction factor of a smooth pipe at Re = 800", library())
    excluded = {
        id
        for id in ("pipe_blasius_friction", "haaland", "pipe_laminar_friction")
        if list(find_contradicted(library().get(f"boundary_layer.contrast.{id}"), known))
    }
    assert excluded == {"pipe_blasius_friction", "haaland"}


def test_stated_rayleigh_number_is_compared_with_its_range():
    plate = library().get("heating.contrast.churchill_chu_plate")
    contradicted = [
        bool(list(find_contradicted(plate, find_facts(f"A tall plate at a Rayleigh number of {number}"))))
        for number in ("1e9", "1e15")
    ]
    assert contradicted == [False, True]


def test_constant_flux_is_no_isothermal_wall():
    known = find_facts("The plate is heated with a uniform heat flux.")
    isothermal, other = (
        judge_condition(Predicate(var="wall", **test), known).holds
        for test in ({"eq": "isothermal"}, {"none_of": ("isothermal", "adiabatic")})
    )
    assert (isothermal, other) == (False, True)
