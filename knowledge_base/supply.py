"""Which equations yield the inputs that a question leaves open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ansatz.knowledge_base.equation import Equation
from ansatz.knowledge_base.givens import Given, plain_symbol
from ansatz.knowledge_base.regime import Facts
from ansatz.knowledge_base.retrieved import Prerequisite
from ansatz.knowledge_base.units import parse_unit, same_dimension

_FIRST, _AT_MOST = 3, 4
# The share of common words that makes two descriptions alike: for the same stem (mu), letter, or neither.
_ALIKE_STEM, _ALIKE_LETTER, _ALIKE = 0.25, 0.4, 0.75
_FILLER = frozenset({"the", "and", "for", "per", "with", "from"})


def coverage(equation: Equation, givens: Sequence[Given]) -> float:
    """The share of an equation's inputs that the givens supply, 0 to 1."""
    inputs = equation.inputs
    return sum(_is_given(equation, symbol, givens) for symbol in inputs) / max(len(inputs), 1)


def supporting(
    hits: Sequence[Equation], completing: Sequence[Equation], allowed: Sequence[Equation], known: Facts
) -> list[Prerequisite]:
    """The `completing`, then at most four equations of `allowed` that yield inputs which are not given.

    Inputs are sought for the first hits and the completing, then for what was found for them.
    """
    used = {equation.id for equation in (*hits, *completing)}
    found: list[Prerequisite] = []
    queue = [*hits[:_FIRST], *completing]
    for equation in queue:
        for symbol in equation.inputs:
            if len(found) == _AT_MOST or _is_given(equation, symbol, known.givens):
                continue
            supplier = _supplier(equation, symbol, [other for other in allowed if other.id not in used])
            if supplier:
                used.add(supplier.id)
                found.append(Prerequisite(supplier, symbol, equation))
                queue.append(supplier)
    return [Prerequisite(equation, equation.output) for equation in completing] + found


def _is_given(equation: Equation, symbol: str, givens: Sequence[Given]) -> bool:
    """Whether a stated quantity has the symbol's dimension and either its letter or its description.

    Pure numbers are many, so among them the letter must be the whole stem: C_D is no chi_bar.
    """
    unit, described = equation.units[symbol], _words(equation.symbols[symbol].desc)
    pure = parse_unit(unit).dimensionless
    for given in givens:
        if given.to(unit) is None:
            continue
        stated, own = _stem(given.symbol), _stem(symbol)
        if stated and (stated == own or (not pure and stated[0].lower() == own[0].lower())):
            return True
        if len(described & _words(given.before)) * 2 >= len(described):
            return True
    return False


@cache
def _stem(symbol: str) -> str:
    return re.split(r"[_\d]", plain_symbol(symbol))[0]


def _supplier(equation: Equation, symbol: str, allowed: Sequence[Equation]) -> Equation | None:
    """The equation whose output has the wanted dimension and is described most nearly in the same words."""
    unit = equation.units[symbol]
    fitting = [other for other in allowed if same_dimension(other.units[other.output], unit)]
    best = max(fitting, key=lambda other: _likeness(equation, symbol, other), default=None)
    return best if best and _likeness(equation, symbol, best) > 0 else None


def _likeness(equation: Equation, symbol: str, other: Equation) -> float:
    """The share of common words in the descriptions of a symbol and another's output; 0 where too few."""
    wanted, offered = _words(equation.symbols[symbol].desc), _words(other.symbols[other.output].desc)
    alike = len(wanted & offered) / max(len(wanted | offered), 1)
    stem = _stem(symbol)
    same = _stem(other.output) == stem
    enough = _ALIKE if not same else _ALIKE_LETTER if len(stem) == 1 else _ALIKE_STEM
    return alike if alike >= enough else 0.0


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]{3,}", text.lower())) - _FILLER
