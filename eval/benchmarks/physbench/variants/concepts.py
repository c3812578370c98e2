"""The words that carry physics, read from concepts.yaml."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from ansatz.eval.benchmarks.physbench.variants.unit_spelling import UNIT, spelled

_JOINING = (
    "after before with from that than when where while which what this these those there then they them "
    "their into onto over under above below between behind beside along across until about also both each "
    "have does will would must shall could should only just very much more most less least"
)


_AND_NO = re.compile(r"\b(?:and|or|nor) (?=(?:no|without|neither)\b)", re.I)
_OTHER_NEGLIGIBLE = re.compile(
    r"\bnegligible (?!friction|air|drag|heat|loss|resistance)"
    r"(?!(?:by|for|in|on|at|and|here|because|due|since|so|as|when)\b)(?=[a-z])",
    re.I,
)


class Condition(BaseModel):
    """Words that state a condition beyond doubt, and words that may stand for it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    says: str
    allows: str


class Concepts(BaseModel):
    """Regular expressions by what they mean; see the file for the parts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    idioms: tuple[str, ...]
    conditions: dict[str, Condition]
    exchanges: tuple[dict[str, str], ...]
    qualities: tuple[tuple[str, ...], ...]
    unchanging: str
    perhaps_unchanging: str
    absentable: dict[str, str]
    frictionless: str
    absence: str
    negation: str
    any_negation: str
    light_words: str
    quantities: dict[str, str]
    more_or_less: tuple[str, str]
    told_by_unit: dict[str, tuple[str, ...]]


@cache
def concepts() -> Concepts:
    text = Path(__file__).with_name("concepts.yaml").read_text(encoding="utf-8")
    return Concepts.model_validate(yaml.load(text, Loader=yaml.CBaseLoader))


@lru_cache(maxsize=16384)  # an original is compared with several candidates
def count(pattern: str, text: str) -> int:
    return sum(1 for _ in compiled(pattern).finditer(text))


@cache
def without_idioms(text: str) -> str:
    """The text without phrases whose words mean something else in them."""
    return compiled("|".join(concepts().idioms)).sub(" ", text)


def conditions_lost(one: str, other: str) -> list[str]:
    """Conditions that the first text states and the second does not even allow."""
    one, other = without_idioms(one), without_idioms(other)
    return [
        name
        for name, each in concepts().conditions.items()
        if count(each.says, one) and not count(f"{each.says}|{each.allows}", other)
    ]


def exchanges(one: str, other: str) -> list[tuple[str, str]]:
    """Alternatives of which one comes less often in the second text, and another anew."""
    one, other = without_idioms(one), without_idioms(other)
    found = []
    for group in concepts().exchanges:
        counts = {name: (count(words, one), count(words, other)) for name, words in group.items()}
        fell = [name for name, (before, after) in counts.items() if after < before]
        gone = [name for name in fell if not counts[name][1]]
        rose = [name for name, (before, after) in counts.items() if after > before]
        new = [name for name in rose if not counts[name][0]]
        if (fell and new) or (gone and rose):
            found.append(((gone or fell)[0], (new or rose)[0]))
    return found


def constants_lost(one: str, other: str) -> list[str]:
    """Quantities that the first text says are constant or the same, and the second nowhere does."""
    one, other = without_idioms(one), without_idioms(other)
    perhaps = concepts().perhaps_unchanging
    lost = _said_constant(one) - _perhaps_constant(other)
    gained = _said_constant(other) - _perhaps_constant(one)
    return sorted(lost) if gained or count(perhaps, other) < count(perhaps, one) else []


def _said_constant(text: str) -> set[str]:
    """Quantities right behind or right before a word that says so."""
    found: set[str] = set()
    for word in compiled(concepts().unchanging).finditer(text):
        before = re.split(r"[.,;:?!]", text[: word.start()])[-1].split()[-3:]
        after = re.split(r"[.,;:?!]", text[word.end() :])[0].split()[:1]
        before = [] if word[0].lower() in ("constant", "fixed", "same", "steady") else before
        found |= quantities_in(" ".join(before)) | quantities_in(" ".join(after))
    return found


def _perhaps_constant(text: str) -> set[str]:
    """Quantities that share a sentence with a word that may say so."""
    return {
        name
        for sentence in re.split(r"[.;?!]\s|\n", text)
        if count(concepts().perhaps_unchanging, sentence)
        for name in quantities_in(sentence) | _told_by_units(sentence)
    }


def _told_by_units(text: str) -> frozenset[str]:
    """The quantities of the values of a text: "both at 2 degC" tells of a temperature."""
    units = {spelled(unit) for unit in re.findall(rf"\d[\s-]*({UNIT})(?!\w)", text)}
    return frozenset(name for name, told in concepts().told_by_unit.items() if units & {*told})


def multiplied(text: str) -> frozenset[str]:
    """The quantities of which a multiple is told, as in "4 times the radius" or "half its mass"."""
    pattern = r"\b(?:times|half|twice|double) (?:the|its|their|that|this) (?:same )?(\w+ ?\w*)"
    return quantities_in(" ; ".join(re.findall(pattern, text, re.I)))


def qualities(text: str, row: tuple[str, ...]) -> set[tuple[str, str]]:
    """Which noun has which quality of a row: the one or two words after it."""
    pattern = rf"({'|'.join(row)})\s+(?:(?:of|the|a|an|its|his|her)\s+)*([a-z]+)(?:\s+([a-z]+))?"
    return {
        (quality.lower(), word.lower())
        for quality, *words in compiled(pattern).findall(text)
        for word in words
        if len(word) > 3 and word not in _JOINING.split()
    }


def quantities_in(text: str) -> frozenset[str]:
    text = without_idioms(text)
    return frozenset(name for name, pattern in concepts().quantities.items() if count(pattern, text))


def absences(text: str) -> Counter[tuple[str, bool]]:
    """What is said to be present (True) or absent (False)."""
    known = concepts()
    found: Counter[tuple[str, bool]] = Counter()
    for clause in re.split(r"[.;:?!,]\s|\n|\band (?=g =|take\b|use\b)", without_idioms(text)):
        smooth = _OTHER_NEGLIGIBLE.sub("", compiled(known.frictionless).sub("", clause))
        for phrase in compiled(known.frictionless).finditer(clause):
            denied = count("not|isn't|aren't", " ".join(clause[: phrase.start()].split()[-3:]))
            found[("friction", bool(denied))] += 1
        for name, pattern in known.absentable.items():
            for phrase in compiled(pattern).finditer(smooth):
                before, after = smooth[: phrase.start()].split()[-7:], smooth[phrase.end() :].split()[:8]
                before = _AND_NO.split(" ".join(before))[-1].split()
                cues = count(known.absence, " ".join([*before, phrase[0], *after]))
                found[(name, cues % 2 == 0)] += 1
    return found


def had_not(text: str) -> frozenset[str]:
    """What something is without: the noun right after the word."""
    return _nouns_after("without", text)


def had(text: str) -> frozenset[str]:
    """What something is said to be with."""
    return _nouns_after("with", text) | _nouns_after("including", text)


def _nouns_after(word: str, text: str) -> frozenset[str]:
    pattern = rf"\b{word} (?:(?:an?|any|the|its|his|her|their|all) )*([a-z]{{4,}})"
    return frozenset(found.lower() for found in re.findall(pattern, text, re.I))


def negated(text: str) -> frozenset[str]:
    """What is surely said not to be or happen: the first word with a meaning after each negation."""
    return _denied(text, concepts().negation)


def perhaps_negated(text: str) -> frozenset[str]:
    """What may be said not to be or happen: the few words after any word that can deny."""
    found: set[str] = set()
    for cue in compiled(concepts().any_negation).finditer(without_idioms(text)):
        found.update(re.findall(r"[a-z]{3,}", without_idioms(text)[cue.end() :].lower())[:6])
    return frozenset(found)


def _denied(text: str, cues: str) -> frozenset[str]:
    light = concepts().light_words
    pattern = rf"(?:{cues})\s+(?:(?:{light})\s+){{0,3}}(?P<denied>(?!(?:{light})\b)[a-z]{{3,}})"
    return frozenset(found["denied"].lower() for found in compiled(pattern).finditer(without_idioms(text)))


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of the file: whole words, in any case unless it says so itself."""
    return re.compile(rf"(?<![\w])(?i:{pattern})(?![\w-])")
