"""Whether two names, or two descriptions, mean the same quantity; language.yaml holds words and letters."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import snowballstemmer
import yaml

_WORD = re.compile(r"[a-z][a-z0-9]+")
_JOINED = re.compile(r"\b(free|leading|trailing|half)[- ]?(stream|edge|angle)")
_INDEXED = re.compile(r"([A-Za-z]|rho|gamma|theta|alpha|mu|tau|delta)(inf|\d+|[a-z])")


@cache
def stored(name: str) -> dict[str, Any]:
    """What stands in the YAML file of that name beside this module."""
    found: dict[str, Any] = yaml.load(
        Path(__file__).with_name(name).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
    )
    return found


def fluid_named(text: str) -> str | None:
    """The first fluid of the remembered tables that a text names."""
    words = re.findall(r"[\w-]+", text.lower())
    fluids = stored("properties.yaml")["fluids"]
    return next((name for name in fluids if not set(fluids[name]["names"]).isdisjoint(words)), None)


@cache
def _language() -> dict[str, Any]:
    found = dict(stored("language.yaml"))
    found["synonyms"] = {_stem(word): _stem(meant) for word, meant in found["synonyms"].items()}
    found["rivals"] = [frozenset(map(_stem, row.split())) for row in found["rivals"]]
    found["plain"] = frozenset(map(_stem, found["plain"].split()))
    found["empty"] = frozenset(found["empty"].split())
    return found


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    # One of its own for each word: a stemmer holds the word that it is at, and may be asked in threads.
    return str(snowballstemmer.stemmer("english").stemWord(word))


@lru_cache(maxsize=8192)
def content_words(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning, synonyms in one spelling."""
    language = _language()
    words = _WORD.findall(_JOINED.sub(r"\1\2", text.lower().replace("_", " ")))
    stems = (_stem(word) for word in words if word not in language["empty"])
    return frozenset(language["synonyms"].get(stem, stem) for stem in stems)


def overlap(ours: frozenset[str], theirs: frozenset[str]) -> float:
    """Shared words, from 0 to 1 (cosine of the two sets)."""
    return len(ours & theirs) / (len(ours) * len(theirs)) ** 0.5 if ours and theirs else 0.0


@lru_cache(maxsize=16384)
def contradict(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Both name a place or a kind (wall, exit, stagnation), and not the same."""
    pairs = ((ours & row, theirs & row) for row in _language()["rivals"])
    return any(one and other and not one & other for one, other in pairs)


def particular(words: frozenset[str]) -> frozenset[str]:
    """Those of the words that name a place other than the undisturbed stream."""
    language = _language()
    places: frozenset[str] = language["rivals"][0] - language["plain"]
    return words & places


@lru_cache(maxsize=16384)
def name_similarity(ours: str, theirs: str) -> float:
    """From 1 (the same symbol) to -0.4 (the same letter at a different place)."""
    if not ours or not theirs:
        return 0.0
    if ours.replace("_", "").lower() == theirs.replace("_", "").lower():
        return 1.0
    (letter, index), (other, other_index) = _letter_and_index(ours), _letter_and_index(theirs)
    if letter.lower() != other.lower():
        return 0.0
    if index.lower() == other_index.lower():
        return 0.8
    if index and other_index:
        return -0.4
    return 0.6 if len(letter) > 1 else 0.3


@lru_cache(maxsize=8192)
def _letter_and_index(name: str) -> tuple[str, str]:
    """R_n and Rn are (R, n); rho_inf is (rho, "")."""
    letter, _, index = name.partition("_")
    if not index and (found := _INDEXED.fullmatch(name)):
        letter, index = found.groups()
    index = index.replace("_", "")
    return _language()["letters"].get(letter, letter), _language()["subscripts"].get(index, index)
