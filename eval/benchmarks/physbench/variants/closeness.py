"""What may not change in a retelling that keeps nearly all the words, as those of a language model do.

There a word is seldom exchanged without need, so that words which say of what, how much or where are weighed
one by one; in a free retelling the same words come and go.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ansatz.eval.benchmarks.physbench.variants.concepts import (
    compiled,
    concepts,
    count,
    quantities_in,
    without_idioms,
)
from ansatz.eval.benchmarks.physbench.variants.roles import FREE, stem
from ansatz.eval.benchmarks.physbench.variants.statement import Statement

_CLOSE, _VERY_CLOSE = 0.72, 0.79  # shares of words in common
_TOLD_OTHERWISE = frozenset({"constant", "horizontal", "something neglected"})
"""Conditions whose words are also nouns, or which absences and the weighed words tell as well."""
_TOLD_BY_UNITS = frozenset(
    {"angle", "distance", "height", "length", "mass", "number", "ratio", "speed", "temperature", "thickness"}
    | {"time", "width"}
)
"""Quantities that a number with its unit names well enough: "200 g of tea" is a mass."""
_RATIO = re.compile(
    r"(?<!\w)([A-Za-z]{1,5}_\w+|[A-Za-z]) (?:over|divided by|to|:|by) ([A-Za-z]{1,5}_\w+|[A-Za-z])(?!\w)"
)
_ORDINAL = re.compile(r"\b(first|second|third|last|former|latter)\b", re.I)


def closeness(one: Statement, other: Statement) -> float:
    """The share, from 0 to 1, of words that two statements have in common, numbers left aside."""
    old, new = _words(one), _words(other)
    return 2 * sum((old & new).values()) / max(1, sum(old.values()) + sum(new.values()))


def close_changes(one: Statement, other: Statement) -> Iterator[str]:
    """Weighed words that came, went or were exchanged in a close retelling."""
    share = closeness(one, other)
    if share >= _CLOSE:
        yield from weighed_changes(one, other)
        yield from _order_changes(one, other)
    if share >= _VERY_CLOSE:
        yield from _said_changes(one, other)


def weighed_changes(one: Statement, other: Statement) -> Iterator[str]:
    """Weighed words lost and gained: some alone, others only where one takes the place of another."""
    texts = [without_idioms(part.words) for part in (one, other)]
    counts = {name: [count(words, text) for text in texts] for name, words in concepts().weighed.items()}
    alone = concepts().weighed_alone
    for name, (before, after) in counts.items():
        if name in alone and (before == 0) != (after == 0):
            yield f"{name!r} is {'new' if after else 'missing'}"
    lost = [name for name, (before, after) in counts.items() if after < before]
    gained = [name for name, (before, after) in counts.items() if after > before]
    if lost and gained:
        yield f"{', '.join(lost)} became {', '.join(gained)}"


def _said_changes(one: Statement, other: Statement) -> Iterator[str]:
    """Quantities named, and conditions stated, in only one of two close texts."""
    quantities = [quantities_in(part.words) - _TOLD_BY_UNITS for part in (one, other)]
    texts = [without_idioms(part.words) for part in (one, other)]
    conditions = [
        {
            name
            for name, each in concepts().conditions.items()
            if name not in _TOLD_OTHERWISE and count(each.says, text)
        }
        for text in texts
    ]
    for old, new in (quantities, conditions):
        yield from (f"{name!r} is missing" for name in sorted(old - new))
        yield from (f"{name!r} is new" for name in sorted(new - old))


def _order_changes(one: Statement, other: Statement) -> Iterator[str]:
    """Ratios told the other way round, and first and second in another order in the question."""
    old, new = (set(_RATIO.findall(part.prose)) for part in (one, other))
    for above, below in sorted(old - new):
        if (below, above) in new:
            yield f"{above} over {below} became {below} over {above}"
    ordinals = [[word.lower() for word in _ORDINAL.findall(part.asked)] for part in (one, other)]
    if ordinals[0] != ordinals[1] and Counter(ordinals[0]) == Counter(ordinals[1]):
        yield f"{', '.join(ordinals[0])} came in another order"


def _words(statement: Statement) -> Counter[str]:
    """The words that only tell the story, without those that are weighed and without names."""
    known = concepts()
    told = compiled("|".join([*known.weighed.values(), *known.quantities.values()])).sub(" ", statement.words)
    found = re.findall(r"(?:(?<=[.?!\n] )|^|(?=[a-z]))(?<![A-Za-z])[A-Za-z][a-z'-]+", told)
    return Counter(stem(word) for word in found if word.lower() not in FREE)
