"""Follow a value through a conversation to the answer, by the numbers and symbols of its equations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ansatz.experiments.attribution.conversation import ConversationPart
from ansatz.experiments.attribution.mentions import (
    FEWEST_DIGITS,
    Mention,
    find_mentions,
    is_converted,
    is_near,
    is_one_of,
    is_rounding,
    is_same_number,
    normalize_name,
)

_SCALES = (1.0, 1e3, 1e-3, 100.0)
_MOST_PAIRS = 20_000  # times 20 results, of which one in a thousand has the same three digits
_BRACKETS = re.compile(r"\([^()\n]*\)")
_OPERATOR = re.compile(r"[^\d\n,;.(]{0,24}?(?:[=≈→×·+^−]| \* )")  # after an operand, and its unit
_SENTENCE_END = re.compile(r"(?<!\.[a-z])[.;!?](?=\s|$)|\n")
_LIST = re.compile(r"(?:^[ \t]*(?:[-*•|]|\d+[.)] ).*(?:\n|\Z))+", re.MULTILINE)


@dataclass(frozen=True)
class Final:
    """The values that the answer finally states, and whether the answer is right."""

    values: tuple[Mention, ...]
    """Those that a scorer read, and other quantities that the same sentence or list states."""
    words: tuple[str, ...] = ()
    right: bool | None = None
    """None if no scorer decided."""


def reaches_answer(
    shown: Sequence[tuple[ConversationPart, Mention]],
    after: Sequence[ConversationPart],
    before: Sequence[ConversationPart],
    final: Final,
    fed_by: Sequence[ConversationPart] = (),
) -> bool | None:
    """Whether a value, or what is computed with it, is a value of the answer.

    On a line with a carried number or symbol, what follows both it and an equals sign is carried, too. So is
    the result of a call whose arguments have a carried number or are in `fed_by`. A sum, difference, product
    or ratio of a carried number and another one is also carried. If no value of the answer was read, the
    result can only be True, if the last line with numbers has it, or None.
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
    if not final.values:
        return _states(carried, Final(_find_last_numbers(after))) or None
    carried = _compute_further(carried, before, after)
    for part in after:
        if part.kind == "written":
            carried += _follow_lines(part.text, find_mentions(part.text), carried, names)
    return _states(carried, final) or any(_is_computed_on_its_line(each, carried) for each in final.values)


def find_siblings(values: Sequence[Mention]) -> Iterator[Mention]:
    """Yield the other quantities of the sentences, lists and tables that state the values of the answer.

    Numbers in brackets and operands of an equation are none.
    """
    for text, begin, end in {(each.text, *_find_statement(each)) for each in values}:
        aside = [each.span() for each in _BRACKETS.finditer(text, begin, end)]
        for each in find_mentions(text):
            inside = begin <= each.start < end and not any(a <= each.start < b for a, b in aside)
            if inside and each.digits >= FEWEST_DIGITS and not _OPERATOR.match(text, each.end):
                yield each


def _find_statement(value: Mention) -> tuple[int, int]:
    """Return start and end of the sentence, or of the lines of the list, that a number is in."""
    text, begin, end = value.text, value.start, value.end
    lines = [each.span() for each in _LIST.finditer(text) if each.start() <= begin < each.end()]
    if lines:
        return lines[0]
    starts = [each.end() for each in _SENTENCE_END.finditer(text, 0, begin)]
    following = _SENTENCE_END.search(text, end)
    return starts[-1] if starts else 0, following.start() if following else len(text)


def _is_computed_on_its_line(value: Mention, carried: Sequence[Mention]) -> bool:
    """Whether a number is a sum, product or ratio of a carried number and another one of its sentence."""
    begin, end = _find_statement(value)
    near = [each for each in find_mentions(value.text) if begin <= each.start < end and each != value]
    mine = [each for each in near if each in carried or _equals(each, carried)]
    return value.digits > 1 and is_computed_from(value, mine, near) is True


