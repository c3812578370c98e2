"""The numbers of a statement, each with its unit and symbol, so that two tellings can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ansatz.quantities.units import UnitError, parse_unit, quantity

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_PLAIN = (
    (re.compile(r"\\(?:mathrm|text|rm|mathit|operatorname)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\times\s*"), "×"),
    (re.compile(r"\\cdot\s*"), "·"),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\degree|\\circ"), "°"),
    (re.compile(r"\\[,;:! ]|[~\u00a0\u202f\u2009]"), " "),
    (re.compile(r"\\(\w+)"), r"\1"),
    (re.compile(r"([\^_])\{([^{}]*)\}"), r"\1\2"),
    (re.compile(r"\$"), ""),
    (re.compile(r"[−–](?=\d)"), "-"),
    (re.compile(r"\b(electron|light)[ -](volt|year)"), r"\1\2"),
    (re.compile(r"\blightyears?\b"), "light_year"),
    (re.compile(r"\bdegrees? (?:Celsius|centigrade|C\b)"), "°C"),
)
_VALUE = (
    r"[-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?:[eE][-+]?\d+|\s*[×x·*]\s*10\s*(?:\^|\*\*)\s*[-+]?\d+)?"
)
_SYMBOL = r"(?:[A-Za-zα-ωΑ-Ω]\w{0,9})"
# A unit in prose goes on after a blank only with "per", "squared", a power, a quotient or a product sign.
_ATOM = r"(?:(?:square|cubic) )?[A-Za-zµμΩÅ°%_]+(?:\^?[-+]?\d)?"
_UNIT = re.compile(
    rf"[\s-]{{0,2}}(?P<unit>(?:1/)?{_ATOM}(?: ?[/·*] ?(?:{_ATOM}|\({_ATOM}(?:[·* ]{_ATOM})*\))| per {_ATOM}"
    rf"| (?:squared|cubed)\b| [A-Za-z]+\^-?\d| [A-Za-z]+(?=/))*)"
)
_SPELLED = (
    (re.compile(r"\bper cent\b"), "%"),
    (re.compile(r"\bsquare (\w+)"), r"\1^2"),
    (re.compile(r"\bcubic (\w+)"), r"\1^3"),
    (re.compile(r" squared\b"), "^2"),
    (re.compile(r" cubed\b"), "^3"),
    (re.compile(r" per "), "/"),
)
_WORDS = {
    word: value
    for value, word in enumerate(
        re.findall(
            r"\w+",
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
            " sixteen seventeen eighteen nineteen twenty",
        )
    )
} | {
    f"{stem}ty": 10 * place
    for place, stem in enumerate(("thir", "for", "fif", "six", "seven", "eigh", "nine"), 3)
}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
_WORD = "|".join(sorted((*_WORDS, *_SCALES), key=len, reverse=True))
_IN_WORDS = rf"(?:an? (?=hundred|thousand|million))?(?:{_WORD})(?:[ -](?:and )?(?:{_WORD}))*\b"
_NUMBER = re.compile(
    rf"(?:(?<!\w)(?P<symbol>{_SYMBOL})\s*=\s*)?(?<![\w.^_])(?P<value>{_VALUE})(?![\w.]*\w?\()"
    rf"|\b(?P<words>(?i:{_IN_WORDS}))"
)
_NO_UNITS = frozenset(re.findall(r"\w+", "a an as at by has he in is are to am pm turn turns times per"))
_SMALL = 3  # "one" and "two" come and go with "a", "both" and "the other"


@dataclass(frozen=True)
class Number:
    """A number in a text: in base units where its unit can be read, with the symbol it is given to.

    `dimension` is empty for a pure number, and the unit's spelling where nobody can read it.
    """

    value: float
    dimension: str
    symbol: str
    written: str
    in_words: bool
    start: int
    end: int

    @property
    def key(self) -> tuple[float, str]:
        return float(f"{self.value:.9g}"), self.dimension


def plain(text: str) -> str:
    """The text without LaTeX markup, with powers as ^."""
    for pattern, replacement in _PLAIN:
        text = pattern.sub(replacement, text)
    return re.sub(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda found: f"^{found[0].translate(_SUPERSCRIPTS)}", text)


def numbers(text: str) -> tuple[Number, ...]:
    """Every number of a plain text, written in digits or in words, in order."""
    return tuple(_numbers(text))


def wanted_units(text: str) -> frozenset[str]:
    """The units that a plain text wants something in, such as "in km/h", by their dimension and size."""
    found = (_unit(text[match.end() :].split("\n")[0][:40]) for match in re.finditer(r"\bin(?= )", text))
    return frozenset("{:.9g} {}".format(*_in_base(1.0, unit)) for _, unit in found if unit)


def _numbers(text: str) -> Iterator[Number]:
    place = 0
    while found := _NUMBER.search(text, place):
        written, unit = _unit(text[found.end() : found.end() + 40].split("\n")[0])
        place = found.end() + len(written)
        in_words = found["words"] is not None
        value = _from_words(found["words"]) if in_words else _value(found["value"])
        if in_words and value < _SMALL:
            continue
        base, dimension = _in_base(value, unit)
        symbol = found["symbol"] or ""
        yield Number(base, dimension, symbol, text[found.start() : place], in_words, found.start(), place)


def _value(text: str) -> float:
    power = re.fullmatch(r"(.+?)\s*[×x·*]\s*10\s*(?:\^|\*\*)\s*([-+]?\d+)", text)
    return float((f"{power[1]}e{power[2]}" if power else text).replace(",", ""))


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


@lru_cache(maxsize=4096)
def _unit(rest: str) -> tuple[str, str]:
    """The longest readable unit right behind a number, as written with its blank, and as pint reads it."""
    found = _UNIT.match(rest)
    written = found[0] if found else ""
    while written.strip(" -"):
        unit = written.strip(" -")
        for pattern, replacement in _SPELLED:
            unit = pattern.sub(replacement, unit)
        if _is_unit(unit):
            return written, unit
        written = re.sub(r"(?:^|[\s/·*]+)[^\s/·*]+$", "", written)
    return "", ""


@lru_cache(maxsize=4096)
def _is_unit(text: str) -> bool:
    if text.lower() in _NO_UNITS:
        return False
    try:
        parse_unit(text)
    except UnitError:
        return False
    return True


@lru_cache(maxsize=4096)
def _in_base(value: float, unit: str) -> tuple[float, str]:
    if not unit:
        return value, ""
    base = quantity(value, unit).to_base_units()
    return float(base.magnitude), f"{base.units:~}"
