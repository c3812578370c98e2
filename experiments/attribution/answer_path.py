"""Follow a value through a conversation to the answer, by the numbers and symbols of its equations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ansatz.experiments.attribution.conversation import ConversationPart
from ansatz.experiments.attribution.mentions import (
    FEWEST_DIGITS,
    Mention,
    find_mentions,
    is_converted,
    is_same_number,
)

_SCALES = (1.0, 1e3, 1e-3)


@dataclass(frozen=True)
class Final:
    """The values that the answer finally states, and whether the answer is right."""

    values: tuple[Mention, ...]
    words: tuple[str, ...] = ()
    right: bool | None = None
    """None if no scorer decided."""


def reaches_answer(
    shown: Sequence[tuple[ConversationPart, Mention]],
    after: Sequence[ConversationPart],
    final: Final,
    fed_by: Sequence[ConversationPart] = (),
) -> bool | None:
    """Whether a value, or what is computed with it, is a value of the answer.

    On a line with a carried number or symbol, what follows an equals sign is carried, too. So is the result
    of a call whose arguments have a carried number, or are in `fed_by`.
    """
    carried = [each for _, each in shown]
    names = {each.name for each in carried if each.name}
    if _states(carried, final):
        return True
    starts = {id(part) for part in (*fed_by, *(part for part, _ in shown))}
    fed: set[int] = set()
    for part in after:
        mentions = find_mentions(part.text)
        if part.kind == "result":
            if part.call in fed:
                carried += mentions
            continue
        has_carried = id(part) in starts or any(_equals(each, carried) for each in mentions)
        if part.kind == "arguments":
            if has_carried and part.call is not None:
                fed.add(part.call)
            continue
        carried += _follow_lines(part.text, mentions, carried, names)
    if _states(carried, final):
        return True
    return False if final.values or final.right is not None else None


def _follow_lines(
    text: str, mentions: Sequence[Mention], carried: Sequence[Mention], names: set[str]
) -> list[Mention]:
    """Return the numbers that a text computes from carried ones, and add their symbols to `names`."""
    found: list[Mention] = []
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        own = [each for each in mentions if start <= each.start < end]
        equals = line.find("=")
        if own and equals >= 0:
            symbols = {re.sub(r"\W|_", "", each) for each in re.findall(r"[^\W\d][\w]*", line)}
            first = next((e.end for e in own if _equals(e, [*carried, *found])), None)
            if first is not None or names & symbols:
                found += [each for each in own if each.start >= start + equals]
                names |= {each.name for each in own if each.name and each.start > (first or 0)}
                if head := re.match(r"[^\w]*([^\W\d]\w*)\s*(?:=|≈)", line):
                    names.add(re.sub(r"\W|_", "", head[1]))
        start = end + 1
    return found


def _equals(shown: Mention, values: Iterable[Mention]) -> bool:
    return shown.digits >= FEWEST_DIGITS and any(is_same_number(shown, each.value) for each in values)


def _states(carried: Iterable[Mention], final: Final) -> bool:
    return any(
        (each.start == value.start and each.text == value.text)
        or (value.digits >= FEWEST_DIGITS and _shows(value, each))
        for each in carried
        for value in final.values
    )


def _shows(final: Mention, carried: Mention) -> bool:
    same = is_same_number(final, carried.value) or is_same_number(carried, final.value)
    return same or (carried.digits >= FEWEST_DIGITS and is_converted(final, carried))


def is_computed_from(shown: Mention, values: Sequence[Mention], others: Sequence[Mention]) -> bool:
    """Whether a number is the sum, difference, product or ratio of a result and another known number."""
    for value in (each.value for each in values):
        for other in {each.value for each in others if each.value and value}:
            found = (value * other, value / other, other / value, value + other, value - other)
            if any(is_same_number(shown, each * scale) for each in found for scale in _SCALES):
                return True
    return False
