"""How prose speaks of the axes: words for each quantity, and phrases that fix a choice or an interval."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

# Subscripts under which a quantity of the free stream is written.
_FREE = r"(?:_?(?:inf|infty|infinity|1|0|free|fs))?"
_PHRASE, _HINT, _INTERVAL = 0.9, 0.6, 0.8
_DOUBTED = 0.4  # of what is only compared, asked or supposed
_NEVER = "(?!)"
_REACH = 90  # characters before a phrase that can still bear on it
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


class Measured(NamedTuple):
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

    def mentioned(self, text: str, lowered: str) -> Mention | None:
        """The mention that is to be believed most, or None where there is none or all are taken back."""
        found = [
            Mention(each[0].strip(), each.start(), self.confidence * standing(text, each.start(), each.end()))
            for each in self.pattern.finditer(lowered)
        ]
        best = max(found, key=lambda each: each.confidence, default=None)
        if best is None or best.confidence == 0:
            return None
        quote = text[best.start : best.start + len(best.quote)]
        sure = _HINT if best.confidence > _HINT and self.unless.search(lowered) else best.confidence
        return Mention(quote, best.start, sure)


def standing(text: str, start: int, end: int) -> float:
    """How far the phrase at `start` to `end` is stated: 1 plainly, 0 taken back, between where left open."""
    before = _CLAUSE.split(text[max(0, start - _REACH) : start])[-1]
    if _NEGATED.search(before) or _TAKEN_BACK.match(text, end):
        return 0.0
    sentence = max(text.rfind(mark, 0, start) for mark in ".;?!\n") + 1
    left_open = _OPEN_BEFORE.search(before) or _OPEN_AFTER.match(text, end) or _QUESTION.match(text, sentence)
    return _DOUBTED if left_open else 1.0


@cache
def measured() -> tuple[Measured, ...]:
    """The quantities of wording.yaml, the special before the general."""
    return tuple(
        Measured(
            fields["axis"],
            fields["unit"],
            re.compile(f"^(?:{fields['symbol'].replace('{free}', _FREE)})$"),
            re.compile(fields["words"], re.IGNORECASE),
            re.compile(fields.get("never", _NEVER), re.IGNORECASE),
            re.compile(fields.get("written", "")),
        )
        for fields in _file()["quantities"]
    )


def lower(text: str) -> str:
    """Lower case with every character in its place."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(each.lower()[:1] for each in text)


def mentions(text: str) -> Iterator[tuple[Phrase, Mention]]:
    """The phrases that a text states, each with the mention to be believed most."""
    lowered = lower(text)
    for phrase in phrases():
        if found := phrase.mentioned(text, lowered):
            yield phrase, found


@cache
def phrases() -> tuple[Phrase, ...]:
    file = _file()
    found = [
        _phrase(axis, word, fields if isinstance(fields, dict) else {"pattern": fields}, usual)
        for section, usual in (("phrases", _PHRASE), ("hints", _HINT))
        for axis, patterns in file[section].items()
        for word, fields in patterns.items()
    ]
    return (*found, *(_phrase(fields["axis"], "", fields, _INTERVAL) for fields in file["intervals"]))


def _phrase(axis: str, word: str, fields: Mapping[str, Any], usual: float) -> Phrase:
    unless = str(fields.get("unless", _NEVER))
    if unless.startswith("&"):
        unless = _file()["elsewhere"][unless[1:]]
    low_high = fields.get("between")
    interval = (float(low_high[0]), float(low_high[1])) if low_high else None
    # Lowered patterns on a lowered text are faster than ignoring case.
    pattern, doubt = re.compile(fields["pattern"].lower()), re.compile(unless.lower())
    return Phrase(axis, word, interval, pattern, doubt, fields.get("confidence", usual))


@cache
def _file() -> Any:
    text = Path(__file__).with_name("wording.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=yaml.CSafeLoader)
