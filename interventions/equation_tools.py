"""Let the model search the knowledge base and evaluate its equations, units and regime checked."""

from __future__ import annotations

import warnings
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from ansatz.agents import AgentPlan
from ansatz.interventions.equation_retrieval import EquationSearch
from ansatz.interventions.intervention import Intervention, prompt, tool_of
from ansatz.quantities.unit_writing import format_unit
from ansatz.settings import settings

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


@settings()
class EquationTools(EquationSearch, Intervention):
    """Tools to search the equation base and evaluate an equation by its id.

    Each search is made with the settings of `EquationRetrieval`.

    Example: `EquationTools(ranker="bm25")`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.equip(partial(_search_tool, self.sheet), _evaluate_tool).instruct(
            prompt("equation_tools")
        )


def _search_tool(sheet: Callable[[str], Awaitable[str]]) -> BaseTool:
    async def search_equations(query: str) -> str:
        """Search the equation base and get a reference sheet with units and applicability conditions.

        Args:
            query: The problem, or keywords and the regime (Mach number, geometry, laminar or turbulent, gas).
        """
        return await sheet(query)

    return tool_of(search_equations)


def _evaluate_tool() -> BaseTool:
    async def evaluate_equation(id: str, values: dict[str, str]) -> str:
        """Evaluate an equation of the base; units are converted and checked.

        Args:
            id: The equation's id as in the reference sheet, such as "heating.sutton_graves.earth".
            values: A value with unit for every input symbol, such as {"V": "6800 m/s", "Rn": "0.6 m"}.
        """
        from ansatz.knowledge_base.equation import library

        equation = library().get(id)
        with warnings.catch_warnings(record=True) as noticed:
            warnings.simplefilter("always")
            result = equation.evaluate(**values)
        unit = format_unit(equation.symbols[equation.output].unit)
        found = f"{equation.output} = {result.magnitude:.10g} {unit}"
        return "\n".join([found, *(f"Note: {each.message}" for each in noticed)])

    return tool_of(evaluate_equation)
