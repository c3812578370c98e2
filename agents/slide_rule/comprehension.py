"""From a question's text to what is given and what is wanted: what is written plainly, and no more.

A given is `symbol = value unit`, or a value with a unit that a few words name; what is wanted is a blank,
`symbol = ___ unit`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from ansatz.agents.slide_rule.naming import content_words
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import NUMBER, read_number, read_unit
from ansatz.quantities.scales import convert_value, find_scale
from ansatz.quantities.statements import Blank, split_blanks

WORKING_MEMORY = 6  # givens kept in mind at once (Miller's seven, plus or minus two, less one for the target)
_ANGLES = ("rad", "deg", "°", "degree", "degrees", "radian")
_SYMBOL_BEFORE = re.compile(r"(?P<symbol>[^\W\d]\w*'?) ?[=≈] ?$")
_GOES_ON = re.compile(r"[\w.^/(-]$|[*^/+] $")  # before a number that is part of an expression or a name
_NAMES_NUMBER = re.compile(r"\b(?:of|is|number|ratio|coefficient|quality|efficiency|emissivity) $", re.I)
_PHRASE = re.compile(r"[,;:()]\s|\.\s|\b(?:at|with|from|for|and|through|along)\b")
_ASIDE = re.compile(r" ?\(([^()]*)\)")
_WORDS_KEPT = 6

Kind = tuple[tuple[float, ...], bool, bool]
"""Exponents of a unit's dimension, whether it is an angle and no number, and whether it counts cycles."""


@lru_cache(maxsize=4096)
def kind_of(unit: str) -> Kind | None:
    """What a unit measures; None for a text that is no unit."""
    known = find_scale(unit)
    return None if known is None else (known.dimension, unit in _ANGLES, known.rotation.counts == "cycles")


@dataclass(frozen=True)
class Symbol:
    """A quantity that a question asks for or a formula relates, and the stems of the words that tell which.

    `kind` is None where a word or an expression is asked for; `about` are a formula's own words.
    """

    name: str
    unit: str
    words: frozenset[str]
    kind: Kind | None
    about: str = ""


@dataclass(frozen=True)
class Known:
    """A quantity as stated, with the words that name it.

    `step` is the number of the step that found it, if it is a result; `because` says why it is assumed where
    nobody stated it.
    """

    symbol: str
    value: float
    unit: str
    about: str = ""
    step: int | None = None
    because: str = ""

    @cached_property
    def words(self) -> frozenset[str]:
        return content_words(self.about)

    @cached_property
    def kind(self) -> Kind | None:
        return kind_of(self.unit)

    def measured_in(self, unit: str) -> float:
        """The value in a unit of the same kind."""
        value = convert_value(self.value, self.unit, unit)
        assert value is not None, f"{self.unit} is not of the kind of {unit}"
        return value

    def found(self, values: Sequence[float]) -> Known:
        """As it is once every step has its value."""
        return self if self.step is None else replace(self, value=values[self.step])

    @property
    def text(self) -> str:
        return f"{self.value:.10g} {self.unit}".removesuffix(" -").strip()

    def listed(self) -> str:
        return f"{self.symbol or 'value'} = {self.text}" + (f" ({self.about})" if self.about else "")


@dataclass(frozen=True)
class Comprehension:
    """`approach` are words of a formulation that say how to solve it; `formulated` whether there is one."""

    body: str
    givens: tuple[Known, ...]
    targets: tuple[Symbol, ...]
    approach: frozenset[str]
    formulated: bool


def read(question: str, formulation: str, earlier: Sequence[Known]) -> Comprehension:
    """Givens from a formulation as they stand; without one from the text, with this reader's slips."""
    text, blanks = split_blanks(question)
    body = to_plain_text(text)
    parts = formulation_parts(formulation)
    sought = {}  # `description: symbol [unit]`, or `symbol [unit] (description)`
    for item in _items(parts.get("find", "")):
        description, colon, rest = item.rpartition(": ")
        if name := re.match(r"[^\W\d]\w*", rest):
            sought[name.group()] = content_words(description if colon else rest[name.end() :])
    targets = tuple(_target(blank, body, sought) for blank in blanks)
    listed = [given for item in _items(parts.get("given", "")) for given in quantities(item)]
    givens = listed or _with_slips(quantities(body))
    return Comprehension(
        body, (*givens, *earlier), targets, content_words(parts.get("approach", "")), bool(listed)
    )


