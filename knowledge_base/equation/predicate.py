"""One condition on the regime: `kn < 0.01`, `gas in {air}`, `2000 <= speed <= 8000 m/s`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ansatz.knowledge_base.equation.axes import NUMBERS, WORDS, axis_name, word_problem
from ansatz.quantities.unit_writing import written_unit

_LIMITS: Mapping[str, tuple[str, Callable[[float, float], bool]]] = {
    "lt": ("<", operator.lt),
    "le": ("<=", operator.le),
    "gt": (">", operator.gt),
    "ge": (">=", operator.ge),
}
_TESTS = (*_LIMITS, "between", "eq", "ne", "any_of", "none_of")
_TEXT = re.compile(r"^\s*(\w+)\s*(<=|>=|!=|<|>|==?)\s*([^\s<>=]+)\s*([^<>=;]*?)\s*$")


class Predicate(BaseModel):
    """A test on one axis (see axes.py) or on one symbol of the equation that carries it.

    Numbers are in `unit`, by default the unit of the axis or symbol. Exactly one test is given, except
    that a lower and an upper limit may stand together.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    var: str
    lt: float | None = None
    le: float | None = None
    gt: float | None = None
    ge: float | None = None
    between: tuple[float, float] | None = None
    eq: float | str | None = None
    ne: float | str | None = None
    any_of: tuple[str | float, ...] | None = Field(default=None, alias="in")
    none_of: tuple[str | float, ...] | None = Field(default=None, alias="not_in")
    unit: str | None = None
    source: str = ""

    @model_validator(mode="after")
    def _has_a_test(self) -> Self:
        if not self.bounds and not self.accepted and not self.refused:
            raise ValueError(f"{self.var}: give one of lt, le, gt, ge, between, eq, ne, in, not_in")
        return self

    @classmethod
    def parse(cls, text: str) -> Predicate | None:
        """The predicate written as text ("kn > 0.1", "speed > 9 km/s"), or None where it is prose."""
        found = _TEXT.match(text)
        if not found:
            return None
        var, sign, value, unit = found.groups()
        name = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "!=": "ne"}.get(sign, "eq")
        try:
            number: float | str = float(value)
        except ValueError:
            if name not in ("eq", "ne") or unit:
                return None
            number = value
        return cls(var=var, unit=unit or None, **{name: number})

    @cached_property
    def axis(self) -> str:
        return axis_name(self.var)

    @cached_property
    def bounds(self) -> tuple[tuple[str, float], ...]:
        """The numeric limits as (operator name, number)."""
        given = [(name, getattr(self, name)) for name in _LIMITS]
        found = [(name, limit) for name, limit in given if limit is not None]
        return (*found, *([("ge", self.between[0]), ("le", self.between[1])] if self.between else []))

    @cached_property
    def accepted(self) -> tuple[str | float, ...]:
        return self.any_of or (() if self.eq is None else (self.eq,))

    @cached_property
    def refused(self) -> tuple[str | float, ...]:
        return self.none_of or (() if self.ne is None else (self.ne,))

    @cached_property
    def accepted_words(self) -> frozenset[str]:
        return frozenset(map(str, self.accepted))

    @cached_property
    def refused_words(self) -> frozenset[str]:
        return frozenset(map(str, self.refused))

    @cached_property
    def interval(self) -> tuple[float, float, bool, bool]:
        """Lower and upper limit, and whether each is itself refused; accepted numbers count by their hull."""
        lows = [(limit, name == "gt") for name, limit in self.bounds if name in ("gt", "ge")]
        highs = [(limit, name != "lt") for name, limit in self.bounds if name in ("lt", "le")]
        numbers = [float(each) for each in self.accepted if not isinstance(each, str)]
        if numbers:
            lows.append((min(numbers), False))
            highs.append((max(numbers), True))
        low, low_refused = max(lows, default=(-float("inf"), False))
        high, high_admitted = min(highs, default=(float("inf"), True))
        return low, high, low_refused, not high_admitted

    def admits(self, number: float) -> bool:
        """Whether a number, in this predicate's own unit, passes every numeric test."""
        inside = all(_LIMITS[name][1](number, limit) for name, limit in self.bounds)
        return inside and (not self.accepted or number in self.accepted) and number not in self.refused

    def problem(self, symbols: Mapping[str, str]) -> str | None:
        """What is wrong with it, or None. `symbols` are those of the equation, with their units."""
        from ansatz.quantities.did_you_mean import nearest
        from ansatz.quantities.units import UnitError, same_dimension

        tests = {name for name in _TESTS if getattr(self, name) is not None}
        limits = len(tests & {"lt", "le"}) == len(tests & {"gt", "ge"}) == 1
        if len(tests) > (2 if limits else 1):
            return "give one test, or a lower and an upper limit"
        if self.axis in WORDS and self.var not in symbols:
            wrong = [word_problem(self.axis, str(word)) for word in (*self.accepted, *self.refused)]
            return next(filter(None, wrong), "words have no order" if self.bounds else None)
        if self.axis not in NUMBERS and self.var not in symbols:
            return f"unknown axis {self.var!r}{nearest(self.var, [*NUMBERS, *WORDS, *symbols], shown=60)}"
        own = symbols.get(self.var) or NUMBERS[self.axis].unit
        try:
            fits = self.unit is None or same_dimension(self.unit, own)
        except UnitError as error:
            return str(error)
        return None if fits else f"{self.var} is measured in {own}, not in {self.unit}"

    def words(self) -> str:
        """The predicate as a reader sees it, such as "2000 <= speed <= 8000 m/s"."""
        return self._in_words

    @cached_property
    def _in_words(self) -> str:
        unit = f" {written_unit(self.unit)}".removesuffix(" -") if self.unit else ""
        if self.between:
            return f"{self.between[0]:g} <= {self.var} <= {self.between[1]:g}{unit}"
        if self.any_of:
            return f"{self.var} in {{{', '.join(map(_plain, self.any_of))}}}"
        if self.none_of:
            return f"{self.var} not in {{{', '.join(map(_plain, self.none_of))}}}"
        if self.eq is not None or self.ne is not None:
            sign = "=" if self.eq is not None else "!="
            return f"{self.var} {sign} {_plain((*self.accepted, *self.refused)[0])}{unit}"
        signs = {name: (_LIMITS[name][0], limit) for name, limit in self.bounds}
        above, below = signs.get("gt") or signs.get("ge"), signs.get("lt") or signs.get("le")
        if above and below:
            return f"{above[1]:g} {above[0].replace('>', '<')} {self.var} {below[0]} {below[1]:g}{unit}"
        return " and ".join(f"{self.var} {_LIMITS[name][0]} {limit:g}{unit}" for name, limit in self.bounds)


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float | int) else str(value)
