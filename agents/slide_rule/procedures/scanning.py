"""The quantities of a sentence as they stand, before it is asked where they belong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ansatz.agents.slide_rule.givens import UNIT, trimmed_unit
from ansatz.agents.slide_rule.units import NONE, Unit

_NUMBER = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?"
_QUANTITY = re.compile(
    rf"(?P<symbols>(?:(?<![\w])[A-Za-z]\w*(?:,\w+)*\s*(?:=|≈)\s*)*)(?<![\w.^/])(?<!\w-)"
    rf"(?P<number>{_NUMBER})(?![\w.]*\])(?P<ratio>\s*:\s*1\b)?\s*(?P<unit>{UNIT})?"
    r"|(?P<saturated>(?:dry[- ])?saturated[- ](?:(?:mixed )?water[- ])?"
    r"(?P<phase>liquid|vapou?r|steam|water)(?: vapou?r)?"
    r"|saturated (?:refrigerant|r-?134a|refrigerant-134a) (?P<named>liquid|vapou?r))",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:ratio|efficienc\w+|effectiveness|quality|dryness(?: fraction)?|COP|exponent|\bk)\b[^.;\d]{0,45}$",
    re.IGNORECASE,
)
_WORD = re.compile(r"(?!eta$|psi$|epsilon$|sigma$|mdot$)[a-z]{3,}$", re.IGNORECASE)
_SAME_AGAIN = re.compile(r"\s*(?:\(|/|=|≈|or|i\.e\.,?)\s*=?\s*")
_AND = re.compile(r"\s*(?:,|and|, and)\s*")
_RANGE = re.compile(rf"\b(between|from)\s+({_NUMBER})\s+(and|to)\s+({_NUMBER})\s*({UNIT})")


@dataclass(frozen=True)
class Quantity:
    """A number with its unit, from `start` to `stop`; "saturated liquid" and "vapour" count as a quality."""

    start: int
    stop: int
    value: float
    unit: Unit
    text: str
    symbols: tuple[str, ...] = ()
    saturated: bool = False


def with_all_units(sentence: str) -> str:
    """Both ends of a range with their unit: "between 0.1 MPa and 0.8 MPa" for "between 0.1 and 0.8 MPa"."""
    return _RANGE.sub(r"\1 \2 \5 \3 \4 \5", sentence)


def quantities_of(sentence: str) -> Iterator[Quantity]:
    """In order; the same quantity in a second unit, as in "25 °C (298.15 K)", is left out."""
    last: Quantity | None = None
    for match in _QUANTITY.finditer(sentence):
        listed = bool(last and _is_number(last) and _AND.fullmatch(sentence[last.stop : match.start()]))
        quantity = _saturated(match) if match["saturated"] else _number(match, sentence, listed)
        if quantity is None:
            continue
        if not (last and _is_the_same(last, quantity, sentence)):
            yield quantity
            last = quantity


def _is_number(quantity: Quantity) -> bool:
    return quantity.unit.dimension == NONE and not quantity.saturated


def _is_the_same(one: Quantity, other: Quantity, sentence: str) -> bool:
    alike = one.unit.dimension == other.unit.dimension and not other.symbols and one.text != other.text
    return alike and bool(_SAME_AGAIN.fullmatch(sentence[one.stop : other.start]))


def holds_quantity(text: str) -> bool:
    return bool(_QUANTITY.search(text))


def _saturated(match: re.Match[str]) -> Quantity:
    phase = (match["phase"] or match["named"]).lower()
    value = 0.0 if phase in ("liquid", "water") else 1.0
    return Quantity(match.start(), match.end(), value, Unit(1.0, NONE), match.group(), saturated=True)


def _number(match: re.Match[str], sentence: str, listed: bool) -> Quantity | None:
    """A number with a unit or a symbol; a bare one only after words such as ratio, or `listed` with one."""
    unit_text, unit = trimmed_unit(match["unit"] or "")
    symbols = tuple(filter(None, re.split(r"\s*[=≈]\s*", match["symbols"] or "")))
    if not (unit_text or symbols or listed or _BARE.search(sentence[: match.start()])):
        return None
    stop = match.start("unit") + len(unit_text) if unit_text else match.end("number")
    # "efficiency = 0.9" names no symbol: the word belongs to the text before the number.
    named = tuple(symbol for symbol in symbols if not _WORD.match(symbol))
    start = match.start() if named else match.start("number")
    value = unit.to_si(float(match["number"].replace(",", "")))
    return Quantity(start, stop, value, unit, sentence[match.start("number") : stop], named)
