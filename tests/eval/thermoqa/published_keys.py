"""The key of a question in the published format computed anew, by our property code, from its givens.

The published constant-cp air has R = 0.287 kJ/(kg·K) beside cp = 1.005 kJ/(kg·K) and k = 1.4, which together
ask for R = 0.28714: temperatures follow k there and entropies R. So do they here, unless a question says
R = c_p(k − 1)/k.
"""

import re
from dataclasses import replace

from ansatz.eval.benchmarks.thermoqa.components import COMPONENTS
from ansatz.eval.benchmarks.thermoqa.components.component import Media
from ansatz.eval.benchmarks.thermoqa.cycles.analysis import (
    energy_results,
    entropy_results,
    exergy_results,
    second_law_results,
)
from ansatz.eval.benchmarks.thermoqa.cycles.brayton import Brayton, RegenerativeBrayton
from ansatz.eval.benchmarks.thermoqa.cycles.givens import CONSTANT_CP, cycle, mass_flow, surroundings
from ansatz.eval.benchmarks.thermoqa.cycles.quantities import in_published_unit
from ansatz.knowledge_base.properties import ConstantHeatCapacityGas, Substance, substance

KELVIN = 273.15
STATED_AIR = Substance(ConstantHeatCapacityGas(cp=1005.0, k=1.4, stated_gas_constant=287.0))
PROPERTIES = {  # ending of a key: the property of a state, and its unit in SI
    **{"h_kJ_kg": ("h", 1e3), "u_kJ_kg": ("u", 1e3), "s_kJ_kgK": ("s", 1e3), "x": ("x", 1.0)},
    **{"v_m3_kg": ("v", 1.0), "rho_kg_m3": ("rho", 1.0), "P_kPa": ("P", 1e3), "T_C": ("T", 1.0)},
}


def recomputed(question):
    """Our value of every key that a question expects, in the published unit."""
    found = {1: _lookup, 2: _component, 3: _cycle}[question["tier"]](question, numbers(question))
    return {name: found[name] for name in question["expected"]}


def numbers(question):
    return {name: value for name, value in question["given"].items() if not isinstance(value, str)}


def _lookup(question, given):
    inputs = {PROPERTIES[key][0]: _si(key, value) for key, value in given.items()}
    if len(inputs) == 1:  # on the saturation line, on the side that the symbols name
        inputs["x"] = 1.0 if any(re.match(r"[hsvu]_g_", key) for key in question["expected"]) else 0.0
    at = substance(question["given"]["fluid"]).state(**inputs)
    return {key: at.phase if key == "phase_name" else _property(key, at) for key in question["expected"]}


def _si(key, value):
    return value + KELVIN if key == "T_C" else value * PROPERTIES[key][1]


def _property(key, at):
    """T_sat_C is a T_C, and h_f_kJ_kg the h_kJ_kg of a state on the saturation line."""
    symbol, factor = PROPERTIES[re.sub(r"_(?:sat|f|g)(?=_)", "", key)]
    value = getattr(at, symbol)
    return value - KELVIN if symbol == "T" else value / factor


def _component(question, given):
    inputs = dict(_component_si(key, value, question["question"]) for key, value in given.items())
    air = CONSTANT_CP if _exact(question) else STATED_AIR
    media = Media(air, air)
    if question["fluid"] != "Air":
        media = Media(working=substance(question["fluid"]), heating=substance("water"))
    found = COMPONENTS[question["component"]].solve(media, inputs)
    kelvin = {key for key, expected in question["expected"].items() if expected["unit"] == "K"}
    return {key: value + KELVIN if key in kelvin else value for key, value in found.items()}


def _component_si(key, value, text):
    """A published T1_C is in kelvin where the question says so."""
    symbol = re.sub(r"_(?:C|K|MPa)$", "", key)
    if key.endswith("_MPa"):
        return symbol, value * 1e6
    plain = not symbol.startswith("T") or key.endswith("_K") or f"{value} K" in text
    return symbol, value if plain else value + KELVIN


def _cycle(question, given):
    """An isentropic device generates nothing by definition, whatever the stated R makes of its entropies."""
    made = cycle(question["cycle_type"], given)
    if isinstance(made, Brayton | RegenerativeBrayton) and made.air == CONSTANT_CP and not _exact(question):
        made = replace(made, air=STATED_AIR)
    states = made.states()
    found = energy_results(made, states, mass_flow(given))
    if "s_gen_total" in question["expected"]:
        around = surroundings(given)
        ideal = {"RNK-I": ("pump", "turb"), "BRY-I": ("comp", "turb")}.get(question["cycle_type"], ())
        real = tuple(each for each in made.components(states, around) if each.name not in ideal)
        found |= {f"s_gen_{name}": 0.0 for name in ideal} | entropy_results(real, states)
        found |= exergy_results(made, real, states, around.dead) | second_law_results(found, around)
    # closing errors of balances are nothing but rounding
    found |= {name: round(value, 12) for name, value in found.items() if name.startswith("energy_balance")}
    return {
        name: in_published_unit(name, value) for name, value in found.items() if name in question["expected"]
    }


def _exact(question):
    return "R = c_p(k − 1)/k" in question["question"]
