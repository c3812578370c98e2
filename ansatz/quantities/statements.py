"""Extract the quantities that free text states: `symbol = value unit`, in any typesetting.

`find_statements` lists all quantities in reading order; `find_statement` returns the last one of a symbol.
Both first convert the text to plain notation (see `markup`): LaTeX, Markdown and Unicode read the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ansatz.quantities.chains import Chain, find_chains
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import read_unit
from ansatz.quantities.parser import read_formula
from ansatz.quantities.scales import Quantity
from ansatz.quantities.terms import is_range, normalize_symbol, read_value

_RATIO = re.compile(r" ?(\d+\.?\d*) ?(?::|to) ?(\d+\.?\d*)")
_BEFORE_UNIT = re.compile(r"(?<=[\d)\]a-z]) |(?<=[\d)\]])(?=[A-Za-z%°])")
_DOT = re.compile(r"_d?dot(?![a-z])")
_BLANK_LINE = re.compile(
    r"^[\s*-]*(?P<symbol>[^\s=:]+)\s*(?P<sign>[=:])\s*_{2,}[ \t]*(?P<unit>[^\s,(]\S*)?(?P<rest>.*)$"
)
_BLANK = re.compile(r"(?<!\S)(?P<symbol>[^\W\d][^\s=:]*) ?= ?_{2,}(?= |\W|$)")


@dataclass(frozen=True)
class Blank:
    """A blank that a question leaves for a quantity (`symbol = ___ unit`) or a word (`symbol: ___`)."""

    symbol: str
    unit: str
    rest: str = ""
    """The text after the unit, for a blank on a separate line."""
    is_word: bool = False


@dataclass(frozen=True)
class Statement:
    """A quantity that a text states."""

    symbol: str
    """In plain notation, such as "tau_w"."""
    value: float
    unit: str
    """"" if none is given, "-" for a pure number."""
    text: str
    """The statement as read."""
    position: int
    """The offset of the statement in the plain text."""
    digits: int
    """Significant digits, without the trailing zeros of an integer."""
    label: str
    """The words before the statement, including its symbol."""
    span: tuple[int, int] = (0, 0)
    """Start and end of the value in the plain text."""


def find_blank_symbols(question: str) -> tuple[str, ...]:
    """Return the symbols that a question requests by `symbol = ___ unit`, in order."""
    if "__" not in question:
        return ()
    return tuple(blank.symbol for blank in split_blanks(question)[1])


def split_blanks(question: str) -> tuple[str, list[Blank]]:
    """Split a question into its text and its blanks, which are separate lines or parts of a sentence.

    Example:
        >>> split_blanks("Water boils at 1 MPa. h = ___ kJ/kg")
        ('Water boils at 1 MPa. ', [Blank(symbol='h', unit='kJ/kg', rest='', is_word=False)])
    """
    lines, found = [], []
    for line in question.splitlines():
        alone, inline = _BLANK_LINE.match(line), [*_BLANK.finditer(line)]
        if alone and len(inline) < 2:
            unit = (alone["unit"] or "").rstrip(".,;")
            is_word = not unit and (alone["sign"] == ":" or "(" in alone["rest"])
            found.append(Blank(alone["symbol"], unit, alone["rest"], is_word))
            continue
        parts, end = [], 0
        for blank in inline:
            parts.append(line[end : blank.start()])
            unit, end = read_unit(line, blank.end())
            found.append(Blank(blank["symbol"], unit))
        if inline or "___" not in line:
            lines.append("".join([*parts, line[end:]]))
    return "\n".join(lines), found


def find_statements(text: str) -> tuple[Statement, ...]:
    """Return every stated quantity, in reading order. Never raises; takes time linear in the text."""
    return collect_statements(find_chains(to_plain_text(text)))


def find_statement(text: str, symbol: str) -> Statement | None:
    """Return the last statement of `symbol`, in its spelling or else in a similar one."""
    return pick_statement(find_statements(text), symbol)


def collect_statements(found: Iterable[Chain]) -> tuple[Statement, ...]:
    """Return the most precise value of each chain, once for each of its names."""
    collected = []
    for chain in found:
        if chain.values:
            best = max(reversed(chain.readings), key=lambda read: (bool(read[0].unit), read[0].digits))
            (value, unit, digits), index = best
            text = " = ".join((*chain.names, *chain.terms))
            collected += [
                Statement(name, value, unit, text, chain.position, digits, chain.label, chain.span(index))
                for name in chain.names
            ]
    return tuple(collected)


def pick_statement(found: Sequence[Statement], symbol: str) -> Statement | None:
    """Select from statements as `find_statement` does."""
    by_name, name = StatementIndex(found), to_plain_text(symbol).strip()
    tiers = (by_name.exactly(name), by_name.with_any_dot(name), by_name.in_any_case(name))
    return next((tier[-1] for tier in tiers if tier), None)


class StatementIndex:
    """Statements by their symbols."""

    def __init__(self, found: Iterable[Statement]) -> None:
        self._exact: dict[str, list[Statement]] = {}
        self._undotted: dict[str, list[Statement]] = {}
        self._folded: dict[str, list[Statement]] = {}
        for statement in found:
            name = normalize_symbol(statement.symbol)
            self._exact.setdefault(name, []).append(statement)
            undotted = normalize_symbol(_DOT.sub("", statement.symbol))
            self._undotted.setdefault(undotted, []).append(statement)
            self._folded.setdefault(name.casefold(), []).append(statement)

    def exactly(self, name: str) -> list[Statement]:
        """Return the statements of a symbol, in any spelling of its index."""
        return self._exact.get(normalize_symbol(name), [])

    def with_any_dot(self, name: str) -> list[Statement]:
        """Return the statements of a symbol with a dot at another place.

        A symbol without a dot also matches one with a dot, because a heat flux q is often written as a rate.
        """
        found = self._undotted.get(normalize_symbol(_DOT.sub("", name)), [])
        if "_dot" in name:
            return [statement for statement in found if _DOT.search(statement.symbol)]
        return found

    def in_any_case(self, name: str) -> list[Statement]:
        """Return the statements of a symbol in any case, unless only the case distinguishes its quantity.

        V2 is a speed and v2 a volume, T a temperature and t a time.
        """
        needs_case = len(normalize_symbol(name)) < 2 or re.fullmatch(r"[VvTP](?:\d.*)?", name)
        return [] if needs_case else self._folded.get(normalize_symbol(name).casefold(), [])


def is_described(statement: Statement, words: Sequence[str]) -> bool:
    """Whether the words before a statement include the last word of a description and most others."""
    before = set(extract_words(statement.label))
    return bool(words) and words[-1] in before and 5 * len(before & set(words)) >= 3 * len(set(words))


def evaluate_term(term: str) -> Quantity | None:
    """Evaluate a term that is a quantity, or a numeric expression followed by a unit.

    `5 sqrt 6 m/s` is (12.247..., "m/s", 15). A ratio such as 6:1 is its quotient. None for any other term,
    and for a range.
    """
    quantity = read_value(term)
    if quantity or len(term) > 200 or is_range(term):
        return quantity
    ratio = _RATIO.fullmatch(term)
    if ratio and float(ratio[2]):
        return Quantity(float(ratio[1]) / float(ratio[2]), "", 2)
    for place in _BEFORE_UNIT.finditer(term):
        unit, end = read_unit(term, place.end())
        if unit and not term[end:].strip(" .)"):
            term = term[: place.end()]
            break
    else:
        unit = ""
    formula = read_formula(term.strip("≈ "))
    value = formula.value() if formula and not formula.names and not formula.has_units else None
    return None if value is None else Quantity(value, unit)


def extract_words(text: str) -> list[str]:
    """Return the words of at least four letters, in lower case."""
    return re.findall("[a-z]{4,}", text.lower())
