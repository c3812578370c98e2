"""Read from prose which dimension a question asks for: "how hot" asks for a temperature.

What a noun measures is counted in the entries of the base: "flux" is W/m**2 in nearly all descriptions of
symbols. What "how hot" asks for is counted in the phrases of entries, whose outputs are known. A unit in the
question ("how many joules per kilogram", "in eV") decides.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ansatz.knowledge_base.equation import entry_cache
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.regime.stated_quantities import (
    find_asking_sentence,
    remove_blanks,
    remove_givens,
)
from ansatz.knowledge_base.search.supplied_inputs import (
    GENERAL,
    PURE,
    get_dimension,
    get_output_dimension,
)
from ansatz.knowledge_base.search.tokenizing import split_terms

Shares = Mapping[str, float]
"""The probability of each dimension; they need not add up to 1."""

_LONGEST = 3  # words of a name, such as "mass flow rate"
_LEAST = 3  # entries that have to use a name
_SURE = 0.5  # the least share of the most frequent dimension of a name
_DOUBT = 1.0  # added to the counts of a name, so that rare names count less
_ARTICLES = "the|a|an|its|my|our|your|their|this|that|much|me|for|is|are|was|be|would|will|should|to|know|of"
# A name ends at a preposition, a verb or a mark.
_NAME_END = re.compile(
    r"\b(?:of|at|in|on|from|for|per|to|behind|over|by|with|between|along|ahead|after|before|above|below|through"
    r"|under|when|if|as|that|which|where|until|against|due|across|inside|within|near|into|onto|without|during"
    r"|than|is|are|was|were|be|does|do|did|will|would|should|must|can|could|may|might|has|have|had|and|or"
    r"|it|i|we|you|they|he|she|there|here)\b|[,.;:?!()]"
)
_OPENING = re.compile(
    r"\b(?:what|which|find|compute|calculate|estimate|determine|evaluate|give|need|want|wanted|required|know"
    rf"|how much)\b(?: (?:does|do|did|can|could|must|{_ARTICLES})\b)*\s*"
)
# "A quick estimate of the drag" asks for the drag.
_WRAPPER = re.compile(
    rf"(?:(?:{_ARTICLES}) )*(?:[a-z]+ )?(?:value|estimate|size|amount|magnitude|figure|level|kind|expression"
    rf"|formula|result)s? (?:of|for) (?:(?:{_ARTICLES}) )*"
)
_HOW = re.compile(r"\bhow (?!much\b|many\b|do\b|does\b|did\b|is\b|are\b|must\b|can\b)([a-z]+)")
_PER = r"(?: per (?:(?:square|cubic) )?[a-z]+){0,2}"
_HOW_MANY = re.compile(
    rf"\bhow many (?:[a-z-]+ )??(?P<unit>(?!(?:does|is|was)\b)(?:[a-z]+s|kelvin|hertz|bar|rpm)\b{_PER})"
)
_IN_UNIT = re.compile(rf"\bin (?P<unit>[A-Za-z%°µ][\w%°µ/*^.²³-]*{_PER})\s*[?.]?\s*$")
_DENIED = re.compile(
    r"\b(?:no|without|neither|nor|neglect(?:s|ing)?|ignor(?:e|es|ing)|(?:absence|free) of)\s+"
    r"(?:any\s+|the\s+)?([a-z]+)\b"
    r"|\b([a-z]+)\s+(?:is|are|being|can be)\s+(?:negligible|neglected|ignored|absent)\b",
    re.IGNORECASE,
)
_POWER = re.compile(r"per (square|cubic) (\w+)")


class AskedDimensions:
    """What the names of quantities measure in one base, and what "how hot" and its like ask for."""

    def __init__(self, library: Library):
        code = Path(__file__).read_bytes()
        digest = entry_cache.make_key(library.digest, code) if library.digest else ""
        self._counts: dict[str, dict[str, int]] = entry_cache.load_or_make(
            digest, "asked", lambda: _count_names(library)
        )
        self._ratios: dict[str, Shares] = {}

    def read(self, question: str) -> Shares:
        """Return the probability of each dimension that a question may ask for; none if that is open."""
        asking = find_asking_sentence(remove_blanks(question))
        unit, text = _IN_UNIT.search(asking), remove_givens(asking).lower()
        if unit and (dimension := read_unit_words(unit["unit"])):
            return {dimension: 1.0}
        if many := _HOW_MANY.search(text):
            return {read_unit_words(many["unit"]) or PURE: 1.0}
        how = _HOW.search(text)
        if how and (found := self._look_up([f"how {term}" for term in split_terms(how[1])[:1]])):
            return found
        names = (_cut_name(text[opening.end() :]) for opening in _OPENING.finditer(text))
        for name in (*names, _cut_name(text)):
            if found := self._look_up(_list_parts(name)):
                return found
        return {}

    def rate_output(self, equation: Equation, asked: Shares) -> float:
        """Return the probability that a question asks for an equation's output.

        A ratio also answers a question for the quantity in its name: a temperature ratio gives a temperature.
        """
        output = get_output_dimension(equation)
        if not asked or output is None:
            return 0.0
        named = self._read_ratio(equation) if output == PURE else {}
        return max(
            [
                asked.get(output, 0.0),
                *(asked.get(dimension, 0.0) * share for dimension, share in named.items()),
            ]
        )

    def _read_ratio(self, equation: Equation) -> Shares:
        """Return the dimensions of the quantities in the name of a pure number."""
        if equation.id not in self._ratios:
            self._ratios[equation.id] = {
                dimension: share
                for word in split_terms(equation.symbols[equation.output].desc)
                for dimension, share in self._look_up([word]).items()
                if share > _SURE and dimension != PURE
            }
        return self._ratios[equation.id]

    def _look_up(self, names: list[str]) -> Shares:
        """Return the dimensions of the first known name, if one of them is likely."""
        for name in names:
            if counts := self._counts.get(name):
                whole = sum(counts.values()) + _DOUBT
                shares = {dimension: count / whole for dimension, count in counts.items()}
                return shares if max(shares.values()) > _SURE else {}
        return {}


@lru_cache(maxsize=4)
def load_asked_dimensions(library: Library) -> AskedDimensions:
    """Return the shared names of a library."""
    return AskedDimensions(library)


def find_denied_terms(question: str) -> frozenset[str]:
    """Return the stems of what a question excludes, such as "friction" of "no friction".

    Words that many quantities share do not count: "no heat exchange" excludes no ratio of specific heats.
    """
    words = (word for found in _DENIED.finditer(remove_blanks(question)) for word in found.groups() if word)
    return frozenset(term for word in words if word.lower() not in GENERAL for term in split_terms(word))


def count_denied_inputs(equation: Equation, denied: frozenset[str]) -> int:
    """Count the terms that a question excludes and the names of an equation's inputs contain."""
    if not denied:
        return 0
    return len(
        denied.intersection(
            term for name in equation.inputs for term in split_terms(equation.symbols[name].desc)
        )
    )


