"""Evaluate and solve equations with units, and check their regime."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal

from ansatz.errors import EvaluationError, ExpressionError, RegimeWarning
from ansatz.knowledge_base.equation.entry import Branch, Entry
from ansatz.knowledge_base.equation.grammar import Relation
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.unit_writing import format_unit

if TYPE_CHECKING:
    import pint

    Given = float | str | pint.Quantity[Any]

OutsideRegime = Literal["warn", "refuse"]
_WIDER = 1000.0  # factor by which the search for a root extends the sampling range
_POINTS = 400  # of a scan for changes of sign


class Equation(Entry):
    """An entry that can be evaluated with units, solved for any symbol, checked and printed."""

    def evaluate(self, regime: OutsideRegime = "warn", /, **quantities: Given) -> pint.Quantity[Any]:
        """Return the output for inputs such as V="6800 m/s".

        Parameters:
            regime: What to do with values outside the regime: "warn" with a RegimeWarning, or "refuse" with
                an EvaluationError.
            quantities: The inputs by symbol. Bare numbers are accepted only for dimensionless inputs.

        Raises:
            EvaluationError: A symbol is unknown or missing, or a dimension is wrong.
        """
        return self._solve_quantity(self.output, regime, quantities)

    def solve_for(
        self, symbol: str, regime: OutsideRegime = "warn", /, **quantities: Given
    ) -> pint.Quantity[Any]:
        """Return any symbol from all others; parameters and errors are those of `evaluate`.

        The search is limited to the symbol's `valid` range. Of several roots, `branch` selects the value.

        >>> from ansatz.knowledge_base.equation import library
        >>> orbit = library().get("astro.circular_speed")
        >>> f"{orbit.solve_for('r', v_c='7.6686 km/s', mu='398600.44 km^3/s^2').to('km'):.0f}"
        '6778 kilometer'
        """
        return self._solve_quantity(symbol, regime, quantities)

    def _solve_quantity(
        self, symbol: str, regime: OutsideRegime, quantities: Mapping[str, Given]
    ) -> pint.Quantity[Any]:
        from ansatz.quantities.units import parse_unit, registry

        self._check_given(quantities, symbol)
        numbers = {name: self._convert_input(name, given) for name, given in quantities.items()}
        if symbol == self.output:
            value, checked = self.value(**numbers), numbers
        else:
            value = self.solve(symbol, **numbers)
            checked = {**numbers, symbol: value}
        for violation in find_violations(self, checked):
            if regime == "refuse":
                raise EvaluationError(f"{self.id}: {violation}")
            # Attribute the warning to the caller of evaluate or solve_for.
            warnings.warn(f"{self.id}: {violation}", RegimeWarning, stacklevel=3)
        return registry().Quantity(value, parse_unit(self.symbols[symbol].unit))

    def value(self, **numbers: float) -> float:
        """Return the output for inputs as numbers in the declared units. Raises EvaluationError."""
        if self.expr is None:
            return self.solve(self.output, **numbers)
        self._check_given(numbers, self.output)
        try:
            return self.formula({**self.constant_values, **numbers})
        except ExpressionError as error:
            reason = "; ".join(find_violations(self, numbers)) or error
            raise EvaluationError(f"{self.id}: {reason}") from error

    def solve(self, symbol: str, **numbers: float) -> float:
        """Return the value of `symbol` for which the equation holds, from all others in declared units.

        Of several roots, `branch` selects the value. Raises EvaluationError.
        """
        self._check_given(numbers, symbol)
        known = {**self.constant_values, **numbers}

        def residual(trial: float) -> float:
            known[symbol] = trial
            return self.formula(known) - (0.0 if self.expr is None else known[self.output])

        try:
            for low, high in self._search_ranges(symbol):
                for found in find_roots(residual, (low, high), self.branch):
                    return found
        except ExpressionError as error:  # the formula has no value next to a root
            raise EvaluationError(f"{self.id}: {error}") from error
        raise EvaluationError(f"{self.id}: no solution for {symbol} between {low:g} and {high:g}")

    def _search_ranges(self, symbol: str) -> tuple[tuple[float, float], ...]:
        """Return the ranges to search for a root: the sampling range, then one a thousand times as wide.

        The wider range ends at the limits of `valid`. Angles are searched in the sampling range only, because
        a wider one would include their repetitions.
        """
        variable = self.symbols[symbol]
        least, most = variable.valid.interval[:2] if variable.valid else (-math.inf, math.inf)
        low, high = variable.sample or (least, most)
        if math.isinf(high - low):
            raise EvaluationError(f"{self.id}: {symbol} has no range to search")
        if variable.unit == "rad":
            return ((low, high),)
        wider = (low / _WIDER if low >= 0 else low * _WIDER, high * _WIDER if high > 0 else high / _WIDER)
        return ((low, high), (max(wider[0], least), min(wider[1], most)))

    def _check_given(self, given: Iterable[str], wanted: str) -> None:
        if wanted not in self.symbols:
            raise EvaluationError(f"{self.id} has no symbol {wanted!r}{nearest(wanted, self.symbols)}")
        inputs = [name for name in self.symbols if name != wanted]
        for name in given:
            if name not in inputs:
                raise EvaluationError(f"{self.id} has no input {name!r}{nearest(name, inputs)}")
        if missing := [name for name in inputs if name not in given]:
            needed = ", ".join(f"{name} [{format_unit(self.symbols[name].unit)}]" for name in missing)
            raise EvaluationError(f"{self.id} needs {needed}")

    def _convert_input(self, name: str, given: Given) -> float:
        """Convert a quantity to a number in the declared unit of a symbol."""
        from ansatz.errors import UnitError
        from ansatz.quantities.units import get_magnitude, parse_unit, quantity, read_number_and_unit

        unit = self.symbols[name].unit
        try:
            read = quantity(*read_number_and_unit(given, unit)) if isinstance(given, str) else quantity(given)
            if read.unitless and not parse_unit(unit).dimensionless:
                raise UnitError(f"it needs a unit, such as '{read.magnitude:g} {unit}'")
            number = get_magnitude(read, unit, name in self.temperature_differences)
        except UnitError as error:
            raise EvaluationError(f"{self.id}: {name}: {error}") from error
        if not math.isfinite(number):
            raise EvaluationError(f"{self.id}: {name} is not a finite number")
        return number

    def sheet(self, number: int | None = None, conditions: bool = True, latex: bool = False) -> str:
        """Format the entry for a reference sheet, with the heading [E`number`]; see `format_sheet`."""
        from ansatz.knowledge_base.equation.reference_sheet import format_sheet

        return format_sheet(self, number, conditions, latex)


def find_violations(equation: Entry, numbers: Mapping[str, float]) -> tuple[str, ...]:
    """Return the violations of the `valid` ranges, the required conditions and `holds_where` by numbers."""
    from ansatz.quantities.units import convert_number

    violations = []
    ranges = (variable.valid for variable in equation.symbols.values() if variable.valid is not None)
    for predicate in (*ranges, *equation.regime.require):
        if predicate.var not in numbers or predicate.accepted or predicate.refused:
            continue
        unit, number = equation.units[predicate.var], numbers[predicate.var]
        if predicate.unit and predicate.unit != unit:
            number = convert_number(number, unit, predicate.unit)
        if not predicate.admits(number):
            source = f" ({predicate.source})" if predicate.source else ""
            violations.append(f"needs {predicate.describe()}, not {predicate.var} = {number:.6g}{source}")
    for bound in equation.holds_where:
        relation, known = Relation.parse(bound.expr), {**equation.constant_values, **numbers}
        if relation.names <= known.keys() and not _is_fulfilled(relation, known):
            violations.append(f"needs {bound.expr} ({bound.note})")
    return tuple(violations)


def _is_fulfilled(relation: Relation, numbers: Mapping[str, float]) -> bool:
    """Whether a relation holds and has a value at these numbers."""
    try:
        return relation.holds(numbers)
    except ExpressionError:
        return False


def find_roots(
    function: Callable[[float], float], domain: tuple[float, float], branch: Branch = "lowest"
) -> Iterator[float]:
    """Yield the distinct roots on a domain, from the lowest or from the highest.

    A domain of more than two decades is scanned in equal ratios, any other in equal steps. Roots without a
    change of sign are not found. Points without a value are skipped, and poles are no roots.
    """
    from scipy.optimize import brentq

    points = _make_grid(*domain) if branch == "lowest" else _make_grid(*domain)[::-1]
    latest, values = math.nan, ((point, _evaluate_or_nan(function, point)) for point in points)
    for ends in pairwise(values):  # evaluated as far as roots are wanted
        (low, at_low), (high, at_high) = sorted(ends, key=itemgetter(0))
        roots = [point for point, value in ((low, at_low), (high, at_high)) if value == 0]
        if at_low < 0 < at_high or at_high < 0 < at_low:
            crossing = float(brentq(function, low, high, xtol=1e-300, rtol=1e-14, maxiter=200))
            if abs(_evaluate_or_nan(function, crossing)) <= max(abs(at_low), abs(at_high)):
                roots.append(crossing)
        for root in roots:
            if not math.isclose(root, latest, rel_tol=1e-9, abs_tol=1e-300):
                yield (latest := root)


def _make_grid(low: float, high: float) -> list[float]:
    if low > 0 and high / low > 100:
        ratio = math.log(high / low) / _POINTS
        return [low * math.exp(ratio * step) for step in range(_POINTS)] + [high]
    return [low + (high - low) * step / _POINTS for step in range(_POINTS)] + [high]


def _evaluate_or_nan(function: Callable[[float], float], point: float) -> float:
    try:
        return function(point)
    except ExpressionError:
        return math.nan
