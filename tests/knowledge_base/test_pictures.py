"""The regime told by signs and pictures: what it is read from, and what is not taken for it."""

import pytest

from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.regime import SURE, facts


@pytest.mark.parametrize(
    ("text", "axis", "word"),
    [
        ("a lander for the red planet", "gas", "CO2-N2"),
        ("a probe dropped into a gas giant", "gas", "H2-He"),
        ("a pointed body flies straight", "geometry", "cone"),
        ("a rod set crosswise", "geometry", "cylinder"),
        ("a strut in the tunnel", "geometry", "cylinder"),
        ("a shallow dish flown face first", "geometry", "capsule"),
        ("the dome of the radome", "geometry", "sphere"),
        ("a very thick block of cork", "geometry", "semi_infinite"),
        ("the side turned away from the stream", "surface", "leeward"),
        ("the layer has not yet been tripped", "bl_state", "laminar"),
        ("the layer stays orderly", "bl_state", "laminar"),
        ("smooth flow without eddies", "bl_state", "laminar"),
        ("the layer is full of eddies", "bl_state", "turbulent"),
        ("a trip wire sits near the edge", "bl_state", "turbulent"),
        ("the layer was tripped at the nose", "bl_state", "turbulent"),
        ("patches of turbulence pass by", "bl_state", "transitional"),
        ("water drifts past at walking pace", "flow", "incompressible"),
        ("ten times the speed of sound", "flow", "hypersonic"),
        ("the wave leans over the ramp", "shock", "oblique"),
        ("air is brought gently to rest", "shock", "none"),
        ("a plate that takes up no heat", "wall", "adiabatic"),
        ("the metal stays at room temperature", "wall", "cold"),
        ("none of the atoms survives at the skin", "wall", "catalytic_full"),
        ("one in a hundred of the atoms that strike it stick together", "wall", "catalytic_partial"),
        ("atoms bounce back unchanged", "wall", "noncatalytic"),
        ("the gas sticks to the wall", "wall", "no_slip"),
        ("the shield is eaten away", "wall", "ablating"),
        ("molecules have begun to vibrate", "chemistry", "thermally_perfect"),
        ("all has settled", "chemistry", "equilibrium"),
        ("the composition follows at once", "chemistry", "equilibrium"),
        ("there is no time for atoms to pair", "chemistry", "frozen"),
        ("not a single molecule reacts", "chemistry", "frozen"),
        ("atoms pair with the help of a third body", "chemistry", "finite_rate"),
        ("light escapes freely from the layer", "optical", "thin"),
        ("a photon travels only millimetres", "optical", "thick"),
        ("walls black as lamp-black, that is lampblack", "radiator", "blackbody"),
        ("the pressure does not rise meanwhile", "process", "isobaric"),
        ("fuel is sprayed in", "cycle", "diesel"),
        ("a petrol engine", "cycle", "otto"),
        ("a household fridge", "cycle", "refrigeration"),
        ("heating a house with river water", "cycle", "heat_pump"),
        ("plunged into hot oil", "time", "unsteady"),
        ("it pushes gently for weeks", "thrust", "low"),
        ("two short burns", "thrust", "impulsive"),
        ("a visitor that never returns", "orbit", "hyperbolic"),
        ("a comet that only just escapes", "orbit", "parabolic"),
        ("it falls like a stone", "entry", "ballistic"),
        ("a winged vehicle", "entry", "glide"),
        ("the bulge of the planet", "perturbation", "J2"),
    ],
)
def test_a_picture_suggests_a_word_and_excludes_nothing(text, axis, word):
    found = facts(text)
    assert word in found.words.get(axis, ())
    assert word not in found.sure(axis)


@pytest.mark.parametrize(
    ("text", "axis", "word"),
    [
        ("the layer has not yet been tripped", "bl_state", "turbulent"),
        ("a smooth sharp plate", "bl_state", "laminar"),
        ("the flow over a smooth wall", "bl_state", "laminar"),
        ("the drag of a thin airfoil", "perturbation", "drag"),
        ("a pressure of 12 bar at the inlet", "geometry", "cylinder"),
        ("a pressure of 12 bar at the inlet", "dimensionality", "two_dimensional"),
        ("10 cm behind the leading edge of a plate", "dimensionality", "two_dimensional"),
        ("the bullet bounces off the wall", "entry", "skip"),
        ("light does not escape freely", "optical", "thin"),
        ("unlike a petrol engine", "cycle", "otto"),
        ("is the layer tripped?", "bl_state", "laminar"),
        ("no burns are needed", "thrust", "impulsive"),
    ],
)
def test_what_a_picture_is_not_taken_for(text, axis, word):
    assert word not in facts(text).words.get(axis, ())


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("a 0.5 m sphere at 40 km altitude", 0, 0.01),
        ("a satellite panel at 400 km altitude", 1, float("inf")),
    ],
)
def test_an_altitude_suggests_how_rarefied_the_flow_is(text, low, high):
    (number,) = facts(text, library()).numbers["kn"]
    assert low <= number.low and number.high <= high
    assert number.confidence < SURE


@pytest.mark.parametrize("text", ["Kn = 0.3 at 40 km altitude", "at 100 km altitude", "at 400 km above Mars"])
def test_an_altitude_suggests_nothing_where_more_is_known_or_less(text):
    found = facts(text, library()).numbers.get("kn", ())
    assert all(number.origin.startswith("stated") for number in found)


@pytest.mark.parametrize(
    ("text", "axis", "low", "high"),
    [
        ("three times the speed of sound", "mach", 3, 3),
        ("faster than sound", "mach", 1, float("inf")),
        ("molecules hardly ever meet", "kn", 10, float("inf")),
        ("the warmth has only crept in a little", "fourier", 0, 0.2),
        ("molten sodium", "prandtl", 0.001, 0.05),
        ("at nine tenths of the speed of light", "speed", 3e7, 3e8),
        ("six out of ten atoms that touch it stay", "alpha_gamma", 0.15, 0.95),
        ("one in a thousand atoms pairs", "alpha_gamma", 0, 0.1),
    ],
)
def test_numbers_told_without_figures(text, axis, low, high):
    found = facts(text).numbers[axis]
    assert (low, high) in {(number.low, number.high) for number in found}
    assert max(number.confidence for number in found) < SURE
