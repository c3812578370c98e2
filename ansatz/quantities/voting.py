"""A vote among several stated values of one quantity: equal within a tolerance, in whatever units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from ansatz.quantities.scales import scale
from ansatz.quantities.statements import Statement


@dataclass(frozen=True)
class Ballot:
    """How a vote went: `members` are the places of the answers in the largest group, `chosen` its median.

    `share` is that of the group among all who were asked, silent ones included. `spread` is the range of all
    values of the group's dimension, relative to the chosen one; None for fewer than two or a chosen zero.
    `tie` says that another group is as large: the one of the earliest answer then stands.
    """

    members: tuple[int, ...]
    chosen: int | None
    share: float
    spread: float | None
    tie: bool

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "members": list(self.members)}


def vote(stated: Sequence[Statement | str | None], tolerance: float) -> Ballot:
    """The largest group of answers that lie within a relative `tolerance` of each other.

    A value without a unit is taken to be in the unit that most others state; words are compared as they are.
    """
    units = Counter(each.unit for each in stated if isinstance(each, Statement) and each.unit)
    usual = units.most_common(1)[0][0] if units else ""
    kinds: dict[object, list[tuple[float, int]]] = {}
    for place, each in enumerate(stated):
        if isinstance(each, Statement):
            known = scale(each.unit or usual)
            kind, factor, offset = (
                (known.dimension, known.factor, known.offset) if known else (each.unit, 1, 0)
            )
            kinds.setdefault(kind, []).append((each.value * factor + offset, place))
        elif each is not None:
            kinds.setdefault(each.casefold(), []).append((0.0, place))
    groups = [(group, held) for held in kinds.values() for group in _groups(sorted(held), tolerance)]
    if not groups:
        return Ballot((), None, 0.0, None, False)
    most = max(len(group) for group, _ in groups)
    largest = sorted(((group, held) for group, held in groups if len(group) == most), key=_first)
    group, held = largest[0]
    members = {place for _, place in group}
    chosen = group[(len(group) - 1) // 2][1]
    centre = abs(median(each for each, _ in group))
    spread = (max(held)[0] - min(held)[0]) / centre if len(held) > 1 and centre else None
    tie = any(members.isdisjoint(place for _, place in other) for other, _ in largest[1:])
    return Ballot(tuple(sorted(members)), chosen, most / len(stated), spread, tie)


def _groups(held: list[tuple[float, int]], tolerance: float) -> list[list[tuple[float, int]]]:
    """For each value, in order, it and those above that are no further from it than the tolerance."""
    return [
        [each for each in held[start:] if each[0] - low <= tolerance * max(abs(low), abs(each[0]))]
        for start, (low, _) in enumerate(held)
    ]


def _first(found: tuple[list[tuple[float, int]], object]) -> int:
    return min(place for _, place in found[0])
