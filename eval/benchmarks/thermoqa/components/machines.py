"""Adiabatic machines: turbine, compressor and pump, by isentropic efficiency.

Balances and second-law efficiencies: Moran and Shapiro, Fundamentals of Engineering Thermodynamics,
sections 6.12 (isentropic efficiencies) and 7.6 (exergetic efficiencies).
"""

from __future__ import annotations

from collections.abc import Mapping

from ansatz.eval.benchmarks.thermoqa.components.component import (
    Component,
    Media,
    Solution,
    require,
)
from ansatz.eval.benchmarks.thermoqa.components.printed import KELVIN, Draws, Givens
from ansatz.eval.benchmarks.thermoqa.components.working_fluids import R134A, WATER, WorkingFluid
from ansatz.knowledge_base.properties import State, flow_exergy

_LARGEST_TURBINE_WETNESS = 0.14  # more erodes the last blades
_HOTTEST_STEAM = 650 + KELVIN  # K: what superheater steels bear
_HOTTEST_R134A = 130 + KELVIN  # K: hotter, its lubricant degrades


def expansion(media: Media, given: Mapping[str, float]) -> Solution:
    """A turbine between T1, P1 and P2 with efficiency eta_s."""
    inlet = media.working.state(T=given["T1"], P=given["P1"])
    ideal = media.working.isentropic(inlet, given["P2"])
    work = given["eta_s"] * (inlet.h - ideal.h)
    exit = media.working.state(P=given["P2"], h=inlet.h - work)
    before, after = _exergies(media, inlet, exit)
    return _solution(media, inlet, ideal, exit) | {"w_out": work / 1e3, "eta_II": work / (before - after)}


def compression(media: Media, given: Mapping[str, float]) -> Solution:
    """A compressor or a pump between T1, P1 and P2 with efficiency eta_s."""
    inlet = media.working.state(T=given["T1"], P=given["P1"])
    ideal = media.working.isentropic(inlet, given["P2"])
    work = (ideal.h - inlet.h) / given["eta_s"]
    exit = media.working.state(P=given["P2"], h=inlet.h + work)
    before, after = _exergies(media, inlet, exit)
    return _solution(media, inlet, ideal, exit) | {"w_in": work / 1e3, "eta_II": (after - before) / work}


def _exergies(media: Media, inlet: State, exit: State) -> tuple[float, float]:
    dead = media.dead.of(media.working)
    return flow_exergy(inlet, dead), flow_exergy(exit, dead)


def _solution(media: Media, inlet: State, ideal: State, exit: State) -> Solution:
    generated = (exit.s - inlet.s) / 1e3
    return {
        "h1": inlet.h / 1e3,
        "s1": inlet.s / 1e3,
        "h2s": ideal.h / 1e3,
        "h2": exit.h / 1e3,
        "s2": exit.s / 1e3,
        "s_gen": generated,
        "x_dest": media.dead.T * generated,
    }


def _draw_turbine(fluid: WorkingFluid, depth: str, draws: Draws) -> Givens:
    if fluid is WATER:
        before, after = draws.pressure("P1", 0.8e6, 16e6), draws.pressure("P2", 5e3, 1.5e6)
        inlet = draws.celsius("T1", _boiling(fluid, before.si) + 20, 600)
    elif fluid is R134A:  # an organic Rankine cycle on low-grade heat
        before, after = draws.pressure("P1", 1.4e6, 3.4e6), draws.pressure("P2", 0.55e6, 1.1e6)
        boiling = _boiling(fluid, before.si)
        inlet = draws.celsius("T1", boiling + 8, boiling + 60)
    else:
        before, after = draws.pressure("P1", 0.4e6, 2.5e6), draws.pressure("P2", 0.1e6, 0.6e6)
        inlet = draws.kelvin("T1", 850, 1500)
    require(before.si >= 1.5 * after.si, "hardly any expansion")
    return Givens((inlet, before, after, draws.percent("eta_s", 74, 94)))


