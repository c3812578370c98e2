"""Parse the givens and targets of a question, if they are written plainly.

A given is `symbol = value unit`, or a value with a unit after a few words that name it. A target is a blank,
`symbol = ___ unit`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from ansatz.agents.slide_rule.quantity_names import stem_words
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import NUMBER, read_number, read_unit
from ansatz.quantities.scales import convert_value, find_scale
from ansatz.quantities.statements import Blank, split_blanks

WORKING_MEMORY = 6  # givens remembered at once (Miller's seven, plus or minus two, less one for the target)
_ANGLES = ("rad", "deg", "°", "degree", "degrees", "radian")
_SYMBOL_BEFORE = re.compile(r"(?P<symbol>[^\W\d]\w*'?) ?[=≈] ?$")
_CONTINUES = re.compile(r"[\w.^/(-]$|[*^/+] $")  # before a number that is part of an expression or a name
_NAMES_NUMBER = re.compile(r"\b(?:of|is|number|ratio|coefficient|quality|efficiency|emissivity) $", re.I)
_PHRASE = re.compile(r"[,;:()]\s|\.\s|\b(?:at|with|from|for|and|through|along)\b")
_PARENTHESES = re.compile(r" ?\(([^()]*)\)")
_MAX_WORDS = 6

Kind = tuple[tuple[float, ...], bool, bool]
"""The exponents of a unit's dimension, whether the unit is an angle, and whether it counts cycles."""


@lru_cache(maxsize=4096)
def find_kind(unit: str) -> Kind | None:
    """Return the kind of quantity that a unit measures; None if the text is no unit."""
    scale = find_scale(unit)
    return None if scale is None else (scale.dimension, unit in _ANGLES, scale.rotation.counts == "cycles")


@dataclass(frozen=True)
class Symbol:
    """A quantity that a question asks for or a formula relates."""

    name: str
    unit: str
    words: frozenset[str]
    """Stems of the words that identify the quantity."""
    kind: Kind | None
    """None if the answer is a word or an expression."""
    about: str = ""
    """The formula's description of the quantity."""
    essential: frozenset[str] = frozenset()
    """Stems that the name of a formula has to share to give the quantity."""
    generic: frozenset[str] = frozenset()
    """Stems of those that name only the kind of quantity, such as heat and flux."""


@dataclass(frozen=True)
class KnownQuantity:
    """A quantity with a value."""

    symbol: str
    value: float
    unit: str
    about: str = ""
    """The words that name it."""
    step: int | None = None
    """The index of the step whose result it is; None for a given."""
    reason: str = ""
    """The reason why a value that was not stated is assumed."""

    @cached_property
    def words(self) -> frozenset[str]:
        return stem_words(self.about)

    @cached_property
    def kind(self) -> Kind | None:
        return find_kind(self.unit)

    def convert_to(self, unit: str) -> float:
        """Convert the value to a unit of the same kind."""
        value = convert_value(self.value, self.unit, unit)
        assert value is not None, f"{self.unit} is not of the kind of {unit}"
        return value

    def with_result(self, results: Sequence[float]) -> KnownQuantity:
        """Return a copy with the value of its step, if it is the result of one."""
        return self if self.step is None else replace(self, value=results[self.step])

    @property
    def text(self) -> str:
        return f"{self.value:.10g} {self.unit}".removesuffix(" -").strip()

    def describe(self) -> str:
        """Format as `symbol = value unit (words)`."""
        return f"{self.symbol or 'value'} = {self.text}" + (f" ({self.about})" if self.about else "")


@dataclass(frozen=True)
class ParsedQuestion:
    """The givens and targets of a question."""

    body: str
    """The question in plain text without its blanks."""
    givens: tuple[KnownQuantity, ...]
    targets: tuple[Symbol, ...]
    approach: frozenset[str]
    """Stems of the approach that a formulation names."""
    is_formulated: bool
    """Whether the givens come from a formulation."""


