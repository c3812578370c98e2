"""Find the state of a fluid from any pair of inputs, with CoolProp's equations of state.

CoolProp solves pairs that it supports and that determine one state; `curves` finds all states of other pairs.
If several states have the inputs, an error lists them. States above 100 MPa, where steam tables end, do not
count if another state fits; only their pressure is reported.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ansatz.errors import AmbiguousStateError, PropertyError
from ansatz.knowledge_base.properties.curves import LOWEST_PRESSURE, boiling_point, find_states
from ansatz.knowledge_base.properties.flash import Flash, Inputs, ZeroPoint
from ansatz.knowledge_base.properties.substance import State, Substance


@dataclass(frozen=True)
class CoolPropFluid(Substance):
    """A fluid of CoolProp."""

    name: str
    backend: str
    """CoolProp's backend, HEOS or IF97."""
    substance: str
    """CoolProp's name of the fluid."""
    reference: ZeroPoint | None = None
    """The zero of h, s and u; None for CoolProp's default."""

    def _find_state(self, inputs: Inputs) -> State:
        flash = Flash(self.backend, self.substance, self.reference)
        self._refuse_below_triple_point(flash, inputs)
        if "x" in inputs:
            self._refuse_quality_above_critical(flash, inputs)
        if inputs.keys() == {"T", "P"}:
            pressure = boiling_point(flash, "T", inputs["T"])
            if pressure is not None and math.isclose(pressure, inputs["P"], rel_tol=1e-4):
                raise PropertyError("T and P do not fix the state on the saturation line; give x with T or P")
        twins: list[Inputs] = []
        if not flash.reaches(inputs):
            one, twins = self._find_one(flash, inputs)
            flash.update(one)
        if not flash.determines(inputs):
            raise self._not_solved(inputs)
        found = replace(flash.state(self.name), twin_pressures=tuple(twin["P"] for twin in twins))
        return _shift_along_isobar(found, inputs)

    def _find_one(self, flash: Flash, inputs: Inputs) -> tuple[Inputs, list[Inputs]]:
        """Return the state with these inputs, and further states above the pressures of steam tables."""
        solutions = find_states(flash, inputs)
        if not solutions.is_complete:
            raise self._not_solved(inputs)
        beyond = [state for state in solutions.states if state.get("P", 0.0) > _TABLES_END]
        within = [state for state in solutions.states if state not in beyond]
        if len(within) > 1 or (len(beyond) > 1 and not within):
            choices = " or ".join(map(_format_inputs, solutions.states))
            raise AmbiguousStateError(
                f"{_format_inputs(inputs)} fits more than one state of {self.name}: {choices}",
                solutions.states,
            )
        if solutions.states:
            return (within or beyond)[0], beyond if within else []
        coldest, hottest = flash.temperatures
        raise PropertyError(
            f"{self.name} has no fluid state with {_format_inputs(inputs)}; its equation of state covers"
            f" {coldest:.6g} K to {hottest:.6g} K and {LOWEST_PRESSURE / 1e3:.6g} kPa to"
            f" {flash.highest_pressure / 1e3:.6g} kPa"
        )

    def _not_solved(self, inputs: Inputs) -> PropertyError:
        return PropertyError(
            f"the state of {self.name} cannot be solved from these two, {_format_inputs(inputs)};"
            " give T with P, or x with T or P"
        )

    def _refuse_below_triple_point(self, flash: Flash, inputs: Inputs) -> None:
        coldest = flash.temperatures[0]
        if inputs.get("T", math.inf) < coldest - 1e-6 and math.isclose(coldest, flash.triple_temperature):
            raise PropertyError(
                f"{self.name} has no fluid state with {_format_inputs(inputs)}: its equation of state begins"
                f" at the triple point, {coldest:.6g} K ({coldest - 273.15:.6g} degC), below which it is"
                " solid or a thin vapour over ice"
            )

    def _refuse_quality_above_critical(self, flash: Flash, inputs: Inputs) -> None:
        for symbol, name, other in (("P", "pressure", "T"), ("T", "temperature", "P")):
            if inputs.get(symbol, 0.0) > flash.critical[symbol]:
                scale, unit = _SHOWN[symbol]
                raise PropertyError(
                    f"{symbol} is above the critical {name} of {self.name}"
                    f" ({flash.critical[symbol] * scale:.6g} {unit}), where there is no quality x;"
                    f" give {other} with {symbol}"
                )


def _shift_along_isobar(found: State, inputs: Inputs) -> State:
    """Move a state to exactly the requested h or s at P, by dh = T ds.

    CoolProp iterates to about 1e-9 of h, which matters in small differences, such as the work of a pump.
    """
    if inputs.keys() == {"P", "h"}:
        rise = inputs["h"] - found.h
    elif inputs.keys() == {"P", "s"}:
        rise = found.T * (inputs["s"] - found.s)
    else:
        return found
    return replace(found, h=found.h + rise, s=found.s + rise / found.T, u=found.u + rise)


_TABLES_END = 100e6  # Pa, upper limit of IAPWS-IF97
_SHOWN = {
    "T": (1.0, "K"),
    "P": (1e-3, "kPa"),
    "h": (1e-3, "kJ/kg"),
    "s": (1e-3, "kJ/(kg*K)"),
    "u": (1e-3, "kJ/kg"),
    "x": (1.0, ""),
    "rho": (1.0, "kg/m^3"),
}


def _format_inputs(inputs: Inputs) -> str:
    shown = [
        f"{symbol} = {inputs[symbol] * scale:.6g} {unit}".strip()
        for symbol, (scale, unit) in _SHOWN.items()
        if symbol in inputs
    ]
    if "rho" in inputs:  # may have been given as v
        shown[-1] += f" (v = {1 / inputs['rho']:.6g} m^3/kg)"
    return " and ".join(shown)
