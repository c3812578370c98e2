"""What a quantity means: its words, the place where it is taken, its dimension; and how well two agree."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from ansatz.knowledge_base.chain.vocabulary import (
    FILLER,
    INDEX,
    KINDS,
    MODES,
    PLACES,
    SAME,
    STATES,
    TENDENCIES,
)
from ansatz.knowledge_base.givens import plain_symbol
from ansatz.knowledge_base.units import parse_unit

_WORD = re.compile(r"[a-z][a-z'-]*[a-z]|[a-z]+\d*|\d+")
_GENERIC = frozenset({"characteristic", "reference", "flow", "local", "gas"})
_ALIKE, _FAIR = 0.35, 0.2
_PURE_ALIKE = 0.35  # pure numbers are many, and most are called a number, a ratio or a coefficient
# How far two descriptions must share all their words, and how far it is enough that one holds the other.
_BY_SHARE, _BY_CONTENT = 0.65, 0.35
_GENERAL = 0.45  # how alike a "characteristic length" is to any length
_STREAMS = frozenset({"upstream", "edge"})  # an equation of the free stream also serves at a layer's edge
_PASSED_ON = frozenset({"peak"})


@dataclass(frozen=True)
class Meaning:
    """A quantity as it is described; `dimension` tells angles from other pure numbers."""

    stem: str
    label: str
    words: frozenset[str]
    places: frozenset[str]
    kinds: frozenset[str]
    dimension: str
    parts: tuple[Meaning, ...] = ()

    def at(self, places: frozenset[str], label: str) -> Meaning:
        """The same quantity at a place, where its own description names none."""
        return self if self.places else replace(self, places=places, label=self.label or label)

    def under(self, condition: frozenset[str]) -> Meaning:
        """The same quantity under a condition, such as at the peak of something."""
        return replace(self, words=self.words | condition) if condition else self

    def condition(self, of: Meaning) -> frozenset[str]:
        """What is said of this quantity's occasion that another description leaves out."""
        return (self.words & _PASSED_ON) - of.words


@lru_cache(maxsize=16384)
def meaning(name: str, description: str, unit: str) -> Meaning:
    """Read a symbol with its description and unit."""
    stem, label = _split(name)
    read = re.sub(r"boundary[- ]layer edge", "edge", description.lower())
    read = re.sub(r"stagnation[- ](?:point|line)|stagnation (?=heat)", "stagnationpoint ", read)
    words = [SAME.get(word, word) for word in _WORD.findall(read)]
    words = [
        word[:-1] if len(word) > 4 and word.endswith("s") and word[-2] not in "su" else word for word in words
    ]
    places = {PLACES[word] for word in words if word in PLACES}
    recovery = "recovery" in words
    if recovery or "leading-edge" in words:
        places.discard("wall")
    if not places and label in INDEX:
        places = {INDEX[label]}
    core = frozenset(word for word in words if word not in FILLER and word not in PLACES)
    kinds = core & (KINDS if core & STATES else KINDS - MODES)
    if "speed" in core:
        kinds |= core & {"thermal"}
    halves = parts_of(description) if "ratio" in core else None
    parts = (
        tuple(meaning("", half, "-") for half in halves)
        if halves and _dimension(unit) == "dimensionless"
        else ()
    )
    return Meaning(stem, label, core, frozenset(places), kinds, _dimension(unit), parts)


_ACROSS = re.compile(r"^(?P<of>.*?)ratio across the shock")
_PARTS = re.compile(r"^(?:ratio of )?(?P<above>.+?) (?:over|to) (?:the )?(?P<below>.+)$")


