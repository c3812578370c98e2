"""Whether the dimensions of a target can come from those of the givens: a rank test over base dimensions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from ansatz.eval.curation.candidates import Candidate

BASE = ("[length]", "[mass]", "[time]", "[temperature]", "[substance]", "[current]", "[luminosity]")


@cache
def exponents(unit: str) -> tuple[float, ...]:
    """The powers of the base dimensions in a unit. Raises UnitError."""
    from ansatz.quantities.units import parse_unit

    dimensionality = parse_unit(unit).dimensionality
    return tuple(float(str(dimensionality.get(name, 0))) for name in BASE)


@dataclass(frozen=True)
class Span:
    """The dimensions that products of powers of some quantities can have; `rows` are their exponents."""

    rows: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, candidate: Candidate) -> Span:
        """Of the numeric givens, and of the constants in the equations that the record names.

        Where the record lists no numeric given, of the quantities that its text states.
        """
        return cls(tuple(dict.fromkeys((*_given(candidate), *_constants(candidate)))))

    def holds(self, unit: str) -> bool:
        """Whether a unit's dimensions lie in the span; a pure number always does."""
        import numpy as np

        wanted = exponents(unit)
        if not any(wanted):
            return True
        rows = [row for row in self.rows if any(row)]
        if not rows:
            return False
        rank = np.linalg.matrix_rank(np.array(rows))
        return bool(np.linalg.matrix_rank(np.array([*rows, wanted])) == rank)


def _given(candidate: Candidate) -> Iterator[tuple[float, ...]]:
    from ansatz.knowledge_base.givens import givens
    from ansatz.quantities.units import UnitError

    numeric = [each for each in candidate.given if isinstance(each.get("value"), int | float)]
    units = [str(each.get("unit", "-")) for each in numeric]
    for unit in units or [each.unit for each in givens(candidate.text)]:
        try:
            yield exponents(unit)
        except UnitError:
            continue


def _constants(candidate: Candidate) -> Iterator[tuple[float, ...]]:
    from ansatz.knowledge_base.library import library

    named = [
        *candidate.listed("gold_equations"),
        *(step.get("equation") for step in candidate.steps),
    ]
    for id in dict.fromkeys(str(each) for each in named if each):
        if id in library():
            for constant in library().get(id).constants.values():
                yield exponents(constant.unit)
