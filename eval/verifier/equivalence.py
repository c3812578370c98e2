"""Compare a formula in an answer with an equation of the knowledge base, whatever its symbols are called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Literal

from ansatz.errors import ExpressionError
from ansatz.knowledge_base.equation import Equation, draw_states
from ansatz.quantities.letters import leading_letter
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.parser import read_formula
from ansatz.quantities.terms import normalize_symbol
from ansatz.quantities.tree import Formula

Likeness = Literal["same", "proportional", "other"]
Numbers = Mapping[str, float]

_POINTS = 3
_SAME = 0.02  # relative: published constants may be rounded to two digits
_PROPORTIONAL = 1e-6
_SPECIFIC = 3  # with this number of operations, a form is specific enough for any assignment of symbols
_FEWEST_OPERATIONS = 2  # a form as simple as a/b matches by chance
_REFERENCE_RANGES = ((0.5, 2.0), (1.5, 4.0), (0.05, 0.6))  # some forms are real only above or below one
_MOST_UNMATCHED = 3  # most unmatched names that are tried in every order


def compare_to_equation(
    formula: Formula, equation: Equation, stated: Numbers | None = None, guess: bool = True
) -> Likeness:
    """Compare `formula` with the right side of `equation`, or its residual, at states from its ranges.

    Symbols are matched by spelling, then by first letter (rho for rho_inf). If few symbols remain, every
    order is tried.

    Parameters
    ----------
    stated
        Values that the author of the formula states, by normalized symbol. They replace the equation's value
        where a symbol of the formula is one of its constants.
    guess
        Whether the remaining symbols are tried in every order.

    Returns
    -------
    Likeness
        "proportional" is the same form with another constant.
    """
    if not formula.names:
        return "other"
    for renaming, is_guess in _match_symbols(formula, equation):
        if is_guess and not guess:
            break
        likeness = _compare(formula, equation, renaming, stated or {})
        if likeness == "same" or (likeness == "proportional" and not is_guess):
            return likeness
    return "other"


def is_special_case(formula: Formula, equation: Equation) -> bool:
    """Whether `formula` is `equation` with the missing symbols set to one, or to zero."""
    if equation.expr is None or not formula.names or formula.operations < 1:
        return False
    for renaming, is_guess in _match_symbols(formula, equation):
        missing = [symbol for symbol in equation.inputs if symbol not in renaming.values()]
        if is_guess or not missing or len(missing) == len(equation.inputs):
            continue
        for value in (1.0, 0.0):
            if _compare(formula, equation, renaming, {}, dict.fromkeys(missing, value)) == "same":
                return True
    return False


def is_reference_form(formula: Formula, expression: str) -> bool:
    """Whether `formula` equals `expression` (`symbol = formula`) for all values of the symbols.

    Symbols are matched by spelling, then by first letter; one remaining symbol may have any name.
    """
    reference = read_step(expression)
    if reference is None or not reference.names or reference.operations < _FEWEST_OPERATIONS:
        return False
    renaming, _ = next(_pair_names(formula.names, reference.names, 1), ({}, False))
    if not renaming or len(formula.names) != len(reference.names):
        return False
    return any(
        _classify_ratios(
            _compute_ratios(formula, renaming, _spread_points(reference.names, *between), reference.value)
        )
        == "same"
        for between in _REFERENCE_RANGES
    )


@lru_cache(maxsize=2048)
def read_step(expression: str) -> Formula | None:
    """Parse the right side of a step, or the whole step if it has no equals sign."""
    left, equals, right = to_plain_text(expression).partition("=")
    return read_formula((right if equals else left).strip())


def _spread_points(names: Sequence[str], low: float, high: float) -> Iterator[dict[str, float]]:
    """Yield points between two bounds, evenly distributed in the logarithm."""
    for point in range(_POINTS):
        shares = (((point + 1) * 0.6180339887 + place * 0.3247179572) % 1.0 for place, _ in enumerate(names))
        yield {name: low * (high / low) ** share for name, share in zip(names, shares, strict=True)}


def _match_symbols(formula: Formula, equation: Equation) -> Iterator[tuple[dict[str, str], bool]]:
    """Yield assignments of equation symbols to names, and whether each is a guess (complex forms only)."""
    most = _MOST_UNMATCHED if formula.operations >= _SPECIFIC else 0
    return _pair_names(formula.names, (*_free_symbols(equation), *equation.constants), most)


def _pair_names(
    names: Sequence[str], symbols: Sequence[str], most_guessed: int
) -> Iterator[tuple[dict[str, str], bool]]:
    """Assign a different symbol to each name; names that match none get the free symbols in every order."""
    assigned: dict[str, str] = {}
    for key in (normalize_symbol, leading_letter):
        for name in names:
            free = [symbol for symbol in symbols if symbol not in assigned.values()]
            matching = [symbol for symbol in free if key(symbol) == key(name)]
            if name not in assigned and len(matching) == 1:
                assigned[name] = matching[0]
    unmatched = [name for name in names if name not in assigned]
    free = [symbol for symbol in symbols if symbol not in assigned.values()]
    if not unmatched:
        yield assigned, False
    elif len(unmatched) <= min(len(free), most_guessed):
        for chosen in permutations(free[: 2 * most_guessed], len(unmatched)):
            yield {**assigned, **dict(zip(unmatched, chosen, strict=True))}, True


def _compare(
    formula: Formula,
    equation: Equation,
    renaming: Mapping[str, str],
    stated: Numbers,
    fixed: Numbers | None = None,
) -> Likeness:
    """Compare values at points of the equation's ranges; `fixed` sets symbols of the equation to a value."""
    constants = {
        name: stated[normalize_symbol(name)]
        for name, symbol in renaming.items()
        if symbol in equation.constants and normalize_symbol(name) in stated
    }
    drawn = draw_states(equation, _POINTS, symbols=_free_symbols(equation))
    points = ({**state, **equation.constant_values, **(fixed or {})} for state in drawn)
    ratios = _compute_ratios(formula, renaming, points, equation.formula, constants)
    if equation.expr is None and _classify_ratios([-ratio for ratio in ratios]) == "same":
        return "same"  # a residual with the opposite sign
    return _classify_ratios(ratios)


def _compute_ratios(
    formula: Formula,
    renaming: Mapping[str, str],
    points: Iterable[Numbers],
    reference: Callable[[Numbers], float | None],
    constants: Numbers | None = None,
) -> list[float]:
    """Compute formula / reference at every point; empty if one of them has no value, or is zero."""
    ratios = []
    for numbers in points:
        renamed = {name: numbers[symbol] for name, symbol in renaming.items()}
        formula_value = formula.value({**renamed, **(constants or {})})
        try:
            reference_value = reference(numbers)
        except ExpressionError:
            return []
        if not formula_value or not reference_value:
            return []
        ratios.append(formula_value / reference_value)
    return ratios


def _classify_ratios(ratios: Sequence[float]) -> Likeness:
    if not ratios:
        return "other"
    if all(abs(ratio - 1.0) <= _SAME for ratio in ratios):
        return "same"
    return "proportional" if max(ratios) - min(ratios) <= _PROPORTIONAL * abs(ratios[0]) else "other"


def _free_symbols(equation: Equation) -> tuple[str, ...]:
    return equation.inputs if equation.expr else tuple(equation.symbols)
