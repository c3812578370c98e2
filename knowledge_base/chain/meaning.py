"""What a quantity means: its words, the place where it is taken, its sort and its dimension."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

from ansatz.knowledge_base.chain.vocabulary import (
    ALTERNATIVES,
    FILLER,
    INDEX,
    KINDS,
    MODES,
    PHRASES,
    PLACES,
    SAME,
    STATES,
)
from ansatz.knowledge_base.givens import plain_symbol
from ansatz.quantities.units import parse_unit

_WORD = re.compile(r"[a-z]+'[a-z]+|[a-z]+\d*|\d+")
_PHRASES = tuple((re.compile(said), meant) for said, meant in PHRASES.items())
STREAMS = frozenset({"upstream", "edge"})  # an equation of the free stream also serves at a layer's edge
# What a reference state has; a reference area or length is just the one that a coefficient is based on.
_OF_A_STATE = STATES | {"viscosity", "reynold", "condition", "number", "conductivity", "parameter", "flux"}
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
    sorts: frozenset[str] = frozenset()
    station: str = ""
    methods: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Worked out once: meanings are looked up far more often than they are made."""
        fields = self.stem, self.label, self.words, self.places, self.kinds, self.dimension, self.parts
        return hash((fields, self.sorts, self.station, self.methods))

    @property
    def quantity(self) -> Hashable:
        """What tells it from other quantities, whatever its letter."""
        return self.words, self.places, self.sorts, self.dimension

    @property
    def bare(self) -> Meaning:
        """The same without what only ranks: whose method is asked for, and which of several stations."""
        return replace(self, methods=frozenset(), station="") if self.methods or self.station else self

    def moved(self, places: frozenset[str], label: str) -> Meaning:
        """The same quantity at another place."""
        return replace(self, places=places, label=label if self.places else self.label or label)

    def under(self, condition: frozenset[str]) -> Meaning:
        """The same quantity under a condition, such as at the peak of something."""
        return replace(self, words=self.words | condition) if condition else self

    def of_sort(self, sorts: frozenset[str]) -> Meaning:
        """The same quantity of a sort, such as laminar, where its own description does not say."""
        said = {ALTERNATIVES[word] for word in self.sorts | (self.words & ALTERNATIVES.keys())}
        added = frozenset(word for word in sorts if ALTERNATIVES[word] not in said)
        return replace(self, sorts=self.sorts | added) if added else self

    def by(self, methods: frozenset[str]) -> Meaning:
        return replace(self, methods=methods) if methods else self

    def of_station(self, station: str) -> Meaning:
        return replace(self, station=station) if station else self

    def condition(self, of: Meaning) -> frozenset[str]:
        """What is said of this quantity's occasion that another description leaves out."""
        return (self.words & _PASSED_ON) - of.words


@lru_cache(maxsize=16384)
def meaning(name: str, description: str, unit: str) -> Meaning:
    """Read a symbol with its description and unit."""
    stem, label = _split(name)
    methods = methods_of(description)
    read = _METHOD.sub(" ", description).lower() if methods else description.lower()
    for said, meant in _PHRASES:
        read = said.sub(meant, read)
    words = [SAME.get(word, word) for word in map(_singular, _WORD.findall(read))]
    places = {PLACES[word] for word in words if word in PLACES}
    if "star" in places and not _OF_A_STATE.intersection(words):
        places.discard("star")
    recovery = "recovery" in words
    if recovery:
        places.discard("wall")
    if not places and label in INDEX:
        places = {INDEX[label]}
    sorts = sorts_of(words)
    core = frozenset(word for word in words if word not in FILLER and word not in PLACES) - sorts
    if _dimension(unit) == "angle" and len(core) > 1:
        core -= {"angle"}  # it tells no angle from another
    kinds = core & (KINDS if core & STATES else KINDS - MODES)
    if _dimension(unit) != "dimensionless":
        kinds -= {"ratio"}  # the angle of the best ratio is no ratio
    if "ratio" in kinds and len(core) > 1:
        core -= {"ratio"}  # it tells no ratio from another
    if "speed" in core:
        kinds |= core & {"thermal"}
    halves = parts_of(description) if "ratio" in kinds else None
    parts = (
        tuple(meaning("", half, "-") for half in halves)
        if halves and _dimension(unit) == "dimensionless"
        else ()
    )
    return Meaning(stem, label, core, frozenset(places), kinds, _dimension(unit), parts, sorts, "", methods)


_METHOD = re.compile(
    r"\b(?:by|after|from|in the form of|with the \w+ of|of the \w+ of)\s+(?=[^,;]*[A-Z])[^,;]*$"
)
_NAME = re.compile(r"[A-Z][a-z]{2,}")


def methods_of(description: str) -> frozenset[str]:
    """Whose method is asked for: van Driest's in "friction coefficient after van Driest"."""
    found = _METHOD.search(description)
    return frozenset(name.lower() for name in _NAME.findall(found[0])) if found else frozenset()


def sorts_of(words: Iterable[str]) -> frozenset[str]:
    """Which of alternatives such as laminar and turbulent are meant; a text that has both means neither."""
    said = frozenset(word for word in words if word in ALTERNATIVES)
    lines = Counter(ALTERNATIVES[word] for word in said)
    return frozenset(word for word in said if lines[ALTERNATIVES[word]] == 1)


def excluded(sorts: frozenset[str], others: frozenset[str]) -> bool:
    """Whether one text says an alternative of what the other says."""
    lines = {ALTERNATIVES[word] for word in sorts - others}
    return any(ALTERNATIVES[word] in lines for word in others - sorts)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 4 and word.endswith("s") and word[-2] not in "su" else word


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
    elif len(above.split()) == 1 < len(below.split()):  # "wall to total enthalpy" shares its noun
        above = f"{above} {below.split()[-1]}"
    return above, below


@cache
def words_of(text: str) -> frozenset[str]:
    """The words of a name, folded as those of descriptions are."""
    means = meaning("", text, "-")
    return means.words | means.sorts


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
