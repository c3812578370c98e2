"""Is a closed form the expected one, however it is written? Exact or wrong, with nothing in between."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from ansatz.errors import ExpressionError, Unreadable
from ansatz.eval.problem import SymbolicTarget
from ansatz.knowledge_base.equation import Expression
from ansatz.quantities.chains import Chain
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.parser import Products, parse_formula
from ansatz.quantities.tables import split_cells
from ansatz.quantities.terms import WHOLE_NAME, normalize_symbol
from ansatz.quantities.tree import Formula

_POINTS = 24
_SAME = 1e-8  # relative: what rounding of 24 operations or so stays below, and no wrong exponent does
_PRODUCTS: tuple[Products, ...] = ("glued", "spaced")
_WHOLE_ANSWER = ("answer",)  # what a box without a symbol is rendered as


def read_formulas(target: SymbolicTarget, found: Sequence[Chain], alone: bool) -> tuple[Formula, ...] | str:
    """The readings of the closed form that is stated last under the target's name, or why there is none.

    In a chain of equalities that is the last side in symbols: numbers put in afterwards are no closed form.
    An only symbolic target may also be boxed without its name.
    """
    names = {normalize_symbol(to_plain_text(target.name))}
    constant = not Expression.parse(target.value).names
    reason = ""
    for accepted in (names, set(_WHOLE_ANSWER) if alone else set()):
        for chain in reversed(found):
            if accepted.isdisjoint(_defined_names(chain)):
                continue
            others = [name for name in chain.names if normalize_symbol(name) != normalize_symbol(target.name)]
            for term in (*reversed(chain.terms), *reversed(others)):
                try:
                    readings = [
                        parse_formula(term, target.symbols, products=products) for products in _PRODUCTS
                    ]
                except Unreadable as unreadable:
                    reason = reason or str(unreadable)
                    continue
                if readings[0].names or constant:
                    return tuple({each.tree: each for each in readings}.values())
    return reason


def read_table_rows(text: str) -> Iterator[Chain]:
    """Rows of a table whose first cell is a symbol, each as an equality of what stands in its cells."""
    for line in text.split("\n"):
        cells = split_cells(line)
        if cells and len(cells) > 1 and (named := WHOLE_NAME.fullmatch(cells[0])):
            yield Chain((named[1],), tuple(cells[1:]), "", "", 0)


def _defined_names(chain: Chain) -> set[str]:
    """The symbols a chain defines; a rate dot and the case of a word such as Answer do not matter."""
    names = {normalize_symbol(name.replace("_dot", "")) for name in chain.names} | {
        normalize_symbol(n) for n in chain.names
    }
    return names | {name.lower() for name in names if len(name) > 3}


def compare_formula(form: Formula, target: SymbolicTarget) -> tuple[bool, str]:
    """Whether a form equals the value at random points of the symbols' domains, or where it does not.

    The points are always the same; domains are 0.3 to 3 unless said.
    """
    expected, drawn = Expression.parse(target.value), random.Random("/".join(target.symbols))
    for _ in range(_POINTS):
        numbers = {name: drawn.uniform(*target.domains.get(name, (0.3, 3.0))) for name in target.symbols}
        try:
            value, wanted = form.value(numbers), expected(numbers)
        except ExpressionError as error:
            return False, str(error)
        if value is None or abs(value - wanted) > _SAME * max(abs(value), abs(wanted)):
            where = ", ".join(f"{name} = {number:.4g}" for name, number in numbers.items())
            said = "no value" if value is None else f"{value:.6g}"
            return False, f"{said} instead of {wanted:.6g} at {where}"
    return True, f"equal at {_POINTS} points"
