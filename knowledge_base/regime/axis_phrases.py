"""How prose speaks of the axes: words for each quantity, and phrases that fix a choice or an interval."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from ansatz.knowledge_base.regime.negation import standing

# Subscripts under which a quantity of the free stream is written.
_FREE = r"(?:_?(?:inf|infty|infinity|1|0|free|fs))?"
_PHRASE, _HINT, _INTERVAL, _PICTURE = 0.9, 0.6, 0.8, 0.65
_NEVER = "(?!)"


class Quantity(NamedTuple):
    """A quantity that a question may state: by its symbol, or by words in the same clause."""

    axis: str
    unit: str
    symbol: re.Pattern[str]
    words: re.Pattern[str]
    never: re.Pattern[str]
    written: re.Pattern[str]


class Mention(NamedTuple):
    """A phrase as it occurs in a text: its words, their place, and how far to believe them, 0 to 1."""

    quote: str
    start: int
    confidence: float


class Phrase(NamedTuple):
    """A phrase that fixes the word of an axis, or (`interval`) says where on a number axis the case lies.

    Where the text matches `unless`, the phrase may speak of another part of the flow and is only a hint.
    """

    axis: str
    word: str
    interval: tuple[float, float] | None
    pattern: re.Pattern[str]
    unless: re.Pattern[str]
    confidence: float

    def mentioned(self, text: str, lowered: str, matches: Sequence[re.Match[str]]) -> Mention | None:
        """The mention that is to be believed most, or None where all are taken back."""
        best: Mention | None = None
        for found in matches:
            confidence = self.confidence * standing(text, found.start(), found.end())
            if confidence > (best.confidence if best else 0.0):
                best = Mention(text[found.start() : found.end()].strip(), found.start(), confidence)
        if best and best.confidence > _HINT and self.unless.search(lowered):
            return best._replace(confidence=_HINT)
        return best


@cache
def quantities() -> tuple[Quantity, ...]:
    return tuple(_quantity(fields) for fields in _file()["quantities"])


def lower(text: str) -> str:
    """Lower case with every character in its place."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(each.lower()[:1] for each in text)


def phrases_in(lowered: str) -> Iterator[tuple[Phrase, list[re.Match[str]]]]:
    """The phrases that a text, in lower case, holds, each with its matches."""
    for phrase in phrases():
        if matches := list(phrase.pattern.finditer(lowered)):
            yield phrase, matches


@cache
def phrases() -> tuple[Phrase, ...]:
    return tuple(_phrases())


class Synonym(NamedTuple):
    """A way to say a thing, and the words under which the base is likely to have it."""

    pattern: re.Pattern[str]
    words: str


@cache
def synonyms() -> tuple[Synonym, ...]:
    found = [*_file()["synonyms"].items(), *_file("pictures")["synonyms"].items()]
    return tuple(Synonym(re.compile(pattern.lower()), words) for words, pattern in found)


def synonyms_in(lowered: str) -> Iterator[Synonym]:
    """The synonyms whose way to say a thing a text, in lower case, has."""
    return (synonym for synonym in synonyms() if synonym.pattern.search(lowered))


def _phrases() -> Iterator[Phrase]:
    terms, pictures = _file(), _file("pictures")
    sections = ((terms["phrases"], _PHRASE), (terms["hints"], _HINT), (pictures["words"], _PICTURE))
    for section, usual in sections:
        for axis, patterns in section.items():
            for word, fields in patterns.items():
                yield _phrase(axis, word, fields if isinstance(fields, dict) else {"pattern": fields}, usual)
    for file, usual in ((terms, _INTERVAL), (pictures, _PICTURE)):
        for fields in file["intervals"]:
            yield _phrase(fields["axis"], "", fields, usual)


def _phrase(axis: str, word: str, fields: Mapping[str, Any], usual: float) -> Phrase:
    unless = str(fields.get("unless", _NEVER))
    if unless.startswith("&"):
        unless = _file()["elsewhere"][unless[1:]]
    low_high = fields.get("between")
    return Phrase(
        axis,
        word,
        (float(low_high[0]), float(low_high[1])) if low_high else None,
        re.compile(fields["pattern"].lower()),  # faster on a lowered text than ignoring case
        re.compile(unless.lower()),
        fields.get("confidence", usual),
    )


def _quantity(fields: Mapping[str, str]) -> Quantity:
    return Quantity(
        fields["axis"],
        fields["unit"],
        re.compile(f"^(?:{fields['symbol'].replace('{free}', _FREE)})$"),
        re.compile(fields["words"], re.IGNORECASE),
        re.compile(fields.get("never", _NEVER), re.IGNORECASE),
        re.compile(fields.get("written", "")),
    )


@cache
def _file(name: str = "wording") -> Any:
    text = Path(__file__).with_name(f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=yaml.CSafeLoader)
