"""How answers are read: by the publisher's regular expressions, and by Ansatz. Neither uses a key.

The publisher's reading is that of github.com/olivenet-iot/ThermoQA, commit f0d2c21c, with its faults, because
it is part of the published rule. It takes the last match of `symbol = number` and guesses units from
magnitudes. It misreads x10^n, a Unicode minus, and numbers without a leading digit, and `W_dot_net` also
reads `w_net`. The energy balance of a cycle is recomputed from the values that were read.

Ansatz reads these answers like all others (`ansatz.eval.reading.stated_numbers`), with the symbols and words
of these targets. A written unit counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from string import Formatter
from typing import Any

import yaml

from ansatz.eval.problem import LabelTarget, NumberTarget, Problem
from ansatz.eval.reading.layout import remove_reasoning
from ansatz.eval.reading.stated_numbers import Names, convert_stated_value, read_numbers
from ansatz.eval.score import StatedValue
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.terms import normalize_symbol

Value = float | str
Known = Mapping[str, float]


def _read_yaml(name: str) -> Any:
    return yaml.load(Path(__file__).with_name(name).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


# The publisher's reading

_NUMBER = r"([+-]?\d[\d,]*\.?\d*(?:[eE][+-]?\d+)?)"
_EQUALS = r"\s*[=:≈~]\s*"
_IS = r"\s*[=:≈~is]*\s*"
_ABOUT = {
    "either": r"(?:approximately\s+|about\s+)?",
    "approximately": r"(?:approximately\s+)?",
    "none": "",
}
_PATTERNS = _read_yaml("published_patterns.yaml")
_INSIDE_WORDS = {"h_f", "h_g", "s_f", "s_g", "v_f", "v_g", "T_sat", "P_sat", "s_gen", "x_dest"}


def read_by_publisher(text: str, problem: Problem) -> dict[str, Value]:
    """Return the values that the publisher's expressions find in an answer, by target name."""
    text = _prepare(text)
    tier = str(problem.tags.get("tier", "1"))
    found: dict[str, Value] = {}
    for target in problem.targets:
        is_label = isinstance(target, LabelTarget)
        value = find_published_phase(text) if is_label else _find_number(text, target.name, tier)
        if value is not None:
            found[target.name] = value
    return found


def _prepare(text: str) -> str:
    text = re.sub(r"<think>.*?</think>|<reasoning>.*?</reasoning>", "", text, flags=re.DOTALL)
    text = text.translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789"))
    text = re.sub(r"([A-Za-z])_\{([A-Za-z0-9]+)\}", r"\1_\2", text)
    text = re.sub(r"\*{1,2}([^*]+)\*{1,2}", r"\1", text)
    return re.sub(r"(\d),(\d)", r"\1\2", text)


def _find_number(text: str, name: str, tier: str) -> float | None:
    last: tuple[int, float] | None = None
    for pattern in _patterns(name):
        for match in re.finditer(pattern, text, re.IGNORECASE):
            if last is None or match.start() >= last[0]:
                last = match.start(), float(match[1].replace(",", ""))
    return None if last is None else guess_scale(last[1], name, tier, text)


def _patterns(name: str) -> Iterator[str]:
    for spelling in _PATTERNS["spellings"].get(name) or _spellings(name):
        yield spelling + _EQUALS + _NUMBER
    for filler, words in _PATTERNS["words"].items():
        for phrase in words.get(name, ()):
            yield phrase.replace(" ", r"\s+") + _IS + _ABOUT[filler] + _NUMBER


def _spellings(name: str) -> Iterator[str]:
    """Yield the spellings of a symbol that has no list of them: underscores can be spaces or missing."""
    if component := re.fullmatch(r"(s_gen|x_dest)_(\w+)", name):
        total = component[1].replace("_", r"[_,\s]?")
        yield rf"\b{total}[_,\s]?{component[2]}"
    elif state := re.fullmatch(r"(h|s|T|V|x|ef)(\d)(s?)", name):
        yield rf"\b{state[1]}[_\s]?{state[2]}{state[3]}"
        if state[3]:
            yield rf"{state[1]}[_\s]?{state[2]},?s"
    elif name.startswith("eta_"):
        yield from (start + name[3:].replace("_", r"[_\s]?") for start in ("η", "eta"))
    elif name.startswith("energy_balance"):
        yield name.replace("_", r"[_\s]?")
    else:
        yield r"\b" + name.replace("_", r"[_\s]?")
        if name in _INSIDE_WORDS:
            yield name


