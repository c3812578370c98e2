"""Which equations yield the inputs that a question leaves open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ansatz.knowledge_base.equation import Equation
from ansatz.knowledge_base.givens import Given, plain_symbol
from ansatz.knowledge_base.regime import Facts
from ansatz.knowledge_base.retrieved import Prerequisite
from ansatz.knowledge_base.units import parse_unit

_AT_MOST = 3
_FILLER = frozenset({"the", "and", "for", "per", "with", "from"})


def coverage(equation: Equation, givens: Sequence[Given]) -> float:
    """The share of an equation's inputs that the givens supply, 0 to 1."""
    inputs = equation.inputs
    return sum(_is_given(equation, symbol, givens) for symbol in inputs) / max(len(inputs), 1)


def prerequisites(hits: Sequence[Equation], allowed: Sequence[Equation], known: Facts) -> list[Prerequisite]:
    """At most three equations, of `allowed` (best first), that yield inputs of the hits not given."""
    used = {equation.id for equation in hits}
    found: list[Prerequisite] = []
    for equation, symbol in [(hit, symbol) for hit in hits[:3] for symbol in hit.inputs]:
        if len(found) == _AT_MOST:
            break
        if _is_given(equation, symbol, known.givens):
            continue
        supplier = _supplier(equation, symbol, [other for other in allowed if other.id not in used])
        if supplier:
            used.add(supplier.id)
            found.append(Prerequisite(supplier, symbol, equation))
    return found


def _is_given(equation: Equation, symbol: str, givens: Sequence[Given]) -> bool:
    """Whether a stated quantity has the symbol's dimension and either its first letter or its description."""
    unit, described = equation.units[symbol], _words(equation.symbols[symbol].desc)
    for given in givens:
        if given.to(unit) is None:
            continue
        name = plain_symbol(symbol)
        if given.symbol and given.symbol.split("_")[0].lower() == name.split("_")[0].lower():
            return True
        if given.symbol[:1].lower() == name[:1].lower() or described & _words(given.before):
            return True
    return False


def _supplier(equation: Equation, symbol: str, allowed: Sequence[Equation]) -> Equation | None:
    """The first equation whose output has the wanted dimension and is described in nearly the same words."""
    wanted, unit = _words(equation.symbols[symbol].desc), parse_unit(equation.units[symbol])
    for other in allowed:
        offered = _words(other.symbols[other.output].desc)
        alike = len(wanted & offered) / max(len(wanted | offered), 1)
        if alike < (0.5 if plain_symbol(other.output) == plain_symbol(symbol) else 0.75):
            continue
        if parse_unit(other.units[other.output]).dimensionality == unit.dimensionality:
            return other
    return None


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]{3,}", text.lower())) - _FILLER
