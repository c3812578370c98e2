"""Give the model accurate property tables of water, refrigerants and gases."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from ansatz.agents import AgentPlan
from ansatz.errors import PropertyError
from ansatz.interventions.intervention import Intervention, make_tool, read_prompt
from ansatz.knowledge_base.properties import describe_saturation, describe_state, fluid_name
from ansatz.settings import settings

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


ALL = "all"
"""Selects every fluid of CoolProp."""


@settings()
class FluidProperties(Intervention):
    """Property tools (fluid_state, saturation_state) for water, R134a, air and other fluids.

    Example: `FluidProperties(fluids=("all",))`.
    """

    fluids: tuple[str, ...] = ("water", "R134a", "air", "carbon dioxide", "methane", "nitrogen")
    """The fluids that the tools know, each with its variants, such as water (IF97). Also possible: oxygen,
    argon, ammonia, propane, R32, R1234yf, R410A, R407C, any other of CoolProp, and "all" for every fluid."""

    def __post_init__(self) -> None:
        named = tuple(fluid if fluid == ALL else fluid_name(fluid) for fluid in self.fluids)
        object.__setattr__(self, "fluids", named)

    def apply(self, plan: AgentPlan) -> AgentPlan:
        tools = (partial(make, self.fluids) for make in (make_state_tool, make_saturation_tool))
        return plan.equip(*tools).instruct(read_prompt("fluid_properties"))


def make_state_tool(fluids: tuple[str, ...]) -> BaseTool:
    """Make the tool `fluid_state` for these fluids."""

    async def fluid_state(fluid: str, first: str, second: str, properties: list[str]) -> str:
        """Properties of a fluid at the state fixed by two of T, P, h, s, v, rho, u, x.

        Fluids: {fluids}. R134a has h = 200 kJ/kg and s = 1 kJ/(kg*K) for saturated liquid at 0 degC;
        "R134a (ASHRAE)" has h = s = 0 at -40 degC, "R134a (NBP)" at 101.325 kPa. Air is an ideal gas with
        variable specific heats and the zero of textbook tables; "air (real gas)" is a real gas.

        Args:
            fluid: Name of the fluid.
            first: One known property with its unit, such as "T = 291 degC".
            second: Another, such as "P = 11200 kPa" or "x = 0.52".
            properties: What to return, of T, P, h, s, v, rho, u, x, cp, cv, k, speed_of_sound, viscosity,
                conductivity, T_sat, P_sat, phase.
        """
        _check_fluid(fluid, fluids)
        return await asyncio.to_thread(describe_state, fluid, (first, second), properties)

    return _make_tool_for(fluid_state, fluids)


def make_saturation_tool(fluids: tuple[str, ...]) -> BaseTool:
    """Make the tool `saturation_state` for these fluids."""

    async def saturation_state(fluid: str, at: str) -> str:
        """T_sat, P_sat and the h, s, v, u of saturated liquid (f) and saturated vapour (g).

        Fluids: {fluids}.

        Args:
            fluid: Name of the fluid.
            at: A saturation temperature or pressure with its unit, such as "P = 2150 kPa".
        """
        _check_fluid(fluid, fluids)
        return await asyncio.to_thread(describe_saturation, fluid, at)

    return _make_tool_for(saturation_state, fluids)


def _make_tool_for(function: Callable[..., Awaitable[str]], fluids: tuple[str, ...]) -> BaseTool:
    tool = make_tool(function)
    names = (
        "water, R134a, air and every other fluid of CoolProp by its name"
        if ALL in fluids
        else ", ".join(fluids)
    )
    return tool.model_copy(update={"description": tool.description.format(fluids=names)})


def _check_fluid(fluid: str, fluids: tuple[str, ...]) -> None:
    name = fluid_name(fluid)
    if ALL not in fluids and name not in fluids and name.partition(" (")[0] not in fluids:
        raise PropertyError(f"{name} is not offered here; the fluids are {', '.join(fluids)}")
