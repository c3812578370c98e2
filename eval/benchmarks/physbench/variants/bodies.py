"""Numbers that the things of a story cannot have: a honeybee of 70 kg, a tortoise at 20 m/s."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from ansatz.eval.benchmarks.physbench.variants.replacing import mentions, plural
from ansatz.eval.benchmarks.physbench.variants.statement import Mention, Statement

_PREFIX = {"p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "c": 1e-2, "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}
_UNITS = {
    "mass": {"t": 1e3} | {f"{prefix}g": factor * 1e-3 for prefix, factor in _PREFIX.items()},
    "speed": {"m/s": 1.0, "km/h": 1 / 3.6, "cm/s": 1e-2, "km/s": 1e3, "mi/h": 0.44704},
    "length": {f"{prefix}m": factor for prefix, factor in _PREFIX.items()},
    "power": {f"{prefix}W": factor for prefix, factor in _PREFIX.items()},
}
_UNITS["volume"] = {f"{prefix}m^3": factor**3 for prefix, factor in _PREFIX.items()}
_UNITS["volume"] |= {f"{prefix}L": factor * 1e-3 for prefix, factor in _PREFIX.items()}
_UNITS["voltage"] = {f"{prefix}V": factor for prefix, factor in _PREFIX.items()}
_LEADING = {  # words that may stand between a thing and its number
    "mass": r"of|with|an?|the|total|mass|masses|whose|which|that|has|have|is|are|weighs|weighing|having|by",
    "speed": r"of|with|an?|the|at|constant|steady|speed|velocity|moves?|moving|goes|going|runs?|running|flies"
    r"|flying|drives?|driving|travels?|travelling|rides?|riding|rolls?|rolling|crawls?|is|that|which|who|whose"
    r"|has|steadily|east|west|north|south|swims?|walks?|walking|sails?|sailing|past|home|along|straight|ahead",
    "length": r"of|with|an?|the|length|height|whose|which|that|has|is",
    "power": r"of|with|an?|the|power|whose|which|that|has|is|rated|at",
    "volume": r"of|with|an?|the|volume|whose|which|that|has|is|holds|holding|contains|containing",
    "voltage": r"of|with|an?|the|voltage|whose|which|that|has|is|rated|at|on|gives|supplies|delivers|emf",
}
_TRAILING = {
    "mass": "",
    "speed": "",
    "length": r"\s+(?:long|tall|high|in length)\b",
    "power": "",
    "volume": "",
    "voltage": "",
}
_NOT_THEMSELVES = (
    r"(?<!toy )(?<!model )(?<!paper )(?<!miniature )(?<!wooden )(?<!plastic )(?<!stone )(?<!a dead )"
)
_ENDS = (
    r"(?=[,.;:?!)]|$"
    r"|\s+(?:is|at|on|in|that|which|who|with|to|and|from|of|over|up|down|along|\w+(?:s|ed|ing))\b)"
)
_DOING = r"(?:\s+(?!(?:an?|the|and|while|as|when|or)\b)[a-z]+){1,3}\s+at(?:\s+(?:v|v_\w+)\s+=)?"
"""What a thing may do between itself and its speed, as in "a snail creeps on at"."""
_TOLERANCE = {"mass": 3.0, "speed": 1.2, "length": 3.0, "power": 3.0, "volume": 3.0, "voltage": 2.0}
"""A number may be so many times outside of a range: stories are not measurements."""


class Bodies(BaseModel):
    """Ranges (low, high) of things by name, in kg, m/s, m, W, m^3 and V."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mass: dict[str, tuple[float, float]]
    speed: dict[str, tuple[float, float]]
    length: dict[str, tuple[float, float]]
    power: dict[str, tuple[float, float]]
    volume: dict[str, tuple[float, float]]
    voltage: dict[str, tuple[float, float]]


@cache
def bodies() -> Bodies:
    text = Path(__file__).with_name("bodies.yaml").read_text(encoding="utf-8")
    return Bodies.model_validate(yaml.safe_load(text))


def impossible(one: Statement, other: Statement) -> Iterator[str]:
    """Things that only the second statement tells of, with a number of it that they cannot have."""
    prose = other.prose.lower()
    for name, units in _UNITS.items():
        ranges: dict[str, tuple[float, float]] = getattr(bodies(), name)
        told = [
            (thing, each)
            for thing, each in ranges.items()
            if thing[:-1] in prose and mentions(thing, other.prose)
        ]
        for thing, (low, high) in sorted(told, key=lambda pair: -len(pair[0])):
            if mentions(thing, one.prose):
                continue
            for mention in other.mentions:
                value = abs(mention.value) * units.get(mention.unit, float("nan"))
                fits = low / _TOLERANCE[name] <= value <= high * _TOLERANCE[name]
                if value == value and not fits and _belongs(thing, mention, other.prose, name):
                    yield f"a {thing} cannot have a {name} of {mention}"


def _belongs(thing: str, mention: Mention, prose: str, name: str) -> bool:
    """Whether a number is said of a thing: right behind it, as its mass, or right before it."""
    noun = rf"{_NOT_THEMSELVES}\b(?:{re.escape(thing)}|{re.escape(plural(thing))})\b"
    before, after = prose[: mention.start].rstrip(), prose[mention.end :]
    if _TRAILING[name] and not re.match(_TRAILING[name], after):
        return re.search(rf"\blength of (?:the|a|an) {noun},?(?: is)?$", before, re.I) is not None
    symbol = r"(?:\w{1,2}|\w_\w+)"
    if name == "speed" and re.search(rf"{noun}{_DOING}$", before, re.I):
        return True
    apposition = r"(?:,\s+an?(?:\s+[a-z]+){1,4}(?=\s+of))?"
    behind = rf"{noun}{apposition}(?:'s)?(?:[\s,(]+(?:{_LEADING[name]}|{symbol}))*[\s,(=:]*$"
    if re.search(behind, before, re.I):
        return True
    return name == "mass" and re.match(rf"[\s-]+(?:\w+\s+)?{noun}{_ENDS}", after, re.I) is not None
