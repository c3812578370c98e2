"""States that the templates draw are physical: gases, fractions, entropy and orbits, twenty of each family."""

import math
import re
from collections import defaultdict

import numpy as np
import pytest

from ansatz.eval.benchmarks import apbench, physbench, tps
from ansatz.eval.benchmarks.thermoqa.generate import load as thermoqa
from ansatz.quantities.units import quantity

INSTANCES = 20
EARTH, RADIUS = 3.986004418e14, 6.378e6
FRACTION = re.compile(
    r"fraction|quality|emissivity|absorptivity|accommodation coefficient|efficiency", re.IGNORECASE
)
TEMPERATURE = re.compile(r"\btemperature\b(?! (?:difference|rise|ratio))", re.IGNORECASE)


def numbers(problem):
    """Givens and targets that are numbers, by name, with their descriptions; in base units."""
    stated = [each for each in (*problem.givens, *problem.targets) if hasattr(each, "unit")]
    return {
        each.name: (float(quantity(quantity(each.value, each.unit)).to_base_units().magnitude), each)
        for each in stated
        if isinstance(each.value, int | float)
    }


def gas_faults(problem):
    """Pressure, density and temperature of one state must be those of some gas at some temperature."""
    states = defaultdict(dict)
    for name, (value, _) in numbers(problem).items():
        if found := re.fullmatch(r"(p|rho|T)_?(\w*)", name):
            states[found[2]][found[1]] = value
    for name, state in states.items():
        if {"p", "rho"} <= state.keys() and state["rho"] < 50:
            energy = state["p"] / state["rho"]  # R T
            gas_constant = energy / state["T"] if "T" in state else 287.0
            if not (180 < gas_constant < 4200 and 60 < energy / 287.0 < 60000):
                yield f"{problem.id}: state {name!r} has p/rho = {energy:.4g} J/kg"


def range_faults(problem):
    for name, (value, each) in numbers(problem).items():
        words = each.description or ""
        if FRACTION.search(words) and each.unit in ("-", "1", "") and not -1e-12 <= value <= 1 + 1e-12:
            yield f"{problem.id}: {name} ({words}) = {value:g}"
        if TEMPERATURE.search(words) and each.unit == "K" and value <= 0:
            yield f"{problem.id}: {name} ({words}) = {value:g}"


def second_law(problem):
    """Quantities that the second law keeps from being negative, each with what it is.

    A claim that the problem asks to be judged may break it.
    """
    known = {name: value for name, (value, _) in numbers(problem).items()}
    for name, (value, each) in numbers(problem).items():
        words = (each.description or "").lower()
        if "total pressure" in words and each.unit in ("-", "1"):
            yield f"total pressure lost, {name}", 1 - value
        if words.startswith("total change of entropy") or re.match(r"(s|S)_gen|x_dest|X_dest", name):
            yield f"entropy made or exergy lost, {name}", value
        if words.startswith("greatest efficiency") and "claimed" not in known_words(problem):
            yield f"efficiency below {name}", value - known["eta"]
    if {"M_1", "gamma"} <= known.keys() and "shock" in problem.tags["domain"]:
        yield from shock_entropy(known)


def known_words(problem):
    return " ".join(each.description or "" for _, each in numbers(problem).values())


def shock_entropy(known):
    """Entropy rise over specific heat between stated states, and what a probe loses of the total pressure."""
    mach, gamma = known["M_1"], known["gamma"]
    share = (gamma - 1) / gamma
    for after in "25":
        if {"p_1", "T_1", f"p_{after}", f"T_{after}"} <= known.keys():
            hotter, denser = known[f"T_{after}"] / known["T_1"], known[f"p_{after}"] / known["p_1"]
            yield f"entropy of state {after}", math.log(hotter) - share * math.log(denser)
    for probe in ("p_pitot", "p_pit"):
        if probe in known:
            total = known["p_1"] * (1 + (gamma - 1) / 2 * mach**2) ** (1 / share)
            yield f"total pressure lost, {probe}", 1 - known[probe] / total


@pytest.mark.slow
@pytest.mark.parametrize(
    ("load", "least"),
    [
        pytest.param(lambda: tps.load(instances=INSTANCES), 6, id="tps"),
        pytest.param(lambda: physbench.load(instances=INSTANCES), 2, id="physbench"),
        pytest.param(lambda: thermoqa(tiers=(2, 3), counts=(INSTANCES, INSTANCES)), 1, id="thermoqa"),
    ],
)
def test_states_are_physical_and_none_breaks_the_second_law(load, least):
    problems = load()
    assert [fault for each in problems for check in (gas_faults, range_faults) for fault in check(each)] == []
    found = [(each.id, what, value) for each in problems for what, value in second_law(each)]
    assert len(found) >= least * INSTANCES
    assert [one for one in found if one[2] < -1e-9] == []


@pytest.mark.slow
def test_orbits_about_the_earth_are_above_the_ground():
    """Where a set states or asks for position and velocity, or for semi-major axis and eccentricity."""
    states = defaultdict(dict)
    for problem in apbench.load(instances=INSTANCES):
        if "mu_Earth" in problem.question + problem.context and "relative" not in problem.tags["topic"]:
            found = {name: value for name, (value, _) in numbers(problem).items()}
            states[problem.id.rsplit("-q", 1)[0]].update(found)
    checked = {id: perigee for id, state in states.items() if (perigee := _perigee(state)) is not None}
    assert len(checked) >= 6 * INSTANCES
    assert {id: perigee for id, perigee in checked.items() if perigee < RADIUS} == {}


def _perigee(state):
    if {"r_x", "v_z"} <= state.keys():
        r, v = (np.array([state[f"{name}_{axis}"] for axis in "xyz"]) for name in "rv")
        h = np.cross(r, v)
        eccentricity = np.linalg.norm(np.cross(v, h) / EARTH - r / np.linalg.norm(r))
        return h @ h / EARTH / (1 + eccentricity)
    return state["a"] * (1 - state["e"]) if {"a", "e"} <= state.keys() else None
