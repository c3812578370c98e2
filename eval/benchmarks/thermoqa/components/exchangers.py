"""Devices that exchange heat: counter-flow heat exchanger and boiler.

Balances and second-law efficiencies: Moran and Shapiro, Fundamentals of Engineering Thermodynamics,
sections 6.10 and 7.6; Cengel and Boles, chapter 8.
"""

from __future__ import annotations

from collections.abc import Mapping

from ansatz.eval.benchmarks.thermoqa.components.component import (
    DEAD_STATE,
    Component,
    Media,
    Solution,
    heating_fluid,
    require,
)
from ansatz.eval.benchmarks.thermoqa.components.printed import KELVIN, Draws, Givens, Printed
from ansatz.eval.benchmarks.thermoqa.components.working_fluids import R134A, WATER, WorkingFluid
from ansatz.knowledge_base.properties import Substance, flow_exergy

_APPROACH = 4.0  # K, the least temperature difference anywhere along an exchanger
_PLACES = 12  # along an exchanger where streams are compared


def heat_exchange(media: Media, given: Mapping[str, float]) -> Solution:
    """A hot stream cooled from T_h_in to T_h_out heats a cold one from T_c_in; nothing is lost."""
    hot_in = media.heating.state(T=given["T_h_in"], P=given["P_h"])
    hot_out = media.heating.state(T=given["T_h_out"], P=given["P_h"])
    cold_in = media.working.state(T=given["T_c_in"], P=given["P_c"])
    heat = given["m_h"] * (hot_in.h - hot_out.h)
    cold_out = media.working.state(P=given["P_c"], h=cold_in.h + heat / given["m_c"])
    hot_dead, cold_dead = media.dead.of(media.heating), media.dead.of(media.working)
    spent = given["m_h"] * (flow_exergy(hot_in, hot_dead) - flow_exergy(hot_out, hot_dead))
    gained = given["m_c"] * (flow_exergy(cold_out, cold_dead) - flow_exergy(cold_in, cold_dead))
    generated = given["m_h"] * (hot_out.s - hot_in.s) + given["m_c"] * (cold_out.s - cold_in.s)
    return {
        "h_h_in": hot_in.h / 1e3,
        "h_h_out": hot_out.h / 1e3,
        "h_c_in": cold_in.h / 1e3,
        "Q_dot": heat / 1e3,
        "h_c_out": cold_out.h / 1e3,
        "T_c_out": cold_out.T - KELVIN,
        "s_h_in": hot_in.s / 1e3,
        "s_h_out": hot_out.s / 1e3,
        "s_c_in": cold_in.s / 1e3,
        "s_c_out": cold_out.s / 1e3,
        "S_gen_dot": generated / 1e3,
        "X_dest_dot": media.dead.T * generated / 1e3,
        "eta_II": gained / spent,
    }


def steam_raising(media: Media, given: Mapping[str, float]) -> Solution:
    """Heating at constant P from T_in to T_out, by heat from a source at T_source where one is given."""
    entering = media.working.state(T=given["T_in"], P=given["P"])
    leaving = media.working.state(T=given["T_out"], P=given["P"])
    heat = leaving.h - entering.h
    found = {"h_in": entering.h / 1e3, "h_out": leaving.h / 1e3, "q_in": heat / 1e3}
    if "T_source" not in given:
        return found
    generated = leaving.s - entering.s - heat / given["T_source"]
    dead = media.dead.of(media.working)
    gained = flow_exergy(leaving, dead) - flow_exergy(entering, dead)
    return found | {
        "s_in": entering.s / 1e3,
        "s_out": leaving.s / 1e3,
        "s_gen": generated / 1e3,
        "x_dest": media.dead.T * generated / 1e3,
        "eta_II": gained / (heat * (1 - media.dead.T / given["T_source"])),
    }


