"""The words that carry physics, read from concepts.yaml."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict


class Concepts(BaseModel):
    """Regular expressions by what they mean; see the file for the parts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stated: dict[str, str]
    opposites: tuple[dict[str, str], ...]
    absentable: dict[str, str]
    absence: str
    negation: str
    quantities: dict[str, str]


@cache
def concepts() -> Concepts:
    text = Path(__file__).with_name("concepts.yaml").read_text(encoding="utf-8")
    return Concepts.model_validate(yaml.load(text, Loader=yaml.CBaseLoader))


def count(pattern: str, text: str) -> int:
    return len(_compiled(pattern).findall(text))


def stated_in(text: str) -> Counter[str]:
    """How often each stated concept stands in a text."""
    return Counter({name: count(pattern, text) for name, pattern in concepts().stated.items()})


def quantities_in(text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in concepts().quantities.items() if count(pattern, text))


def absences(text: str) -> tuple[Counter[tuple[str, bool]], int]:
    """What is said to be present (True) or absent (False), and how many other negations there are."""
    known = concepts()
    found: Counter[tuple[str, bool]] = Counter()
    others = 0
    for clause in re.split(r"[.;:?!,]\s|\n|\band (?=g =|take\b|use\b)", text):
        named = [name for name, pattern in known.absentable.items() if count(pattern, clause)]
        cues = count(known.absence, clause)
        for name in named:
            found[(name, cues % 2 == 0)] += 1
        if not named:
            others += count(known.negation, clause)
    return found, others


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w])(?i:{pattern})(?![\w-])" if "(?-i:" not in pattern else rf"\b{pattern[5:-1]}\b"
    )
