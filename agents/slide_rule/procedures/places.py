"""Where a quantity belongs: the words of an engineering text that name a port, a device, a stream."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from ansatz.agents.slide_rule.procedures.vocabulary import places

GROUPS = ("port", "component", "fluid", "stage", "stream", "extreme", "special")

Place = dict[str, str]  # group -> tag


def place(tags: str) -> Place:
    """The place spelled by tags: "turbine inlet" is {component: turbine, port: inlet}."""
    return {_group_of()[tag]: tag for tag in tags.split()}


@cache
def _group_of() -> Mapping[str, str]:
    return {tag: group for group, listed in places().items() for tag, _ in listed}


@cache
def _any_of(group: str) -> re.Pattern[str]:
    """Any word of a group, as a capture numbered by its entry."""
    entries = (
        f"(?P<w{number}>(?<![A-Za-z])(?:{words})(?![A-Za-z]))"
        for number, (_, words) in enumerate(places()[group])
    )
    return re.compile("|".join(entries), re.IGNORECASE)


@lru_cache(maxsize=4096)
def named_in(text: str, group: str) -> tuple[str, ...]:
    """Every tag of a group that a text names, in order; words inside longer phrases count as well."""
    tags, start = [], 0
    while found := _any_of(group).search(text, start):
        tags.append(places()[group][int((found.lastgroup or "w0")[1:])][0])
        start = found.start() + max(1, len(found.group().split()[0]))
    return tuple(tags)


def place_in(text: str) -> Place:
    """For each group the place named last, which is the one nearest to what follows the text."""
    return {group: tags[-1] for group in GROUPS if (tags := named_in(text, group))}


def agreement(own: Place, expected: Place) -> float:
    """How well a place fits an expected one: shared tags count for it, different ones against it."""
    if own.get("special") != expected.get("special"):
        return -10.0
    score = 0.0
    for group in GROUPS:
        one, other = own.get(group), expected.get(group)
        if one and other:
            score += 2.0 if one == other else -4.0
        elif one and group in ("component", "stage", "stream") and not other:
            score -= 1.0 if group == "stream" else 0.5
        elif other:
            score -= 0.25
    return score


def best_agreement(own: Place, alternatives: Iterable[Place]) -> float:
    """Earlier alternatives are the likelier ones, by a hair."""
    scores = [agreement(own, expected) - 0.01 * n for n, expected in enumerate(alternatives)]
    return max(scores, default=0.0 if "special" not in own else -10.0)