def read_unit_words(text: str) -> str | None:
    """Return the dimension of a unit such as "joules per square metre"; None if it is no unit.

    A count of particles is a pure number, and "layers per metre" is a count per length.
    """
    powers = _POWER.sub(lambda found: f"per {found[2]}**{2 if found[1] == 'square' else 3}", text)
    units = re.split(r"\s+per\s+", powers)
    if _is_count(units[0]):
        units[0] = "1"
    for count in range(len(units), 0, -1):
        if (dimension := get_dimension("/".join(units[:count]))) is not None:
            return dimension
    return None


def _is_count(unit: str) -> bool:
    """Whether a word is a plural that no unit has, such as "electrons"; pint reads "molecules" as moles."""
    dimension = get_dimension(unit)
    return unit.endswith("s") and (
        dimension is None or (dimension == "[substance]" and not unit.endswith("moles"))
    )


def _count_names(library: Library) -> dict[str, dict[str, int]]:
    """Count the dimensions of each name in a base."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for equation in library:
        for variable in equation.symbols.values():
            if (dimension := get_dimension(variable.unit)) is not None:
                for name in _list_endings(_cut_name(variable.desc.lower())):
                    counts[name][dimension] += 1
        output = get_output_dimension(equation)
        for phrase in equation.phrases if output is not None else ():
            for how in _HOW.finditer(phrase.lower()):
                for term in split_terms(how[1])[:1]:
                    counts[f"how {term}"][str(output)] += 1
    return {name: dict(found) for name, found in counts.items() if sum(found.values()) >= _LEAST}


def _cut_name(text: str) -> list[str]:
    """Return the stems of the name of a quantity at the beginning of a text."""
    text = _WRAPPER.sub("", text.strip(), count=1) if _WRAPPER.match(text.strip()) else text.strip()
    text = re.sub(rf"^(?:(?:{_ARTICLES}) )*", "", text)
    end = _NAME_END.search(text)
    return split_terms(text[: end.start()] if end else text)


def _list_endings(words: list[str]) -> list[str]:
    """Return the endings of a name: of "mass flow rate", also "flow rate" and "rate"."""
    return [" ".join(words[start:]) for start in range(max(0, len(words) - _LONGEST), len(words))]


def _list_parts(words: list[str]) -> list[str]:
    """Return the parts of a text that begins with a name, the longest and last first."""
    return [
        " ".join(words[end - length : end])
        for length in range(min(_LONGEST, len(words)), 0, -1)
        for end in range(len(words), length - 1, -1)
    ]
