"""From what a question states to the regime it is in: facts, each with its words and confidence."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.regime.axis_phrases import AxisQuantity, find_stated_phrases, load_quantities
from ansatz.knowledge_base.regime.derived_axes import add_derived_facts
from ansatz.knowledge_base.regime.facts import BY_SYMBOL, Fact, Facts
from ansatz.knowledge_base.regime.stated_quantities import (
    WrittenQuantity,
    find_givens,
    find_linear_conversion,
    remove_blanks,
)

# A quantity named by its symbol is surer than one known by the words before it, or only after it.
_BY_WORDS, _BY_LATER_WORDS = 0.9, 0.8
_NAME = 3  # words that the name of a quantity has at most
_HOT = {"mach": 3.0, "speed": 1000.0}  # beyond, the gas that matters is far hotter than the free stream


def find_facts(text: str, library: Library | None = None) -> Facts:
    """The facts that a question states; with a library also those its equations derive from them."""
    found: dict[str, dict[str | Fact, Fact]] = defaultdict(dict)  # a word once, as it is surest
    for axis, fact in _find_numbers(text):
        found[axis][fact] = fact
    fast = any(fact.high > limit for axis, limit in _HOT.items() for fact in found.get(axis, {}).values())
    if "T_inf" in found and not fast:
        found["T"] |= found["T_inf"]
    by_number = {axis for axis, numbers in found.items() if any(fact.exact for fact in numbers.values())}
    for axis, fact in find_stated_phrases(remove_blanks(text)):
        known = found[axis].get(fact.word)
        if axis not in by_number and (known is None or known.confidence < fact.confidence):
            found[axis][fact.word or fact] = fact
    stated = Facts({axis: tuple(each.values()) for axis, each in found.items()}, find_givens(text))
    return stated if library is None else add_derived_facts(stated, library)


def _find_numbers(text: str) -> Iterator[tuple[str, Fact]]:
    """The quantities that lie on axes, each with its axis."""
    taken = ""
    for given in find_givens(text):
        on_axis, taken = _assign_axis(given, given.before.removeprefix(taken)), ""
        if on_axis:
            axis, value, confidence = on_axis
            taken = _read_name_behind(given, axis) if confidence == _BY_LATER_WORDS else ""
            low = -math.inf if given.limit < 0 else value
            high = math.inf if given.limit > 0 else value
            quote, origin = text[given.start : given.end], f"stated as {given.shown(axis)}"
            yield axis, Fact(origin, confidence, quote, given.start, low=low, high=high)


def _read_name_behind(given: WrittenQuantity, axis: str) -> str:
    """The words right behind a number that name it, and so no later one: "2 m nose radius flies at 61 km"."""
    heads = [given.after[: word.end()] for word in islice(re.finditer(r"\S+", given.after), _NAME)]
    patterns = [each.words for each in load_quantities() if each.axis == axis]
    return next((head for head in heads if any(each.match(head.lstrip()) for each in patterns)), "")


def _assign_axis(given: WrittenQuantity, before: str) -> tuple[str, float, float] | None:
    """The axis of a stated quantity with its value there and how sure that is."""
    clause = before.rsplit(",", 1)[-1]
    fitting = () if given.is_range else _find_quantities_in(given.unit)
    sure = [_rate_match(each, given, clause) for each, _ in fitting]
    best = max(sure, default=(0.0, 0))
    if best == (0.0, 0):
        return None
    axis, (zero, one) = fitting[sure.index(best)]
    return axis.axis, zero + (one - zero) * given.number, best[0]


def _rate_match(axis: AxisQuantity, given: WrittenQuantity, clause: str) -> tuple[float, int]:
    """How sure it is that a stated quantity is this one, and how near the words before it are that say so.

    It is by its symbol, else by words: the words after it count where neither symbol nor those before it do.
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
    """The quantities that a unit may measure, with what 0 and 1 of it are in theirs.

    An angle must bear its unit, a pure number none.
    """
    bare = unit in ("-", "%")
    lines = [
        (each, find_linear_conversion(unit, each.unit))
        for each in load_quantities()
        if (each.unit == "-") == bare
    ]
    return tuple((each, line) for each, line in lines if line is not None)
