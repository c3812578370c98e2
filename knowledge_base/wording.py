"""How prose speaks of the axes: words for each quantity, and phrases that fix a choice or an interval."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from ansatz.knowledge_base.mention import standing

# Subscripts under which a quantity of the free stream is written.
_FREE = r"(?:_?(?:inf|infty|infinity|1|0|free|fs))?"
_PHRASE, _HINT, _INTERVAL = 0.9, 0.6, 0.8
_NEVER = "(?!)"
_CHOICE = re.compile(r"\(\?:([a-z' -]+(?:\|[a-z' -]+)*)\)(?![?*{])")
_TELLING = 4  # letters that make a literal rare enough


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

    def mentioned_in(self, text: str, lowered: str) -> Mention | None:
        """The mention that is to be believed most, or None where there is none or all are taken back."""
        best: Mention | None = None
        for found in self.pattern.finditer(lowered):
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


def phrases_in(lowered: str) -> list[Phrase]:
    """The phrases that a text, in lower case, may hold: all but those none of whose literals occurs."""
    found = [place for key, places in _by_literal().items() if key in lowered for place in places]
    return [phrases()[place] for place in sorted(set(found))]


@cache
def _by_literal() -> dict[str, tuple[int, ...]]:
    places: dict[str, tuple[int, ...]] = {}
    for place, phrase in enumerate(phrases()):
        for key in literals(phrase.pattern.pattern):
            places[key] = (*places.get(key, ()), place)
    return places


@cache
def phrases() -> tuple[Phrase, ...]:
    return tuple(_phrases())


class Synonym(NamedTuple):
    """A way to say a thing, and the words under which the base is likely to have it."""

    pattern: re.Pattern[str]
    words: str
    keys: tuple[str, ...]

    def said_in(self, lowered: str) -> bool:
        return any(key in lowered for key in self.keys) and bool(self.pattern.search(lowered))


@cache
def synonyms() -> tuple[Synonym, ...]:
    return tuple(
        Synonym(re.compile(pattern, re.IGNORECASE), words, literals(pattern))
        for words, pattern in _file()["synonyms"].items()
    )


def literals(pattern: str) -> tuple[str, ...]:
    """Literals of a pattern, one of which any text that matches must hold; "" where it has none.

    Looking for them first spares most patterns. Each alternative gives its longest literal, or where that is
    short the words of a group that is a choice of plain words.
    """
    return tuple(key for alternative in _alternatives(pattern) for key in _keys(alternative))


def _alternatives(pattern: str) -> Iterator[str]:
    """The parts of a pattern between the bars that stand in no group and no class."""
    start = 0
    for place, character, depth in _by_depth(pattern):
        if character == "|" and depth == 0:
            yield pattern[start:place]
            start = place + 1
    yield pattern[start:]


def _by_depth(pattern: str) -> Iterator[tuple[int, str, int]]:
    """Each character of a pattern with its place and the groups open before it; escapes and classes blank."""
    depth = 0
    bare = re.sub(r"\\.|\[[^]]*\]", lambda found: "\0" * len(found[0]), pattern)
    for place, character in enumerate(bare):
        depth -= character == ")"
        yield place, character, depth
        depth += character == "("


def _keys(alternative: str) -> tuple[str, ...]:
    bare = [(character, depth) for _, character, depth in _by_depth(alternative)]
    outer = "".join("\0" if depth or character in "()" else character for character, depth in bare)
    runs = re.sub(r".\{[^}]*\}|.[?*]|[+^$.]", "\0", outer).lower().split("\0")
    longest = max(runs, key=len)
    starts = [place for place, (character, depth) in enumerate(bare) if (character, depth) == ("(", 0)]
    groups = [_CHOICE.match(alternative, place) for place in starts]
    choices = [group[1].split("|") for group in groups if group]
    if len(longest) >= _TELLING or not choices:
        return (longest,)
    return tuple(max(choices, key=lambda words: min(map(len, words))))


def _phrases() -> Iterator[Phrase]:
    file = _file()
    for section, usual in (("phrases", _PHRASE), ("hints", _HINT)):
        for axis, patterns in file[section].items():
            for word, fields in patterns.items():
                yield _phrase(axis, word, fields if isinstance(fields, dict) else {"pattern": fields}, usual)
    for fields in file["intervals"]:
        yield _phrase(fields["axis"], "", fields, _INTERVAL)


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
def _file() -> Any:
    text = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=yaml.CSafeLoader)
