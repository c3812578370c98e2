"""From free text to the quantities it states: `symbol = value unit`, however it is typeset.

`statements` lists every quantity in reading order; `find` picks the last one for a symbol. The text is
first rendered plain (see `markup`), so LaTeX, Markdown and Unicode spellings all read the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ansatz.quantities.chains import Chain, chains
from ansatz.quantities.expression import read_formula
from ansatz.quantities.markup import plain
from ansatz.quantities.notation import read_unit
from ansatz.quantities.terms import read_value, spelled

_RATIO = re.compile(r" ?(\d+\.?\d*) ?(?::|to) ?(\d+\.?\d*)")
_BEFORE_UNIT = re.compile(r"(?<=[\d)\]a-z]) |(?<=[\d)\]])(?=[A-Za-z%°])")
_COMPUTED_DIGITS = 15
BLANK = re.compile(r"^[\s*-]*(?P<symbol>[^\s=:]+)\s*[=:]\s*_{2,}[ \t]*(?P<unit>[^\s,(]\S*)?(?P<rest>.*)$")
"""A line in which a question leaves room for a quantity."""


@dataclass(frozen=True)
class Statement:
    """A quantity as stated. `symbol` is plain ("tau_w"); `unit` is "" where none is given, "-" for none.

    `text` is the statement as read, `label` it with the words before, `position` its offset in the plain
    text, and `digits` its significant digits (trailing zeros of an integer do not count).
    """

    symbol: str
    value: float
    unit: str
    text: str
    position: int
    digits: int
    label: str


def blanks(question: str) -> tuple[str, ...]:
    """The symbols that a question asks for by a line `symbol = ___ unit`, in order."""
    return tuple(found["symbol"] for line in question.splitlines() if (found := BLANK.match(line)))


def statements(text: str) -> tuple[Statement, ...]:
    """Every stated quantity, in reading order. Never raises; time is linear in the text."""
    return stated(chains(plain(text)))


def find(text: str, symbol: str, *, description: str = "") -> Statement | None:
    """The last statement of `symbol`; failing that, the last whose words fit `description`."""
    return pick(statements(text), symbol, description=description)


def stated(found: Iterable[Chain]) -> tuple[Statement, ...]:
    """The quantity each chain arrives at, once for each name: the most precise of its values."""
    collected = []
    for chain in found:
        if chain.values:
            value, unit, digits = max(reversed(chain.values), key=lambda read: (bool(read[1]), read[2]))
            text = " = ".join((*chain.names, *chain.terms))
            collected += [
                Statement(name, value, unit, text, chain.position, digits, chain.label)
                for name in chain.names
            ]
    return tuple(collected)


def pick(found: Sequence[Statement], symbol: str, *, description: str = "") -> Statement | None:
    """As `find`, among statements already read.

    Case distinguishes symbols (V2 is a speed, v2 a volume), except that of words such as COP. A target
    without a rate dot is also met by a dotted one: a heat flux q is often written as a rate.
    """
    name = plain(symbol).strip()
    by_spelling = {spelled(each.symbol): each for each in found}
    exact = by_spelling.get(spelled(name))
    if exact is not None:
        return exact
    if "_dot" not in name:
        undotted = {spelled(re.sub("_d?dot(?![a-z])", "", each.symbol)): each for each in found}
        if spelled(name) in undotted:
            return undotted[spelled(name)]
    if re.match("[A-Za-z]{3,}(?:_|$)", name):
        folded = {key.casefold(): each for key, each in by_spelling.items()}
        if spelled(name).casefold() in folded:
            return folded[spelled(name).casefold()]
    words = content(description)
    return next((each for each in reversed(found) if is_described(each, words)), None)


def is_described(statement: Statement, words: Sequence[str]) -> bool:
    """Whether the words before a statement hold the last word of a description, and most of the others."""
    said = set(content(statement.label))
    return bool(words) and words[-1] in said and 5 * len(said & set(words)) >= 3 * len(set(words))


def evaluated(term: str) -> tuple[float, str, int] | None:
    """Value, unit and digits of a term that is a quantity or a numeric expression with a unit behind it.

    `5 sqrt 6 m/s` is (12.247..., "m/s", 15); a ratio such as 6:1 is its quotient. None for anything else.
    """
    quantity = read_value(term)
    if quantity or len(term) > 200:
        return quantity
    ratio = _RATIO.fullmatch(term)
    if ratio and float(ratio[2]):
        return float(ratio[1]) / float(ratio[2]), "", 2
    for place in _BEFORE_UNIT.finditer(term):
        unit, end = read_unit(term, place.end())
        if unit and not term[end:].strip(" .)"):
            return _number(term[: place.end()], unit)
    return _number(term, "")


def _number(term: str, unit: str) -> tuple[float, str, int] | None:
    formula = read_formula(term.strip("≈ "))
    value = formula.value() if formula and not formula.names and not formula.has_units else None
    return None if value is None else (value, unit, _COMPUTED_DIGITS)


def content(text: str) -> list[str]:
    """The words of at least four letters, lower-case."""
    return re.findall("[a-z]{4,}", text.lower())
