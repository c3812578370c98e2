"""Is a formula the formula of a reference step, for steps that are no entry of the knowledge base?"""

from __future__ import annotations

from functools import lru_cache

from ansatz.eval.rubrics.arithmetic import Formula, read_formula
from ansatz.eval.rubrics.equivalence import letter
from ansatz.quantities.markup import plain
from ansatz.quantities.terms import spelled

_SAME = 0.02  # a published constant may be rounded to two digits
_FEWEST_OPERATIONS = 2  # a form as simple as a/b agrees by chance
_RANGES = ((0.5, 2.0), (1.5, 4.0), (0.05, 0.6))  # some forms are real only above or below one
_POINTS = 3


def is_reference_form(formula: Formula, expression: str) -> bool:
    """Whether `formula` has the value of `expression` (`symbol = formula`) whatever its symbols are worth.

    Symbols are matched by spelling, then by their letter; one that is left over may have another name.
    """
    reference = _read(expression)
    if reference is None or not reference.names or reference.operations < _FEWEST_OPERATIONS:
        return False
    renaming = _renaming(formula.names, reference.names)
    return renaming is not None and any(_agree(formula, reference, renaming, each) for each in _RANGES)


@lru_cache(maxsize=2048)
def _read(expression: str) -> Formula | None:
    """The right side of a step, or all of it where it defines nothing."""
    left, equals, right = plain(expression).partition("=")
    return read_formula((right if equals else left).strip())


def _renaming(names: tuple[str, ...], known: tuple[str, ...]) -> dict[str, str] | None:
    """For each of `names` its own one of `known`; None where they do not pair up."""
    if len(names) != len(known):
        return None
    paired: dict[str, str] = {}
    for same in (spelled, letter):
        for name in (each for each in names if each not in paired):
            fits = [each for each in known if each not in paired.values() and same(each) == same(name)]
            if len(fits) == 1:
                paired[name] = fits[0]
    left = [name for name in names if name not in paired]
    free = [each for each in known if each not in paired.values()]
    return {**paired, **dict(zip(left, free, strict=True))} if len(left) <= 1 else None


def _agree(
    formula: Formula, reference: Formula, renaming: dict[str, str], between: tuple[float, float]
) -> bool:
    low, high = between
    for point in range(_POINTS):
        share = {
            name: ((point + 1) * 0.6180339887 + place * 0.3247179572) % 1.0
            for place, name in enumerate(reference.names)
        }
        numbers = {name: low * (high / low) ** each for name, each in share.items()}
        theirs = formula.value({name: numbers[known] for name, known in renaming.items()})
        ours = reference.value(numbers)
        if not theirs or not ours or abs(theirs / ours - 1.0) > _SAME:
            return False
    return True