def parse_question(question: str, formulation: str, earlier: Sequence[KnownQuantity]) -> ParsedQuestion:
    """Parse a question. Givens come from a formulation, or else from the text, with typical slips."""
    text, blanks = split_blanks(question)
    body = to_plain_text(text)
    parts = split_formulation(formulation)
    sought = {}  # `description: symbol [unit]`, or `symbol [unit] (description)`
    for item in _split_items(parts.get("find", "")):
        description, colon, rest = item.rpartition(": ")
        if name := re.match(r"[^\W\d]\w*", rest):
            sought[name.group()] = stem_words(description if colon else rest[name.end() :])
    targets = tuple(_parse_target(blank, body, sought) for blank in blanks)
    listed = [given for item in _split_items(parts.get("given", "")) for given in find_quantities(item)]
    givens = listed or _apply_slips(find_quantities(body))
    approach = stem_words(parts.get("approach", ""))
    return ParsedQuestion(body, (*givens, *earlier), targets, approach, bool(listed))


def find_quantities(text: str) -> list[KnownQuantity]:
    """Find every `symbol = value unit` in plain text, and every other value with a unit or a name."""
    found: list[KnownQuantity] = []
    end = 0
    for number in NUMBER.finditer(text):
        start = number.end() - len(number.group().lstrip())
        left = text[end:start]
        stated = read_number(text, start)
        if stated is None or start < end or _CONTINUES.search(left):
            continue
        unit, after = read_unit(text, stated.end)
        symbol = _SYMBOL_BEFORE.search(left)
        if not symbol and unit in ("", "-") and not _NAMES_NUMBER.search(left):
            continue
        # The name is the last few words before the value, within its phrase.
        phrases = [
            part for part in _PHRASE.split(left[: symbol.start()] if symbol else left) if stem_words(part)
        ]
        words = [
            word for word in re.findall(r"[A-Za-z][\w-]*", phrases[-1] if phrases else "") if word != "of"
        ]
        about = " ".join(words[-_MAX_WORDS:])
        remark = _PARENTHESES.match(text, after)
        if remark and find_kind(remark[1]) is None:
            about = f"{about} {remark[1]}".strip()
        found.append(KnownQuantity(symbol["symbol"] if symbol else "", stated.value, unit or "-", about))
        end = after
    return [given for given in found if given.kind is not None]


def _apply_slips(stated: Sequence[KnownQuantity]) -> list[KnownQuantity]:
    """Apply a reader's slips: remember six givens, read micro as milli, and swap unnamed neighbours."""
    givens = [replace(given, unit=re.sub(r"^u(?=m\b)", "m", given.unit)) for given in stated[:WORKING_MEMORY]]
    for place, (one, other) in enumerate(pairwise(givens)):
        unnamed = one.symbol and other.symbol and not (one.about or other.about)
        if unnamed and one.kind == other.kind:
            givens[place] = replace(one, value=other.value, unit=other.unit)
            givens[place + 1] = replace(other, value=one.value, unit=one.unit)
    return givens


def split_formulation(text: str) -> dict[str, str]:
    """Split "Given: ..., Find: ..., Approach: ..., Assumptions: ..." into texts by label in lower case."""
    parts: dict[str, str] = {}
    label = ""
    for line in to_plain_text(text).splitlines() if "Find" in text else ():
        head, colon, rest = line.partition(":")
        if colon and head.strip().lower() in ("given", "find", "approach", "assumptions"):
            label, line = head.strip().lower(), rest
        if label:
            parts[label] = f"{parts.get(label, '')}\n{line}".strip()
    return parts if {"given", "find"} <= parts.keys() else {}


def _split_items(text: str) -> list[str]:
    return [item.strip() for line in text.splitlines() for item in line.split(";") if item.strip()]


def _parse_target(blank: Blank, body: str, sought: dict[str, frozenset[str]]) -> Symbol:
    """Describe a target by the words that a formulation or the text has about its symbol."""
    name = to_plain_text(blank.symbol).strip()
    words = sought.get(name)
    if not words:
        places = [*re.finditer(rf"(?<!\w){re.escape(name)}(?![\w'])(?! ?=)", body)]
        if places:
            before = re.split(r"[.;,]\s| and ", body[: places[-1].start()])[-1].split()[-_MAX_WORDS:]
            after = re.split(r"[.;,](?:\s|$)| and ", body[places[-1].end() :])[0].split()[:_MAX_WORDS]
            about = [*before, *after]
        else:
            about = body.rstrip().rstrip(".?").rpartition(". ")[2].split()[:14]
        words = stem_words(" ".join(about)) | stem_words(blank.rest)
    return Symbol(name, blank.unit, words, None if blank.is_word else find_kind(blank.unit or "-"))
