"""How ThermoQA's publisher reads an answer, with its faults: part of the published rule.

Values are read by regular expressions of the form `symbol = number`, the last match winning, and their
units are guessed from magnitudes. The rule is that of github.com/olivenet-iot/ThermoQA, commit f0d2c21c.
Known to go wrong: numbers as x10^n, with a Unicode minus or without a leading digit; `W_dot_net` also
reads `w_net`. The energy balance that a cycle's own values leave is recomputed from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from ansatz.eval.problem import LabelTarget, Problem

Value = float | str
Known = Mapping[str, float]

_NUMBER = r"([+-]?\d[\d,]*\.?\d*(?:[eE][+-]?\d+)?)"
_EQUALS = r"\s*[=:≈~]\s*"
_IS = r"\s*[=:≈~is]*\s*"
_ABOUT = {
    "either": r"(?:approximately\s+|about\s+)?",
    "approximately": r"(?:approximately\s+)?",
    "none": "",
}

_PATTERNS: Any = yaml.load(
    Path(__file__).with_name("published_patterns.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
_INSIDE_WORDS = {"h_f", "h_g", "s_f", "s_g", "v_f", "v_g", "T_sat", "P_sat", "s_gen", "x_dest"}


def read(text: str, problem: Problem) -> dict[str, Value]:
    """What the publisher's regular expressions find in an answer, by target name; nothing for a miss."""
    text = _prepared(text)
    tier = str(problem.tags.get("tier", "1"))
    found: dict[str, Value] = {}
    for target in problem.targets:
        value = phase(text) if isinstance(target, LabelTarget) else _number(text, target.name, tier)
        if value is not None:
            found[target.name] = value
    return found


def _prepared(text: str) -> str:
    text = re.sub(r"<think>.*?</think>|<reasoning>.*?</reasoning>", "", text, flags=re.DOTALL)
    text = text.translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789"))
    text = re.sub(r"([A-Za-z])_\{([A-Za-z0-9]+)\}", r"\1_\2", text)
    text = re.sub(r"\*{1,2}([^*]+)\*{1,2}", r"\1", text)
    return re.sub(r"(\d),(\d)", r"\1\2", text)


def _number(text: str, name: str, tier: str) -> float | None:
    last: tuple[int, float] | None = None
    for pattern in _patterns(name):
        for match in re.finditer(pattern, text, re.IGNORECASE):
            if last is None or match.start() >= last[0]:
                last = match.start(), float(match[1].replace(",", ""))
    return None if last is None else guessed(last[1], name, tier, text)


def _patterns(name: str) -> Iterator[str]:
    for spelling in _PATTERNS["spellings"].get(name) or _spellings(name):
        yield spelling + _EQUALS + _NUMBER
    for filler, words in _PATTERNS["words"].items():
        for phrase in words.get(name, ()):
            yield phrase.replace(" ", r"\s+") + _IS + _ABOUT[filler] + _NUMBER


def _spellings(name: str) -> Iterator[str]:
    """How a symbol may be typed where no spelling is listed: its underscores may be spaces or missing."""
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


def guessed(value: float, name: str, tier: str, text: str) -> float:
    """The publisher's conversions: no unit is ever read, only the size of the number and its symbol."""
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


def phase(text: str) -> str | None:
    """The phase whose longest name stands anywhere in the text."""
    text = text.lower()
    best, length = None, 0
    for phase, aliases in _PATTERNS["phases"].items():
        for alias in (*aliases, phase.replace("_", " ")):
            if len(alias) > length and alias in text:
                best, length = phase, len(alias)
    return best


def is_balance(name: str) -> bool:
    """Whether a target is a closing error: a claim about other targets, and zero by its nature."""
    return name in _BALANCES


def energy_balance_error(name: str, values: Mapping[str, Value]) -> float | None:
    """The closure error a cycle's own values leave; a number the answer states for it is not used.

    None where a value is missing or the heat added is not positive, as the publisher has it.
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
