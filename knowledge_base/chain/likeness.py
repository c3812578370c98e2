"""How well two quantities agree, from what is said of each."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from ansatz.knowledge_base.chain.meaning import STREAMS, Meaning, excluded
from ansatz.knowledge_base.chain.vocabulary import APART, STATES, TENDENCIES

_GENERIC = frozenset({"characteristic", "reference", "flow", "local", "gas"})
_ALIKE, _FAIR = 0.35, 0.2
_PURE_ALIKE = 0.35  # pure numbers are many, and most are called a number, a ratio or a coefficient
# How far two descriptions must share all their words, and how far it is enough that one holds the other.
_BY_SHARE, _BY_CONTENT = 0.65, 0.35
_GENERAL = 0.45  # how alike a "characteristic length" is to any length
_AFTER_SHOCK = frozenset({"downstream", "edge"})  # a layer's edge may lie behind the shock
_UNKNOWN = 0.3  # the weight of a word that no entry uses, over that of the rarest
_UNSAID_SORT = 0.05
_AHEAD, _BEHIND = frozenset({"upstream"}), frozenset({"downstream"})
_EDGE, _TOTAL = frozenset({"edge"}), frozenset({"total"})
_RESERVOIRS = frozenset({"plenum", "reservoir"})
_BEFORE = {"second": "first", "third": "second"}
_WALL = frozenset({"wall"})
_AT_WALL = 0.25  # what is not said to be at the wall is seldom taken there
_STAR = frozenset({"star"})
_AT_STAR, _NUMBER_AT_STAR = 0.5, 1.5  # a reference state has values of its own
_ELSEWHEN = 0.5  # what was taken at another moment than the peak that is wanted


def known_as(wanted: Meaning) -> tuple[Meaning, ...]:
    """The quantity, and what it is too.

    Ahead of the second shock is behind the first; the gas at a stagnation point has its total state.
    """
    if "stagnationpoint" in wanted.words and wanted.words & STATES and not wanted.kinds:
        words = (wanted.words - {"stagnationpoint"}) | {"total"}
        return wanted, replace(wanted, words=words, kinds=_TOTAL, places=_BEHIND)
    if wanted.kinds == _TOTAL and wanted.places == _BEHIND and wanted.words & STATES:
        words = (wanted.words - _TOTAL - {"shock", "normal"}) | {"stagnationpoint"}
        return wanted, replace(wanted, words=words, kinds=frozenset(), places=_EDGE)
    before = wanted.sorts & _BEFORE.keys()
    if wanted.places != _AHEAD or not before:
        return (wanted,)
    sorts = (wanted.sorts - before) | {_BEFORE[each] for each in before}
    return wanted, replace(wanted, places=_BEHIND, sorts=sorts)


def at_rest(wanted: Meaning) -> tuple[Meaning, ...]:
    """The state of a gas at rest, where its total state is wanted: in a plenum the two are one."""
    if wanted.kinds != _TOTAL or not wanted.words & _RESERVOIRS:
        return ()
    return (replace(wanted, words=wanted.words - _TOTAL - _RESERVOIRS, kinds=frozenset()),)


class Weights:
    """How telling a word is: the rarer among the descriptions of a base, the more."""

    def __init__(self, described: Iterable[frozenset[str]]):
        every = list(described)
        counted = Counter(word for words in every for word in words)
        self._most = math.log(len(every) + 2)
        self._unknown = _UNKNOWN * self._most
        self._weights = {word: self._most - math.log(count + 1) for word, count in counted.items()}

        self._sums: dict[frozenset[str], float] = {}

    def of(self, words: frozenset[str]) -> float:
        found = self._sums.get(words)
        if found is None:
            found = sum(self._weights.get(word, self._unknown) for word in words)
            self._sums[words] = found
        return found


def mismatch(wanted: Meaning, offered: Meaning, weights: Weights, strict: bool = False) -> float | None:
    """0 for the same quantity, up to about 1.5 for a likely one, None for another quantity.

    Unless `strict`, a quantity with a dimension may also be known by its letter or by a general word.
    """
    if wanted.dimension != offered.dimension or wanted.kinds != offered.kinds:
        return None
    if excluded(wanted.sorts, offered.sorts):
        return None
    apart = wanted.places and offered.places and not wanted.places & offered.places
    if any(_apart(wanted.words & line, offered.words & line) for line in APART):
        return None
    both = wanted.places | offered.places
    if apart and not (both <= STREAMS or both <= _AFTER_SHOCK):
        return None
    alike = _alike(wanted, offered, weights, _BY_SHARE if strict else _BY_CONTENT)
    same_name = (wanted.stem, wanted.label) == (offered.stem, offered.label)
    pure = wanted.dimension in ("dimensionless", "angle")
    if alike < (_PURE_ALIKE if pure else _ALIKE):
        same_letter = wanted.stem == offered.stem if pure else wanted.stem[:1] == offered.stem[:1]
        generic = wanted.words & _GENERIC or not wanted.words
        if (
            strict
            or wanted.dimension == "dimensionless"
            or not (same_letter or generic)
            or (alike < _FAIR and not same_letter and not generic)
        ):
            return None
        alike = max(alike, _GENERAL) if generic else alike
    cost = 1.2 * (1 - alike)
    cost -= 0.15 if same_name else 0.08 if wanted.stem == offered.stem else 0.0
    cost += 0.3 * len((wanted.words ^ offered.words) & TENDENCIES)
    elsewhen = wanted.words ^ offered.words if strict else wanted.words - offered.words
    cost += _ELSEWHEN if "peak" in elsewhen else 0.0
    if wanted.places != offered.places:
        if wanted.places == _STAR and not offered.places:
            cost += _NUMBER_AT_STAR if pure else _AT_STAR
        cost += _AT_WALL if offered.places == _WALL and not wanted.places else 0.0
        cost += (0.35 if both <= STREAMS else 0.25) if apart else 0.15 if not wanted.places else 0.25
    if wanted.label.isdigit() and offered.label.isdigit() and wanted.label != offered.label:
        cost += 0.3
    return max(cost, 0.0) + _UNSAID_SORT * len(wanted.sorts ^ offered.sorts)


def _apart(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one) and bool(other) and not one & other


def _alike(wanted: Meaning, offered: Meaning, weights: Weights, by_share: float) -> float:
    sought, found = wanted.words - _RESERVOIRS, offered.words - _RESERVOIRS
    shared = sought & found
    if not shared:
        return 0.0
    common, one, other = weights.of(shared), weights.of(sought), weights.of(found)
    return by_share * common / (one + other - common) + (1 - by_share) * common / min(one, other)
