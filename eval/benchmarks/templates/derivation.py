"""Does every line of a derivation follow from those before it? By numbers at random points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ansatz.eval.benchmarks.templates.template import ArgumentStep, DerivationSpec, GivenSpec, Template
from ansatz.eval.problem import DerivationStep
from ansatz.eval.reading.closed_form import points
from ansatz.knowledge_base.equation import Expression, ExpressionError
from ansatz.quantities.units import quantity

_SAME = 1e-6  # relative: a constant of the knowledge base may be stated with rounding
_POINTS = 5
_NEAR = 1e-3  # relative step to either side of an extremum
_FAR = 1e6  # what stands for infinity; its inverse stands for zero
_WORDS = {
    "definition": "a relation the argument starts from",
    "algebra": "follows from {of}{at}",
    "solution": "solves 0 = {of}",
    "derivative": "derivative of {of} with respect to {over}",
    "integral": "integral of {of} over {over} from {low} to {high}",
    "maximum": "{over} at which {of} is greatest",
    "minimum": "{over} at which {of} is least",
    "limit": "limit of {of} as {over} goes to {to}",
}
_FAULTS = {
    "algebra": "does not follow",
    "solution": "does not solve it",
    "derivative": "is not the derivative",
    "integral": "is not the integral",
    "maximum": "is no maximum",
    "minimum": "is no minimum",
    "limit": "is not the limit",
}

Point = Mapping[str, float]


def as_record(step: ArgumentStep) -> DerivationStep:
    """A line of the argument in words."""
    put = ", ".join(f"{name} = {value}" for name, value in step.at.items())
    reason = _WORDS[step.by].format(**{**step.model_dump(), "at": f" with {put}" if put else ""})
    return DerivationStep(symbol=step.gives, expression=f"{step.gives} = {step.result}", reason=reason)


def domains(template: Template, wanted: DerivationSpec) -> dict[str, tuple[float, float]]:
    """Where each symbol of a closed form is tried, in SI units."""
    return {name: wanted.ranges.get(name) or _range(template.givens[name]) for name in wanted.symbols}


def _range(given: GivenSpec) -> tuple[float, float]:
    """The range of a given in SI units, angles in radians; about its value where it has only one."""
    among = [value for value in given.among or () if not isinstance(value, str)]
    low, high = given.between or (min(among, default=0.0), max(among, default=0.0))
    if isinstance(given.value, float):
        low = high = given.value
    if low == high:
        low, high = sorted((0.8 * low, 1.2 * high))
    return _si(low, given.unit), _si(high, given.unit)


def misvalued(template: Template, numbers: Mapping[str, float]) -> str | None:
    """How the closed form differs from the steps at an instance's numbers, if it does."""
    wanted, units = template.derivation, template.units
    if wanted is None:
        return None
    at = {symbol: _si(numbers[symbol], units[symbol]) for symbol in wanted.symbols}
    try:
        found = Expression.parse(wanted.closed_form)(at)
    except ExpressionError as error:
        return str(error)
    expected = _si(numbers[wanted.value], units[wanted.value])
    if abs(found - expected) <= _SAME * abs(expected):
        return None
    return f"the closed form gives {found:.8g} where the steps give {expected:.8g}, in SI units"


def _si(value: float, unit: str) -> float:
    return float(quantity(value, unit).to_base_units().magnitude)


def argument_faults(template: Template) -> Iterator[str]:
    """The first step of a derivation that does not follow, or that its conclusion is another."""
    wanted = template.derivation
    if wanted is None:
        return
    argument = _Argument(
        {**{name: _range(template.givens[name]) for name in wanted.symbols}, **wanted.ranges}
    )
    for index, step in enumerate(wanted.argument):
        try:
            reason = argument.follow(step)
        except (ArithmeticError, ValueError) as error:
            reason = str(error)
        if reason:
            yield f"{template.id}: derivation.argument[{index}]: {step.gives}: {reason}"
            return
    if not argument.agree(wanted.closed_form, wanted.argument[-1].gives):
        yield f"{template.id}: derivation.closed_form: is not what the argument ends with"


class _Argument:
    """What has been derived so far, in terms of symbols and free variables, all positive."""

    def __init__(self, ranges: Mapping[str, tuple[float, float]]) -> None:
        self._ranges = ranges
        self._known: dict[str, str] = {}

    def follow(self, step: ArgumentStep) -> str:
        """Add a step; why it does not follow, "" where it does."""
        if step.by != "definition":
            for point in self._points(step.of, step.result, step.low, step.high, *step.at.values()):
                at = {**point, **{name: self._value(text, point) for name, text in step.at.items()}}
                if not self._holds(step, point, at):
                    return f"{_FAULTS[step.by]} at {dict(point)}"
        self._known[step.gives] = step.result
        return ""

    def agree(self, left: str, right: str) -> bool:
        pairs = [(self._value(left, point), self._value(right, point)) for point in self._points(left, right)]
        return all(_close(one, other, 1e-8) for one, other in pairs)

    def _holds(self, step: ArgumentStep, point: Point, at: Point) -> bool:
        claimed = self._value(step.result, point)

        def of(value: float) -> float:
            return self._value(step.of, {**at, step.over: value})

        if step.by == "algebra":
            return _close(self._value(step.of, at), claimed, 1e-8)
        if step.by == "solution":
            here, beside = (
                self._value(step.of, {**at, step.gives: claimed * by}) for by in (1.0, 1.0 + _NEAR)
            )
            return abs(here) <= 1e-6 * abs(beside)
        if step.by == "derivative":
            width = 1e-4 * point[step.over]
            slope = (of(point[step.over] + width) - of(point[step.over] - width)) / (2 * width)
            return _close(slope, claimed, 1e-4)
        if step.by == "integral":
            from scipy.integrate import quad

            low, high = (self._value(end, point) for end in (step.low, step.high))
            return _close(quad(of, low, high)[0], claimed, 1e-6)
        if step.by == "limit":
            near = _FAR if step.to == "inf" else self._value(step.to, point) + 1.0 / _FAR
            return _close(of(near), claimed, 1e-3)
        sign = 1.0 if step.by == "maximum" else -1.0
        top, *sides = (sign * of(claimed * by) for by in (1.0, 1.0 + _NEAR, 1.0 - _NEAR))
        return max(sides) < top

    def _value(self, text: str, point: Point) -> float:
        """An expression at a point, earlier results included; those that the point names are not derived."""
        if text == "inf":
            return float("inf")
        parsed = Expression.parse(text)
        derived = {
            name: self._value(self._known[name], point)
            for name in parsed.names
            if name in self._known and name not in point
        }
        return parsed({**point, **derived})

    def _points(self, *texts: str) -> Iterator[Point]:
        names: set[str] = set()
        waiting = [text for text in texts if text and text != "inf"]
        while waiting:
            found = Expression.parse(waiting.pop()).names
            names |= found - self._known.keys()
            waiting += [self._known[name] for name in found & self._known.keys()]
        return points(sorted(names), self._ranges, _POINTS)


def _close(left: float, right: float, relative: float) -> bool:
    return abs(left - right) <= relative * max(abs(left), abs(right), 1e-300)
