"""Questions about the compression or expansion of an ideal gas: its temperature, its work and its power.

A question is answered only if every given value has a place in the process.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ansatz.agents.slide_rule.asked_quantities import Sought
from ansatz.agents.slide_rule.formulas import load_process_formulas
from ansatz.agents.slide_rule.processes import NotSolvable, SolutionSteps, needs_states, rename
from ansatz.agents.slide_rule.quantity_names import find_any_fluid, load_yaml, stem_words
from ansatz.agents.slide_rule.question import KnownQuantity, find_kind

_COMPRESSES, _EXPANDS = re.compile(r"\bcompress", re.I), re.compile(r"\b(?:expan[ds]|turbine)", re.I)
_CLOSED = re.compile(r"\b(?:piston|cylinder|closed)\b", re.I)
_ISOTHERMAL = re.compile(r"\bisothermal|\bconstant temperature\b", re.I)
_POLYTROPIC = re.compile(r"\bpolytrop", re.I)
_ADIABATIC = re.compile(
    r"\b(?:isentropic|adiabatic|reversibl|without (?:heat loss|heat exchange|friction)|ideal(?:ly)?\b)", re.I
)
_SLOTS = {"K": "T1", "kg/s": "m_dot", "kg": "m", "J/(kg*K)": "cp"}
_NAMED = {"gamma": "gamma", "k": "gamma", "kappa": "gamma", "cp": "cp", "c_p": "cp", "R": "R", "n": "n"}
_WORDS = {"effici": "eta", "exponent": "n", "heats": "gamma", "heat": "gamma"}


@dataclass
class GasProcess:
    """The stated values of a compression or an expansion, by symbol: T1, p1, p2, eta and others."""

    is_compression: bool
    kind: str
    """ "isothermal", "polytropic" or "isentropic"."""
    values: dict[str, KnownQuantity] = field(default_factory=dict)


def read_gas_process(body: str, givens: Sequence[KnownQuantity]) -> GasProcess | None:
    """Read a process of an ideal gas; None for any other question, or if a value has no place in it."""
    compresses, expands = bool(_COMPRESSES.search(body)), bool(_EXPANDS.search(body))
    gas = find_any_fluid(body)
    is_gas = gas in load_yaml("memory.yaml")["gas_constants"] or gas == "air" or "gas" in body.lower().split()
    if compresses == expands or not is_gas or needs_states(body):
        return None
    kind = "isothermal" if _ISOTHERMAL.search(body) else "polytropic" if _POLYTROPIC.search(body) else ""
    kind = kind or ("isentropic" if _ADIABATIC.search(body) else "")
    process = GasProcess(compresses, kind, {})
    pressures = [each for each in givens if each.kind == find_kind("Pa")]
    for given in givens:
        name = _find_slot(given, pressures)
        if not name or name in process.values:
            return None
        process.values[name] = given
    return process if kind and {"T1"} <= process.values.keys() else None


def _find_slot(given: KnownQuantity, pressures: Sequence[KnownQuantity]) -> str:
    """Return the symbol of a given value; an empty text if the process has none for it."""
    if given.kind == find_kind("Pa") and len(pressures) == 2:
        is_reversed = pressures[0].about.startswith("final")
        return "p2" if (given is pressures[1]) != is_reversed else "p1"
    if given.symbol in _NAMED:
        return _NAMED[given.symbol]
    if given.kind == find_kind("-"):
        if stem_words("ratio") <= given.words and not given.words & stem_words("compression volume heats"):
            return "r_p"
        return next((name for word, name in _WORDS.items() if word in given.words), "")
    if given.kind == find_kind("J/(kg*K)"):
        return "R" if stem_words("gas constant") <= given.words else "cp"
    if given.about.startswith("final"):
        return ""
    return next((name for unit, name in _SLOTS.items() if find_kind(unit) == given.kind), "")


def compute_gas_process(
    process: GasProcess, sought: Sought, steps: SolutionSteps, assumed: Sequence[KnownQuantity]
) -> KnownQuantity | None:
    """Compute the final temperature, a work or the power; None for anything else."""
    wanted = sought.head | stem_words(sought.name)
    kind = find_kind(sought.unit) if sought.unit else None
    values, formulas = process.values, load_process_formulas()
    is_energy = kind in map(find_kind, ("J/kg", "W", "J")) or bool(wanted & stem_words("work power"))
    is_temperature = kind == find_kind("K") or bool(wanted & stem_words("temperature"))
    if is_temperature == is_energy or (is_temperature and process.kind == "isothermal"):
        return None
    for name in ("gamma", "R", "cp"):
        if name not in values and (found := next((each for each in assumed if each.symbol == name), None)):
            values[name] = found
    ratio = _find_ratio(process, steps)
    if process.kind == "isothermal" or (process.kind == "polytropic" and is_energy):
        specific = _find_reversible_work(process, ratio, steps)
    else:
        final = _find_final_temperature(process, ratio, steps)
        if is_temperature:
            return None if values.keys() & {"m", "m_dot"} else final
        first, last = (final, values["T1"]) if process.is_compression else (values["T1"], final)
        cp = values.get("cp")
        if cp is None or (cp.reason and not values["R"].reason):
            cp = steps.add(formulas["specific_heat"], {"gamma": values["gamma"], "R": values["R"]})
        specific = steps.add(formulas["enthalpy_change"], {"cp": cp, "T_a": first, "T_b": last})
    if _CLOSED.search(sought.text) and process.kind != "isothermal":
        return None  # the work of a closed gas is another one
    flow = values.get("m_dot") or values.get("m")
    if flow is None:
        return specific
    formula, symbol = ("power_of_work", "m_dot") if "m_dot" in values else ("work_of_mass", "m")
    return steps.add(formulas[formula], {"w": specific, symbol: flow})


def _find_ratio(process: GasProcess, steps: SolutionSteps) -> KnownQuantity:
    """Find the final over the initial pressure."""
    values, formulas = process.values, load_process_formulas()
    if values.keys() >= {"p1", "p2"}:
        ratio = steps.add(formulas["pressure_ratio"], {"p1": values["p1"], "p2": values["p2"]})
    elif "r_p" in values and not values.keys() & {"p1", "p2"}:
        ratio = values["r_p"]
        if not process.is_compression and ratio.value > 1:
            ratio = steps.add(formulas["inverse_ratio"], {"r": ratio})
    else:
        raise NotSolvable("the pressure ratio is open")
    if (ratio.value > 1) != process.is_compression:
        raise NotSolvable("the pressures do not fit the process")
    return ratio


def _find_final_temperature(process: GasProcess, ratio: KnownQuantity, steps: SolutionSteps) -> KnownQuantity:
    values, formulas = process.values, load_process_formulas()
    if process.kind == "polytropic":
        if "n" not in values or "eta" in values:
            raise NotSolvable("the exponent is open")
        exponent = values["n"]
    else:
        exponent = values["gamma"]
    final = steps.add(
        formulas["cycle.isentropic_temperature"], {"T1": values["T1"], "r_p": ratio, "gamma": exponent}
    )
    if "eta" not in values:
        return final
    ideal = rename(final, "T2s", "temperature after the isentropic process")
    known = "temperature_rise" if process.is_compression else "temperature_drop"
    return steps.add(formulas[known], {"T1": values["T1"], "T2s": ideal, "eta": values["eta"]})


def _find_reversible_work(process: GasProcess, ratio: KnownQuantity, steps: SolutionSteps) -> KnownQuantity:
    """Find the work of an isothermal process or of a polytropic flow, as a positive number."""
    values, formulas = process.values, load_process_formulas()
    if "eta" in values or "R" not in values:
        raise NotSolvable("the work is open")
    if not process.is_compression:
        ratio = steps.add(formulas["inverse_ratio"], {"r": ratio})
    bound = {"R": values["R"], "T1": values["T1"], "r_p": ratio}
    if process.kind == "isothermal":
        return steps.add(formulas["isothermal_work"], bound)
    if not process.is_compression or "n" not in values:
        raise NotSolvable("the exponent is open")
    return steps.add(formulas["polytropic_work"], bound | {"n": values["n"]})
