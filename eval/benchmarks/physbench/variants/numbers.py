"""The numbers of a statement, each with its unit and symbol, so that two tellings can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ansatz.quantities.notation import read_number, read_unit
from ansatz.quantities.scales import scale

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen twenty"
)
_TENS = "thirty forty fifty sixty seventy eighty ninety"
_WORDS = {word: value for value, word in enumerate(_ONES.split())}
_WORDS |= {word: 10 * value for value, word in enumerate(_TENS.split(), 3)}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
_WORD = "|".join(sorted((*_WORDS, *_SCALES), key=len, reverse=True))
_IN_WORDS = rf"(?:an? (?=hundred|thousand|million))?(?:{_WORD})(?:[ -](?:and )?(?:{_WORD}))*\b"
_PLACE = re.compile(
    r"(?:(?<!\w)(?P<symbol>[A-Za-z]\w{0,9}) ?= ?)?(?<![\w.^])(?:(?=[-+]?\.?\d)"
    rf"|\b(?P<words>(?i:{_IN_WORDS})))"
)
_POWERS = {" squared": "^2", " cubed": "^3"}
_SMALL = 3  # "one" and "two" come and go with "a", "both" and "the other"


@dataclass(frozen=True)
class TextNumber:
    """A number in a text: in base units where its unit can be read, with the symbol it is given to.

    `dimension` has the exponents of the base units, and is empty without a unit that can be read.
    """

    value: float
    dimension: tuple[float, ...]
    symbol: str
    written: str
    in_words: bool
    start: int
    end: int

    @property
    def key(self) -> tuple[float, tuple[float, ...]]:
        return float(f"{self.value:.9g}"), self.dimension


def numbers(text: str) -> Iterator[TextNumber]:
    """Every number of a plain text (see `quantities.markup`), written in digits or in words, in order."""
    place = 0
    while found := _PLACE.search(text, place):
        words, symbol = found["words"], found["symbol"] or ""
        number = None if words else read_number(text, found.end())
        unit, place = _unit(text, number.end if number else found.end())
        value = number.value if number else _from_words(words or "")
        if number or value >= _SMALL:
            written = text[found.start() : place]
            yield TextNumber(*_in_base(value, unit), symbol, written, bool(words), found.start(), place)


def wanted_units(text: str) -> frozenset[str]:
    """The units that a plain text wants something in, such as "in km/h", by their dimension and size."""
    found = (_unit(text, match.end())[0] for match in re.finditer(r"\bin(?= )", text))
    return frozenset("{:.9g} {}".format(*_in_base(1.0, unit)) for unit in found if unit)


def _from_words(words: str) -> float:
    total = part = 0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word in _SCALES:
            part = max(part, 1) * _SCALES[word]
            if word != "hundred":
                total, part = total + part, 0
        else:
            part += _WORDS.get(word, 0)
    return total + part


def _unit(text: str, at: int) -> tuple[str, int]:
    """The unit that stands at `at`, as in 2 kg and 2-kg, and where it ends; ("", at) for none."""
    unit, end = read_unit(text, at + (text[at : at + 1] == "-"))
    if unit in ("", "-") or scale(unit) is None:
        return "", at
    for word, power in _POWERS.items():
        if text.startswith(word, end):
            return unit + power, end + len(word)
    return unit, end


def _in_base(value: float, unit: str) -> tuple[float, tuple[float, ...]]:
    known = scale(unit) if unit else None
    return (value * known.factor + known.offset, known.dimension) if known else (value, ())
