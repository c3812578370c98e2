"""Units as a statement spells them, and one canonical spelling for each."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

_PREFIXES = {
    "": "",
    "pico": "p",
    "nano": "n",
    "micro": "u",
    "milli": "m",
    "centi": "c",
    "kilo": "k",
    "mega": "M",
    "giga": "G",
    "tera": "T",
}
_PREFIXED = {
    "metre": "m",
    "meter": "m",
    "gram": "g",
    "gramme": "g",
    "second": "s",
    "newton": "N",
    "joule": "J",
    "watt": "W",
    "volt": "V",
    "ampere": "A",
    "amp": "A",
    "ohm": "ohm",
    "hertz": "Hz",
    "pascal": "Pa",
    "litre": "L",
    "liter": "L",
    "coulomb": "C",
    "farad": "F",
    "tesla": "T",
    "weber": "Wb",
    "henry": "H",
    "henrie": "H",
    "mole": "mol",
    "electronvolt": "eV",
    "electron volt": "eV",
    "electron-volt": "eV",
    "becquerel": "Bq",
    "radian": "rad",
    "bar": "bar",
}
_OTHERS = {
    "degrees Celsius": "°C",
    "degree Celsius": "°C",
    "degrees centigrade": "°C",
    "degrees Fahrenheit": "°F",
    "degrees C": "°C",
    "deg C": "°C",
    "degrees": "deg",
    "degree": "deg",
    "per cent": "%",
    "percent": "%",
    "minutes": "min",
    "minute": "min",
    "mins": "min",
    "sec": "s",
    "secs": "s",
    "hours": "h",
    "hour": "h",
    "hrs": "h",
    "hr": "h",
    "days": "d",
    "day": "d",
    "years": "yr",
    "year": "yr",
    "kelvins": "K",
    "kelvin": "K",
    "Kelvin": "K",
    "tonnes": "t",
    "tonne": "t",
    "decibels": "dB",
    "decibel": "dB",
    "dioptres": "dpt",
    "dioptre": "dpt",
    "diopters": "dpt",
    "diopter": "dpt",
    "atmospheres": "atm",
    "revolutions": "rev",
    "revolution": "rev",
    "turns": "turn",
    "rpm": "rev/min",
    "kph": "km/h",
    "kmh": "km/h",
    "mph": "mi/h",
    "miles": "mi",
    "mile": "mi",
    "feet": "ft",
    "pounds": "lb",
    "light-years": "ly",
    "light years": "ly",
    "light-year": "ly",
    "kilohms": "kohm",
    "kilohm": "kohm",
    "megohms": "Mohm",
    "megohm": "Mohm",
}
_SYMBOLS = (
    r"(?:[fpnuµμmckMGT]?(?:ohms?|Hz|Pa|eV|mol|rad|Wb|Bq|Wh|bar|m|s|g|N|J|W|V|A|K|C|F|T|H|L|l|Ω|t)"
    r"|deg[CFK]?|°\s?[CF]?|%|atm|min|dB|dpt|turns?|rev|yr|ft|mi|h|d|u|lb|ly|Å)"
)
_POWER = r"(?:\^?\{?[-−]?\d\}?|\*\*-?\d)"
_SAME = {"ohms": "ohm", "l": "L", "turns": "turn", "Cdeg": "°C", "Fdeg": "°F"}
_SQUARES = {"square": 2, "squared": 2, "cubic": 3, "cubed": 3}
_BOUND = r"(?![A-Za-z])"


@cache
def words() -> dict[str, str]:
    """Spelled-out units by their symbols, the longest first."""
    found = dict(_OTHERS)
    for prefix, short in _PREFIXES.items():
        for name, symbol in _PREFIXED.items():
            for ending in ("s", ""):
                found[f"{prefix}{name}{ending}"] = short + symbol
    return dict(sorted(found.items(), key=lambda pair: -len(pair[0])))


_WORD = "|".join(map(re.escape, words()))
_IN_WORDS = re.compile(rf"(?<![A-Za-z])(?:{_WORD})(?![A-Za-z])")
_NAMED = rf"(?:square |cubic )?(?:{_WORD}){_BOUND}(?: squared| cubed)?(?:{_POWER})?"
_ATOM = rf"(?:{_NAMED}|{_SYMBOLS}(?:{_POWER})?{_BOUND})"
_NEXT = (
    rf"(?:\s?[·*]\s?{_ATOM}|\s?/\s?{_ATOM}|\sper\s{_ATOM}"
    rf"|[\s-](?:met(?:re|er)s?|hours?|seconds?){_BOUND}(?:{_POWER})?"
    rf"|\s{_SYMBOLS}\^\{{?[-−]\d\}}?|(?<=N) m{_BOUND}|(?<=kg) m(?=/s))"
)
_INVERSE = r"(?:1/|(?:lines?|slits?|grooves?|rulings?) per )"
UNIT = rf"(?:{_INVERSE}?{_ATOM}{_NEXT}*(?:\s?/\s?\({_ATOM}(?:\s?[·* ]\s?{_ATOM})*\))?)"
"""A unit as people write it: symbols or words, with powers, products and quotients."""

WORD_UNIT = rf"(?:(?:square |cubic )?(?:{_WORD}){_BOUND})"
"""A unit that starts with a spelled-out word; a numeral in words may stand before it."""

BARE = re.compile(rf"\bin ({UNIT})(?=[\s,.;?)]|$)")
"""A unit that an answer or a variable is wanted in, such as "in km/h"."""


@cache
def spelled(unit: str) -> str:
    """The canonical spelling: "metres per second", "m / s" and "m s^-1" are all "m/s"."""
    text = re.sub(r"[µμ]", "u", unit).replace("Ω", "ohm").replace("−", "-").replace("°", " ° ")
    text = re.sub(r"°\s+([CF])\b", r"degrees\1 ", text).replace("°", "deg")
    text = _IN_WORDS.sub(lambda found: words()[found[0]], text)
    text = re.sub(r"degC|degreesC|°C", "Cdeg", text)
    text = re.sub(r"degF|degreesF|°F", "Fdeg", text)
    powers: Counter[str] = Counter()
    text = re.sub(rf"^{_INVERSE}", "per ", text.replace("Wh", "W*h"))
    sign, factor = 1, 1
    inside, name = False, ""
    for token in re.findall(
        r"squared|cubed|square|cubic|per\b|[A-Za-zÅ%]+(?:\^?\{?-?\d\}?|\*\*-?\d)?|[/()]", text
    ):
        if token in ("/", "per"):
            sign = -1
        elif token == "(":
            inside = True
        elif token == ")":
            inside, sign = False, 1
        elif token in ("square", "cubic"):
            factor = _SQUARES[token]
        elif token in ("squared", "cubed"):
            powers[name] *= _SQUARES[token]
        else:
            name, power = _split(token)
            powers[name] += sign * factor * power
            factor = 1
            sign = sign if inside else 1
    return _written(powers)


def _split(token: str) -> tuple[str, int]:
    found = re.fullmatch(r"([A-Za-zÅ%]+?)(?:\^?\{?(-?\d)\}?|\*\*(-?\d))?", token)
    assert found
    name = _SAME.get(found[1], found[1])
    return name, int(found[2] or found[3] or 1)


def _written(powers: Counter[str]) -> str:
    """Units with positive powers, then those with negative ones behind strokes, in alphabetical order."""

    def part(name: str, power: int) -> str:
        return name if power == 1 else f"{name}^{power}"

    above = "*".join(part(name, power) for name, power in sorted(powers.items()) if power > 0)
    below = [part(name, -power) for name, power in sorted(powers.items()) if power < 0]
    return "/".join([above or ("1" if below else ""), *below])
