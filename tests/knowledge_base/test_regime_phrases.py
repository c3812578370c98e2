"""Phrases and questions as engineers write them, and what of the regime they do and do not settle."""

import re

import pytest

from ansatz.knowledge_base.equation import Predicate, library
from ansatz.knowledge_base.regime import facts, judge
from ansatz.knowledge_base.regime.axis_phrases import phrases

INFINITE = float("inf")


@pytest.mark.parametrize(
    ("text", "axis", "words"),
    [
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
    ],
)
def test_what_a_phrase_states(text, axis, words):
    assert words in facts(text).sure(axis)


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
    ],
)
def test_what_a_phrase_does_not_state(text, axis, word):
    assert word not in facts(text).sure(axis)


@pytest.mark.parametrize(
    ("text", "axis", "value"),
    [
        ("a Mach-8 stream", "mach", 8),
        ("$M_\\infty = 12$", "mach", 12),
        ("returns to Earth at 12.5 km/s", "speed", 12500),
        ("an altitude of 60 km", "altitude", 60000),
        ("Re_x = 2.5 × 10^6", "Re_x", 2.5e6),
        ("chi-bar = 0.8", "chi_bar", 0.8),
        ("a nose radius of 30 cm", "nose_radius", 0.3),
        ("the wall is held at 300 K", "Tw", 300),
        ("optical depth 0.02", "tau_opt", 0.02),
        ("a Prandtl number of 0.71", "prandtl", 0.71),
        ("a Biot number of 0.02", "biot", 0.02),
    ],
)
def test_numbers(text, axis, value):
    assert facts(text).only(axis) == pytest.approx(value)


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


@pytest.mark.parametrize(
    ("predicate", "text", "verdict"),
    [
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
def test_questions_exclude_only_what_they_contradict(predicate, text, verdict):
    assert judge(Predicate.parse(predicate), facts(text, library())).holds is verdict


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
