"""Similarity of the names and descriptions of quantities; language.yaml lists words and letters."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import snowballstemmer
import yaml

_WORD = re.compile(r"[a-z][a-z0-9]+")
_JOINED = re.compile(r"\b(free|leading|trailing|half|cut)[- ]?(stream|edge|angle|off)")
_INDEXED = re.compile(r"([A-Za-z]|rho|gamma|theta|alpha|mu|tau|delta)(inf|\d+|[a-z])")


@cache
def load_yaml(name: str) -> dict[str, Any]:
    """Load a YAML file of this folder."""
    content: dict[str, Any] = yaml.load(
        Path(__file__).with_name(name).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
    )
    return content


def find_fluid(text: str) -> str | None:
    """Return the first fluid of the remembered tables that a text names."""
    words = re.findall(r"[\w-]+", text.lower())
    fluids = load_yaml("properties.yaml")["fluids"]
    return next((name for name in fluids if not set(fluids[name]["names"]).isdisjoint(words)), None)


def find_any_fluid(text: str) -> str | None:
    """Return the fluid of a question that a property tool may know; None if it names several.

    Water or air next to another fluid is no rival: it heats or cools that fluid.
    """
    words = [word.strip("-") for word in re.findall(r"[\w-]+", text.lower())]
    others = load_yaml("properties.yaml")["other_fluids"]
    named = [name for name in others if not set(others[name]).isdisjoint(words)]
    return (
        named[0]
        if len(named) == 1
        else None
        if named
        else find_fluid(text) or find_fluid(text.replace("-", " "))
    )


@cache
def _load_language() -> dict[str, Any]:
    language = dict(load_yaml("language.yaml"))
    language["synonyms"] = {_stem(word): _stem(synonym) for word, synonym in language["synonyms"].items()}
    language["rivals"] = [frozenset(map(_stem, row.split())) for row in language["rivals"]]
    language["exclusive"] = [frozenset(map(_stem, row.split())) for row in language["exclusive"]]
    language["special"] = frozenset(map(_stem, language["special"].split()))
    language["plain"] = frozenset(map(_stem, language["plain"].split()))
    language["empty"] = frozenset(language["empty"].split())
    return language


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    # A new stemmer for each word: a stemmer stores its current word and is not thread-safe.
    return str(snowballstemmer.stemmer("english").stemWord(word))


@lru_cache(maxsize=8192)
def stem_words(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning, with one spelling for synonyms."""
    language = _load_language()
    words = _WORD.findall(_JOINED.sub(r"\1\2", text.lower().replace("_", " ")))
    stems = (_stem(word) for word in words if word not in language["empty"])
    return frozenset(language["synonyms"].get(stem, stem) for stem in stems)


@lru_cache(maxsize=8192)
def find_acronyms(text: str) -> frozenset[str]:
    """Return the initials of each run of three or more words: lmtd for log-mean temperature difference."""
    initials = [word[0] for word in re.findall(r"[a-z]+", text.lower())]
    places = range(len(initials))
    return frozenset("".join(initials[start : end + 1]) for start in places for end in places[start + 2 :])


def score_overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Score the shared words from 0 to 1 (cosine of the two sets)."""
    return len(first & second) / (len(first) * len(second)) ** 0.5 if first and second else 0.0


@lru_cache(maxsize=16384)
def are_contradictory(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether both name a place or kind (wall, exit, stagnation), but different ones."""
    pairs = ((first & row, second & row) for row in _load_language()["rivals"])
    return any(one and other and not one & other for one, other in pairs)


def are_exclusive(words: frozenset[str], context: frozenset[str]) -> bool:
    """Whether words name a cycle, process or device, and the words of a question only another one.

    Words of a special theory exclude a question that does not name it.
    """
    if words & _load_language()["special"] - context:
        return True
    pairs = ((words & row, context & row) for row in _load_language()["exclusive"])
    return any(one and other and not one & other for one, other in pairs)


def select_places(words: frozenset[str]) -> frozenset[str]:
    """Return the words that name a place other than the undisturbed stream."""
    language = _load_language()
    places: frozenset[str] = language["rivals"][0] - language["plain"]
    return words & places


@lru_cache(maxsize=16384)
def score_names(first: str, second: str) -> float:
    """Score the similarity of two symbols from 1 (identical) to -0.4 (same letter at another place)."""
    if not first or not second:
        return 0.0
    if first.replace("_", "").lower() == second.replace("_", "").lower():
        return 1.0
    (letter, index), (other, other_index) = _split_symbol(first), _split_symbol(second)
    if letter.lower() != other.lower():
        return 0.0
    if index.lower() == other_index.lower():
        return 0.8
    if index and other_index:
        return -0.4
    return 0.6 if len(letter) > 1 else 0.3


@lru_cache(maxsize=8192)
def _split_symbol(name: str) -> tuple[str, str]:
    """Split a symbol into letter and index: R_n and Rn are (R, n), and rho_inf is (rho, "")."""
    letter, _, index = name.partition("_")
    if not index and (match := _INDEXED.fullmatch(name)):
        letter, index = match.groups()
    index = index.replace("_", "")
    language = _load_language()
    return language["letters"].get(letter, letter), language["subscripts"].get(index, index)
