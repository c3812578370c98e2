"""Which number belongs to which thing, told by the words around it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import combinations

from ansatz.eval.benchmarks.physbench.variants.concepts import compiled, concepts, quantities_in
from ansatz.eval.benchmarks.physbench.variants.statement import Mention, Statement

_SAME_DIMENSION = [
    frozenset(row.split(", "))
    for row in (
        "radius, diameter, length, width, height, depth, distance, thickness, wavelength, focal length"
        ", displacement, amplitude",
        "force, weight, tension",
        "work, energy, heat",
        "voltage, emf",
        "time, period, half-life",
        "mass, weight",
    )
]
"""Quantities that one number with its unit may be said of: of others the unit tells it apart."""
_REACH = 6  # words on either side
_COMMA = 2.0  # a comma or "and" counts as so many words
_STOP = 8.0  # the end of a sentence
_JOINING = (
    "a an the is are was were be been being of with has have had and or it its that this which who whose "
    "they them their he she his her at in on by as while if then than also there each per take use"
)
FREE = frozenset(_JOINING.split())
_PREPOSITIONS = frozenset({"from", "to", "into", "between"})
_WORDS = re.compile(r"[A-Za-z][A-Za-z'-]*|[.?!;,:]")
_SYNONYMS = {
    word: canonical
    for canonical, words in {
        "rest": "stationary rest motionless",
        "push": "push pushes pushed pushing exerts",
        "move": "move moves moving moved go goes going travels travelling",
        "wide": "wide width",
        "high": "high height tall",
        "far": "far distance",
        "current": "current stream flow flows flowing",
        "heavy": "mass weight weighs heavy",
        "ring": "circle ring round circular",
        "speed": "speed velocity fast",
    }.items()
    for word in words.split()
}


def role_changes(one: Statement, other: Statement) -> Iterator[str]:
    """Numbers of one unit that have changed places: each stands among the words that were the other's."""
    by_unit: defaultdict[str, list[Mention]] = defaultdict(list)
    for mention in one.mentions:
        by_unit[mention.unit].append(mention)
    for mentions in by_unit.values():
        for first, second in combinations(mentions, 2):
            if first.key == second.key or _are_listed(first, second, one):
                continue
            if _are_exchanged((first, second), one, other):
                yield f"{first} and {second} have changed places"


def _symbol_stays(mention: Mention, other: Statement) -> bool:
    """Whether the other statement gives the same value to the same symbol; values of symbols are compared."""
    return bool(mention.symbol) and any(
        each.symbol == mention.symbol and each.key == mention.key for each in other.mentions
    )


def _are_listed(first: Mention, second: Mention, statement: Statement) -> bool:
    """Whether two numbers stand in one list, as in "resistors of 4 ohm and 6 ohm": either may come first."""
    between = statement.prose[min(first.end, second.end) : max(first.start, second.start)]
    return re.fullmatch(r"\s*,?\s*(?:and|or|by)?(?: of)?\s*", between) is not None and (
        "respectively" not in statement.prose
    )


def _are_exchanged(pair: tuple[Mention, Mention], one: Statement, other: Statement) -> bool:
    found = [[each for each in other.mentions if each.key == mention.key] for mention in pair]
    if any(len(each) != 1 for each in found):
        return False
    if sum(mention.key in {pair[0].key, pair[1].key} for mention in one.mentions) != 2:
        return False
    old = [_surroundings(mention, one) for mention in pair]
    new = [_surroundings(each[0], other) for each in found]
    if not all(new):
        return False
    straight = _likeness(old[0], new[0]) + _likeness(old[1], new[1])
    crossed = _likeness(old[0], new[1]) + _likeness(old[1], new[0])
    if all(_symbol_stays(mention, other) for mention in pair):
        return not _is_another(pair, one) and crossed > 2 * straight + 0.8
    if any(_symbol_stays(mention, other) for mention in pair):
        return crossed > 1.5 * straight + 0.5
    return crossed > 1.15 * straight + 0.15