def guess_scale(value: float, name: str, tier: str, text: str) -> float:
    """Convert a value as the publisher does: by its magnitude and symbol, without reading a unit."""
    energy = ("h", "u") if tier == "1" else ("h",) if tier == "2" else ("h", "ef", "w_", "q_", "x_dest")
    if name.startswith(energy) and abs(value) > 10_000:
        return value / 1000
    entropy = name.startswith("s") and not (tier == "3" and name.startswith("s_gen"))
    if entropy and abs(value) > 100:
        return value / 1000
    if (name in ("x", "x4") or name.startswith("eta")) and 1 < value <= 100:
        return value / 100
    if name in ("P", "P_sat") and value < 100 and re.search(r"\bMPa\b", text, re.IGNORECASE):
        return value * 1000
    return value


def find_published_phase(text: str) -> str | None:
    """Return the phase whose longest name occurs anywhere in the text."""
    text = text.lower()
    best, length = None, 0
    for phase, aliases in _PATTERNS["phases"].items():
        for alias in (*aliases, phase.replace("_", " ")):
            if len(alias) > length and alias in text:
                best, length = phase, len(alias)
    return best


def is_balance(name: str) -> bool:
    """Whether a target is a closure error: computed from other targets, and zero if these are correct."""
    return name in _BALANCES


def energy_balance_error(name: str, values: Mapping[str, Value]) -> float | None:
    """Compute the closure error from a cycle's own values; one that the answer states is not used.

    Returns None if a value is missing or the heat input is not positive, like the publisher's scorer.
    """
    known = {key: float(value) for key, value in values.items() if not isinstance(value, str)}
    try:
        left, heat = _BALANCES[name](known)
    except KeyError:
        return None
    return abs(left) / heat if heat > 0 else None


def _cycle(value: Known) -> tuple[float, float]:
    if "q_in" not in value and "q_H" in value:  # a refrigerator
        return value["q_H"] - value["w_comp"] - value["q_L"], value["q_H"]
    leaving = value["h6"] if value.get("h6") else value["h4"]
    return value["q_in"] - value["w_net"] - abs(leaving - value["h1"]), value["q_in"]


def _gas_side(value: Known) -> tuple[float, float]:
    work = value["w_gas_turb"] - value["w_comp"]
    return value["q_combustion"] - work - (value["h4"] - value["h5"]), value["q_combustion"]


def _steam_side(value: Known) -> tuple[float, float]:
    heat = value["h8"] - value["h7"]
    return heat - (value["w_steam_turb"] - value["w_pump"]) - (value["h9"] - value["h6"]), heat


_BALANCES: dict[str, Callable[[Known], tuple[float, float]]] = {
    "energy_balance_error": _cycle,
    "energy_balance_error_gas": _gas_side,
    "energy_balance_error_steam": _steam_side,
}


# Ansatz's reading

PHASES = (
    *("subcooled_liquid", "saturated_liquid", "wet_steam", "saturated_vapor"),
    *("superheated_vapor", "supercritical"),
)
"""The phases that a model can choose from when it reads an answer."""

_PART = re.compile(
    r"([sSxX]_(?:gen|dest))(?:, ?| ?[(\[])([A-Za-z]\w*(?: \w+)?)[)\]]?(?=\s*[*_`]{0,3}\s*[=≈:|])"
)
_LABEL = re.compile(
    r"\b(?:final |thermodynamic )?phase(?: \(?(?:region|state|name)\)?)?(?: of (?:the )?\w+)?"
    r"\b[\"')*]* ?(?:[:=|;]|(?:is|was)\b) ?(?P<named>[^\n]+)",
    re.IGNORECASE,
)
_ASSERTED = re.compile(
    r"\b(?:is|are|exists?|remains?|be|as|thus|therefore|hence|so)\b:?"
    r" (?:(?:in|at|a|an|the|as|still|now|thus) )*(?P<named>[^\n.;]{1,60})",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"[(,;.|]")