def _check_turbine(fluid: WorkingFluid, given: Mapping[str, float], found: Solution) -> None:
    exit = fluid.substance.state(P=given["P2"], h=found["h2"] * 1e3)
    wettest = 0.0 if fluid is R134A else _LARGEST_TURBINE_WETNESS
    require(exit.x is None or 1 - exit.x <= wettest, "exhaust too wet")
    require(found["s_gen"] > 0, "no entropy generation")


def _draw_compressor(fluid: WorkingFluid, depth: str, draws: Draws) -> Givens:
    if fluid is WATER:  # mechanical vapour recompression and process steam
        before = draws.pressure("P1", 0.05e6, 0.6e6)
        boiling = _boiling(fluid, before.si)
        inlet = draws.celsius("T1", boiling + 10, boiling + 120)
        after = draws.pressure("P2", 1.6 * before.si, 9 * before.si)
    elif fluid is R134A:  # evaporating at -25 to 12 °C, condensing at 30 to 65 °C
        before, after = draws.pressure("P1", 0.11e6, 0.44e6), draws.pressure("P2", 0.77e6, 1.89e6)
        boiling = _boiling(fluid, before.si)
        inlet = draws.celsius("T1", boiling + 3, boiling + 22)
    else:
        before = draws.pressure("P1", 0.085e6, 0.25e6)
        inlet = draws.kelvin("T1", 270, 350)
        after = draws.pressure("P2", 2 * before.si, 14 * before.si)
    return Givens((inlet, before, after, draws.percent("eta_s", 72, 92)))


def _check_compressor(fluid: WorkingFluid, given: Mapping[str, float], found: Solution) -> None:
    """Vapour must enter dry, also once its temperature and pressure are rounded as printed."""
    if not fluid.is_gas:
        superheat = given["T1"] - KELVIN - _boiling(fluid, given["P1"])
        require(superheat >= 2.0, "wet compressor inlet")
    exit = fluid.substance.state(P=given["P2"], h=found["h2"] * 1e3)
    hottest = _HOTTEST_R134A if fluid is R134A else _HOTTEST_STEAM
    require(hottest >= exit.T, "discharge too hot")
    require(found["s_gen"] > 0, "no entropy generation")


def _draw_pump(fluid: WorkingFluid, depth: str, draws: Draws) -> Givens:
    if fluid is WATER:
        inlet = draws.celsius("T1", 20, 170)
        boiling = fluid.substance.saturation(T=inlet.si).P
        before = draws.pressure("P1", max(1.1 * boiling, 8e3), max(6 * boiling, 0.3e6))
        after = draws.pressure("P2", 1.5e6, 22e6)
    else:
        inlet = draws.celsius("T1", 12, 45)
        boiling = fluid.substance.saturation(T=inlet.si).P
        before = draws.pressure("P1", 1.06 * boiling, 1.4 * boiling)
        after = draws.pressure("P2", 1.8e6, 3.6e6)
    return Givens((inlet, before, after, draws.percent("eta_s", 60, 90)))


def _check_pump(fluid: WorkingFluid, given: Mapping[str, float], found: Solution) -> None:
    suction = fluid.substance.saturation(T=given["T1"]).P
    require(given["P1"] >= 1.04 * suction, "the pump would cavitate")
    exit = fluid.substance.state(P=given["P2"], h=found["h2"] * 1e3)
    require(exit.phase == "subcooled_liquid", "boils in the pump")
    require(found["s_gen"] > 0, "no entropy generation")


def _boiling(fluid: WorkingFluid, pressure: float) -> float:
    """°C at a pressure in Pa."""
    return fluid.substance.saturation(P=pressure).T - KELVIN


TURBINE = Component("turbine", "TRB", draw=_draw_turbine, solve=expansion, check=_check_turbine)
COMPRESSOR = Component("compressor", "CMP", draw=_draw_compressor, solve=compression, check=_check_compressor)
PUMP = Component("pump", "PMP", draw=_draw_pump, solve=compression, check=_check_pump)
