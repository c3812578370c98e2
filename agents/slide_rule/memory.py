"""What the offline model remembers: textbook formulas, with no sense of when they hold.

They stand in memory.md in the order in which they come to mind, the most familiar first. Sources:
- F. M. White, *Fluid Mechanics*: Bernoulli, Reynolds number, Blasius, turbulent friction, Sutherland;
- J. D. Anderson, *Modern Compressible Flow* and *Fundamentals of Aerodynamics*: gas dynamics, Newtonian law,
  Prandtl-Glauert;
- Y. A. Cengel and M. A. Boles, *Thermodynamics*: ideal gas, energy, cycles, mixtures;
- F. P. Incropera et al., *Fundamentals of Heat and Mass Transfer*: conduction, convection, radiation;
- G. A. Bird, *Molecular Gas Dynamics*, and W. G. Vincenti and C. H. Kruger, *Introduction to Physical Gas
  Dynamics*: kinetic theory, statistical thermodynamics, reaction rates;
- M. F. Modest, *Radiative Heat Transfer*: Planck, Wien, Beer-Lambert; F. F. Chen, *Introduction to Plasma
  Physics*: Debye length, plasma frequency; H. D. Curtis, *Orbital Mechanics*: vis-viva, circular speed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ansatz.agents.slide_rule.formula import Formula
from ansatz.agents.slide_rule.givens import Given
from ansatz.agents.slide_rule.sheet import read_sheet
from ansatz.agents.slide_rule.units import parse_unit


@cache
def remembered_formulas() -> tuple[Formula, ...]:
    """Every formula in memory, in the order in which they come to mind."""
    text = Path(__file__).with_name("memory.md").read_text(encoding="utf-8")
    return read_sheet(text, trusted=False).formulas


@cache
def assumed_of_air() -> tuple[Given, ...]:
    """Values an engineer supplies without being told: air at room temperature, standard gravity."""
    return (
        _assumed("gamma", 1.4, "-", "ratio of specific heats"),
        _assumed("R", 287.0, "J/(kg*K)", "gas constant"),
        _assumed("cp", 1005.0, "J/(kg*K)", "specific heat constant pressure"),
        _assumed("g", 9.81, "m/s^2", "gravity"),
        _assumed("Pr", 0.71, "-", "prandtl number"),
    )


def _assumed(symbol: str, value: float, unit_text: str, words: str) -> Given:
    unit = parse_unit(unit_text)
    assert unit is not None
    stated = f"{value:g} {unit_text}".removesuffix(" -")
    return Given(symbol, value, unit, stated, words, assumed=True)