def _draw_exchanger(fluid: WorkingFluid, depth: str, draws: Draws) -> Givens:
    # at depth C the cold stream starts above the environment: below it, heating would destroy its exergy
    coldest = DEAD_STATE.T - KELVIN + 1 if depth == "C" else 12
    if fluid.is_gas:  # a recuperator
        hot_in, cold_in = draws.kelvin("T_h_in", 600, 950), draws.kelvin("T_c_in", 380, 620)
        hot_out = draws.kelvin("T_h_out", cold_in.si + 20, hot_in.si - 60)
        pressures = draws.pressure("P_h", 0.1e6, 0.2e6), draws.pressure("P_c", 0.4e6, 1.6e6)
    else:
        hot_in = draws.celsius("T_h_in", 50, 95 if fluid is WATER else 75)
        cold_in = draws.celsius("T_c_in", coldest, 42)
        hot_out = draws.celsius("T_h_out", cold_in.value + 6, hot_in.value - 6)
        pressures = draws.pressure("P_h", 0.3e6, 5e6), draws.pressure("P_c", 0.3e6, 5e6)
        if fluid is R134A:
            pressures = pressures[0], draws.pressure("P_c", 1.1e6, 3.6e6)
    flows = draws.flow("m_h", 0.5, 9), draws.flow("m_c", 0.5, 12)
    return Givens((hot_in, hot_out, cold_in, *pressures, *flows))


def _check_exchanger(fluid: WorkingFluid, given: Mapping[str, float], found: Solution) -> None:
    _require_no_crossing(fluid, given, found)
    if not fluid.is_gas:
        _require_liquid(heating_fluid(fluid).substance, given["P_h"], given["T_h_in"])
        _require_liquid(fluid.substance, given["P_c"], found["T_c_out"] + KELVIN)
    require(found["T_c_out"] + KELVIN - given["T_c_in"] >= 3, "the cold stream is hardly heated")
    require(found["S_gen_dot"] > 0, "no entropy generation")
    require(0.03 < found["eta_II"] < 1 or given["T_c_in"] < DEAD_STATE.T, "no exergy gained")


def _require_no_crossing(fluid: WorkingFluid, given: Mapping[str, float], found: Solution) -> None:
    """The hot stream is warmer than the cold one at every place, not at the ends only."""
    hot, cold = heating_fluid(fluid).substance, fluid.substance
    for place in range(_PLACES + 1):
        share = place / _PLACES  # of the heat given off by the hot stream up to here
        hot_enthalpy = found["h_h_in"] + share * (found["h_h_out"] - found["h_h_in"])
        cold_enthalpy = found["h_c_out"] + share * (found["h_c_in"] - found["h_c_out"])
        warm = hot.state(P=given["P_h"], h=hot_enthalpy * 1e3).T
        cool = cold.state(P=given["P_c"], h=cold_enthalpy * 1e3).T
        require(warm - cool >= _APPROACH, "temperatures cross")


def _require_liquid(substance: Substance, pressure: float, hottest: float) -> None:
    require(0.97 * pressure > substance.saturation(T=hottest).P, "a stream would boil")


def _draw_boiler(fluid: WorkingFluid, depth: str, draws: Draws) -> Givens:
    if fluid is WATER:
        pressure = draws.pressure("P", 0.6e6, 17e6)
        boiling = fluid.substance.saturation(P=pressure.si).T - KELVIN
        feed = draws.celsius("T_in", 25, min(boiling - 15, 250))
        steam = draws.celsius("T_out", boiling + 20, 610)
        source: tuple[Printed, ...] = (draws.kelvin("T_source", steam.si + 150, 1950),)
    else:  # the evaporator of an organic Rankine cycle
        pressure = draws.pressure("P", 1.2e6, 3.4e6)
        boiling = fluid.substance.saturation(P=pressure.si).T - KELVIN
        feed = draws.celsius("T_in", 26, min(boiling - 5, 45))
        steam = draws.celsius("T_out", boiling + 5, boiling + 60)
        source = (draws.kelvin("T_source", steam.si + 15, 700),)
    return Givens((feed, steam, pressure, *(source if depth != "A" else ())))


def _check_boiler(fluid: WorkingFluid, given: Mapping[str, float], found: Solution) -> None:
    boiling = fluid.substance.saturation(P=given["P"]).T
    require(given["T_in"] <= boiling - 3, "the feed would boil")
    require(given["T_out"] >= boiling + 3, "the vapour would be wet")
    require(found.get("s_gen", 1.0) > 0, "no entropy generation")


HEAT_EXCHANGER = Component(
    "heat_exchanger",
    "HX",
    draw=_draw_exchanger,
    solve=heat_exchange,
    check=_check_exchanger,
)
BOILER = Component(
    "boiler",
    "BLR",
    draw=_draw_boiler,
    solve=steam_raising,
    check=_check_boiler,
)
