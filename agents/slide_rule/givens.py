"""From text to quantities: each with its symbol, its value in SI and the words that describe it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from ansatz.agents.slide_rule.units import ONE, Unit, parse_unit, plain_text
from ansatz.agents.slide_rule.words import content_words, phrase

WORKING_MEMORY = 6  # givens kept in mind at once (Miller's seven, plus or minus two, less one for the target)

_NUMBER = r"[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+|\s*[×x]\s*10\^?\{?[-+]?\d+\}?)?"
UNIT = r"(?:1/)?[A-Za-z°µμ%Ω\u2126][^\s,;:()\[\]]*(?:\([^()]*\)[^\s,;:()]*)?"
_QUANTITY = re.compile(
    rf"(?:(?P<symbol>[^\W\d][\w∞']*)\s*(?:=|≈)\s*)?(?<![\w.^])(?P<number>{_NUMBER})(?![\w]*\])\s*(?P<unit>{UNIT})?"
)
_HYPHEN = re.compile(r"(?<![\w^.-])(?P<number>\d+(?:\.\d+)?)-(?=[a-zA-Z])")  # a 3-kg block
_NAMED = re.compile(
    r"\b(?:of|is|=|mach|emissivity|quality|ratio|efficiency|number|index|coefficient|eccentricity|magnification)\s*$",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r"\b(?:at|with|from|for|and|flies|flows|along|through)\b|,", re.IGNORECASE)

_ATTRIBUTE = re.compile(r"(?:^|\b(?:an?|the|its|two|one|each|with))\s*$", re.IGNORECASE)
_NOUN = re.compile(r"\s+([a-z]+(?: [a-z]+)?)")
_COUNTED = re.compile(r"\s+(?:[a-z]+ )?(?:turns|loops|windings)\b")
_BETWEEN = re.compile(r"\bbetween\s*$", re.IGNORECASE)
_AND = re.compile(r"^\s*and\s*$", re.IGNORECASE)
_TURNING = re.compile(r"\b(?:rpm|rad/s|rev)")
_FROM = re.compile(r"\bfrom\s*$", re.IGNORECASE)
_TO = re.compile(r"^\s*to\s*$", re.IGNORECASE)
_CHANGING = {
    unit.dimension: kind
    for text, kind in {"K": "temperature", "Pa": "pressure", "m^3": "volume", "1/s": "angular speed"}.items()
    if (unit := parse_unit(text))
}
_KINDS = {
    "m/s": "speed", "kg": "mass", "s": "time", "N": "force", "W": "power", "V": "voltage", "A": "current",
    "ohm": "resistance", "C": "charge", "Hz": "frequency", "T": "magnetic field",
}  # fmt: skip
_NAMES_OF_A_KIND = frozenset(
    "halflife period lifetime impulse tension weight thrust emf delay duration".split()  # noqa: SIM905
)
_KIND_OF = {unit.dimension: kind for text, kind in _KINDS.items() if (unit := parse_unit(text))}
_SPEED = Unit(1.0, (1, 0, -1, 0, 0, 0))
_FROM_REST = re.compile(
    r"\bfrom rest\b|\b(?:starts?|starting|initially|is|are|released) at rest\b|\bdropped\b|\breleased\b"
    r"|\bfalls freely\b|\bfree fall\b",
    re.IGNORECASE,
)
_TO_REST = re.compile(r"\bto (?:rest|a (?:complete )?(?:stop|halt))\b|\bstops\b|\bto stop\b", re.IGNORECASE)

_KELVIN = Unit(1.0, (0, 0, 0, 1, 0, 0))
_ENERGY = (2, 1, -2, 0, 0, 0)
_BOLTZMANN = 1.380649e-23  # J/K, CODATA


@dataclass(frozen=True)
class Given:
    """A quantity in SI, as written (`text`) and with the words around it (`about`).

    `step` is the step that found it, if it is a result; `assumed` marks what nobody stated.
    """

    symbol: str
    value: float
    unit: Unit
    text: str
    about: str = ""
    step: int | None = None
    assumed: bool = False

    @property
    def words(self) -> frozenset[str]:
        return content_words(self.about)


def holds_quantity(text: str) -> bool:
    return bool(quantities(plain_text(text)))


def quantities(text: str, separate: bool = False) -> tuple[Given, ...]:
    """Every `symbol = value unit`, and every bare value with a unit, each with the words that describe it.

    `separate`: the text is a list, in which a quantity's words stand in its own item.
    """
    found: list[Given] = []
    spans: list[tuple[int, int]] = []
    end = start = 0
    text = _HYPHEN.sub(r"\g<number> ", text)
    while match := _QUANTITY.search(text, start):
        given = _quantity(match, text)
        if given is None:
            start = match.end("number")
            continue
        before = _nearest_phrase(re.split(r"[.;:]\s", text[end : match.start()])[-1])
        end = match.start("number") + text[match.start("number") :].index(given.text) + len(given.text)
        remark = re.match(r"\s*\(([^)]*)\)", text[end:])
        about = before if not remark else f"{before} {remark.group(1)}"
        if separate and not remark:
            about = f"{before} {re.split(r'[,;]| and |$', text[end:], maxsplit=1)[0]}"
        elif not given.symbol and not remark:
            about = _about_a_bare_one(given, before, text[: match.start("number")], text[end:])
        found.append(_in_kelvin(replace(given, about=phrase(about))))
        spans.append((match.start(), end))
        start = end
    return tuple(found) if separate else _from_one_to_the_other(found, spans, text)


def _about_a_bare_one(given: Given, before: str, left: str, right: str) -> str:
    """A value without a symbol: "a 12 N force" is told by what follows, and by what its unit measures."""
    counted = _COUNTED.match(right)
    if counted and not given.text[-1].isalpha():
        return counted.group()
    noun = _NOUN.match(right) if _ATTRIBUTE.search(left) else None
    kind = "angle" if given.unit.angle else _KIND_OF.get(given.unit.dimension, "")
    if _TURNING.search(given.text):
        kind = "rotation rate angular speed"
    words = noun.group(1) if noun and content_words(noun.group(1)) else before
    said = content_words(words)
    return words if content_words(kind) <= said or said & _NAMES_OF_A_KIND else f"{words} {kind}"


def _from_one_to_the_other(found: list[Given], spans: list[tuple[int, int]], text: str) -> tuple[Given, ...]:
    """Of two like values "from 5 m/s to 20 m/s" the first is initial; "between 500 K and 300 K" it is hot."""
    roles = list(found)
    for place, (one, other) in enumerate(pairwise(found)):
        (start, end), (next_start, _) = spans[place : place + 2]
        leads = _FROM.search(text[:start]) and _TO.match(text[end:next_start])
        if leads and one.unit.same_kind(other.unit) and not one.symbol and not other.symbol:
            kind = _KIND_OF.get(one.unit.dimension) or _CHANGING.get(one.unit.dimension, "")
            roles[place] = replace(one, about=f"initial {kind}")
            roles[place + 1] = replace(other, about=f"final {kind}")
        between = _BETWEEN.search(text[:start]) and _AND.match(text[end:next_start])
        if between and one.unit.same_kind(other.unit) and one.unit.dimension == _KELVIN.dimension:
            names = ("hot", "cold") if one.value > other.value else ("cold", "hot")
            roles[place] = replace(one, about=f"{names[0]} reservoir temperature")
            roles[place + 1] = replace(other, about=f"{names[1]} reservoir temperature")
    return tuple(roles)


def implied(body: str) -> tuple[Given, ...]:
    """Speeds of zero that a text tells in words: something starts from rest or comes to rest."""
    found = ((_FROM_REST, "from rest", "initial speed"), (_TO_REST, "to rest", "final speed"))
    return tuple(Given("", 0.0, _SPEED, text, about) for said, text, about in found if said.search(body))


def _in_kelvin(given: Given) -> Given:
    """A temperature stated in electronvolts: what k_B*T is."""
    if given.unit.dimension != _ENERGY or not re.search(r"eV\b", given.text):
        return given
    if not given.symbol.startswith("T") and "temperature" not in given.words:
        return given
    return replace(given, value=given.value / _BOLTZMANN, unit=_KELVIN)


def _nearest_phrase(text: str) -> str:
    """The words after the last preposition that has any: "the drag at a distance x" is a distance."""
    for part in reversed(_PREPOSITION.split(text)):
        if phrase(part):
            return part
    return text


def _quantity(match: re.Match[str], text: str) -> Given | None:
    unit_text, unit = trimmed_unit(match["unit"] or "")
    bare = match["symbol"] is None
    counted = _COUNTED.match(text, match.end("number")) if bare else None
    if (
        bare
        and not unit_text
        and not counted
        and not _NAMED.search(text[max(0, match.start("number") - 20) : match.start("number")])
    ):
        return None
    number = re.sub(r"\s*[×x]\s*10\^?\{?([-+]?\d+)\}?", r"e\1", match["number"]).replace(",", "")
    stated = match.string[match.start("number") : match.end("number")]
    if unit_text:
        stated = match.string[match.start("number") : match.start("unit") + len(unit_text)]
    return Given(match["symbol"] or "", unit.to_si(float(number)), unit, stated)


def trimmed_unit(text: str) -> tuple[str, Unit]:
    """The unit at the start of a token that may end in punctuation; none if it is an ordinary word."""
    while text:
        unit = parse_unit(text)
        if unit is not None:
            return text, unit
        shorter = text.rstrip(".,:?!'")
        text = shorter if shorter != text else ""
    return "", ONE


def own_reading(body: str) -> tuple[Given, ...]:
    """An own reading: micro is read as milli, cm² is converted as if only once centi, lists get mixed up."""
    slipped = re.sub(r"(?<=\d)(\s*)[µμ]m\b", r"\1mm", body)
    slipped = re.sub(r"\bcm(?:\^|\*\*)2", "cm·m", slipped)
    kept = quantities(slipped)[:WORKING_MEMORY]
    givens = [replace(given, text=given.text.replace("cm·m", "cm^2")) for given in kept]
    for first, second in zip(range(len(givens)), range(1, len(givens)), strict=False):
        one, other = givens[first], givens[second]
        if (
            one.unit.same_kind(other.unit)
            and one.symbol
            and other.symbol
            and not one.about
            and not other.about
        ):
            givens[first] = replace(one, value=other.value, text=other.text, unit=other.unit)
            givens[second] = replace(other, value=one.value, text=one.text, unit=one.unit)
    return tuple(givens)
