"""Read one side of an equality in plain text: a bare quantity or an expression."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ansatz.quantities.notation import Number, read_number, read_unit, skip_uncertainty
from ansatz.quantities.scales import Quantity, find_scale, is_close

NAME = r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*'*"
WHOLE_NAME = re.compile(
    rf"[\[(]?({NAME})[\])]?(?: ?[(\[]([^()\[\]]{{1,60}}|[^()]{{0,20}}\([^()]{{1,20}}\))[)\]])?:?"
)
_SHORT_WORDS = re.compile(
    "at|so|if|is|of|to|in|or|by|as|we|on|be|it|an|a|let|now|get|has|its|per|use|via|no|i|up"
)
_SYMBOLIC = re.compile(
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi|chi|psi|omega"
    "|sqrt|exp|erf|ln|log10|log|sin|cos|tan|cot"
)
OPTION = r"(?: ?(?:[Oo]ption )?\([a-eA-E]\)[.:,]?| ?[a-eA-E]\))"
_ABOUT = re.compile(
    rf"{OPTION}?[ ≈\[(]*(?:(?:about|approximately|approx\.?|roughly|around|nearly|exactly)[ ≈]*)?"
)
_COMPARES = re.compile(
    r" (?:times|minus|plus|orders?|higher|lower|larger|smaller|more|less|greater|above|below|percent of)\b"
)
_SHARE = re.compile(r" of\b")  # 0.8 of it, 85 % of it; 4 mol of it is a quantity
_CONTINUES = re.compile(r" ?(?:[-+*/^<>(]|±|\[[^\]]*[-+*^(])")
_OPERATES = re.compile(
    r"[)\]]? ?\((?=[\d.(])|[)\]] ?[-+*/^]| ?(?:[*/^]|[-+]) ?(?:[\d(.]|[A-Za-z]\w?\b|[A-Za-z]+_)"
)
_ASIDE = re.compile(r" \((?!(?:sin|cos|tan|sqrt|exp|log)\b)(?:[A-Za-z]{3,}[ ,)]|vs\b|e\.g|i\.e)")
_THAN = re.compile(r" ?[<>]=? ?[\d.]")  # 52000 > 4000 states 52000
_SECOND_VALUE = re.compile(r" ?\((?=[≈~ ]{0,3}[-+]?\.?\d)")
_ALONE_IN_BRACKETS = re.compile(r"(?: [a-z][^()]*)?\)[ .,;:]*$")
_ROUNDED = 0.01  # relative: largest difference of a number that is repeated with more digits
_WORD = re.compile(r"(?:[)\]])? ?([A-Za-z]\w*)")  # also after a closing bracket
_LONGEST = 400  # characters of a quantity
_TO = re.compile(r" ?-{1,2} ?| to ")
_WIDEST = 0.02  # of the upper end, so that each value of a range is within 1 % of its middle


@dataclass(frozen=True)
class Chain:
    """One run of equalities."""

    names: tuple[str, ...]
    """The symbols that it defines."""
    terms: tuple[str, ...]
    """Its other sides, in order."""
    label: str
    """The words before it."""
    unit: str
    """A unit given with the name, as in `h [kJ/kg] = 2676`; otherwise ""."""
    position: int
    """The offset of its clause in the plain text."""
    places: tuple[int, ...] = ()
    """The offsets of its terms in the plain text; empty if they are unknown."""

    @cached_property
    def values(self) -> tuple[Quantity, ...]:
        """The terms that are a bare quantity."""
        return tuple(value for value, _ in self.readings)

    @cached_property
    def readings(self) -> tuple[tuple[Quantity, int], ...]:
        """The terms that are a bare quantity, each with its index."""
        read = ((read_value(term), index) for index, term in enumerate(self.terms))
        return tuple((value._replace(unit=value.unit or self.unit), index) for value, index in read if value)

    def span(self, index: int) -> tuple[int, int]:
        """Return the start and end of a term's quantity, or of the whole term if it is an expression."""
        term = self.terms[index]
        place = self.places[index] if self.places else self.position
        quantity = read_quantity(term) if read_value(term) else None
        return place, place + (quantity[1] if quantity else len(term))


