"""Is a condition true, false or unknown for the question at hand? Only *false* rejects a formula."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from ansatz.agents.slide_rule.arithmetic import written
from ansatz.agents.slide_rule.reading import Given, Reading
from ansatz.agents.slide_rule.units import ONE, parse_unit
from ansatz.agents.slide_rule.words import content_words, name_similarity

_NUMBER = r"[-+]?[\d.]+(?:[eE][-+]?\d+)?"
_BETWEEN = re.compile(
    rf"^(?P<low>{_NUMBER})\s*<=?\s*(?P<name>\w+)\s*<=?\s*(?P<high>{_NUMBER})\s*(?P<unit>.*)$"
)
_COMPARE = re.compile(rf"^(?P<name>\w+)\s*(?P<sign><=?|>=?|≤|≥|==?)\s*(?P<limit>{_NUMBER})\s*(?P<unit>.*)$")
_WITHIN = re.compile(rf"^(?P<name>\w+) between (?P<low>{_NUMBER}) and (?P<high>{_NUMBER})\s*(?P<unit>.*)$")
_AMONG = re.compile(r"^(?P<name>\w+)\s+(?P<no>not )?in\s*[{\[(](?P<words>.*)[}\])]$")
_EQUALS = re.compile(r"^(?P<name>\w+)\s*(?P<sign>!=|==?|is)\s*(?P<words>[A-Za-z][\w +-]*)$")

# Words that exclude each other; the words an engineer uses for each value.
_EXCLUSIVE: dict[str, dict[str, str]] = {
    "bl_state": {"laminar": "laminar", "transitional": "transitional", "turbulent": "turbulent"},
    "gas": {
        "air": r"air|earth", "CO2": r"co2|carbon dioxide|martian|mars|venus", "N2": r"nitrogen|n2", "He": r"helium",
        "H2-He": r"jupiter|saturn|hydrogen", "N2-CH4": r"titan|methane", "argon": r"argon", "steam": r"steam|water vapou?r",
        "refrigerant": r"refrigerant|r-?134a",
    },
    "geometry": {
        "flat_plate": r"flat[ -]plate|plate", "wedge": r"wedge|ramp", "cone": r"(?<!sphere-)(?<!sphere )cone",
        "sphere": r"sphere(?![ -]cone)|spherical|hemispher\w+", "cylinder": r"cylinder|cylindrical", "nozzle": r"nozzle",
        "sphere_cone": r"sphere[ -]cone", "swept_cylinder": r"swept[ -]cylinder", "capsule": r"capsule", "pipe": r"pipe|tube|duct",
    },
    "chemistry": {
        "calorically_perfect": r"calorically perfect|constant specific heats?|perfect gas",
        "thermally_perfect": r"thermally perfect|variable specific heats?", "equilibrium": r"(?<!non)(?<!non-)equilibrium",
        "frozen": r"frozen", "finite_rate": r"finite[ -]rate|non-?equilibrium", "two_temperature": r"two[ -]temperature",
    },
    "optical": {"thin": r"optically thin", "thick": r"optically thick"},
    "device": {
        "turbine": r"turbine", "compressor": r"compressor", "pump": r"pump", "nozzle": r"nozzle", "valve": r"valve|throttl\w+",
        "heat_exchanger": r"heat exchanger",
    },
    "thrust": {"impulsive": r"impulsive|impulse", "low": r"low[ -]thrust|electric propulsion"},
}  # fmt: skip
_SYNONYMS = {"co2-n2": r"co2|carbon dioxide|martian|mars|venus", "nitrogen": r"nitrogen|n2"}

# What a regime word says about a number.
_WORDED = {
    "mach": {"hypersonic": (5, 50), "supersonic": (1.2, 5), "subsonic": (0, 0.8), "transonic": (0.8, 1.2),
             "incompressible": (0, 0.3)},
    "kn": {"continuum": (0, 0.01), "slip flow": (0.01, 0.1), "rarefied": (0.1, 100), "free-molecular": (10, 1e6),
           "free molecular": (10, 1e6)},
}  # fmt: skip
_NAMES = {
    "speed": ("V", "speed velocity"), "velocity": ("V", "speed velocity"), "mach": ("M", "mach number"),
    "kn": ("Kn", "knudsen number"), "re": ("Re", "reynolds number"), "re_x": ("Re_x", "reynolds number"),
    "theta_rad": ("theta", "surface inclination angle deflection"), "theta": ("theta", "angle inclination deflection"),
    "t": ("T", "temperature"), "temperature": ("T", "temperature"), "p": ("p", "pressure"),
    "pressure": ("p", "pressure"), "chi_bar": ("chi", "viscous interaction parameter"), "da": ("Da", "damkohler number"),
    "quality": ("x", "quality"), "tau_opt": ("tau", "optical depth"), "ecc": ("e", "eccentricity"),
    "nose_radius": ("R_n", "nose radius"),
}  # fmt: skip


@dataclass(frozen=True)
class Verdict:
    """`holds` is None where the question does not say; `because` is the evidence."""

    condition: str
    holds: bool | None
    because: str


@dataclass(frozen=True)
class Case:
    """The question as conditions see it; `derive` works out a number that is not given (or None)."""

    reading: Reading
    derive: Callable[[str, frozenset[str]], float | None]

    def judge(self, condition: str) -> Verdict:
        """The condition's truth for this case; one that cannot be read is unknown."""
        parts = [part for part in re.split(r"\s+and\s+(?!\d)", condition) if part]
        if len(parts) > 1:
            return _all_of(condition, [self.judge(part) for part in parts])
        for pattern in (_BETWEEN, _WITHIN, _COMPARE):
            if found := pattern.match(condition):
                return self._numeric(condition, found.groupdict())
        if found := _AMONG.match(condition):
            values = [word.strip() for word in found["words"].split(",")]
            return self._worded(condition, found["name"], values, bool(found["no"]))
        if found := _EQUALS.match(condition):
            return self._worded(condition, found["name"], [found["words"].strip()], found["sign"] == "!=")
        return Verdict(condition, None, "not stated")

    def _numeric(self, condition: str, bounds: dict[str, str]) -> Verdict:
        unit = parse_unit(bounds["unit"]) or ONE
        low, high = _interval(bounds)
        low, high = unit.to_si(low), unit.to_si(high)
        known = self._number(bounds["name"])
        if known is None:
            return Verdict(condition, None, f"{bounds['name']} unknown")
        least, most, evidence = known
        if low <= least and most <= high:
            return Verdict(condition, True, evidence)
        return Verdict(condition, False if most < low or least > high else None, evidence)

    def _number(self, name: str) -> tuple[float, float, str] | None:
        """A number's range as the question gives it, says it in a word, or lets it be worked out."""
        symbol, words = _NAMES.get(name.lower(), (name, name.replace("_", " ")))
        given = _given(self.reading.givens, symbol, content_words(words))
        if given:
            return given.value, given.value, f"{given.symbol or name} = {given.text}"
        for word, (low, high) in _WORDED.get(name.lower(), {}).items():
            if re.search(rf"(?<!non-)\b{word}", self.reading.text):
                return low, high, f"{word} flow"
        if name.lower() in ("mach", "kn", "re", "re_x"):
            value = self.derive(symbol, content_words(words))
            if value is not None:
                return value, value, f"{name} = {written(value, 3)}"
        return None

    def _worded(self, condition: str, name: str, values: list[str], negated: bool) -> Verdict:
        said = [value for value in values if _says(self.reading.text, name, value)]
        if said:
            return Verdict(condition, not negated, f"the question says {said[0].replace('_', ' ')}")
        others = [
            other
            for other in _EXCLUSIVE.get(name.lower(), {})
            if other not in values and _says(self.reading.text, name, other)
        ]
        if others:
            return Verdict(condition, negated, f"the question says {others[0].replace('_', ' ')}")
        if any(re.search(rf"\b(?:non|not|no)[ -]?{_phrase(name, v)}", self.reading.text) for v in values):
            return Verdict(condition, negated, f"the question says not {values[0]}")
        return Verdict(condition, None, f"{name} not stated")


