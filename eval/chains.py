"""Runs of equalities in plain text: `w = h_1 - h_2 = 3316.0 - 2800.6 = 515.4 kJ/kg`, and rows of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ansatz.eval.notation import read_number, read_unit, skip_uncertainty

_SEPARATOR = re.compile(
    r"[;|]|, |\.(?=\s|$)|,$| (?:and|so|where|with|which|hence|therefore|then|thus|but) "
    r"|  (?=[A-Za-z]\w{0,20} ?[=≈])"
)
_HEDGES = "now|then|thus|equal|found|to|be|about|approximately|roughly|around|nearly|exactly|given|as|by"
_RELATION = re.compile(
    r"(?<![<>=!:])==?(?!=)|≈|:=?(?= *[≈+-]? ?\[?\.?\d)"
    rf"|\b(?:is|are|was|equals|becomes|be)\b(?: (?:{_HEDGES})\b){{0,3}}(?= *[≈+-]? ?\.?\d)"
)
_NAME = r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*'*"
_DEFINED = re.compile(
    rf"[\[(]?(?P<name>(?<![\w\\]){_NAME})[\])]?(?P<aside> ?(?:\([^()]{{1,60}}\)|\[[^\[\]]{{1,40}}\]))?$"
)
_WHOLE_NAME = re.compile(
    rf"[\[(]?({_NAME})[\])]?(?: ?[(\[]([^()\[\]]{{1,60}}|[^()]{{0,20}}\([^()]{{1,20}}\))[)\]])?:?"
)
_PRODUCT_BEFORE = re.compile(r"[-+*/^(<>]$|(?<![A-Za-z]{4} )(?<!\d)\d+$|(?:^|[^\w])(?P<factor>[A-Za-z]\w*)$")
_SHORT_WORDS = re.compile(
    "at|so|if|is|of|to|in|or|by|as|we|on|be|it|an|a|let|now|get|has|its|per|use|via|no|i|up"
)
_SYMBOLIC = re.compile(
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi|chi|psi|omega"
    "|sqrt|exp|ln|log|sin|cos|tan"
)
_ABOUT = re.compile(r"[ ≈\[(]*(?:(?:about|approximately|approx\.?|roughly|around|nearly|exactly)[ ≈]*)?")
_COMPARES = re.compile(
    r" (?:times|orders?|of|higher|lower|larger|smaller|more|less|greater|above|below|percent of)\b"
)
_CONTINUES = re.compile(r" ?(?:[-+*/^<>(]|±)")
_OPERATES = re.compile(
    r"[)\]]? ?\((?=[\d.(])|[)\]] ?[-+*/^]| ?(?:[*/^]|[-+]) ?(?:[\d(.]|[A-Za-z]\w?\b|[A-Za-z]+_)"
)
_ASIDE = re.compile(r" \([A-Za-z]{3,}[ ,)]")
_WORD = re.compile(r" ?([A-Za-z]\w*)")
_TAIL = 160  # characters before a relation in which the name and the words that describe it are sought


@dataclass(frozen=True)
class Chain:
    """One run of equalities.

    `names` are the symbols it defines, `terms` its other sides in order, `label` the words before it,
    `unit` a unit given with the name (as in `h [kJ/kg] = 2676`), `position` an offset in the plain text.
    """

    names: tuple[str, ...]
    terms: tuple[str, ...]
    label: str
    unit: str
    position: int

    @cached_property
    def values(self) -> tuple[tuple[float, str, int], ...]:
        """The terms that are a bare quantity: value, unit, significant digits."""
        found = [read for read in map(read_value, self.terms) if read is not None]
        return tuple((value, unit or self.unit, digits) for value, unit, digits in found)


def chains(text: str) -> tuple[Chain, ...]:
    """Every chain in plain text (see `markup.plain`), in reading order. Never raises."""
    collected: list[Chain] = []
    header: list[str] = []
    position = 0
    for line in text.split("\n"):
        if line.count("|") > 1:
            cells = [cell.strip() for cell in line.strip("| ").split("|")]
            collected += _row(cells, header, position)
            header = cells if not any(map(read_value, cells)) and "-" not in line.strip("| ")[:1] else header
        else:
            header = []
        for start, clause in _clauses(line):
            collected += _clause(clause, position + start)
        position += len(line) + 1
    return tuple(collected)


def read_value(term: str) -> tuple[float, str, int] | None:
    """Value, unit and significant digits of a term that is a bare quantity; None for an expression."""
    start = _ABOUT.match(term)
    number = read_number(term, start.end() if start else 0)
    if number is None:
        return None
    at = skip_uncertainty(term, number.end)
    while term[at : at + 1] in ("]", ")") and term.lstrip(" ≈")[:1] in ("[", "("):
        at += 1
    unit, end = read_unit(term, at)
    return (number.value, unit, number.digits) if _ends(term[end : end + 40], unit) else None


def _ends(rest: str, unit: str) -> bool:
    """Whether a quantity is complete here, so that what follows is prose and not more arithmetic."""
    if _COMPARES.match(rest):
        return False
    if unit:
        return not _OPERATES.match(rest)
    return bool(_ASIDE.match(rest)) or not (_CONTINUES.match(rest) or _symbolic(_first_word(rest)))


def _symbolic(word: str) -> bool:
    """Whether a word is a symbol rather than prose."""
    short = 0 < len(word) < 3 and not _SHORT_WORDS.fullmatch(word.lower())
    return short or "_" in word or _SYMBOLIC.fullmatch(word) is not None


def _first_word(text: str) -> str:
    found = _WORD.match(text)
    return found[1] if found else ""


def _clauses(line: str) -> Iterator[tuple[int, str]]:
    start = 0
    for found in _SEPARATOR.finditer(line):
        yield start, line[start : found.start()]
        start = found.end()
    yield start, line[start:]


def _clause(clause: str, position: int) -> list[Chain]:
    relations = list(_RELATION.finditer(clause))
    if not relations:
        return []
    cuts = [0, *(end for found in relations for end in found.span()), len(clause)]
    sides = [clause[cuts[i] : cuts[i + 1]].strip() for i in range(0, len(cuts), 2)]
    first = sides[0][-_TAIL:]
    name, unit, label = _defined(first)
    names = [name] if name else []
    terms = [] if name else [first]
    for side in sides[1:]:
        whole = _WHOLE_NAME.fullmatch(side) if len(side) < 80 else None
        (names if whole else terms).append(whole[1] if whole else side)
    return [Chain(tuple(names), tuple(filter(None, terms)), label, unit, position)]


def _defined(side: str) -> tuple[str, str, str]:
    """The symbol that ends a left side, a unit beside it, and the words before; ("", "", side) for none."""
    found = _DEFINED.search(side)
    if found is None:
        return "", "", side
    before = side[: found.start("name")].rstrip(" [(")
    product = _PRODUCT_BEFORE.search(before[-40:])
    if product and (product["factor"] is None or _symbolic(product["factor"])):
        return "", "", side
    return found["name"], _aside_unit(found["aside"] or ""), side


def _aside_unit(aside: str) -> str:
    inside = aside.strip()[1:-1]
    unit, end = read_unit(inside)
    return unit if end == len(inside) else ""


def _row(cells: list[str], header: list[str], position: int) -> list[Chain]:
    """A table row as chains: a symbol with the value beside it, or values under a header of symbols."""
    whole = [_WHOLE_NAME.fullmatch(cell[:90]) for cell in cells]
    values = [read_value(cell) for cell in cells]
    first = next((i for i, value in enumerate(values) if value), None)
    if first is None:
        return []
    named = [found for found in whole[:first] if found]
    label = " ".join(cells[:first])
    if first and (named or not header or len(header) != len(cells) or _is_unit_header(header)):
        unit = _cell_unit(cells[first + 1 : first + 2]) or next((_cell_unit([f[2] or ""]) for f in named), "")
        name = _shortest(named) if named else label.split()[-1] if label else ""
        return [Chain((name,), (cells[first],), label, unit, position)]
    return _under_header(cells, header, position)


def _shortest(named: list[re.Match[str]]) -> str:
    """Of a symbol and its one-word description, the symbol."""
    return min((found[1] for found in named), key=len)


def _is_unit_header(header: list[str]) -> bool:
    return any(cell.lower() in ("value", "unit", "units", "result", "symbol", "quantity") for cell in header)


def _cell_unit(cells: list[str]) -> str:
    for cell in cells:
        unit, end = read_unit(cell)
        return unit if end == len(cell) else ""
    return ""


def _under_header(cells: list[str], header: list[str], position: int) -> list[Chain]:
    if len(header) != len(cells):
        return []
    states = re.fullmatch("(?:state|point|station)s?", header[0].strip(), re.IGNORECASE) is not None
    suffix = f"_{cells[0]}" if states and re.fullmatch(r"\w{1,3}", cells[0]) else ""
    found = []
    for title, cell in zip(header, cells, strict=True):
        whole = _WHOLE_NAME.fullmatch(title[:90])
        if whole and not (states and title == header[0]) and read_value(cell):
            found.append(Chain((whole[1] + suffix,), (cell,), title, _cell_unit([whole[2] or ""]), position))
    return found
