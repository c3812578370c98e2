"""A condition on the regime: `kn < 0.01`, `gas in {air}`, `2000 <= speed <= 8000 m/s`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ansatz.knowledge_base.equation.axes import NUMBERS, WORDS, describe_unknown_word, resolve_axis
from ansatz.quantities.unit_writing import format_unit

_TESTS = ("lt", "le", "gt", "ge", "between", "eq", "any_of", "none_of")
_LIMITS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_TEXT = re.compile(r"^\s*(\w+)\s*(<=|>=|!=|<|>|==?)\s*([^\s<>=]+)\s*([^<>=;]*?)\s*$")


class Predicate(BaseModel):
    """A test of one axis (see axes.py) or of one symbol of its equation.

    A predicate has exactly one test, or a lower and an upper limit.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    var: str
    """The name of the axis or symbol."""
    lt: float | None = None
    le: float | None = None
    gt: float | None = None
    ge: float | None = None
    between: tuple[float, float] | None = None
    eq: str | None = None
    """The only accepted word."""
    any_of: tuple[str, ...] | None = Field(default=None, alias="in")
    """The accepted words."""
    none_of: tuple[str, ...] | None = Field(default=None, alias="not_in")
    """The refused words."""
    unit: str | None = None
    """The unit of the limits; by default that of the axis or symbol."""
    source: str = ""
    """The source of the limits."""

    @model_validator(mode="after")
    def _has_one_test(self) -> Self:
        given = {name for name in _TESTS if getattr(self, name) is not None}
        limits = len(given & {"lt", "le"}) == len(given & {"gt", "ge"}) == 1
        if not 1 <= len(given) <= 1 + limits:
            raise ValueError(f"{self.var}: give one of {', '.join(_TESTS)}, or a lower and an upper limit")
        return self

    @classmethod
    def parse(cls, text: str) -> Predicate | None:
        """Parse a predicate such as "kn > 0.1" or "speed > 9 km/s"; None for prose."""
        found = _TEXT.match(text)
        if not found:
            return None
        var, sign, value, unit = found.groups()
        try:
            limit = float(value)
        except ValueError:
            choice = {"eq": value} if sign in ("=", "==") else {"none_of": (value,)}
            return cls(var=var, **choice) if sign not in _LIMITS and not unit else None
        return cls(var=var, unit=unit or None, **{_LIMITS[sign]: limit}) if sign in _LIMITS else None

    @cached_property
    def axis(self) -> str:
        return resolve_axis(self.var)

    @cached_property
    def accepted(self) -> frozenset[str]:
        return frozenset(self.any_of or ([] if self.eq is None else [self.eq]))

    @cached_property
    def refused(self) -> frozenset[str]:
        return frozenset(self.none_of or ())

    def takes(self, word: str) -> bool:
        """Whether a word fulfils the predicate."""
        return word in self.accepted if self.accepted else word not in self.refused

    def excludes(self, word: str) -> bool:
        """Whether a word is refused, or excludes all accepted words."""
        exclude = WORDS[self.axis].exclude
        is_other = bool(self.accepted) and all(exclude(word, accepted) for accepted in self.accepted)
        return is_other or word in self.refused

    @cached_property
    def interval(self) -> tuple[float, float, bool, bool]:
        """Lower and upper limit of a number, and whether each is itself refused."""
        low, high = self.between or (
            self.gt if self.ge is None else self.ge,
            self.lt if self.le is None else self.le,
        )
        return (
            -math.inf if low is None else low,
            math.inf if high is None else high,
            self.gt is not None,
            self.lt is not None,
        )

    def admits(self, number: float) -> bool:
        """Whether a number, in the predicate's unit, is within the limits."""
        low, high, low_refused, high_refused = self.interval
        above = low < number if low_refused else low <= number
        return above and (number < high if high_refused else number <= high)

    def find_problem(self, symbols: Mapping[str, str]) -> str | None:
        """Return what is wrong with the predicate, or None.

        Parameters:
            symbols: The units of the equation's symbols.
        """
        from ansatz.errors import UnitError
        from ansatz.quantities.did_you_mean import nearest
        from ansatz.quantities.units import has_same_dimension

        words = (*self.accepted, *self.refused)
        if self.axis in WORDS and self.var not in symbols:
            wrong = [describe_unknown_word(self.axis, word) for word in words]
            return next(filter(None, wrong), None if words else "words have no order")
        if self.axis not in NUMBERS and self.var not in symbols:
            return f"unknown axis {self.var!r}{nearest(self.var, [*NUMBERS, *WORDS, *symbols], shown=60)}"
        if words:
            return f"{self.var} is a number and needs limits"
        unit = symbols.get(self.var) or NUMBERS[self.axis].unit
        try:
            fits = self.unit is None or has_same_dimension(self.unit, unit)
        except UnitError as error:
            return str(error)
        return None if fits else f"{self.var} is measured in {unit}, not in {self.unit}"

    def describe(self) -> str:
        """Format the predicate for readers, such as "2000 <= speed <= 8000 m/s"."""
        return self._description

    @cached_property
    def _description(self) -> str:
        if self.eq is not None:
            return f"{self.var} = {self.eq}"
        if self.any_of:
            return f"{self.var} in {{{', '.join(self.any_of)}}}"
        if self.none_of:
            return f"{self.var} not in {{{', '.join(self.none_of)}}}"
        unit = f" {format_unit(self.unit)}".removesuffix(" -") if self.unit else ""
        low, high, low_refused, high_refused = self.interval
        if math.isinf(high):
            return f"{self.var} {'>' if low_refused else '>='} {low:g}{unit}"
        upper = f"{self.var} {'<' if high_refused else '<='} {high:g}{unit}"
        return upper if math.isinf(low) else f"{low:g} {'<' if low_refused else '<='} {upper}"