def quantities(text: str) -> list[Known]:
    """Every `symbol = value unit`, and every other value with a unit or a name, in plain text."""
    found: list[Known] = []
    end = 0
    for number in NUMBER.finditer(text):
        start = number.end() - len(number.group().lstrip())
        left = text[end:start]
        stated = read_number(text, start)
        if stated is None or start < end or _GOES_ON.search(left):
            continue
        unit, after = read_unit(text, stated.end)
        symbol = _SYMBOL_BEFORE.search(left)
        if not symbol and unit in ("", "-") and not _NAMES_NUMBER.search(left):
            continue
        # The last few words before a value, back to where the sentence turns to it.
        phrases = [
            part for part in _PHRASE.split(left[: symbol.start()] if symbol else left) if content_words(part)
        ]
        words = [
            word for word in re.findall(r"[A-Za-z][\w-]*", phrases[-1] if phrases else "") if word != "of"
        ]
        about = " ".join(words[-_WORDS_KEPT:])
        aside = _ASIDE.match(text, after)
        if aside and kind_of(aside[1]) is None:
            about = f"{about} {aside[1]}".strip()
        found.append(Known(symbol["symbol"] if symbol else "", stated.value, unit or "-", about))
        end = after
    return [given for given in found if given.kind is not None]


def _with_slips(stated: Sequence[Known]) -> list[Known]:
    """An own reading: six givens are kept in mind, micro is read as milli, and lists get mixed up."""
    givens = [replace(given, unit=re.sub(r"^u(?=m\b)", "m", given.unit)) for given in stated[:WORKING_MEMORY]]
    for place, (one, other) in enumerate(pairwise(givens)):
        unnamed = one.symbol and other.symbol and not (one.about or other.about)
        if unnamed and one.kind == other.kind:
            givens[place] = replace(one, value=other.value, unit=other.unit)
            givens[place + 1] = replace(other, value=one.value, unit=one.unit)
    return givens


def formulation_parts(text: str) -> dict[str, str]:
    """The lines "Given: ..., Find: ..., Approach: ..., Assumptions: ..." by their label in lower case."""
    parts: dict[str, str] = {}
    label = ""
    for line in to_plain_text(text).splitlines() if "Find" in text else ():
        head, colon, rest = line.partition(":")
        if colon and head.strip().lower() in ("given", "find", "approach", "assumptions"):
            label, line = head.strip().lower(), rest
        if label:
            parts[label] = f"{parts.get(label, '')}\n{line}".strip()
    return parts if {"given", "find"} <= parts.keys() else {}


def _items(text: str) -> list[str]:
    return [item.strip() for line in text.splitlines() for item in line.split(";") if item.strip()]


def _target(blank: Blank, body: str, sought: dict[str, frozenset[str]]) -> Symbol:
    """What an answer line asks for, by the words that a formulation or the text has about its symbol."""
    name = to_plain_text(blank.symbol).strip()
    words = sought.get(name)
    if not words:
        places = [*re.finditer(rf"(?<!\w){re.escape(name)}(?![\w'])(?! ?=)", body)]
        if places:
            before = re.split(r"[.;,]\s| and ", body[: places[-1].start()])[-1].split()[-_WORDS_KEPT:]
            after = re.split(r"[.;,](?:\s|$)| and ", body[places[-1].end() :])[0].split()[:_WORDS_KEPT]
            about = [*before, *after]
        else:
            about = body.rstrip().rstrip(".?").rpartition(". ")[2].split()[:14]
        words = content_words(" ".join(about)) | content_words(blank.rest)
    return Symbol(name, blank.unit, words, None if blank.is_word else kind_of(blank.unit or "-"))