def _find_last_numbers(after: Sequence[ConversationPart]) -> tuple[Mention, ...]:
    """Return the numbers of the last line of the answer that has any outside parentheses."""
    text = next((part.text for part in reversed(after) if part.kind == "written"), "")
    aside = [each.span() for each in _BRACKETS.finditer(text)]
    stated = [
        each for each in find_mentions(text) if not any(start <= each.start < end for start, end in aside)
    ]
    begin = text.rfind("\n", 0, stated[-1].start) if stated else 0
    return tuple(each for each in stated if each.start > begin)


def _compute_further(
    carried: Sequence[Mention], before: Sequence[ConversationPart], after: Sequence[ConversationPart]
) -> list[Mention]:
    """Return the numbers that follow from carried ones by one operation after another with other numbers."""
    others = [each.value for part in (*before, *after) for each in find_mentions(part.text) if each.value]
    found = list(carried)
    for part in after:
        for each in find_mentions(part.text) if part.kind == "written" else ():
            if each.digits > FEWEST_DIGITS and _follows(each, found, others):
                found.append(each)
    return found


def _follows(shown: Mention, carried: Sequence[Mention], others: Sequence[float]) -> bool:
    """Whether a number is the result of one operation on a carried and another number."""
    mine, known = np.array([[each.value] for each in carried if each.value]), np.array([others])
    if not mine.size or not known.size:
        return False
    results = np.concatenate([mine * known, mine / known, known / mine, mine + known, mine - known])
    apart = np.abs(np.abs(results) - abs(shown.value))
    is_other = ~(np.isclose(mine, shown.value) | np.isclose(known, shown.value))
    return bool(((apart <= shown.step * 0.5) & np.tile(is_other, (5, 1))).any())


def _follow_lines(
    text: str, mentions: Sequence[Mention], carried: Sequence[Mention], names: set[str]
) -> list[Mention]:
    """Return the numbers that a text computes from carried ones, and add their symbols to `names`."""
    found: list[Mention] = []
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        own = [each for each in mentions if start <= each.start < end]
        equals = next((each.start() for each in re.finditer("[=≈→]", line)), -1)
        if own and equals >= 0:
            first = next((e.end for e in own if _equals(e, [*carried, *found])), None)
            first = min(
                [first or end, *(start + at for at, name in _find_symbols(line) if name in names)],
                default=end,
            )
            if first < end:
                found += [each for each in own if each.start >= max(first, start + equals)]
                names |= {each.name for each in own if each.name and each.start > first}
                if head := re.match(r"[^\w]*([^\W\d]\w*)\s*(?:=|≈)", line):
                    names.add(normalize_name(head[1]))
        start = end + 1
    return found


def _find_symbols(line: str) -> list[tuple[int, str]]:
    return [(each.start(), normalize_name(each[0])) for each in re.finditer(r"[^\W\d]\w*", line)]


def _equals(shown: Mention, values: Iterable[Mention]) -> bool:
    return shown.digits >= FEWEST_DIGITS and is_one_of(shown, values)


def _states(carried: Iterable[Mention], final: Final) -> bool:
    return any(
        (each.start == value.start and each.text == value.text)
        or (value.digits >= FEWEST_DIGITS and _shows(value, each))
        or (value.digits == each.digits > 1 and value.value == each.value)
        or (each.digits >= FEWEST_DIGITS > value.digits and is_rounding(value, each))
        for each in carried
        for value in final.values
    )


def _shows(final: Mention, carried: Mention) -> bool:
    same = is_same_number(final, carried.value) or is_same_number(carried, final.value)
    return same or (carried.digits >= FEWEST_DIGITS and is_converted(final, carried))


def is_computed_from(shown: Mention, values: Sequence[Mention], others: Sequence[Mention]) -> bool | None:
    """Whether a number is the sum, difference, product or ratio of a result and another known number.

    None if there are so many pairs that one of them is likely to fit by chance.
    """
    mine = np.array([[each] for each in {each.value for each in values if each.value}])
    known = np.array([[*{each.value for each in others if each.value}]])
    if not mine.size or not known.size:
        return False
    if mine.size * known.size > _MOST_PAIRS:
        return None
    results = np.abs(np.concatenate([mine * known, mine / known, known / mine, mine + known, mine - known]))
    return any(bool(is_near(shown, results * scale).any()) for scale in _SCALES)
