"""The controlled vocabulary of conditions, from axes.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import yaml

from ansatz.quantities.did_you_mean import nearest


@dataclass(frozen=True)
class NumberAxis:
    """A quantity with its unit, such as the Mach number."""

    unit: str
    meaning: str


@dataclass(frozen=True)
class WordAxis:
    """A choice of words."""

    values: tuple[str, ...]
    exclusive: frozenset[frozenset[str]]
    """The pairs of words that exclude each other."""
    parts: bool = False
    """Whether the words may be parts of one system, so that two words do not exclude a third."""
    open: bool = False
    """Whether any word is allowed, such as a reaction; different words then exclude each other."""

    def exclude(self, first: str, second: str) -> bool:
        return first != second if self.open else frozenset((first, second)) in self.exclusive

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> WordAxis:
        facets = fields.get("facets") or [fields.get("values", ())]
        exclusive, joint = (
            {frozenset(pair) for group in groups for pair in combinations(group, 2)}
            for groups in (facets, fields.get("together", ()))
        )
        values = tuple(dict.fromkeys(word for facet in facets for word in facet))
        return cls(
            values, frozenset(exclusive - joint), fields.get("parts", False), fields.get("open", False)
        )


_FILE = yaml.load(Path(__file__).with_name("axes.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
NUMBERS: Mapping[str, NumberAxis] = {name: NumberAxis(*fields) for name, fields in _FILE["numbers"].items()}
WORDS: Mapping[str, WordAxis] = {
    name: WordAxis.from_fields(fields) for name, fields in _FILE["words"].items()
}
COMMON = frozenset(_FILE["common"])
"""Axes that everyday words name, and which therefore say nothing about the field of a question."""


def resolve_axis(var: str) -> str:
    """Return the axis of a name or of another spelling of it."""
    name: str = _FILE["same"].get(var, var)
    return name


def describe_unknown_word(axis: str, word: str) -> str | None:
    """Return why `word` is not a value of a word axis, or None."""
    values = WORDS[axis].values
    return (
        None
        if WORDS[axis].open or word in values
        else f"{axis} has no value {word!r}{nearest(word, values, shown=20)}"
    )