def parts_of(description: str) -> tuple[str, str] | None:
    """What is divided by what: "p ratio across the shock", "A over B", "ratio of A to B", "A-to-B ratio"."""
    text = re.sub(r"(\w+)-to-(\w+) ratio", r"ratio of \1 to \2", description.lower())
    if text.startswith("inverse"):
        return None
    if across := _ACROSS.match(text):
        return f"{across['of']} behind the shock", f"{across['of']} ahead of the shock"
    found = _PARTS.match(text)
    if not found or not (" over " in text or text.startswith("ratio of ")):
        return None
    above, below = found["above"].removeprefix("the "), found["below"]
    if re.search(r"\bits\b|\bvalue\b", below):
        below = f"{above} {re.sub(r'its|value', '', below)}"
    elif len(above.split()) == 1:  # "wall to total enthalpy" shares its noun
        above = f"{above} {below.split()[-1]}"
    return above, below


@cache
def words_of(text: str) -> frozenset[str]:
    """The words of a name, folded as those of descriptions are."""
    return meaning("", text, "-").words


class Weights:
    """How telling a word is: the rarer among the descriptions of a base, the more."""

    def __init__(self, described: Iterable[frozenset[str]]):
        every = list(described)
        counted = Counter(word for words in every for word in words)
        self._most = math.log(len(every) + 2)
        self._weights = {word: self._most - math.log(count + 1) for word, count in counted.items()}

    def of(self, words: Iterable[str]) -> float:
        return sum(self._weights.get(word, self._most) for word in words)


def mismatch(wanted: Meaning, offered: Meaning, weights: Weights, strict: bool = False) -> float | None:
    """0 for the same quantity, up to about 1.5 for a likely one, None for another quantity.

    Unless `strict`, a quantity with a dimension may also be known by its letter or by a general word.
    """
    if wanted.dimension != offered.dimension or wanted.kinds != offered.kinds:
        return None
    apart = wanted.places and offered.places and not wanted.places & offered.places
    if apart and not wanted.places | offered.places <= _STREAMS:
        return None
    alike = _alike(wanted, offered, weights, _BY_SHARE if strict else _BY_CONTENT)
    same_name = (wanted.stem, wanted.label) == (offered.stem, offered.label)
    pure = wanted.dimension in ("dimensionless", "angle")
    if alike < (_PURE_ALIKE if pure else _ALIKE):
        same_letter = wanted.stem[:1] == offered.stem[:1]
        generic = wanted.words & _GENERIC or not wanted.words
        if (
            strict
            or pure
            or not (same_letter or generic)
            or (alike < _FAIR and not same_letter and not generic)
        ):
            return None
        alike = max(alike, _GENERAL) if generic else alike
    cost = 1.2 * (1 - alike)
    cost -= 0.15 if same_name else 0.08 if wanted.stem == offered.stem else 0.0
    cost += 0.3 * len((wanted.words ^ offered.words) & TENDENCIES)
    if wanted.places != offered.places:
        cost += 0.35 if apart else 0.15 if not wanted.places else 0.25
    if wanted.label.isdigit() and offered.label.isdigit() and wanted.label != offered.label:
        cost += 0.3
    return max(cost, 0.0)


def _alike(wanted: Meaning, offered: Meaning, weights: Weights, by_share: float) -> float:
    common = weights.of(wanted.words & offered.words)
    either = weights.of(wanted.words | offered.words)
    smaller = min(weights.of(wanted.words), weights.of(offered.words))
    return by_share * common / either + (1 - by_share) * common / smaller if smaller else 0.0


def _split(name: str) -> tuple[str, str]:
    plain = plain_symbol(name)
    found = re.match(r"([A-Za-z]+?)(?:_(\w+)|(\d+))?$", plain)
    if not found:
        return plain.lower(), ""
    stem, label = found[1], found[2] or found[3] or ""
    if not label and len(stem) == 2 and stem[1] in "ewn" and stem[0].isupper():
        stem, label = stem[0], stem[1]  # Te, Tw, Rn
    return stem, label


@cache
def _dimension(unit: str) -> str:
    read = parse_unit(unit)
    if read.dimensionless:
        return "angle" if re.search(r"rad|deg|°", unit) else "dimensionless"
    return str(read.dimensionality)
