"""Find phrases in prose that name a quantity of an axis, or fix its word or interval."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from ansatz.knowledge_base.regime.facts import Fact
from ansatz.knowledge_base.regime.stated_quantities import find_asking_sentence

# Subscripts of free-stream quantities.
_FREE = r"(?:_?(?:inf|infty|infinity|1|0|free|fs))?"
_PHRASE, _HINT, _INTERVAL = 0.9, 0.6, 0.8
_DOUBTED = 0.4  # factor for phrases in comparisons, questions and suppositions
_NEVER = "(?!)"
ASKED = "asked_"
"""The beginning of axes about what is asked, which say nothing about a regime."""
_REACH = 90  # characters before a phrase that can negate it
_CLAUSE = re.compile(r"[.;:?!]\s|\n|,\syet\b|,?\s(?:but|while|whereas|although)\s")
_NEGATED = re.compile(
    r"(?:\b(?:not(?! only| just| merely)|no(?! doubt)|without|never|neither|nor|cannot|hardly|rather than"
    r"|other than|instead of|unlike|(?:absence|lack|free) of|(?:free|away|far) from|neglect\w*|ignor\w*)"
    r"\b|n't)[\s-]+(?:[\w-]+[\s-]+){0,2}$|\b(?:non|un)-?$",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"[\s,]*(?:\w+\s+)?(?:(?:is|are|being|can be)\s+(?:negligible|neglected|ignored|absent|excluded)"
    r"|(?:is|are|was|were|has|have|does|do|can|will)\s*(?:not\b|n't|never\b|no longer\b))",
    re.IGNORECASE,
)
_OPEN_BEFORE = re.compile(
    r"\b(?:compar(?:e|es|ed|ing)|comparison|relative to|versus|vs\.?|than|whether|which|either|differ\w*"
    r"|if|suppos\w+|were|would be)\b[^,]*$|\b(?:or|before|until|unless|towards)\s+(?:\w+\s+)?$"
    r"|\b(?<!has )(?<!have )(?:becom(?:e|es|ing)|turns?|tripped)\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)
_OPEN_AFTER = re.compile(
    r"\s*,?\s*(?:[\w-]+\s+)?(?:or|versus|vs\.?)\s|[\s-](?:\w+[\s-]){0,2}transition\b", re.IGNORECASE
)
_QUESTION = re.compile(
    r"\s*(?:(?:is|are|does|do|will|would|can|could)\b|[^.;]*\bdiffer)[^.;?!]*\?", re.IGNORECASE
)


class AxisQuantity(NamedTuple):
    """A quantity that a question may state by its symbol, or by words in the same clause."""

    axis: str
    unit: str
    symbol: re.Pattern[str]
    """Matches its symbols."""
    words: re.Pattern[str]
    """Matches words for it in the clause of the number."""
    never: re.Pattern[str]
    """Matches clauses in which the number is another quantity."""
    written: re.Pattern[str]
    """Matches the units with which the words count."""


class Phrase(NamedTuple):
    """A phrase that fixes the word of an axis, or an interval of numbers on an axis."""

    axis: str
    word: str
    """The word of the axis; "" for an interval."""
    between: tuple[float, float]
    """The ends of the interval; NaN for a word."""
    pattern: re.Pattern[str]
    unless: re.Pattern[str]
    """In a text that matches this, the phrase may be about another part of the flow and is only a hint."""
    confidence: float

    @property
    def is_asked(self) -> bool:
        """Whether it names what is asked, and so counts in the asking sentence alone."""
        return self.axis.startswith(ASKED)

    def find_fact(self, text: str, lowered: str) -> Fact | None:
        """Return the fact of its most certain mention; None if every mention is negated."""
        best, quote, start = 0.0, "", 0
        for found in self.pattern.finditer(lowered):
            asserted = rate_assertion(text, found.start(), found.end())
            sure = self.confidence * (asserted > 0 if self.is_asked else asserted)
            if self.axis == "device" and _load_parts().match(lowered, found.end()):
                sure *= _DOUBTED
            if sure > best:
                best, quote, start = sure, text[found.start() :][: len(found[0].strip())], found.start()
        if best == 0:
            return None
        if best > _HINT and self.unless.search(lowered):
            best = _HINT
        return Fact(f"the words {quote!r}", best, quote, start, self.word, *self.between)


def rate_assertion(text: str, start: int, end: int) -> float:
    """Rate how far the phrase at `start` to `end` is asserted: 1 yes, 0 negated, between if it is open."""
    before = _CLAUSE.split(text[max(0, start - _REACH) : start])[-1]
    if _NEGATED.search(before) or _TAKEN_BACK.match(text, end):
        return 0.0
    sentence = max(text.rfind(mark, 0, start) for mark in ".;?!\n") + 1
    is_open = _OPEN_BEFORE.search(before) or _OPEN_AFTER.match(text, end) or _QUESTION.match(text, sentence)
    return _DOUBTED if is_open else 1.0


@cache
def load_quantities() -> tuple[AxisQuantity, ...]:
    """Return the quantities of wording.yaml, specific ones before general ones."""
    return tuple(
        AxisQuantity(
            fields["axis"],
            fields["unit"],
            re.compile(f"^(?:{fields['symbol'].replace('{free}', _FREE)})$"),
            re.compile(fields["words"], re.IGNORECASE),
            re.compile(fields.get("never", _NEVER), re.IGNORECASE),
            re.compile(fields.get("written", "")),
        )
        for fields in _load_wording()["quantities"]
    )


def lowercase_in_place(text: str) -> str:
    """Convert to lower case without changing the position of any character."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(letter.lower()[:1] for letter in text)


def find_stated_phrases(text: str) -> Iterator[tuple[str, Fact]]:
    """Yield the facts that phrases of a text state, each with its axis."""
    asking = find_asking_sentence(text)
    offset, parts = text.find(asking), {False: (text, lowercase_in_place(text))}
    parts[True] = asking, lowercase_in_place(asking)
    for phrase in load_phrases():
        if fact := phrase.find_fact(*parts[phrase.is_asked]):
            yield phrase.axis, fact._replace(start=fact.start + offset) if phrase.is_asked else fact


@cache
def load_phrases() -> tuple[Phrase, ...]:
    file = _load_wording()
    found = [
        _make_phrase(axis, word, fields if isinstance(fields, dict) else {"pattern": fields}, usual)
        for section, usual in (("phrases", _PHRASE), ("hints", _HINT))
        for axis, patterns in file[section].items()
        for word, fields in patterns.items()
    ]
    return (*found, *(_make_phrase(fields["axis"], "", fields, _INTERVAL) for fields in file["intervals"]))


def _make_phrase(axis: str, word: str, fields: Mapping[str, Any], usual: float) -> Phrase:
    unless = str(fields.get("unless", _NEVER))
    if unless.startswith("&"):
        unless = _load_wording()["elsewhere"][unless[1:]]
    low, high = map(float, fields.get("between", (math.nan, math.nan)))
    # Lower-case patterns on a lower-case text are faster than ignoring case.
    pattern, doubt = re.compile(fields["pattern"].lower()), re.compile(unless.lower())
    return Phrase(axis, word, (low, high), pattern, doubt, fields.get("confidence", usual))


@cache
def _load_parts() -> re.Pattern[str]:
    """Return the pattern of parts of machines."""
    return re.compile(_load_wording()["parts"])


@cache
def _load_wording() -> Any:
    text = Path(__file__).with_name("wording.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=yaml.CSafeLoader)