def _is_another(pair: tuple[Mention, Mention], statement: Statement) -> bool:
    """Whether the second is told as another of the same: "a ball with 84 nC and another one with 63 nC"."""
    first, second = sorted(pair, key=lambda mention: mention.start)
    return (
        re.search(r"\b(?:another|other|second) one\b", statement.prose[first.end : second.start]) is not None
    )


def _surroundings(mention: Mention, statement: Statement) -> dict[str, float]:
    """The words near a number, each weighted by its nearness."""
    found: dict[str, float] = {}
    before = list(reversed(_WORDS.findall(statement.prose[: mention.start])))
    after = _WORDS.findall(statement.prose[mention.end :])
    for side, words in (("before", before), ("after", after)):
        distance = 1.0
        for place, word in enumerate(words[: 2 * _REACH]):
            if word in ".?!;":
                distance += _STOP
            elif word in ",:" or word == "and":
                distance += _COMMA
            elif word in _PREPOSITIONS and place == 0 and side == "before":
                found[f"<{word}"] = 1.0
            elif word.lower() not in FREE:
                root = stem(word)
                found[root] = max(found.get(root, 0.0), 1 / distance)
                distance += 1.0
            if distance > _REACH:
                break
    return found


def _likeness(one: dict[str, float], other: dict[str, float]) -> float:
    return sum(min(one[word], other[word]) for word in one.keys() & other.keys())


def stem(word: str) -> str:
    word = word.lower().removesuffix("'s")
    if word in _SYNONYMS:
        return _SYNONYMS[word]
    for ending in ("ing", "ed", "es", "ly", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            return word.removesuffix(ending)
    return word


def symbol_roles(one: Statement, other: Statement) -> Iterator[str]:
    """Symbols and numbers that are said to be another quantity, and not near the old one in any sentence."""
    old, new = _places(one), _places(other)
    for name in old.keys() & new.keys():
        was, now = _meanings(one, old[name]), _meanings(other, new[name])
        if name not in one.wanted and not any(was & row and now & row for row in _SAME_DIMENSION):
            continue
        if was and now and not was & _around(other, new[name]) and not now & _around(one, old[name]):
            yield f"{name} was {', '.join(sorted(was))} and is {', '.join(sorted(now))}"


def _places(statement: Statement) -> dict[str, list[int]]:
    """Where each symbol and each number stands in the prose."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for symbol in statement.symbols | statement.wanted:
        for place in re.finditer(rf"(?<!\w){re.escape(symbol)}(?!\w)", statement.prose):
            found[symbol].append(place.start())
    for mention in statement.mentions:
        found[str(mention)].append(mention.start)
    return found


def _meanings(statement: Statement, places: Collection[int]) -> frozenset[str]:
    """The quantities named right before."""
    return frozenset().union(*(_named_before(statement.prose[:place]) for place in places))


def _around(statement: Statement, places: Collection[int]) -> frozenset[str]:
    """The quantities named in the same sentences."""
    return frozenset().union(*(quantities_in(statement.sentence_at(place)) for place in places))


def _named_before(text: str) -> frozenset[str]:
    """The last quantity in the few words before, within the clause; not one that only says when or where."""
    if re.search(r"\b(?:in|at|for|during|after|by|from|to|with|than|until|through|on) $", text):
        return frozenset()
    clause = re.split(r"[.?!;,:]|\band\b|\)", text)[-1]
    reach = clause[-len(" ".join(clause.split()[-5:])) - 1 :] if clause.split() else ""
    begin = len(clause) - len(reach)
    named = [
        (found.end(), found.start(), name)
        for name, pattern in concepts().quantities.items()
        for found in compiled(pattern).finditer(clause)
        if found.end() > begin
    ]
    if not named:
        return frozenset()
    _, start, name = max(named, key=lambda each: (each[0], -each[1]))
    if re.search(r"\b(?:in|at|for|during|after|per|by) (?:that|this|which|the same) ?\w* ?$", clause[:start]):
        return frozenset()
    return frozenset({name})


def content_words(text: str) -> frozenset[str]:
    """Stems of the words of a text, but those that join."""
    return frozenset(
        stem(word) for word in re.findall(r"[A-Za-z][A-Za-z'-]+", text) if word.lower() not in FREE
    )
