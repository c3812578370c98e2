"""Infer the facts of a question from its quantities and phrases, each with words and confidence."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice

from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.regime.axis_phrases import (
    AxisQuantity,
    find_stated_phrases,
    load_quantities,
    rate_assertion,
)
from ansatz.knowledge_base.regime.derived_axes import RUNNING, add_derived_facts
from ansatz.knowledge_base.regime.facts import BY_SYMBOL, SURE, Fact, Facts
from ansatz.knowledge_base.regime.reactions import find_reactions
from ansatz.knowledge_base.regime.stated_quantities import (
    WrittenQuantity,
    find_givens,
    find_linear_conversion,
    remove_blanks,
)

# Confidence of a quantity that is named by words before or only after it; a symbol is more certain.
_BY_WORDS, _BY_LATER_WORDS = 0.9, 0.8
_NAME = 3  # the largest number of words in the name of a quantity
_BODIES = {"duct", "channel", "sphere", "cylinder", "nozzle"}
_LIGHT = 299_792_458.0  # m/s, exact by the definition of the metre
_MULTIPLES = {
    **{"half": 0.5, "a third": 1 / 3, "two thirds": 2 / 3, "a quarter": 0.25, "three quarters": 0.75},
    **{"twice": 2.0, "thrice": 3.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0},
    **{"seven": 7.0, "eight": 8.0, "nine": 9.0, "ten": 10.0, "fifteen": 15.0, "twenty": 20.0},
}
_WORDS = "|".join(word.replace(" ", "[ -]") for word in sorted(_MULTIPLES, key=len, reverse=True))
_MULTIPLE = re.compile(
    rf"(?:\b(?P<word>{_WORDS})|(?<![\w.])(?P<digits>\d+(?:\.\d+)?))\s*(?P<percent>%|per ?cent\b)?\s*"
    r"(?:times|×|x|of)?\s*(?:(?:the|its)\s+)?(?:local\s+)?"
    r"(?:(?P<sound>speed of sound|sound(?:'s)? speed|sonic (?:speed|velocity))|speed of light|light speed)"
    r"|(?<![\w.])(?P<share>0?\.\d+) ?(?-i:c)\b(?![/\w])",  # 0.9 c, but not 20 C
    re.IGNORECASE,
)
_HOT = {"mach": 3.0, "speed": 1000.0}  # above these, the relevant gas is far hotter than the free stream


@lru_cache(maxsize=8)  # one search needs them several times
def find_facts(text: str, library: Library | None = None) -> Facts:
    """Return the facts that a question states and, with a library, those that its equations derive."""
    found: dict[str, dict[str | Fact, Fact]] = defaultdict(dict)  # each word once, with its best confidence
    for axis, fact in chain(_find_numbers(text), _find_multiples(remove_blanks(text))):
        found[axis][fact] = fact
    for reaction, start, end in find_reactions(text):
        quote = text[start:end]
        found["reaction"][reaction] = Fact(f"the reaction {quote!r}", BY_SYMBOL, quote, start, reaction)
    _move_body_reynolds(text, found)
    fast = any(fact.high > limit for axis, limit in _HOT.items() for fact in found.get(axis, {}).values())
    if "T_inf" in found and not fast:
        found["T"] |= found["T_inf"]
    by_number = {axis for axis, numbers in found.items() if any(fact.exact for fact in numbers.values())}
    for axis, fact in find_stated_phrases(remove_blanks(text)):
        known = found[axis].get(fact.word)
        if axis not in by_number and (known is None or known.confidence < fact.confidence):
            found[axis][fact.word or fact] = fact
    stated = Facts({axis: tuple(facts.values()) for axis, facts in found.items()}, find_givens(text))
    return stated if library is None else add_derived_facts(stated, library)


def _find_multiples(text: str) -> Iterator[tuple[str, Fact]]:
    """Yield speeds that are stated as multiples of the speed of sound or of light, each with its axis."""
    for found in _MULTIPLE.finditer(text):
        sure = _BY_WORDS * rate_assertion(text, found.start(), found.end())
        if sure:
            digits = found["digits"] or found["share"]
            value = float(digits) if digits else _MULTIPLES[found["word"].lower().replace("-", " ")]
            value *= 0.01 if found["percent"] else 1.0
            axis, number = ("mach", value) if found["sound"] else ("speed", value * _LIGHT)
            quote = found[0].strip()
            yield axis, Fact(f"stated as {quote!r}", sure, quote, found.start(), low=number, high=number)


def _move_body_reynolds(text: str, found: dict[str, dict[str | Fact, Fact]]) -> None:
    """Count a plain Reynolds number as that on a body's dimension if the text is about a body or a duct."""
    if "Re_x" not in found:
        return
    bodies = {
        fact.word
        for axis, fact in find_stated_phrases(remove_blanks(text))
        if axis == "geometry" and fact.confidence >= SURE
    }
    if bodies & _BODIES and "flat_plate" not in bodies:
        plain = {key: fact for key, fact in found["Re_x"].items() if not RUNNING.search(fact.quote)}
        for key in plain:
            del found["Re_x"][key]
        found["Re"] |= plain