def _all_of(condition: str, verdicts: list[Verdict]) -> Verdict:
    for truth in (False, None):
        for verdict in verdicts:
            if verdict.holds is truth:
                return Verdict(condition, truth, verdict.because)
    return Verdict(condition, True, "; ".join(verdict.because for verdict in verdicts))


def _interval(bounds: dict[str, str]) -> tuple[float, float]:
    if "limit" in bounds:
        limit = float(bounds["limit"])
        if bounds["sign"] in ("=", "=="):
            return limit, limit
        return (limit, float("inf")) if bounds["sign"] in (">", ">=", "≥") else (float("-inf"), limit)
    return float(bounds["low"]), float(bounds["high"])


def _given(givens: tuple[Given, ...], symbol: str, words: frozenset[str]) -> Given | None:
    """The given a condition's name means: the same letter at the free stream, or its words."""
    for given in givens:
        if name_similarity(given.symbol, symbol) >= 0.8:
            return given
    named = [given for given in givens if words and words <= given.words]
    return named[0] if len(named) == 1 else None


@lru_cache(maxsize=1024)
def _phrase(name: str, value: str) -> str:
    known = _EXCLUSIVE.get(name.lower(), {})
    plain = value.strip().replace("_", "[ -]").lower()
    return known.get(value) or _SYNONYMS.get(value.lower()) or plain


def _says(text: str, name: str, value: str) -> bool:
    return bool(re.search(rf"(?<!non-)(?<!not )(?<!\w)(?:{_phrase(name, value)})(?!\w)", text))


def stated_regime(reading: Reading) -> list[str]:
    """The regime words of a question, as `variable: value`."""
    categories = [
        f"{name.replace('bl_state', 'boundary layer')} {value.replace('_', ' ')}"
        for name, values in _EXCLUSIVE.items()
        for value in values
        if _says(reading.text, name, value)
    ]
    worded = [
        word for words in _WORDED.values() for word in words if re.search(rf"(?<!non-)\b{word}", reading.text)
    ]
    return categories + worded
