"""Templates whose steps are formulas in SI units and radians, which can call the functions of their set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, ClassVar

import numpy as np
from pydantic import Field, model_validator

from ansatz.errors import ExpressionError
from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.templates.template import Numbers, Template
from ansatz.eval.benchmarks.templates.template_parts import StepSpec, TemplatePart, WrongBranch
from ansatz.knowledge_base.equation import Expression, Relation
from ansatz.quantities.units import quantity

Functions = Mapping[str, Callable[..., Any]]
_RESULT = re.compile(r"(?P<gives>[A-Za-z]\w*) \[(?P<unit>[^\]]+)\]")
_STEP = re.compile(rf"{_RESULT.pattern} = (?P<expression>.+)")


class CataloguedFormula(TemplatePart):
    """A formula that solutions can use."""

    text: str = Field(min_length=1)
    """The formula as a solution prints it."""
    source: str = Field(min_length=1)
    """The source of the formula."""
    equations: tuple[str, ...] = ()
    """The ids of the formula, or of its parts, in the knowledge base."""


class FormulaStep(StepSpec):
    """A step in SI units: the line `symbol [unit] = formula`, or a search `find: symbol [unit]`.

    A search has `between`, `zero` and the `steps` that every trial value needs.
    """

    steps: tuple[FormulaStep, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _parse_text(cls, text: object) -> object:
        if isinstance(text, Mapping) and "find" in text:
            found = _RESULT.fullmatch(" ".join(str(text["find"]).split()))
            if not found:
                raise ValueError("find: must be written as `symbol [unit]`")
            return {**{key: each for key, each in text.items() if key != "find"}, **found.groupdict()}
        found = _STEP.fullmatch(" ".join(text.split())) if isinstance(text, str) else None
        if not found:
            raise ValueError("must be written as `symbol [unit] = formula`")
        return found.groupdict()


class FormulaBranch(WrongBranch):
    """A tempting mistake with its formulas in SI units."""

    instead: tuple[FormulaStep, ...] = Field(min_length=1)


class SITemplate(Template):
    """A template whose formulas are in SI units and can call `functions`."""

    functions: ClassVar[Functions]

    steps: tuple[FormulaStep, ...] = ()
    branches: Mapping[str, FormulaBranch] = Field(default={}, alias="traps")

    def value(self, formula: str, numbers: Numbers, unit: str = "-") -> Any:
        """Return a float or a vector; the formula is in SI units and radians. Raises Infeasible."""
        parsed = self.parse(formula)
        try:
            found = parsed(self._in_si_units(parsed.names, numbers)) / si_factor(unit)
        except ExpressionError as error:
            raise Infeasible(str(error)) from error
        if not np.all(np.isfinite(found)):
            raise Infeasible(f"{formula} has no finite value")
        return found if np.ndim(found) else float(found)

    def holds(self, condition: str, numbers: Numbers) -> bool:
        relation = Relation.parse(condition, self.functions)
        return relation.holds(self._in_si_units(relation.names, numbers))

    @classmethod
    def parse(cls, formula: str) -> Expression:
        return _parse_formula(formula, cls)

    def _in_si_units(self, names: Iterable[str], numbers: Numbers) -> dict[str, Any]:
        return {name: numbers[name] * si_factor(self.units[name]) for name in names}


@cache
def _parse_formula(text: str, template: type[SITemplate]) -> Expression:
    return Expression.parse(text, template.functions)


@cache
def si_factor(unit: str) -> float:
    """Return the factor from `unit` to SI units, with angles in radians."""
    return float(quantity(1.0, unit).to_base_units().magnitude)
