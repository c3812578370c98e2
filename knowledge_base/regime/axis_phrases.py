"""How prose speaks of the axes: words for each quantity, and phrases that fix a choice or an interval."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from ansatz.knowledge_base.regime.facts import Fact

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


class AxisQuantity(NamedTuple):
    """A quantity that a question may state: by its symbol, or by words in the same clause."""

    axis: str
    unit: str
    symbol: re.Pattern[str]
    words: re.Pattern[str]
    never: re.Pattern[str]
    written: re.Pattern[str]


class Phrase(NamedTuple):
    """A phrase that fixes the word of an axis, or an interval of numbers on an axis.

    Where the text matches `unless`, the phrase may speak of another part of the flow and is only a hint.
    """

    axis: str
    word: str
    between: tuple[float, float]
    pattern: re.Pattern[str]
    unless: re.Pattern[str]
    confidence: float

    def stated(self, text: str, lowered: str) -> Fact | None:
        """Return the fact of its surest mention; None without a mention that is not denied."""
        best, quote, start = 0.0, "", 0
        for found in self.pattern.finditer(lowered):
            sure = self.confidence * rate_assertion(text, found.start(), found.end())
            if sure > best:
                best, quote, start = sure, text[found.start() :][: len(found[0].strip())], found.start()
        if best == 0:
            return None
        if best > _HINT and self.unless.search(lowered):
            best = _HINT
        return Fact(f"the words {quote!r}", best, quote, start, self.word, *self.between)


def rate_assertion(text: str, start: int, end: int) -> float:
    """How far the phrase at `start` to `end` is stated: 1 plainly, 0 taken back, between where left open."""
    before = _CLAUSE.split(text[max(0, start - _REACH) : start])[-1]
    if _NEGATED.search(before) or _TAKEN_BACK.match(text, end):
        return 0.0
    sentence = max(text.rfind(mark, 0, start) for mark in ".;?!\n") + 1
    left_open = _OPEN_BEFORE.search(before) or _OPEN_AFTER.match(text, end) or _QUESTION.match(text, sentence)
    return _DOUBTED if left_open else 1.0


@cache
def load_quantities() -> tuple[AxisQuantity, ...]:
    """The quantities of wording.yaml, the special before the general."""
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
    """Lower case with every character in its place."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(each.lower()[:1] for each in text)


def find_stated_phrases(text: str) -> Iterator[tuple[str, Fact]]:
    """What the phrases of a text say, each with its axis."""
    lowered = lowercase_in_place(text)
    for phrase in load_phrases():
        if found := phrase.stated(text, lowered):
            yield phrase.axis, found


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
    # Lowered patterns on a lowered text are faster than ignoring case.
    pattern, doubt = re.compile(fields["pattern"].lower()), re.compile(unless.lower())
    return Phrase(axis, word, (low, high), pattern, doubt, fields.get("confidence", usual))


@cache
def _load_wording() -> Any:
    text = Path(__file__).with_name("wording.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=yaml.CSafeLoader)
