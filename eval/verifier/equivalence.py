"""Does a formula that someone wrote mean an equation of the base, whatever its symbols are called?"""

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
_SAME = 0.02  # a published constant may be rounded to two digits
_PROPORTIONAL = 1e-6
_SPECIFIC = 3  # operations from which a form is told apart whatever its symbols
_FEWEST_OPERATIONS = 2  # a form as simple as a/b agrees by chance
_REFERENCE_RANGES = ((0.5, 2.0), (1.5, 4.0), (0.05, 0.6))  # some forms are real only above or below one
_MOST_UNMATCHED = 3  # names without a counterpart that are tried in every order


def compare_to_equation(
    formula: Formula, equation: Equation, stated: Numbers | None = None, guess: bool = True
) -> Likeness:
    """Compare the right side of `equation`, or its residual, with `formula` at states drawn from its ranges.

    "proportional" is the same form with another constant. Symbols are matched by spelling, then by their
    letter (rho for rho_inf), then in every order while few are left. `stated` are values, by spelled name,
    that the formula's author gives its symbols: they count where a symbol stands for a constant.
    Without `guess` symbols are matched by spelling and letter alone.
    """
    if not formula.names:
        return "other"
    for renaming, guessed in _match_symbols(formula, equation):
        if guessed and not guess:
            break
        found = _compare(formula, equation, renaming, stated or {})
        if found == "same" or (found == "proportional" and not guessed):
            return found
    return "other"


def is_special_case(formula: Formula, equation: Equation) -> bool:
    """Whether `formula` is `equation` with the symbols that it lacks set to one, or to zero."""
    if equation.expr is None or not formula.names or formula.operations < 1:
        return False
    for renaming, guessed in _match_symbols(formula, equation):
        lacking = [symbol for symbol in equation.inputs if symbol not in renaming.values()]
        if guessed or not lacking or len(lacking) == len(equation.inputs):
            continue
        for value in (1.0, 0.0):
            if _compare(formula, equation, renaming, {}, dict.fromkeys(lacking, value)) == "same":
                return True
    return False


def is_reference_form(formula: Formula, expression: str) -> bool:
    """Whether `formula` has the value of `expression` (`symbol = formula`) whatever its symbols are worth.

    Symbols are matched by spelling, then by their letter; one that is left over may have another name.
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
    """The right side of a step, or all of it where it defines nothing."""
    left, equals, right = to_plain_text(expression).partition("=")
    return read_formula((right if equals else left).strip())


def _spread_points(names: Sequence[str], low: float, high: float) -> Iterator[dict[str, float]]:
    """Points between two bounds, evenly spread in the logarithm."""
    for point in range(_POINTS):
        shares = (((point + 1) * 0.6180339887 + place * 0.3247179572) % 1.0 for place, _ in enumerate(names))
        yield {name: low * (high / low) ** share for name, share in zip(names, shares, strict=True)}


def _match_symbols(formula: Formula, equation: Equation) -> Iterator[tuple[dict[str, str], bool]]:
    """What each name may stand for, and whether that was guessed; a form as simple as a/b never is."""
    most = _MOST_UNMATCHED if formula.operations >= _SPECIFIC else 0
    return _pair_names(formula.names, (*_free_symbols(equation), *equation.constants), most)


def _pair_names(
    names: Sequence[str], symbols: Sequence[str], most_guessed: int
) -> Iterator[tuple[dict[str, str], bool]]:
    """For each of `names` its own one of `symbols`, in every order where they are told apart by nothing."""
    fixed: dict[str, str] = {}
    for same in (normalize_symbol, leading_letter):
        for name in names:
            free = [symbol for symbol in symbols if symbol not in fixed.values()]
            fits = [symbol for symbol in free if same(symbol) == same(name)]
            if name not in fixed and len(fits) == 1:
                fixed[name] = fits[0]
    left = [name for name in names if name not in fixed]
    free = [symbol for symbol in symbols if symbol not in fixed.values()]
    if not left:
        yield fixed, False
    elif len(left) <= min(len(free), most_guessed):
        for chosen in permutations(free[: 2 * most_guessed], len(left)):
            yield {**fixed, **dict(zip(left, chosen, strict=True))}, True


def _compare(
    formula: Formula,
    equation: Equation,
    renaming: Mapping[str, str],
    stated: Numbers,
    fixed: Numbers | None = None,
) -> Likeness:
    """`fixed` holds symbols of the equation at given values, whatever the point."""
    constants = {
        name: stated[normalize_symbol(name)]
        for name, symbol in renaming.items()
        if symbol in equation.constants and normalize_symbol(name) in stated
    }
    drawn = draw_states(equation, _POINTS, symbols=_free_symbols(equation))
    points = ({**state, **equation.constant_values, **(fixed or {})} for state in drawn)
    ratios = _compute_ratios(formula, renaming, points, equation.formula, constants)
    if equation.expr is None and _classify_ratios([-ratio for ratio in ratios]) == "same":
        return "same"  # a residual of the other sign
    return _classify_ratios(ratios)


def _compute_ratios(
    formula: Formula,
    renaming: Mapping[str, str],
    points: Iterable[Numbers],
    reference: Callable[[Numbers], float | None],
    constants: Numbers | None = None,
) -> list[float]:
    """The formula's value over that of the reference at every point; none where one has no value."""
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
