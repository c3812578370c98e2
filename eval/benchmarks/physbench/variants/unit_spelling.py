"""Units as a statement spells them, and one canonical spelling for each."""

from __future__ import annotations

import re

_WORDS = {
    "degrees Celsius": "°C",
    "degree Celsius": "°C",
    "degrees Fahrenheit": "°F",
    "degrees": "deg",
    "degree": "deg",
    "radians": "rad",
    "radian": "rad",
    "percent": "%",
    "kilograms": "kg",
    "kilogram": "kg",
    "grams": "g",
    "gram": "g",
    "kilometres": "km",
    "kilometers": "km",
    "centimetres": "cm",
    "centimeters": "cm",
    "millimetres": "mm",
    "millimeters": "mm",
    "metres": "m",
    "meters": "m",
    "metre": "m",
    "meter": "m",
    "kilometre": "km",
    "kilometer": "km",
    "seconds": "s",
    "second": "s",
    "minutes": "min",
    "minute": "min",
    "hours": "h",
    "hour": "h",
    "days": "d",
    "day": "d",
    "years": "yr",
    "year": "yr",
    "newtons": "N",
    "newton": "N",
    "joules": "J",
    "joule": "J",
    "watts": "W",
    "watt": "W",
    "kilowatts": "kW",
    "volts": "V",
    "volt": "V",
    "amperes": "A",
    "ampere": "A",
    "ohms": "ohm",
    "hertz": "Hz",
    "pascals": "Pa",
    "litres": "L",
    "liters": "L",
    "kelvin": "K",
    "kelvins": "K",
}
_SYMBOLS = (
    r"(?:[fpnuµμmckMGT]?(?:ohms?|Hz|Pa|eV|mol|rad|Wb|Bq|Wh|bar|m|s|g|N|J|W|V|A|K|C|F|T|H|L|Ω)"
    r"|deg[CFK]?|°[CF]?|%|atm|min|turns?|rpm|rev|yr|ft|mi|h|d|u|lb)"
)
_ATOM = rf"(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))}|{_SYMBOLS})(?:\^?-?\d|[²³]|\*\*\d)?"
_BOUND = r"(?![A-Za-z])"
UNIT = (
    rf"(?:{_ATOM}{_BOUND}(?:(?:\s?[·*/]\s?|\sper\s){_ATOM}{_BOUND})*"
    rf"(?:\s?/\s?\({_ATOM}{_BOUND}(?:\s?[·*]\s?{_ATOM}{_BOUND})*\))?)"
)


def spelled(unit: str) -> str:
    """The canonical spelling: "metres per second" and "m / s" are both "m/s"."""
    for word, symbol in sorted(_WORDS.items(), key=lambda pair: -len(pair[0])):
        unit = re.sub(rf"\b{word}\b", symbol, unit)
    unit = unit.replace("²", "^2").replace("³", "^3").replace("**", "^").replace(" per ", "/")
    unit = re.sub(r"[µμ]", "u", unit).replace("Ω", "ohm").replace("ohms", "ohm").replace("·", "*")
    unit = re.sub(r"(?<=[A-Za-z])(?=\d)", "^", unit)
    return {"°": "deg", "degC": "°C", "degF": "°F"}.get(unit, re.sub(r"\s", "", unit))


BARE = re.compile(rf"\bin ({UNIT})(?=[\s,.;?)]|$)")
"""A unit that an answer or a variable is wanted in, such as "in km/h"."""