def read_value(term: str) -> Quantity | None:
    """Read a term that is a bare quantity; None for an expression."""
    found, end = read_quantity(term) or (None, 0)
    return found if found and _is_complete(term[end : end + 60], found) else None


def read_quantity(term: str) -> tuple[Quantity, int] | None:
    """Read the quantity at the start of a text; return it and its end."""
    return _read_quantity(term[:_LONGEST])


@lru_cache(maxsize=4096)  # each term is read several times
def _read_quantity(term: str) -> tuple[Quantity, int] | None:
    start = _ABOUT.match(term)
    number = read_number(term, start.end() if start else 0)
    if number is None:
        return None
    value, digits, at = _read_middle(term, number)
    at = skip_uncertainty(term, at)
    while term[at : at + 1] in ("]", ")") and term.lstrip(" ≈")[:1] in ("[", "("):
        at += 1
    unit, end = read_unit(term, at)
    return Quantity(value, unit, digits), end


def is_range(term: str) -> bool:
    """Whether a term is an ascending range of two non-negative numbers, such as 0.5-1.5 kW."""
    low, end = read_quantity(term) or (None, 0)
    joint = _TO.match(term, end)
    high, last = (read_quantity(term[joint.end() :]) if joint else None) or (None, 0)
    if low is None or joint is None or high is None or term[joint.end() + last :].strip(" .)]"):
        return False
    return 0 <= low.value < high.value


def normalize_symbol(symbol: str) -> str:
    """Reduce a symbol in plain notation to letters and digits, so that q_s, q_{s} and qs are equal."""
    return re.sub("[^A-Za-z0-9]", "", symbol)


def is_symbolic(word: str) -> bool:
    """Whether a word is a symbol rather than prose."""
    short = 0 < len(word) < 3 and not _SHORT_WORDS.fullmatch(word.lower())
    return short or "_" in word or _SYMBOLIC.fullmatch(word) is not None


def _read_middle(term: str, low: Number) -> tuple[float, int, int]:
    """Return value, digits and end of the number, or of the middle of a narrow range such as 191 to 193."""
    joint = _TO.match(term, low.end)
    high = read_number(term, joint.end()) if joint else None
    if high is None or not (0 < low.value < high.value <= low.value * (1 + _WIDEST)):
        return low.value, low.digits, low.end
    return (low.value + high.value) / 2, high.digits, high.end


def _is_complete(rest: str, found: Quantity) -> bool:
    """Whether prose, rather than more arithmetic, follows a quantity."""
    if _COMPARES.match(rest) or (found.unit in ("", "-", "%", "percent") and _SHARE.match(rest)):
        return False
    if _THAN.match(rest) or _is_repetition(rest, found):
        return True
    if found.unit:
        is_symbol = is_symbolic if rest[:1] in (")", "]") else _SYMBOLIC.fullmatch  # (2 kg/s) w is a product
        return not (_OPERATES.match(rest) or is_symbol(_read_first_word(rest)))
    return bool(_ASIDE.match(rest)) or not (_CONTINUES.match(rest) or is_symbolic(_read_first_word(rest)))


def _is_repetition(rest: str, first: Quantity) -> bool:
    """Whether brackets repeat a quantity: 0.38 (38 %), 1.2 MPa (1200 kPa), 0.018 (0.0179 by Haaland).

    Brackets that are a factor have another dimension, or another value.
    """
    aside = _SECOND_VALUE.match(rest)
    read = read_quantity(rest[aside.end() :]) if aside else None
    if aside is None or read is None:
        return False
    again, end = read
    if not first.unit and not again.unit:
        is_alone = bool(_ALONE_IN_BRACKETS.match(rest, aside.end() + end))
        return (
            rest[0] == " " and is_alone and again.digits > 2 and is_close(first.value, again.value, _ROUNDED)
        )
    have, other = find_scale(first.unit), find_scale(again.unit)
    same = bool(again.unit) and have is not None and other is not None and have.dimension == other.dimension
    return same and (first.unit not in ("", "-") or again.unit in ("%", "percent"))


def _read_first_word(text: str) -> str:
    found = _WORD.match(text)
    return found[1] if found else ""
