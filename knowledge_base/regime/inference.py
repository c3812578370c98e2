"""From what a question states to the regime it is in: facts, each with its words and confidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.regime.axis_phrases import Quantity, lower, phrases_in, quantities
from ansatz.knowledge_base.regime.derived_axes import DERIVATIONS, with_derived
from ansatz.knowledge_base.regime.facts import SURE, Facts, Number, Word, stated
from ansatz.knowledge_base.regime.stated_quantities import Given, affine, givens, without_blanks
from ansatz.knowledge_base.regime.three_valued import Judgement, judge

__all__ = ["DERIVATIONS", "SURE", "Facts", "Judgement", "Number", "Word", "facts", "judge"]

# A quantity named by its symbol is surer than one known by the words before it, or only after it.
_BY_SYMBOL, _BY_WORDS, _BY_LATER_WORDS = 0.95, 0.9, 0.8
_INFINITE = float("inf")


def facts(text: str, library: Library | None = None) -> Facts:
    """The facts that a question states; with a library also those its equations derive from them."""
    numbers = _numbers(givens(text), text)
    words, intervals = _phrases(without_blanks(text))
    for axis, found in intervals.items():
        if not any(number.exact for number in numbers.get(axis, ())):
            numbers[axis] = (*numbers.get(axis, ()), *found)
    known = Facts(numbers, words, givens(text))
    return known if library is None else with_derived(known, library)


def _phrases(text: str) -> tuple[dict[str, tuple[Word, ...]], dict[str, tuple[Number, ...]]]:
    """What the phrases of a text say, on word axes and as intervals of number axes."""
    words: dict[str, dict[str, Word]] = {}
    intervals: dict[str, list[Number]] = {}
    lowered = lower(text)
    for phrase, matches in phrases_in(lowered):
        mention = phrase.mentioned(text, lowered, matches)
        if mention is None:
            continue
        origin = f"the words {mention.quote!r}"
        if phrase.interval:
            number = Number(*phrase.interval, origin, mention.confidence, mention.quote, mention.start)
            intervals.setdefault(phrase.axis, []).append(number)
            continue
        word = Word(phrase.word, origin, mention.confidence, mention.quote, mention.start)
        found = words.setdefault(phrase.axis, {})
        if phrase.word not in found or found[phrase.word].confidence < word.confidence:
            found[phrase.word] = word
    surest = {axis: tuple(found.values()) for axis, found in words.items()}
    return surest, {axis: tuple(found) for axis, found in intervals.items()}


def _numbers(given: tuple[Given, ...], text: str) -> dict[str, tuple[Number, ...]]:
    found: dict[str, list[Number]] = {}
    for each in given:
        for axis, value, confidence in _axes_of(each):
            low = -_INFINITE if each.limit < 0 else value
            high = _INFINITE if each.limit > 0 else value
            origin = f"stated as {stated(each, axis)}"
            number = Number(low, high, origin, confidence, text[each.start : each.end], each.start)
            found.setdefault(axis, []).append(number)
    if "T_inf" in found and not _is_fast(found):
        found.setdefault("T", []).extend(found["T_inf"])
    return {axis: tuple(dict.fromkeys(numbers)) for axis, numbers in found.items()}


def _is_fast(found: Mapping[str, list[Number]]) -> bool:
    """Whether the gas that matters is far hotter than the free stream, which then says nothing of it."""
    limits = {"mach": 3.0, "speed": 1000.0}
    return any(number.high > limit for axis, limit in limits.items() for number in found.get(axis, ()))


def _axes_of(given: Given) -> list[tuple[str, float, float]]:
    """The axis of a stated quantity with its value there and how sure that is: by its symbol, else by words.

    Of the words before it the nearest count; the words after it where neither symbol nor these name one.
    """
    if given.is_range:
        return []
    clause = given.before.rsplit(",", 1)[-1]
    fitting = [pair for pair in _measured_in(given.unit) if not pair[0].never.search(clause)]
    readings: tuple[tuple[float, Callable[[Quantity], int]], ...] = (
        (_BY_SYMBOL, lambda each: 1 if each.symbol.match(given.symbol) else 0),
        (_BY_WORDS, lambda each: _nearness(each, clause, given)),
        (_BY_LATER_WORDS, lambda each: _follows(each, given)),
    )
    for confidence, nearness in readings:
        found = [nearness(each) for each, _ in fitting]
        if any(found):
            axis, (zero, one) = fitting[found.index(max(found))]
            return [(axis.axis, zero + (one - zero) * given.number, confidence)]
    return []


def _nearness(axis: Quantity, clause: str, given: Given) -> int:
    """Where the last words that name the quantity end in the clause before a number; 0 where none do."""
    if not axis.written.match(given.unit):
        return 0
    return max((found.end() + 1 for found in axis.words.finditer(clause)), default=0)


def _follows(axis: Quantity, given: Given) -> int:
    """Whether the words after a number name the quantity; what ends in "at " leads to the next number."""
    if given.symbol or not axis.written.match(given.unit):
        return 0
    return 1 if axis.words.search(given.after.rstrip()) else 0


@lru_cache(maxsize=4096)
def _measured_in(unit: str) -> tuple[tuple[Quantity, tuple[float, float]], ...]:
    """The quantities that a unit may measure, with what 0 and 1 of it are in theirs.

    An angle must bear its unit, a pure number none.
    """
    bare = unit in ("-", "%")
    lines = [(each, affine(unit, each.unit)) for each in quantities() if (each.unit == "-") == bare]
    return tuple((each, line) for each, line in lines if line is not None)
