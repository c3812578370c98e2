"""Read closed forms from an answer, and compare them with the right one, however they are written."""

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
_SAME = 1e-8  # relative: above the rounding error of many operations, below the effect of a wrong exponent
_PRODUCTS: tuple[Products, ...] = ("glued", "spaced")
_WHOLE_ANSWER = ("answer",)  # the name of a box without a symbol


def read_formulas(
    target: SymbolicTarget, chains: Sequence[Chain], is_only: bool
) -> tuple[Formula, ...] | str:
    """Parse the last closed form under the target's name, or return why there is none.

    The closed form is the last side in symbols of a chain of equalities, without sides in which numbers were
    substituted. If the target is the only symbolic one, a box without a name counts too. A form has several
    readings if its products are ambiguous.
    """
    names = {normalize_symbol(to_plain_text(target.name))}
    is_constant = not Expression.parse(target.value).names
    reason = ""
    for accepted in (names, set(_WHOLE_ANSWER) if is_only else set()):
        for chain in reversed(chains):
            if accepted.isdisjoint(_find_defined_names(chain)):
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
                if readings[0].names or is_constant:
                    return tuple({each.tree: each for each in readings}.values())
    return reason


def read_table_rows(text: str) -> Iterator[Chain]:
    """Yield the rows of tables whose first cell is a symbol, each as a chain of equal cells."""
    for line in text.split("\n"):
        cells = split_cells(line)
        if cells and len(cells) > 1 and (named := WHOLE_NAME.fullmatch(cells[0])):
            yield Chain((named[1],), tuple(cells[1:]), "", "", 0)


def _find_defined_names(chain: Chain) -> set[str]:
    """Return the symbols that a chain defines, with and without a rate dot; words also in lower case."""
    spellings = (spelling for name in chain.names for spelling in (name, name.replace("_dot", "")))
    names = set(map(normalize_symbol, spellings))
    return names | {name.lower() for name in names if len(name) > 3}


def compare_formula(form: Formula, target: SymbolicTarget) -> tuple[bool, str]:
    """Compare a formula with the right one at random points of the symbols' domains.

    The points are the same in every call; the default domain is 0.3 to 3.

    Returns
    -------
    is_equal, evidence
        Whether the formulas are equal, and where they differ.
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
            result = "no value" if value is None else f"{value:.6g}"
            return False, f"{result} instead of {wanted:.6g} at {where}"
    return True, f"equal at {_POINTS} points"
