"""Many patterns looked for in one text: each is tried only at words that begin as its matches do."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from re import _constants as op  # type: ignore[attr-defined]  # what re itself makes of a pattern
from re import _parser  # type: ignore[attr-defined]
from typing import Any

_WORD = re.compile(r"\b\w")
_HEAD = 3  # letters that tell most words apart
_WIDTHLESS = (op.AT, op.ASSERT, op.ASSERT_NOT)
_LARGEST_CLASS = 40


class MultiPattern:
    """Finds the matches of patterns that all begin with a word, as `pattern.finditer` would.

    Raises ValueError for a pattern of which it cannot be told with which letters its matches begin.
    """

    def __init__(self, patterns: Sequence[re.Pattern[str]]):
        self._tries: dict[str, list[tuple[int, Any]]] = defaultdict(list)
        for place, pattern in enumerate(patterns):
            for head in heads(pattern.pattern):
                self._tries[head].append((place, pattern.match))
        self._likely = lru_cache(maxsize=8192)(self._of_head)

    def matches(self, lowered: str) -> dict[int, list[re.Match[str]]]:
        """The matches in a text in lower case, by the place of their pattern, where it has any."""
        found: dict[int, list[re.Match[str]]] = {}
        for word in _WORD.finditer(lowered):
            start = word.start()
            for place, match in self._likely(lowered[start : start + _HEAD]):
                here = match(lowered, start)
                if here and not (place in found and found[place][-1].end() > start):
                    found.setdefault(place, []).append(here)
        return found

    def _of_head(self, head: str) -> tuple[tuple[int, Any], ...]:
        return tuple(each for end in range(1, len(head) + 1) for each in self._tries.get(head[:end], ()))


def heads(pattern: str) -> frozenset[str]:
    """The letters, at most three, with which a match may begin. Raises ValueError where that is open."""
    found = _heads(_parser.parse(pattern))
    if found is None or "" in found:
        raise ValueError(f"a match of {pattern!r} may begin with any letter")
    return found


def _heads(parts: Iterable[tuple[Any, Any]]) -> frozenset[str] | None:
    """What a sequence may begin with; None where that can be anything."""
    whole: set[str] = set()
    growing = {""}
    for kind, value in parts:
        if kind in _WIDTHLESS:
            continue
        following = _of_part(kind, value)
        if following is None:  # any letter may follow: what has been found so far must do
            return None if "" in growing else frozenset(whole | growing)
        grown = {(head + tail)[:_HEAD] for head in growing for tail in following}
        whole |= {head for head in grown if len(head) == _HEAD}
        growing = grown - whole
    return frozenset(whole | growing)


def _of_part(kind: Any, value: Any) -> frozenset[str] | None:
    if kind is op.LITERAL:
        return frozenset(chr(value))
    if kind is op.SUBPATTERN:
        return _heads(value[-1])
    if kind is op.BRANCH:
        branches = [_heads(each) for each in value[1]]
        return None if None in branches else frozenset().union(*filter(None, branches))
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT):
        least, most, repeated = value
        once = _heads(repeated) if most == 1 else None
        return once if once is None or least else once | {""}
    return _of_class(value) if kind is op.IN else None


def _of_class(members: Iterable[tuple[Any, Any]]) -> frozenset[str] | None:
    """The letters of a class such as [sz] or [0-9]; None for a large one."""
    found: set[str] = set()
    for kind, value in members:
        if kind is op.LITERAL:
            found.add(chr(value))
        elif kind is op.RANGE and value[1] - value[0] < _LARGEST_CLASS:
            found |= {chr(each) for each in range(value[0], value[1] + 1)}
        else:
            return None
    return frozenset(found)
