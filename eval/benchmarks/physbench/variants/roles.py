"""Which number belongs to which thing, told by the words around it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from ansatz.eval.benchmarks.physbench.variants.concepts import concepts, quantities_in
from ansatz.eval.benchmarks.physbench.variants.statement import Mention, Statement

_REACH = 6  # words on either side
_COMMA = 2.0  # a comma or "and" counts as so many words
_STOP = 8.0  # the end of a sentence
_JOINING = (
    "a an the is are was were be been being of with has have had and or it its that this which who whose "
    "they them their he she his her at in on by as while if then than also there each per take use"
)
_FREE = frozenset(_JOINING.split())
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
            if first.key != second.key and _are_exchanged((first, second), one, other):
                yield f"{first} and {second} have changed places"


def _are_exchanged(pair: tuple[Mention, Mention], one: Statement, other: Statement) -> bool:
    found = [[each for each in other.mentions if each.key == mention.key] for mention in pair]
    if any(len(each) != 1 for each in found):
        return False
    if sum(mention.key in {pair[0].key, pair[1].key} for mention in one.mentions) != 2:
        return False
    old = [_surroundings(mention, one) for mention in pair]
    new = [_surroundings(each[0], other) for each in found]
    straight = _likeness(old[0], new[0]) + _likeness(old[1], new[1])
    crossed = _likeness(old[0], new[1]) + _likeness(old[1], new[0])
    return crossed > 1.15 * straight + 0.05


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
            elif word.lower() not in _FREE:
                stem = _stem(word)
                found[stem] = max(found.get(stem, 0.0), 1 / distance)
                distance += 1.0
            if distance > _REACH:
                break
    return found


def _likeness(one: dict[str, float], other: dict[str, float]) -> float:
    return sum(min(one[word], other[word]) for word in one.keys() & other.keys())


def _stem(word: str) -> str:
    word = word.lower().removesuffix("'s")
    if word in _SYNONYMS:
        return _SYNONYMS[word]
    for ending in ("ing", "ed", "es", "ly", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            return word.removesuffix(ending)
    return word


def symbol_roles(one: Statement, other: Statement) -> Iterator[str]:
    """Symbols and numbers that are said to be another quantity."""
    old, new = _meanings(one), _meanings(other)
    for name in old.keys() & new.keys():
        if old[name] and new[name] and not old[name] & new[name]:
            yield f"{name} was {', '.join(sorted(old[name]))} and is {', '.join(sorted(new[name]))}"


def _meanings(statement: Statement) -> dict[str, frozenset[str]]:
    """The quantities named right before each symbol and each number."""
    found: dict[str, frozenset[str]] = {}
    for symbol in statement.symbols:
        for place in re.finditer(rf"(?<!\w){re.escape(symbol)}(?!\w)", statement.prose):
            found[symbol] = found.get(symbol, frozenset()) | _named_before(statement.prose[: place.start()])
    for mention in statement.mentions:
        name = str(mention)
        found[name] = found.get(name, frozenset()) | _named_before(statement.prose[: mention.start])
    return found


def _named_before(text: str) -> frozenset[str]:
    """The last quantity in the few words before, within the clause."""
    clause = re.split(r"[.?!;,:]|\band\b|\)", text)[-1]
    words = " ".join(clause.split()[-4:])
    named = [
        (found.start(), name)
        for name, pattern in concepts().quantities.items()
        for found in re.finditer(rf"\b(?:{pattern})\b", words, re.I)
    ]
    return frozenset({max(named)[1]}) if named else frozenset()


def subject_changes(one: Statement, other: Statement) -> Iterator[str]:
    """A question about another thing of the same story."""
    known, asked = _words(one.prose), _words(one.asked)
    told, new = _words(other.prose), _words(other.asked)
    gained, unknown = (new - asked) & known, new - asked - known
    lost = (asked - new) & told if unknown else asked - new
    if gained and lost:
        yield f"it is about {', '.join(sorted(gained))} instead of {', '.join(sorted(lost))}"


def _words(text: str) -> frozenset[str]:
    """Words that name things: not those of quantities and not those that join."""
    words = {_stem(word) for word in re.findall(r"[A-Za-z][A-Za-z'-]+", text) if word.lower() not in _FREE}
    return frozenset(word for word in words if not quantities_in(word))
