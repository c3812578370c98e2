"""Does every line of a derivation follow from those before it? By SymPy, and by numbers at random points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from ansatz.eval.benchmarks.tps.derivation import ArgumentStep, domain
from ansatz.eval.benchmarks.tps.template import Template
from ansatz.eval.reading.closed_form import points, within
from ansatz.knowledge_base.equation import Expression, ExpressionError

_SECONDS = 10.0
_POINTS = 5
_NEAR = 1e-3  # relative step to either side of an extremum
_FAR = 1e6  # what stands for infinity; its inverse stands for zero

Point = Mapping[str, float]


def argument_faults(template: Template) -> Iterator[str]:
    """One line per step of a derivation that does not follow, and one for a conclusion that is another."""
    wanted = template.derivation
    if wanted is None:
        return
    givens = {symbol: domain(template.givens[symbol]) for symbol in wanted.symbols}
    chain = _Chain({**givens, **wanted.ranges})
    for index, step in enumerate(wanted.argument):
        try:
            reason = within(_SECONDS, partial(chain.follow, step))
        except (ExpressionError, TimeoutError, ArithmeticError, ValueError, TypeError) as error:
            reason = str(error) or type(error).__name__
        if reason:
            yield f"{template.id}: derivation.argument[{index}]: {step.gives}: {reason}"
            return
    try:
        closed = chain.expanded(wanted.closed_form)
    except ExpressionError as error:
        yield f"{template.id}: derivation.closed_form: {error}"
        return
    if not _vanishes(chain.known[wanted.argument[-1].gives] - closed):
        yield f"{template.id}: derivation.closed_form: is not what the argument ends with"


class _Chain:
    """What has been derived so far, in terms of symbols and free variables alone, all positive."""

    def __init__(self, ranges: Mapping[str, tuple[float, float]]) -> None:
        self._ranges = ranges
        self.known: dict[str, Any] = {}

    def follow(self, step: ArgumentStep) -> str:
        """Add a step; why it does not follow, "" where it does."""
        claimed = self.expanded(step.result)
        if step.by != "definition":
            put = {_positive(name): self.expanded(text) for name, text in step.at.items()}
            source = self.expanded(step.of, step.gives if step.by == "solution" else "").subs(put)
            check: Callable[[ArgumentStep, Any, Any], str] = getattr(self, f"_{step.by}")
            if reason := check(step, source, claimed):
                return reason
        self.known[step.gives] = claimed
        return ""

    def expanded(self, text: str, but: str = "") -> Any:
        """An expression without the names of earlier results."""
        found = Expression.parse(text).sympy()
        known = {name: value for name, value in self.known.items() if name != but}
        return found.subs({name: known.get(name.name, _positive(name.name)) for name in found.free_symbols})

    def _algebra(self, step: ArgumentStep, source: Any, claimed: Any) -> str:
        return self._equal(source, claimed)

    def _solution(self, step: ArgumentStep, source: Any, claimed: Any) -> str:
        unknown = _positive(step.gives)
        if not _vanishes(source.subs(unknown, claimed)):
            return "does not solve it, says SymPy"
        for point in self._points(source, claimed):
            there, beside = ({**point, step.gives: _value(claimed, point) * by} for by in (1.0, 1.0 + _NEAR))
            if abs(_value(source, there)) > 1e-6 * abs(_value(source, beside)):
                return f"does not solve it at {dict(point)}"
        return ""

    def _derivative(self, step: ArgumentStep, source: Any, claimed: Any) -> str:
        if not _vanishes(source.diff(_positive(step.over)) - claimed):
            return "is not the derivative, says SymPy"
        for point in self._points(source, claimed):
            width = 1e-4 * point[step.over]
            above, below = ({**point, step.over: point[step.over] + by} for by in (width, -width))
            slope = (_value(source, above) - _value(source, below)) / (2 * width)
            if not _close(slope, _value(claimed, point), 1e-4):
                return f"is not the derivative at {dict(point)}"
        return ""

    def _integral(self, step: ArgumentStep, source: Any, claimed: Any) -> str:
        import sympy
        from scipy.integrate import quad

        over, low = _positive(step.over), self.expanded(step.low)
        high = sympy.oo if step.high == "inf" else self.expanded(step.high)
        if not _vanishes(sympy.integrate(source, (over, low, high)) - claimed):
            return "is not the integral, says SymPy"
        for point in self._points(source, claimed, low, high):
            area, _ = quad(
                lambda at, point=point: _value(source, {**point, step.over: at}),
                _value(low, point),
                _value(high, point),
            )
            if not _close(area, _value(claimed, point), 1e-6):
                return f"is not the integral at {dict(point)}"
        return ""

    def _maximum(self, step: ArgumentStep, source: Any, claimed: Any) -> str:
        return self._extremum(step, source, claimed, 1.0)

    def _minimum(self, step: ArgumentStep, source: Any, claimed: Any) -> str:
        return self._extremum(step, source, claimed, -1.0)

    def _extremum(self, step: ArgumentStep, source: Any, claimed: Any, sign: float) -> str:
        over = _positive(step.over)
        if not _vanishes(source.diff(over).subs(over, claimed)):
            return "is not stationary there, says SymPy"
        for point in self._points(source, claimed):
            best = _value(claimed, point)
            top, *sides = (
                sign * _value(source, {**point, step.over: best * by})
                for by in (1.0, 1.0 + _NEAR, 1.0 - _NEAR)
            )
            if max(sides) >= top:
                return f"is no {step.by} at {dict(point)}"
        return ""

    def _limit(self, step: ArgumentStep, source: Any, claimed: Any) -> str:
        import sympy

        end = sympy.oo if step.to == "inf" else self.expanded(step.to)
        if not _vanishes(
            sympy.limit(source, _positive(step.over), end, "-" if step.to == "inf" else "+") - claimed
        ):
            return "is not the limit, says SymPy"
        for point in self._points(source, claimed):
            near = _FAR if step.to == "inf" else _value(end, point) + 1.0 / _FAR
            if not _close(_value(source, {**point, step.over: near}), _value(claimed, point), 1e-3):
                return f"is not the limit at {dict(point)}"
        return ""

    def _equal(self, left: Any, right: Any) -> str:
        if not _vanishes(left - right):
            return "does not follow, says SymPy"
        for point in self._points(left, right):
            if not _close(_value(left, point), _value(right, point), 1e-8):
                return f"is not equal at {dict(point)}"
        return ""

    def _points(self, *expressions: Any) -> Iterator[Point]:
        names = sorted({symbol.name for each in expressions for symbol in each.free_symbols})
        return points(names, self._ranges, _POINTS)


def _positive(name: str) -> Any:
    import sympy

    return sympy.Symbol(name, positive=True)


def _vanishes(difference: Any) -> bool:
    """Whether an expression is zero, after the simplifications that closed forms here need."""
    import sympy

    reductions = (sympy.simplify, sympy.expand_log, sympy.trigsimp, sympy.radsimp, sympy.powdenest)
    if difference == 0:
        return True
    return any(sympy.simplify(reduce(difference)) == 0 for reduce in reductions)


def _value(expression: Any, point: Point) -> float:
    return float(expression.evalf(20, subs={_positive(name): value for name, value in point.items()}))


def _close(left: float, right: float, relative: float) -> bool:
    return abs(left - right) <= relative * max(abs(left), abs(right), 1e-300)
