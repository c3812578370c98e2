"""Let the model search the knowledge base and evaluate its equations, with checks of units and regime."""

from __future__ import annotations

import warnings
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from ansatz.agents import AgentPlan
from ansatz.interventions.equation_retrieval import EquationSearch
from ansatz.interventions.intervention import Intervention, make_tool, read_prompt
from ansatz.quantities.unit_writing import format_unit
from ansatz.settings import settings

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


@settings()
class EquationTools(EquationSearch, Intervention):
    """Tools to search the equation base and to evaluate an equation by its id.

    Example: `EquationTools(ranker="bm25")`.
    """

    def apply(self, plan: AgentPlan) -> AgentPlan:
        search_tool = partial(_make_search_tool, self.find_sheet)
        return plan.equip(search_tool, _make_evaluation_tool).instruct(read_prompt("equation_tools"))


def _make_search_tool(find_sheet: Callable[[str], Awaitable[str]]) -> BaseTool:
    async def search_equations(query: str) -> str:
        """Search the equation base and get a reference sheet with units and applicability conditions.

        Args:
            query: The problem, or keywords and the regime (Mach number, geometry, laminar or turbulent, gas).
        """
        return await find_sheet(query)

    return make_tool(search_equations)


def _make_evaluation_tool() -> BaseTool:
    async def evaluate_equation(id: str, values: dict[str, str]) -> str:
        """Evaluate an equation of the base; units are converted and checked.

        Args:
            id: The equation's id as in the reference sheet, such as "heating.sutton_graves.earth".
            values: A value with unit for every input symbol, such as {"V": "6800 m/s", "Rn": "0.6 m"}.
        """
        from ansatz.knowledge_base.equation import library

        equation = library().get(id)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = equation.evaluate(**values)
        unit = format_unit(equation.symbols[equation.output].unit)
        first_line = f"{equation.output} = {result.magnitude:.10g} {unit}"
        return "\n".join([first_line, *(f"Note: {warning.message}" for warning in caught)])

    return make_tool(evaluate_equation)
