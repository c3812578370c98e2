"""What sort of quantity a number of a process text is: by its unit, its symbol and the words beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ansatz.agents.slide_rule.procedures.notation import parts
from ansatz.agents.slide_rule.procedures.vocabulary import subscripts
from ansatz.agents.slide_rule.units import NONE, Dimension, Unit, parse_unit

WORKING_UNITS = {
    "temperature": "K", "pressure": "kPa", "energy": "kJ/kg", "entropy": "kJ/(kg*K)", "volume": "m^3/kg",
    "power": "kW", "entropy rate": "kW/K", "flow": "kg/s", "speed": "m/s", "number": "-",
}  # fmt: skip


def working_unit(kind: str) -> Unit:
    """The unit calculations are made in: kPa, kJ/kg and kW go together without factors."""
    unit = parse_unit(WORKING_UNITS[kind])
    assert unit is not None
    return unit


_BY_DIMENSION: dict[Dimension, str] = {working_unit(kind).dimension: kind for kind in WORKING_UNITS}
_DIFFERENCE = re.compile(
    r"(?:super-?heat(?:ed)?(?: by| of)?|sub-?cool(?:ed|ing)?(?: by| of)?|degrees? of \w+"
    r"|temperature difference"
    r"|above (?:its |the )?saturation|below (?:its |the )?saturation)",
    re.IGNORECASE,
)
_NOUN = re.compile(r"\b(?:superheat|sub-?cooling)\b", re.IGNORECASE)
_NUMBERS = (
    ("effectiveness", r"effectiveness|epsilon"),
    ("quality", r"quality|dryness|\bx\w*\s*$"),
    ("pressure ratio", r"ratio"),
    ("k", r"exponent|specific heats? ratio|ratio of (?:the )?specific heats|\bk\b"),
    ("efficiency", r"efficien\w+"),
)
_CLOSE = 12  # letters between the words for a difference and its value
_OF_SYMBOL = {
    "eta": "efficiency", "epsilon": "effectiveness", "x": "quality", "r": "pressure ratio",
    "rp": "pressure ratio", "k": "k", "PR": "pressure ratio",
}  # fmt: skip


def kind_of_dimension(unit: Unit) -> str:
    return _BY_DIMENSION.get(unit.dimension, "")


def kind_of(symbols: Sequence[str], unit: Unit, before: str, after: str) -> str:
    """temperature, pressure, superheat, subcooling, quality, efficiency, cp, R, heat, power, flow, ..."""
    dimension = kind_of_dimension(unit)
    near = before[-60:]
    if unit.dimension == NONE:
        return _number_kind(symbols, near, after)
    if dimension == "temperature":
        return _temperature_kind(symbols, near, after)
    if dimension == "entropy":
        words = f"{near} {' '.join(symbols)}".lower()
        return (
            "cp"
            if re.search(r"c_?p\b|specific heat", words)
            else "R"
            if re.search(r"\br\b|gas constant", words)
            else "entropy"
        )
    if dimension in ("power", "energy"):
        return _energy_kind(dimension, symbols, f"{near} {after}")
    return dimension or "other"


def _number_kind(symbols: Sequence[str], near: str, after: str) -> str:
    """By the symbol; else by the words before the number, or else right after it: "of 88% efficiency"."""
    for symbol in symbols:
        base, rest = parts(symbol)
        of_pressures = not rest or rest[0] in ("p", "c", "P")
        return _OF_SYMBOL.get(base, "other") if base != "r" or of_pressures else "other"
    return _kind_in_words(near) or _kind_in_words(re.split(r"[,;]| and ", after)[0]) or "other"


def _kind_in_words(words: str) -> str:
    if re.search(r"specific[- ]heats? ratio|ratio of (?:the )?specific heats", words, re.IGNORECASE):
        return "k"
    last = [
        (found.start(), kind) for kind, pattern in _NUMBERS for found in re.finditer(pattern, words.lower())
    ]
    return max(last, default=(0, ""))[1]


def _temperature_kind(symbols: Sequence[str], near: str, after: str) -> str:
    """A temperature, or a difference: "superheated by 5 °C", "5 K of superheat", Delta T = 5 K."""
    if symbols:
        difference = parts(symbols[0])[0] in ("Delta", "DeltaT", "dT")
        return _difference_kind(f"{symbols[0]} {near}") if difference else "temperature"
    if _NOUN.search(near) and not re.search(r"temperature", near, re.IGNORECASE):
        return _difference_kind(near)
    if found := list(_DIFFERENCE.finditer(near)):
        between = near[found[-1].end() :]
        if len(between) < _CLOSE and not re.search(r"\b(?:to|at|temperature|steam|vapou?r)\b", between):
            return _difference_kind(found[-1].group())
    stated_after = re.match(r"\s*(?:of\s+)?(?:super-?heat|sub-?cool|above|below)\w*", after, re.IGNORECASE)
    return _difference_kind(stated_after.group()) if stated_after else "temperature"


def _difference_kind(words: str) -> str:
    return "subcooling" if re.search(r"sub-?cool|_sc|below", words, re.IGNORECASE) else "superheat"


def _energy_kind(dimension: str, symbols: Sequence[str], words: str) -> str:
    """Heat or work, per unit of time (Q, W) or of mass (q, w); an enthalpy where it is called h."""
    letter = parts(symbols[0])[0].lower() if symbols else ""
    heat = letter == "q" or (
        not letter and re.search(r"heat|cooling|refrigerat|capacity|\bload\b|los[est]", words, re.IGNORECASE)
    )
    if letter == "h" or (not letter and "enthalpy" in words.lower()):
        return "enthalpy"
    if dimension == "power":
        return "heat rate" if heat else "power"
    return "heat" if heat else "work"


def label_of(symbol: str) -> str:
    """The state a symbol such as P_1 or T_3 is numbered for; empty where it is not about a state."""
    base, rest = parts(symbol)
    if base not in ("P", "p", "T", "t", "h", "s", "v", "x", "V", "u", "c") or not rest:
        return ""
    return rest[0] if rest[0][:1].isdigit() and rest[0] != "0" and len(rest) == 1 else ""


def places_of_symbol(symbol: str) -> str:
    """The tags that subscripts stand for: T_h,in is "hot inlet", eta_t is "turbine", T_0 is "dead"."""
    base, rest = parts(symbol)
    table = dict(subscripts("place_subscripts"))
    if base == "eta":
        table |= subscripts("efficiency_subscripts")
    tags = [tag for part in rest if (tag := table.get(part, table.get(part.lower(), "")))]
    if {"inlet", "exit"} & set(tags):  # T_H,in is that of a hot stream, T_H that of a reservoir
        tags = [{"source": "hot", "space": "cold"}.get(tag, tag) for tag in tags]
    return " ".join(tags)


_OF_LETTER = {
    "T": "temperature", "P": "pressure", "h": "energy", "u": "energy", "s": "entropy", "v": "volume",
    "V": "speed", "w": "energy", "q": "energy", "psi": "energy", "ke": "energy", "W": "power", "Q": "power",
    "Psi": "power", "m": "flow", "cp": "entropy", "R": "entropy", "superheat": "temperature",
    "subcooling": "temperature", "balance": "energy",
}  # fmt: skip
_OF_STEM = {"s_gen": "entropy", "S_gen": "entropy rate", "ex_dest": "energy", "Ex_dest": "power"}


def kind_of_quantity(name: str) -> str:
    """The kind of a procedure's quantity, from its name."""
    for stem, kind in _OF_STEM.items():
        if name.startswith(stem):
            return kind
    return _OF_LETTER.get(name.split("_")[0], "number")
