"""Devices that only mix or speed up a flow: mixing chamber and nozzle.

Balances and second-law efficiencies: Moran and Shapiro, Fundamentals of Engineering Thermodynamics,
sections 4.3, 6.12 and 7.6; Cengel and Boles, chapter 8.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ansatz.eval.benchmarks.thermoqa.components.component import (
    DEAD_STATE,
    Component,
    Media,
    Solution,
    require,
)
from ansatz.eval.benchmarks.thermoqa.components.printed import KELVIN, Draws, Givens
from ansatz.eval.benchmarks.thermoqa.components.working_fluids import R134A, WATER, WorkingFluid
from ansatz.knowledge_base.properties import flow_exergy

_DRIEST_NOZZLE_EXIT = 0.95  # quality: wetter steam does not follow an equilibrium expansion


def mixing(media: Media, given: Mapping[str, float]) -> Solution:
    """Two streams at T1 and T2 mix adiabatically at one pressure P."""
    first = media.working.state(T=given["T1"], P=given["P"])
    second = media.working.state(T=given["T2"], P=given["P"])
    total = given["m1"] + given["m2"]
    third = media.working.state(P=given["P"], h=(given["m1"] * first.h + given["m2"] * second.h) / total)
    generated = total * third.s - given["m1"] * first.s - given["m2"] * second.s
    dead = media.dead.of(media.working)
    supplied = given["m1"] * flow_exergy(first, dead) + given["m2"] * flow_exergy(second, dead)
    return {
        "h1": first.h / 1e3,
        "h2": second.h / 1e3,
        "m3": total,
        "h3": third.h / 1e3,
        "T3": third.T - KELVIN,
        "s1": first.s / 1e3,
        "s2": second.s / 1e3,
        "s3": third.s / 1e3,
        "S_gen_dot": generated / 1e3,
        "X_dest_dot": media.dead.T * generated / 1e3,
        "eta_II": total * flow_exergy(third, dead) / supplied,
    }


def acceleration(media: Media, given: Mapping[str, float]) -> Solution:
    """A nozzle from T1, P1 and V1 to P2; eta_nozzle is the real over the isentropic enthalpy drop."""
    inlet = media.working.state(T=given["T1"], P=given["P1"])
    ideal = media.working.isentropic(inlet, given["P2"])
    drop = given["eta_nozzle"] * (inlet.h - ideal.h)
    exit = media.working.state(P=given["P2"], h=inlet.h - drop)
    kinetic = given["V1"] ** 2 / 2 + drop
    generated = exit.s - inlet.s
    dead = media.dead.of(media.working)
    return {
        "h1": inlet.h / 1e3,
        "s1": inlet.s / 1e3,
        "h2s": ideal.h / 1e3,
        "V2": math.sqrt(2 * kinetic),
        "h2": exit.h / 1e3,
        "s2": exit.s / 1e3,
        "s_gen": generated / 1e3,
        "x_dest": media.dead.T * generated / 1e3,
        "eta_II": drop / (flow_exergy(inlet, dead) - flow_exergy(exit, dead)),
    }


def _draw_mixing(fluid: WorkingFluid, depth: str, draws: Draws) -> Givens:
    if fluid is WATER:
        pressure = draws.pressure("P", 0.15e6, 2.5e6)
        boiling = fluid.substance.saturation(P=pressure.si).T - KELVIN
        # bled steam and feedwater, or two liquid streams
        steam = draws.random.random() < 0.5
        first = draws.celsius("T1", *((boiling + 5, boiling + 150) if steam else (60, boiling - 5)))
        second = draws.celsius("T2", 15, min(boiling - 10, first.value - 15))
    elif fluid is R134A:  # desuperheating by injected liquid
        pressure = draws.pressure("P", 0.6e6, 2.2e6)
        boiling = fluid.substance.saturation(P=pressure.si).T - KELVIN
        first = draws.celsius("T1", boiling + 8, boiling + 60)
        second = draws.celsius("T2", 10, boiling - 3)
    else:
        pressure = draws.pressure("P", 0.1e6, 1.0e6)
        first, second = draws.kelvin("T1", 420, 900), draws.kelvin("T2", 280, 390)
    return Givens((first, second, pressure, draws.flow("m1", 0.4, 5), draws.flow("m2", 0.4, 9)))


def _check_mixing(fluid: WorkingFluid, given: Mapping[str, float], found: Solution) -> None:
    if not fluid.is_gas:
        boiling = fluid.substance.saturation(P=given["P"]).T
        for stream in ("T1", "T2"):
            require(abs(given[stream] - boiling) >= 2, "a stream at saturation")
    require(found["T3"] + KELVIN < given["T1"], "nothing is mixed")
    require(found["T3"] + KELVIN - given["T2"] >= 3, "nothing is mixed")
    require(found["S_gen_dot"] > 0, "no entropy generation")
    require(given["P"] >= DEAD_STATE.P, "below the environment's pressure")


def _draw_nozzle(fluid: WorkingFluid, depth: str, draws: Draws) -> Givens:
    if fluid is WATER:
        before = draws.pressure("P1", 0.4e6, 5e6)
        inlet = draws.celsius("T1", fluid.substance.saturation(P=before.si).T - KELVIN + 15, 500)
    elif fluid is R134A:
        before = draws.pressure("P1", 0.5e6, 2.0e6)
        boiling = fluid.substance.saturation(P=before.si).T - KELVIN
        inlet = draws.celsius("T1", boiling + 8, boiling + 60)
    else:
        before = draws.pressure("P1", 0.2e6, 1.2e6)
        inlet = draws.kelvin("T1", 380, 1000)
    after = draws.pressure("P2", 0.12 * before.si, 0.8 * before.si)
    speed, efficiency = draws.speed("V1", 10, 100), draws.percent("eta_nozzle", 84, 98)
    return Givens((inlet, before, after, speed, efficiency))


def _check_nozzle(fluid: WorkingFluid, given: Mapping[str, float], found: Solution) -> None:
    exit = fluid.substance.state(P=given["P2"], h=found["h2"] * 1e3)
    require(exit.x is None or exit.x >= _DRIEST_NOZZLE_EXIT, "too wet at the exit")
    require(found["V2"] > 1.5 * given["V1"], "hardly any acceleration")
    require(given["P2"] >= 0.09e6, "into a vacuum")
    require(found["s_gen"] > 0, "no entropy generation")


MIXING_CHAMBER = Component(
    "mixing_chamber",
    "MIX",
    draw=_draw_mixing,
    solve=mixing,
    check=_check_mixing,
)
NOZZLE = Component(
    "nozzle",
    "NOZ",
    draw=_draw_nozzle,
    solve=acceleration,
    check=_check_nozzle,
)