_DENIED = re.compile(
    r"\b(?:not|no|never|nor|neither|rather than|instead of|unlike|below|above|than|between|from|if)\b"
    "|n't|would be",
    re.IGNORECASE,
)
_VOCABULARY = _read_yaml("vocabulary.yaml")
_OTHERWISE = ("isentropic", "ideal", "reversible", "maximum", "change in", "difference in", "carnot")
"""Words that make another quantity of the one that follows them."""
_TAIL = (
    r"(?:[ ,:()/-]|\b(?:of|per|for|from|in|at|on|the|unit|mass|kg|value|is|cycle|plant|system|steam|water"
    r"|fluid|refrigerant|mixture|this|state|stream|air|rate|and|given|output|process|here|then|therefore)\b"
    r"|\(\w{1,12}\)|\d[\d.,]* ?(?:[kM]?Pa|bar|°?C|K)?)*$"
)


def read_values(problem: Problem, answer: str) -> dict[str, StatedValue]:
    """Return the number or phase that an answer finally states for each target.

    A target is missing if the answer does not state it, or states it only in a `<think>` block. Never raises.
    """
    found = read_numbers(
        # write s_gen,pump and x_dest (total) as one symbol, as in the questions
        _PART.sub(lambda part: f"{part[1]}_{part[2].replace(' ', '_')}", answer),
        problem.targets,
        names=lambda name: Names(find_aliases(name), find_phrase(name)),
    )
    readings = {
        name: StatedValue(each.statement.value, each.statement.unit)
        for name, each in found.items()
        if each.statement
    }
    text = remove_reasoning(answer)
    for target in problem.targets:
        if isinstance(target, LabelTarget) and (phase := find_phase(text)):
            readings[target.name] = StatedValue(phase)
    return readings


def convert_to_unit(reading: StatedValue, target: NumberTarget) -> float | None:
    """Return the value in the target's unit; None if the written unit has another dimension.

    A number without a unit is assumed to have the requested unit.
    """
    return convert_stated_value(float(reading.value), reading.unit, target.unit)


def find_phase(answer: str) -> str:
    """Return the phase after the last label "phase"; without a label, the last phase that is asserted."""
    text = to_plain_text(answer).replace("_", " ").replace("vapour", "vapor").replace("Vapour", "Vapor")
    for pattern in (_LABEL, _ASSERTED):
        named = ""
        for found in pattern.finditer(text):
            named = _find_first_phase(found["named"]) or named
        if named:
            return named
    return _find_first_phase(text) if len(text) < 60 else ""


def _find_first_phase(words: str) -> str:
    """Return the phase in the first part with one; phases that are denied or compared with do not count."""
    for part in _ASIDE.split(words):
        affirmed = _DENIED.split(part)[0]
        named = find_published_phase(affirmed)
        if named:
            return named
        if affirmed != part and find_published_phase(part):
            return ""
    return ""


@cache
def find_aliases(name: str) -> tuple[str, ...]:
    """Return other symbols of a target, best first, as `normalize_symbol` writes them, in their case."""
    matches = ((re.fullmatch(pattern, name), texts) for pattern, texts in _VOCABULARY["symbols"].items())
    found = {
        normalize_symbol("".join(pieces)): None
        for target, texts in matches
        if target
        for text in texts
        for pieces in product(*_pieces(text, target))
    }
    return tuple(alias for alias in found if alias != normalize_symbol(name))


@cache
def find_phrase(name: str) -> re.Pattern[str] | None:
    """Return a pattern for the words of a target at the end of the text before its value, if it has any."""
    for pattern, text in _VOCABULARY["phrases"].items():
        if target := re.fullmatch(pattern, name):
            words = "".join("|".join(each).replace("_", "[- ]") for each in _pieces(text, target))
            before = "".join(f"(?<!{word} )" for word in _OTHERWISE)
            return re.compile(rf"(?<!\w){before}(?:{words}){_TAIL}", re.IGNORECASE)
    return None


def _pieces(text: str, target: re.Match[str]) -> Iterator[Sequence[str]]:
    """Yield the pieces of a text of the vocabulary, each with its alternatives."""
    for literal, group, table, _ in Formatter().parse(text):
        yield [literal]
        if group:
            part = target[group]
            yield _VOCABULARY[table].get(part, [part]) if table else [part]
