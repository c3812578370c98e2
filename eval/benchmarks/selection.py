"""Select problems by their tags, and divide a number of questions in given proportions."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from ansatz.eval.problem import Problem

Kind = TypeVar("Kind")


def select_by_tags(problems: Iterable[Problem], **wanted: Collection[str]) -> tuple[Problem, ...]:
    """Return the problems with one of the wanted values in every tag; an empty collection accepts all."""
    return tuple(
        problem
        for problem in problems
        if all(problem.tags.get(tag) in values for tag, values in wanted.items() if values)
    )


def apportion(shares: Mapping[Kind, float], count: int) -> dict[Kind, int]:
    """Divide `count` in proportion to the shares, by largest remainder; the first of equals gets more."""
    total = math.fsum(shares.values())
    exact = {kind: count * share / total for kind, share in shares.items()}
    counts = {kind: math.floor(part) for kind, part in exact.items()}
    by_remainder = sorted(exact, key=lambda kind: counts[kind] - exact[kind])
    for kind in by_remainder[: count - sum(counts.values())]:
        counts[kind] += 1
    return counts


def proportional_order(shares: Mapping[Kind, int]) -> tuple[Kind, ...]:
    """Repeat each kind as often as its share, so that every prefix is as near the proportions as possible.

    >>> "".join(proportional_order({"a": 3, "b": 1}))
    'aaba'
    """
    total = sum(shares.values())
    taken = dict.fromkeys(shares, 0)
    order = []
    for place in range(1, total + 1):
        due = {kind: share * place / total - taken[kind] for kind, share in shares.items()}
        order.append(max((kind for kind in shares if taken[kind] < shares[kind]), key=due.__getitem__))
        taken[order[-1]] += 1
    return tuple(order)
