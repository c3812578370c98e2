"""From what a question states to the regime it is in: facts, each with its words and confidence."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import islice

from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.regime.axis_phrases import Measured, measured, mentions
from ansatz.knowledge_base.regime.derived_axes import with_derived
from ansatz.knowledge_base.regime.facts import BY_SYMBOL, AxisNumber, AxisWord, Facts
from ansatz.knowledge_base.regime.stated_quantities import WrittenQuantity, affine, givens, without_blanks

# A quantity named by its symbol is surer than one known by the words before it, or only after it.
_BY_WORDS, _BY_LATER_WORDS = 0.9, 0.8
_NAME = 3  # words that the name of a quantity has at most
_INFINITE = float("inf")


def facts(text: str, library: Library | None = None) -> Facts:
    """The facts that a question states; with a library also those its equations derive from them."""
    numbers, words = _numbers(givens(text), text), dict[str, dict[str, AxisWord]]()
    by_number = {axis for axis, found in numbers.items() if any(number.exact for number in found)}
    for phrase, mention in mentions(without_blanks(text)):
        source = (f"the words {mention.quote!r}", mention.confidence, mention.quote, mention.start)
        if not phrase.interval:
            said = words.setdefault(phrase.axis, {})
            if phrase.word not in said or said[phrase.word].confidence < mention.confidence:
                said[phrase.word] = AxisWord(phrase.word, *source)
        elif phrase.axis not in by_number:
            low, high = phrase.interval
            numbers[phrase.axis] = (*numbers.get(phrase.axis, ()), AxisNumber(low, high, *source))
    known = Facts(numbers, {axis: tuple(found.values()) for axis, found in words.items()}, givens(text))
    return known if library is None else with_derived(known, library)


def _numbers(given: tuple[WrittenQuantity, ...], text: str) -> dict[str, tuple[AxisNumber, ...]]:
    found: dict[str, list[AxisNumber]] = {}
    taken = ""
    for each in given:
        on_axis, taken = _on_axis(each, each.before.removeprefix(taken)), ""
        if on_axis:
            axis, value, confidence = on_axis
            taken = _name_behind(each, axis) if confidence == _BY_LATER_WORDS else ""
            low = -_INFINITE if each.limit < 0 else value
            high = _INFINITE if each.limit > 0 else value
            origin = f"stated as {each.shown(axis)}"
            number = AxisNumber(low, high, origin, confidence, text[each.start : each.end], each.start)
            found.setdefault(axis, []).append(number)
    limits = {"mach": 3.0, "speed": 1000.0}  # beyond, the gas that matters is far hotter than the free stream
    fast = any(number.high > limit for axis, limit in limits.items() for number in found.get(axis, ()))
    if "T_inf" in found and not fast:
        found.setdefault("T", []).extend(found["T_inf"])
    return {axis: tuple(dict.fromkeys(numbers)) for axis, numbers in found.items()}


def _name_behind(given: WrittenQuantity, axis: str) -> str:
    """The words right behind a number that name it, and so no later one: "2 m nose radius flies at 61 km"."""
    heads = [given.after[: word.end()] for word in islice(re.finditer(r"\S+", given.after), _NAME)]
    patterns = [each.words for each in measured() if each.axis == axis]
    return next((head for head in heads if any(each.match(head.lstrip()) for each in patterns)), "")


def _on_axis(given: WrittenQuantity, before: str) -> tuple[str, float, float] | None:
    """The axis of a stated quantity with its value there and how sure that is: by its symbol, else by words.

    Of the words before it the nearest count; the words after it where neither symbol nor these name one.
    """
    if given.is_range:
        return None
    clause = before.rsplit(",", 1)[-1]
    fitting = [pair for pair in _measured_in(given.unit) if not pair[0].never.search(clause)]
    readings: tuple[tuple[float, Callable[[Measured], int]], ...] = (
        (BY_SYMBOL, lambda each: 1 if each.symbol.match(given.symbol) else 0),
        (_BY_WORDS, lambda each: max((found.end() + 1 for found in each.words.finditer(clause)), default=0)),
        (
            _BY_LATER_WORDS,
            lambda each: 1 if not given.symbol and each.words.search(given.after.rstrip()) else 0,
        ),
    )
    for confidence, nearness in readings:
        found = [
            nearness(each) if confidence == BY_SYMBOL or each.written.match(given.unit) else 0
            for each, _ in fitting
        ]
        if any(found):
            axis, (zero, one) = fitting[found.index(max(found))]
            return axis.axis, zero + (one - zero) * given.number, confidence
    return None


@lru_cache(maxsize=4096)
def _measured_in(unit: str) -> tuple[tuple[Measured, tuple[float, float]], ...]:
    """The quantities that a unit may measure, with what 0 and 1 of it are in theirs.

    An angle must bear its unit, a pure number none.
    """
    bare = unit in ("-", "%")
    lines = [(each, affine(unit, each.unit)) for each in measured() if (each.unit == "-") == bare]
    return tuple((each, line) for each, line in lines if line is not None)
