"""What a sentence asks for: a quantity by its everyday name, and the unit such a quantity has."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ansatz.agents.slide_rule.words import content_words

_ASKS = re.compile(
    r"\b(?:find|determine|calculate|compute|estimate|evaluate|obtain|what|how)\b",
    re.IGNORECASE,
)
_PART = re.compile(r"(?:^|(?<=\s))\(?(?:[a-e]|i{1,3}|iv|v)\)\s+", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.?!;])\s+|\n+")
_BOTH = re.compile(r",?\s+and\s+(?:the\s+|its\s+|how\s+|what\s+)", re.IGNORECASE)
_CONDITION = re.compile(
    r"[,.?;:]|\b(?:if|when|given|using|assuming|required|needed|does|do|did|will|would|is|are|was)\b"
)

_HOW = {
    "far": ("distance", "m"), "long": ("time", "s"), "fast": ("speed", "m/s"), "high": ("height", "m"),
    "deep": ("depth", "m"), "tall": ("height", "m"), "hot": ("temperature", "K"), "heavy": ("mass", "kg"),
    "often": ("frequency", "Hz"), "strong": ("field", ""), "wide": ("width", "m"),
}  # fmt: skip
# The longer names come first where they hold a shorter one.
_UNITS = {
    "half-life": "s", "half life": "s", "decay constant": "1/s", "time constant": "s", "mean motion": "rad/s",
    "specific heat": "J/(kg*K)", "latent heat": "J/kg", "heat of fusion": "J/kg",
    "thermal conductivity": "W/(m*K)", "rate of heat": "W", "heat flow": "W", "entropy": "J/K",
    "internal energy": "J", "kinetic energy": "J", "potential energy": "J", "work function": "J",
    "specific orbital energy": "J/kg", "specific mechanical energy": "J/kg", "specific energy": "J/kg",
    "specific angular momentum": "m^2/s", "angular momentum": "kg*m^2/s", "angular speed": "rad/s",
    "angular velocity": "rad/s", "angular frequency": "rad/s", "angular acceleration": "rad/s^2",
    "moment of inertia": "kg*m^2", "torque": "N*m", "spring constant": "N/m", "force constant": "N/m",
    "surface gravity": "m/s^2", "gravitational field": "m/s^2", "acceleration": "m/s^2",
    "deceleration": "m/s^2", "mass flow": "kg/s", "volume flow": "m^3/s", "flow rate": "m^3/s",
    "delta-v": "m/s", "delta v": "m/s", "specific impulse": "s", "momentum": "kg*m/s", "impulse": "kg*m/s",
    "electric field": "V/m", "field strength": "V/m", "magnetic flux": "Wb", "magnetic field": "T",
    "flux density": "T", "stopping potential": "V", "potential difference": "V", "electric potential": "V",
    "electromotive force": "V", "terminal voltage": "V", "voltage": "V", "emf": "V", "capacitance": "F",
    "inductance": "H", "reactance": "ohm", "impedance": "ohm", "resistivity": "ohm*m", "resistance": "ohm",
    "current": "A", "charge": "C", "power of the lens": "1/m", "focal length": "m", "wavelength": "m",
    "refractive index": "-", "index of refraction": "-", "critical angle": "deg", "magnification": "-",
    "sound level": "-", "intensity": "W/m^2", "frequency": "Hz", "period": "s", "amplitude": "m",
    "coefficient": "-", "efficiency": "-", "eccentricity": "-", "mass ratio": "-", "fraction": "-",
    "lorentz factor": "-", "number of": "-", "how many": "-", "activity": "1/s",
    "centripetal force": "N", "normal force": "N", "friction force": "N", "tension": "N", "thrust": "N",
    "weight": "N", "force": "N", "gauge pressure": "Pa", "pressure": "Pa", "density": "kg/m^3",
    "volume": "m^3", "area": "m^2", "temperature": "K", "molar mass": "kg/mol", "moles": "mol",
    "mass": "kg", "speed": "m/s", "velocity": "m/s", "range": "m", "displacement": "m", "distance": "m",
    "height": "m", "depth": "m", "length": "m", "radius": "m", "altitude": "m", "semi-major axis": "m",
    "semimajor axis": "m", "separation": "m", "spacing": "m", "extension": "m", "thickness": "m",
    "diameter": "m", "duration": "s", "time": "s", "angle": "deg", "work": "J", "energy": "J", "heat": "J",
    "power": "W", "expansion": "m", "elongation": "m", "wave number": "1/m",
}  # fmt: skip
_QUANTITY = re.compile(r"\b(?:" + "|".join(map(re.escape, _UNITS)) + r")\b", re.IGNORECASE)
_SYMBOL = re.compile(
    r"\s*,?\s+\(?(?P<symbol>[^\W\d](?:_?\w{1,4})?)\)?"
    r"(?=\s*(?:[,.?;:)]|$|(?:of|in|and|at|for|when|that|needed|required|exerted|between)\b))"
)
_ASKING_WORDS = frozenset(
    {"how", "much", "many", "obtain", "evaluate", "also", "then", "will", "does", "its", "do", "did"}
)
_ORDINARY = frozenset(
    "of in at to is it by an on if so we do he no up as or be its the for per and".split()  # noqa: SIM905
)
_HOW_ASKED = re.compile(rf"\bhow ({'|'.join(_HOW)})\b", re.IGNORECASE)
_SPATIAL = re.compile(r"\bhow long (?:is|are|must the \w+ be|should the \w+ be)\b(?! it)", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """A quantity that a sentence asks for: its name there, its words and a unit it may be answered in.

    `symbol` is empty where the sentence has none for it.
    """

    symbol: str
    name: str
    words: frozenset[str]
    unit_text: str
    sentence: str


def asked_quantities(body: str) -> tuple[Asked, ...]:
    """Every quantity with an everyday name that the text asks for, in its order."""
    found = [_asked(clause, sentence) for sentence in _questions(body) for clause in _clauses(sentence)]
    return tuple(dict.fromkeys(each for each in found if each))


def _questions(body: str) -> list[str]:
    """The parts of sentences that ask, each from its asking word."""
    parts = (part for sentence in _SENTENCE.split(body) for part in _PART.split(sentence))
    asking = ((part, _ASKS.search(part)) for part in parts)
    return [part[found.start() :].strip() for part, found in asking if found]


def _clauses(question: str) -> list[str]:
    """Both halves of "find the speed and the time", if each names a quantity."""
    halves = _BOTH.split(question)
    return halves if len(halves) > 1 and all(map(_QUANTITY.search, halves)) else [question]


def _asked(clause: str, sentence: str) -> Asked | None:
    how, named = _HOW_ASKED.search(clause), _QUANTITY.search(clause)
    if how and (named is None or how.start() < named.start()):
        name, unit = _HOW[how.group(1).lower()]
        if _SPATIAL.search(clause):
            name, unit = "length", "m"
        return Asked("", name, content_words(f"{name} {_rest(clause[how.end() :])}"), unit, sentence)
    if named is None:
        return None
    before = clause[: named.start()].split()[-2:]
    name = " ".join(
        [*(word for word in before if content_words(word) - _ASKING_WORDS), named.group().lower()]
    )
    words = content_words(f"{name} {_rest(clause[named.end() :])}")
    return Asked(_symbol(clause[named.end() :]), name, words, _UNITS[named.group().lower()], sentence)


def _symbol(after: str) -> str:
    found = _SYMBOL.match(after)
    return found["symbol"] if found and found["symbol"].lower() not in _ORDINARY else ""


def _rest(text: str) -> str:
    """The few words that say of what, up to the next clause."""
    rest = " ".join(_CONDITION.split(text)[0].split()[:8])
    return f"{rest} final" if re.search(r"\bafter\b", rest) else rest