def _find_numbers(text: str) -> Iterator[tuple[str, Fact]]:
    """Yield the stated quantities that belong to an axis, each with its axis."""
    taken = ""
    for given in find_givens(text):
        on_axis, taken = _assign_axis(given, given.before.removeprefix(taken)), ""
        if on_axis:
            axis, value, confidence = on_axis
            taken = _read_name_behind(given, axis) if confidence == _BY_LATER_WORDS else ""
            low = -math.inf if given.limit < 0 else value
            high = math.inf if given.limit > 0 else value
            quote, origin = text[given.start : given.end], f"stated as {given.format(axis)}"
            yield axis, Fact(origin, confidence, quote, given.start, low=low, high=high)


def _read_name_behind(given: WrittenQuantity, axis: str) -> str:
    """Return the words directly after a number that name it: "2 m nose radius flies at 61 km".

    These words do not name the next number.
    """
    heads = [given.after[: word.end()] for word in islice(re.finditer(r"\S+", given.after), _NAME)]
    patterns = [quantity.words for quantity in load_quantities() if quantity.axis == axis]
    return next((head for head in heads if any(pattern.match(head.lstrip()) for pattern in patterns)), "")


def _assign_axis(given: WrittenQuantity, before: str) -> tuple[str, float, float] | None:
    """Return the axis of a stated quantity, its value in the unit of the axis, and the confidence."""
    clause = before.rsplit(",", 1)[-1]
    fitting = () if given.is_range else _find_quantities_in(given.unit)
    ratings = [_rate_match(quantity, given, clause) for quantity, _ in fitting]
    best = max(ratings, default=(0.0, 0))
    if best == (0.0, 0):
        return None
    quantity, (zero, one) = fitting[ratings.index(best)]
    return quantity.axis, zero + (one - zero) * given.number, best[0]


def _rate_match(axis: AxisQuantity, given: WrittenQuantity, clause: str) -> tuple[float, int]:
    """Return the confidence that a stated quantity is this one, and the end of the matching words before it.

    A symbol decides. Otherwise the words before the number decide, and then the words after it.
    """
    if axis.never.search(clause):
        return 0.0, 0
    if axis.symbol.match(given.symbol):
        return BY_SYMBOL, 0
    if axis.written.match(given.unit):
        if ends := [found.end() for found in axis.words.finditer(clause)]:
            return _BY_WORDS, ends[-1]
        if not given.symbol and axis.words.search(given.after.rstrip()):
            return _BY_LATER_WORDS, 0
    return 0.0, 0


@lru_cache(maxsize=4096)
def _find_quantities_in(unit: str) -> tuple[tuple[AxisQuantity, tuple[float, float]], ...]:
    """Return the quantities that a unit may measure, with 0 and 1 of it converted to their unit.

    An angle must have its unit, and a pure number must have none.
    """
    bare = unit in ("-", "%")
    lines = [
        (quantity, find_linear_conversion(unit, quantity.unit))
        for quantity in load_quantities()
        if (quantity.unit == "-") == bare
    ]
    return tuple((quantity, line) for quantity, line in lines if line is not None)
