"""G3: do the units hold together?"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import pairwise

from ansatz.eval.rubrics.arithmetic import Formula
from ansatz.eval.rubrics.comparison import quantities
from ansatz.eval.rubrics.equivalence import letter
from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.working import Working, close, si
from ansatz.knowledge_base.dimensions import DimensionError, agree
from ansatz.knowledge_base.expression import ExpressionError
from ansatz.quantities.chains import Chain, read_value
from ansatz.quantities.scales import Quantity, Scale, compare, scale
from ansatz.quantities.terms import spelled

_CONVERSION = 0.02  # a converted value may be rounded to two digits
_WORDED = re.compile(r"\b(?:is|are|was|were|be|equals|becomes)\b[ A-Za-z≈]*$")
_GOES_ON = re.compile(r"\d.*[a-z]{4}.*\d")  # words and another number behind the first
_RESCALED = 0.004
_FACTORS = (
    *(10.0**power for power in (-9, -6, -4, -3, -2, -1, 1, 2, 3, 4, 6, 9)),
    *(1000.0**power for power in (-3 / 2, -1 / 2, -1 / 4, 1 / 4, 1 / 2, 3 / 2)),  # under a root
    math.pi / 180,
    180 / math.pi,
)
_TEN = tuple(10.0**power for power in range(-9, 10))


def check(working: Working) -> Mark:
    """2: every final unit is right and nothing stated contradicts itself. 1: they are right with a slip
    on the way, or one is missing though most are right. 0: a final unit is wrong, or most are missing."""
    faults = list(
        dict.fromkeys(
            [
                *_conversions(working),
                *_symbols(working),
                *_equalities(working),
                *_misconverted(working),
                *_rescaled(working),
            ]
        )
    )
    right, wrong, missing = _finals(working)
    evidence = "; ".join(
        [
            f"{label}: {', '.join(names)}"
            for label, names in (("right", right), ("wrong", wrong), ("missing", missing))
            if names
        ]
        + faults[:5]
    )
    if not working.targets:
        return Mark(None, "no target has a unit")
    if wrong or len(right) <= len(missing):
        return Mark(0, evidence, error=bool(wrong or faults) or None)
    return Mark(1 if faults or missing else 2, evidence, error=bool(faults) or None)


def _finals(working: Working) -> tuple[list[str], list[str], list[str]]:
    right: list[str] = []
    wrong: list[str] = []
    missing: list[str] = []
    for target in working.targets:
        stated = working.finals.get(target.name)
        if stated is None:
            missing.append(target.name)
        elif compare(Quantity(stated.value, stated.unit), Quantity(1.0, target.unit)).unit_ok:
            right.append(target.name)
        else:
            (wrong if stated.unit else missing).append(target.name)
    return right, wrong, missing


def _conversions(working: Working) -> Iterator[str]:
    """`597 kW/m^2 = 0.6 MW/m^2`: two values of one chain in different units must be the same quantity."""
    for chain in working.chains:
        read = ((term, value) for term in chain.terms if (value := read_value(term)))
        found = [(term, value, unit or chain.unit) for term, (value, unit, _) in read]
        with_units = [each for each in found if each[2] not in ("", "-")]
        for (before, first, unit), (term, second, other) in pairwise(with_units):
            one, two = si(first, unit), si(second, other)
            if unit == other or one is None or two is None:
                continue
            same = _same_dimension(unit, other)
            if (same and close(one, two, _CONVERSION)) or (other == "g" and _same_dimension(unit, "m/s^2")):
                continue  # 721.5 m/s^2 (= 73.6 g) are multiples of the Earth's gravity
            if not same and before == chain.terms[0] and not chain.names and _is_symbol(unit, working):
                continue  # 0.5 V^2 is half a square of a speed, not volts
            if _GOES_ON.search(before):
                continue  # "at 54.7° the pressure 1838 Pa * 60 m^2 = ..." states no equality of angles
            if _in_words(term, chain, working) and not (same and _is_power_of_ten(two / one if one else 0)):
                continue  # "0.01 kg/m^3 is 33 km of altitude" equates nothing
            yield f"{first:g} {unit} is not {second:g} {other}"


def _is_symbol(unit: str, working: Working) -> bool:
    """Whether what was read as a unit begins with the letter of a quantity of the problem."""
    found = re.match("[A-Za-z]+", unit)
    names = [given.name for given in working.problem.givens]
    names += [step.symbol for step in working.problem.reference.steps]
    return found is not None and found[0] in map(letter, names)


def _in_words(term: str, chain: Chain, working: Working) -> bool:
    """Whether "is" and no sign stands before a side of a chain."""
    place = working.text.find(term, chain.position)
    return bool(_WORDED.search(working.text[max(0, place - 40) : max(0, place)]))


def _is_power_of_ten(ratio: float) -> bool:
    return any(close(abs(ratio), ten, _CONVERSION) for ten in _TEN if ten != 1)


def _symbols(working: Working) -> Iterator[str]:
    """A given or a result of the reference is stated in a unit of another dimension."""
    units = {spelled(given.name): given.unit for given in working.problem.givens}
    units |= {spelled(step.symbol): step.unit for step in working.problem.reference.steps}
    for statement in working.statements:
        expected = units.get(spelled(statement.symbol))
        stated = statement.unit not in ("", "-") and scale(statement.unit) is not None
        if expected is not None and stated and not _same_dimension(statement.unit, expected):
            yield f"{statement.symbol} is stated in {statement.unit}, not {expected}"


def _equalities(working: Working) -> Iterator[str]:
    """A substitution whose numbers all bear units must have the dimension of its result."""
    for term in working.terms:
        claimed = term.claimed
        if not term.formula.scales or claimed is None or claimed[1] in ("", "-"):
            continue
        fault = _mismatch(term.formula, claimed[0], claimed[1])
        if fault:
            yield fault


def _mismatch(formula: Formula, value: float, unit: str) -> str | None:
    text = formula.text.strip()[:60]
    result = scale(unit)
    try:
        found = formula.dimension()
    except DimensionError as error:
        return f"{text}: {str(error)[:60]} does not balance" if not formula.bare else None
    except ExpressionError:
        return None
    if result is None or formula.bare:
        return None
    if _is_unit_of_all(formula, result, value):
        return None
    if not agree(found, {str(axis): power for axis, power in enumerate(result.dimension) if power}):
        return f"{text} has not the dimension of {value:g} {unit}"
    exact, plain = formula.value({}, si=True), si(value, unit)
    if (
        exact
        and plain
        and not close(exact, plain, 0.05)
        and any(close(exact, plain * ten, 0.01) for ten in _TEN)
    ):
        return f"{text} is {exact:.4g} in SI, stated {plain:.4g}: a unit was not converted"
    return None


def _rescaled(working: Working) -> Iterator[str]:
    """A final value that is the key but for a factor between units: kilopascals taken for pascals, degrees
    for radians."""
    for target in working.targets:
        final = working.finals.get(target.name)
        if final is None or not target.value:
            continue
        stated, key = si(final.value, final.unit or target.unit), si(target.value, target.unit)
        ratio = abs(stated / key) if stated and key else 1.0
        if any(close(ratio, factor, _RESCALED) for factor in _FACTORS):
            yield f"{target.name} is {ratio:.4g} times its value: a unit was not converted"


def _is_unit_of_all(formula: Formula, result: Scale, value: float) -> bool:
    """Whether the one unit of a substitution, at its end, is that of its result: 1/1100 m = 0.91 mm."""
    if len(formula.scales) != 1 or formula.scales[0].dimension != result.dimension:
        return False
    number = formula.value({})
    same = number is not None and close(number * formula.scales[0].factor, value * result.factor, _CONVERSION)
    return same and not formula.text.rstrip(" .")[-1:].isdigit()


def _misconverted(working: Working) -> Iterator[str]:
    """A given met only in another unit and off by a power of ten, or kelvins that were raised by 273.15."""
    stated = [side for passage in working.passages for _, side in quantities(passage.text) if side.unit]
    for given in working.problem.givens:
        expected = None if isinstance(given.value, str) else si(given.value, given.unit)
        if not expected or isinstance(given.value, str) or given.unit == "-":
            continue
        values = [
            (value, side)
            for side in stated
            if _same_dimension(side.unit, given.unit) and (value := si(side.value, side.unit)) is not None
        ]
        if any(close(abs(value), abs(expected), _CONVERSION) for value, _ in values):
            continue
        for value, side in values:
            ratio = abs(value / expected)
            shifted = given.unit == "K" and close(abs(value - expected), 273.15, 0.002)
            if shifted or (side.unit != given.unit and any(close(ratio, ten, 1e-6) for ten in _TEN)):
                yield f"{given.name} = {given.value:g} {given.unit} became {side.value:g} {side.unit}"


def _same_dimension(first: str, second: str) -> bool:
    one, two = scale(first), scale(second)
    return one is not None and two is not None and one.dimension == two.dimension
