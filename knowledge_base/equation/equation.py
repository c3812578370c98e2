"""An equation that can be executed, checked for dimensions, guarded by its regime, and cited."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from ansatz.knowledge_base.equation.entry import Entry, EvaluationError
from ansatz.knowledge_base.equation.inverse import Inverse
from ansatz.knowledge_base.equation.validity import guard
from ansatz.quantities.did_you_mean import nearest

if TYPE_CHECKING:
    import pint

    from ansatz.knowledge_base.equation.entry import Given


class Equation(Entry):
    """An entry at work: evaluated with units, turned round, checked and shown."""

    def solve_for(self, symbol: str) -> Inverse:
        """The equation turned round: in closed form where there is one branch, else by a bracketed search.

        Raises EvaluationError for an unknown symbol.
        """
        if symbol not in self.symbols:
            raise EvaluationError(f"{self.id} has no symbol {symbol!r}{nearest(symbol, self.symbols)}")
        return self._inverses.setdefault(symbol, Inverse(self, symbol))

    @cached_property
    def _inverses(self) -> dict[str, Inverse]:
        return {}

    def evaluate(
        self, regime: Literal["warn", "refuse"] = "warn", /, **quantities: Given
    ) -> pint.Quantity[Any]:
        """The output as a quantity, for inputs such as V="6800 m/s"; bare numbers only where unitless.

        Raises EvaluationError for an unknown or missing symbol and for wrong dimensions. Values outside the
        regime warn with a RegimeWarning; with "refuse" as first argument they raise EvaluationError.
        """
        from ansatz.quantities.units import parse_unit, registry

        self._check_inputs(quantities)
        numbers = {name: self.number(name, given) for name, given in quantities.items()}
        value = self.value(**numbers)
        guard(self, numbers, regime)
        return registry().Quantity(value, parse_unit(self.symbols[self.output].unit))

    def dimension_check(self) -> str | None:
        """Why the formula does not balance, or None when it does."""
        from ansatz.knowledge_base.equation.dimensional_analysis import imbalance

        return imbalance(self)

    def sheet(self, number: int | None = None, conditions: bool = True, latex: bool = False) -> str:
        """The entry as a reference sheet shows it, headed [E`number`]."""
        from ansatz.knowledge_base.equation.reference_sheet import sheet

        return sheet(self, number, conditions, latex)
