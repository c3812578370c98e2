"""Numbers in words, as a story may write them: "five seconds" is 5 seconds, "two blocks" are two."""

from __future__ import annotations

import re
from collections import Counter

from ansatz.eval.benchmarks.physbench.variants.unit_spelling import WORD_UNIT

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_SMALL = {word: value for value, word in enumerate(re.findall(r"\w+", _UNITS))}
_STEMS = ("twen", "thir", "for", "fif", "six", "seven", "eigh", "nine")
_TENS = {f"{word}ty": 10 * value for value, word in enumerate(_STEMS, start=2)}
_LARGE = {"hundred": 100, "thousand": 1000, "million": 1000000}
_WORD = "|".join(sorted((*_SMALL, *_TENS, *_LARGE), key=len, reverse=True))
_CARDINAL = rf"(?:(?:a |an )(?=hundred|thousand|million))?(?:{_WORD})(?:(?:[ -]| and )(?:{_WORD}))*"
_QUANTITY = re.compile(
    rf"\b(?P<number>{_CARDINAL})(?P<half> and a half)?(?=[\s-]{WORD_UNIT})(?!\s(?:day|year|turn)\b)", re.I
)
_HALF = re.compile(rf"\bhalf an? (?={WORD_UNIT})", re.I)
_MINUS = re.compile(r"\bminus (?=\d)", re.I)
_COUNT = re.compile(
    rf"(?<![\w.^=/*·+-])(?<!= )(?P<count>{_CARDINAL}|\d{{1,2}})(?![\w.]*\d|[\w^=/*·+%°])", re.I
)
_MULTIPLES = {3: r"three-?fold|thrice|tripl\w+|trebl\w+", 4: r"four-?fold|quadrupl\w+"}


def in_digits(text: str) -> str:
    """The text with the values of quantities that are written in words put in digits."""
    text = _HALF.sub("0.5 ", text)
    text = _MINUS.sub("-", text)
    return _QUANTITY.sub(lambda found: f"{_value(found['number']) + (0.5 if found['half'] else 0):g}", text)


def counts(text: str) -> Counter[int]:
    """Whole numbers from 3 to 99 that stand without a unit, in digits or words, or in words like "threefold".

    One and two are left out: they come and go with "a", "both" and "the other".
    """
    found: Counter[int] = Counter()
    for match in _COUNT.finditer(text):
        number = match["count"]
        value = int(number) if number.isdigit() else _value(number)
        if 3 <= value < 100:
            found[value] += 1
    for value, words in _MULTIPLES.items():
        found[value] += len(re.findall(rf"\b(?:{words})\b", text, re.I))
    return +found


def counted_things(text: str, value: int) -> frozenset[str]:
    """The words right after a whole number that stands without a unit."""
    return frozenset(
        word.lower()
        for match in _COUNT.finditer(text)
        if (int(match["count"]) if match["count"].isdigit() else _value(match["count"])) == value
        for word in re.findall(r"[A-Za-z]+", text[match.end() :])[:2]
    )


def _value(words: str) -> int:
    total = part = 0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word in _LARGE:
            part = max(part, 1) * _LARGE[word]
            if word != "hundred":
                total, part = total + part, 0
        else:
            part += _SMALL.get(word, 0) + _TENS.get(word, 0)
    return total + part
