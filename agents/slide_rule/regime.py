"""Is a condition true, false or unknown for the question at hand? Only *false* rejects a formula."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ansatz.agents.slide_rule.arithmetic import written
from ansatz.agents.slide_rule.givens import Given
from ansatz.agents.slide_rule.reading import Reading
from ansatz.agents.slide_rule.regime_words import DERIVABLE, NUMBERS, RANGES, denies, excluding, says
from ansatz.agents.slide_rule.units import ONE, parse_unit
from ansatz.agents.slide_rule.words import content_words, is_particular, name_similarity

_NUMBER = r"[-+]?[\d.]+(?:[eE][-+]?\d+)?"
_NUMERIC = (
    re.compile(rf"^(?P<low>{_NUMBER})\s*<=?\s*(?P<name>\w+)\s*<=?\s*(?P<high>{_NUMBER})\s*(?P<unit>.*)$"),
    re.compile(rf"^(?P<name>\w+) between (?P<low>{_NUMBER}) and (?P<high>{_NUMBER})\s*(?P<unit>.*)$"),
    re.compile(rf"^(?P<name>\w+)\s*(?P<sign><=?|>=?|≤|≥|==?)\s*(?P<limit>{_NUMBER})\s*(?P<unit>.*)$"),
)
_AMONG = re.compile(r"^(?P<name>\w+)\s+(?P<no>not )?in\s*[{\[(](?P<words>.*)[}\])]$")
_EQUALS = re.compile(r"^(?P<name>\w+)\s*(?P<sign>!=|==?)\s*(?P<words>[A-Za-z][\w +-]*)$")


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
    _judged: dict[str, Verdict] = field(default_factory=dict, compare=False)

    def judge(self, condition: str) -> Verdict:
        """The condition's truth for this case; one that cannot be read is unknown."""
        if condition not in self._judged:
            self._judged[condition] = self._judge(condition)
        return self._judged[condition]

    def _judge(self, condition: str) -> Verdict:
        for pattern in _NUMERIC:
            if (found := pattern.match(condition)) and parse_unit(found["unit"]):
                return self._numeric(condition, found.groupdict())
        if found := _AMONG.match(condition):
            values = [word.strip() for word in found["words"].split(",")]
            return self._worded(condition, found["name"], values, bool(found["no"]))
        if found := _EQUALS.match(condition):
            return self._worded(condition, found["name"], [found["words"].strip()], found["sign"] == "!=")
        for word, truth in ((" and ", False), (" or ", True)):
            parts = condition.split(word)
            if len(parts) > 1 and re.search(r"[<>=]", condition):
                return _joined(condition, [self.judge(part.strip()) for part in parts], truth)
        if re.search(r"[<>=]", condition):
            return Verdict(condition, None, "not stated")
        return self._prose(condition)

    def _numeric(self, condition: str, bounds: dict[str, str]) -> Verdict:
        unit = parse_unit(bounds["unit"]) or ONE
        low, high = (unit.to_si(limit) for limit in _interval(bounds))
        known = self._number(bounds["name"])
        if known is None:
            return Verdict(condition, None, f"{bounds['name']} unknown")
        least, most, evidence = known
        if low <= least and most <= high:
            return Verdict(condition, True, evidence)
        return Verdict(condition, False if most < low or least > high else None, evidence)

    def _number(self, name: str) -> tuple[float, float, str] | None:
        """A number's range as the question gives it, says it in a word, or lets it be worked out."""
        symbol, words, unit_text = NUMBERS.get(name.lower(), (name, name.replace("_", " "), ""))
        unit = parse_unit(unit_text) if unit_text else None
        givens = [given for given in self.reading.givens if unit is None or given.unit.same_kind(unit)]
        if given := _given(givens, symbol, content_words(words)):
            return given.value, given.value, f"{given.symbol or name} = {given.text}"
        for word, (low, high) in RANGES.get(name.lower(), {}).items():
            if found := re.search(rf"(?<!non-)\b{word}", self.reading.text):
                return low, high, f"the question says {found.group()}"
        value = self.derive(symbol, content_words(words)) if name.lower() in DERIVABLE else None
        return None if value is None else (value, value, f"{name} = {written(value, 3)}")

    def _worded(self, condition: str, name: str, values: list[str], negated: bool) -> Verdict:
        text = self.reading.text
        if said := next((value for value in values if says(text, name, value)), None):
            return Verdict(condition, not negated, f"the question says {said.replace('_', ' ')}")
        if other := excluding(text, name, values):
            return Verdict(condition, negated, f"the question says {other.replace('_', ' ')}")
        if all(denies(text, name, value) for value in values):
            return Verdict(condition, negated, f"the question says not {values[0]}")
        return Verdict(condition, None, f"{name} not stated")

    def _prose(self, condition: str) -> Verdict:
        """A condition in words is met when the question uses all of them."""
        words = content_words(condition)
        met = bool(words) and words <= content_words(self.reading.text)
        return Verdict(
            condition, True if met else None, f"the question speaks of {condition}" if met else "not stated"
        )


def _joined(condition: str, verdicts: list[Verdict], decisive: bool) -> Verdict:
    """Of conditions joined by "and" one false decides, by "or" one true; then one unknown does."""
    for truth in (decisive, None):
        for verdict in verdicts:
            if verdict.holds is truth:
                return Verdict(condition, truth, verdict.because)
    return Verdict(condition, not decisive, "; ".join(verdict.because for verdict in verdicts))


def _interval(bounds: dict[str, str]) -> tuple[float, float]:
    if "limit" not in bounds:
        return float(bounds["low"]), float(bounds["high"])
    limit = float(bounds["limit"])
    if bounds["sign"] in ("=", "=="):
        return limit, limit
    return (limit, float("inf")) if bounds["sign"] in (">", ">=", "≥") else (float("-inf"), limit)


def _given(givens: list[Given], symbol: str, words: frozenset[str]) -> Given | None:
    """The given a condition's name means: the same letter at the free stream, or its words alone."""
    for given in givens:
        if given.symbol and name_similarity(given.symbol, symbol) >= 0.8:
            return given
    named = [given for given in givens if words <= given.words and not is_particular(given.words - words)]
    return named[0] if words and len(named) == 1 else None
