"""Read runs of equalities from plain text and its tables: `w = h_1 - h_2 = 3316.0 - 2800.6 = 515.4 kJ/kg`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ansatz.quantities.notation import read_whole_unit
from ansatz.quantities.tables import TableRow, read_table, split_cells
from ansatz.quantities.terms import NAME, OPTION, WHOLE_NAME, Chain, is_symbolic, read_value

__all__ = ["Chain", "find_chains", "read_value"]

_SEPARATOR = re.compile(
    r"[;|]|, |(?<=\d) \((?=[A-Za-z]\w{0,20} ?[=≈])|(?<=[\d)]):(?= [A-Za-z]\w*(?:\^\d)? ?=)"
    r"|\.(?=\s|$)|,$|[ (](?:and|so|where|with|which|hence|therefore|then|thus|but) "
    r"|  (?=[A-Za-z]\w{0,20} ?[=≈])|(?<=[\w°%]) \((?=[A-Za-z]\w{0,20}(?:\^\d|\([^()]{1,12}\)) ?[=≈])"
    r"|(?<=\)): (?=\d[^:;=]{0,40}=)|(?<=\d): (?=times |plus |minus )"
    r"|(?<=[a-z]{4}) -{1,2} (?=(?:the|an?|so|and|which|it|this|that|here|where|because|since) )"
)
_ABOUT = "about|approximately|roughly|around|nearly|exactly"
_FILLERS = f"now|then|thus|equal|found|to|be|{_ABOUT}|given|as|by"
_RELATION = re.compile(
    rf"(?<![<>=!:])==?(?!=)|≈"
    rf"|(?!(?<=\d):\d):=?(?={OPTION}? *(?:(?:{_ABOUT}) )?[≈+-]? ?(?:\[?\.?\d|\(\d[\d.]{{0,9}}\) ?/))"
    rf"|\b(?:is|are|was|equals|becomes|be)\b(?: (?:{_FILLERS})\b){{0,3}}(?={OPTION}? *[≈+-]? ?\(?\.?\d)"
)
_DEFINED = re.compile(
    rf"[\[(]?(?P<name>(?<![\w\\]){NAME})[\])]?(?P<aside> ?(?:\([^()]{{1,60}}\)|\[[^\[\]]{{1,40}}\]))?$"
)
_ASIDE_NAME = re.compile(rf"(?P<word>\w+) ?[(\[](?P<name>{NAME})[)\]]$")
_PROPERTIES = ("enthalpy", "entropy", "volume", "energy", "temperature", "pressure", "quality", "density")
_BRACKETS = re.compile(r"\([^()=≈:]{1,80}\)")
_NEXT_NAME = re.compile(rf"[ )\]]+(?P<name>[\[(]?{NAME}[\])]?(?: ?\([^()]{{1,20}}\))?)$")
_CONDITION = re.compile(r"(?<=[a-z]{4}) (?:at|for|of) \d[\d.,]{0,12} ?[°A-Za-z]{1,4}$")  # enthalpy at 300 °C
_LISTED = re.compile(
    rf"(?<![\w,])(?P<names>{NAME}(?:(?:,? and |, ){NAME}){{1,9}}) (?:=|are|were) (?P<values>.*?\d.*?)"
    r"(?:,? respectively\b.*)?\.?$"
)
_COMMA = re.compile(r",? and |, ")
_PRODUCT_BEFORE = re.compile(r"[-+*/^(<>]$|(?<![A-Za-z]{4} )(?<!\d)\d+$|(?:^|[^\w])(?P<factor>[A-Za-z]\w*)$")
_BRACKET_BEFORE = re.compile(r"[\w)]\([^()]*\)$|\([^()]*[-+*/][^()]*\)$")  # of a product
# A function's name is no symbol: "exp(-2) = 0.135" does not define "exp".
_FUNCTION = re.compile("sqrt|exp|erf|ln|log(?:10)?|(?:a|arc)?(?:sin|cos|tan)h?|cot|[mM](?:in|ax)")
# Brackets with arithmetic are a factor: q_c (1 - exp(-2)) is a product, but q_c (convective) is q_c.
_COMPUTES = re.compile(r"\d ?[-+*] ?[A-Za-z\d(]|[\w)] [-+] [\w(]|exp|sqrt|ln\b|sin|cos|tan")
_TAIL = 160  # characters before a relation that are searched for the name and its description


def find_chains(text: str) -> tuple[Chain, ...]:
    """Return every chain in plain text (see `markup.to_plain_text`), in reading order. Never raises."""
    collected: list[Chain] = []
    rows: list[TableRow] = []
    position = 0
    for line in text.split("\n"):
        cells = split_cells(line)
        if cells:
            rows.append(TableRow(cells, position, line))
        elif rows:
            collected += read_table(rows)
            rows = []
        collected += _read_list(line, position) or [
            chain
            for start, clause in _split_clauses(line)
            for chain in _read_clause(clause, position + start)
        ]
        position += len(line) + 1
    return (*collected, *read_table(rows))


def _read_list(line: str, position: int) -> list[Chain]:
    """Read the equalities of a line that is a list, `x and y are 3 m and 4 m`."""
    listed = _LISTED.search(line) if len(line) < _TAIL else None
    if listed is None:
        return []
    names, values = (_COMMA.split(listed[part]) for part in ("names", "values"))
    if len(names) != len(values) or not all(map(read_value, values)):
        return []
    clauses = (f"{name} = {value}" for name, value in zip(names, values, strict=True))
    # The offsets within these clauses are not those of the text.
    return [replace(chain, places=()) for clause in clauses for chain in _read_clause(clause, position)]


def _split_clauses(line: str) -> Iterator[tuple[int, str]]:
    """Split a line at separators outside brackets, so that h(3 MPa, 577 °C) is one part."""
    inside = [found.span() for found in _BRACKETS.finditer(line)] if "(" in line else []
    start = past = 0
    for found in _SEPARATOR.finditer(line):
        while past < len(inside) and inside[past][1] <= found.start():
            past += 1
        if not (past < len(inside) and inside[past][0] < found.start()):
            yield start, line[start : found.start()]
            start = found.end()
    yield start, line[start:]


class _Side(NamedTuple):
    """One side of an equality."""

    text: str
    place: int
    """The offset in the plain text."""


def _read_clause(clause: str, position: int) -> list[Chain]:
    relations = list(_RELATION.finditer(clause))
    cuts = [0, *(end for found in relations for end in found.span()), len(clause)]
    sides = [_make_side(clause, cuts[i], cuts[i + 1], position) for i in range(0, len(cuts), 2)]
    collected = []
    left, start = sides[0], 1
    while start < len(sides):
        run = start
        while run < len(sides) - 1 and not _find_next_name(sides[run].text):
            run += 1
        last = sides[run]
        following = _find_next_name(last.text) if run < len(sides) - 1 else ""
        value = last._replace(text=last.text.removesuffix(following).strip())
        collected.append(_make_chain(left, [*sides[start:run], value], position))
        left, start = _Side(following, last.place + len(last.text) - len(following)), run + 1
    return collected


def _make_side(clause: str, start: int, end: int, position: int) -> _Side:
    side = clause[start:end]
    return _Side(side.strip(), position + start + len(side) - len(side.lstrip()))


def _make_chain(left: _Side, right: list[_Side], position: int) -> Chain:
    first = left._replace(text=left.text[-_TAIL:], place=left.place + max(0, len(left.text) - _TAIL))
    names, unit, label = _read_defined_names(first.text)
    terms = [] if names else [first]
    for side in right:
        whole = WHOLE_NAME.fullmatch(side.text) if len(side.text) < 80 else None
        if whole and not _FUNCTION.fullmatch(whole[1]) and not _COMPUTES.search(whole[2] or ""):
            names.append(whole[1])
        else:
            terms.append(side)
    terms = [side for side in terms if side.text]
    texts, places = tuple(side.text for side in terms), tuple(side.place for side in terms)
    return Chain(tuple(names), texts, label, unit, position, places)


def _find_next_name(side: str) -> str:
    """Return the name after a complete quantity: `191.8 kJ/kg h_2` starts another statement."""
    following = _NEXT_NAME.search(side[-40:]) if side[-1:].isalnum() or side[-1:] in ")]'" else None
    if following is None:
        return ""
    quantity = read_value(side[: len(side) - len(following.group())])
    return following["name"] if quantity and quantity.unit and read_value(side) else ""


def _read_defined_names(side: str) -> tuple[list[str], str, str]:
    """Read the symbols at the end of a left side, their unit and the words before them."""
    side = _CONDITION.sub("", side)
    found = _DEFINED.search(side)
    aside = _ASIDE_NAME.search(side)
    meant = aside["name"] if aside and _is_symbol_aside(aside) and not is_symbolic(aside["word"]) else ""
    aside_computes = bool(found and found["aside"] and _COMPUTES.search(found["aside"][1:-1]))
    if found is None or aside_computes or (found["aside"] and _FUNCTION.fullmatch(found["name"])):
        return ([meant] if meant and found is None else []), "", side
    before = side[: found.start("name")].rstrip(" [(")
    product = _PRODUCT_BEFORE.search(before[-40:])
    if _BRACKET_BEFORE.search(side[: found.start("name")]):
        return [], "", side  # the end of a product, as in R(4 + alpha)T
    factor = product["factor"] if product else ""  # multiplied with the symbol, or a function of it: sinh z
    if factor is None or is_symbolic(factor) or _FUNCTION.fullmatch(factor):
        return [], "", side
    if meant:
        return [found["name"], meant], "", side
    return [found["name"]], read_whole_unit((found["aside"] or "").strip()[1:-1]), side


def _is_symbol_aside(aside: re.Match[str]) -> bool:
    """Whether brackets contain a symbol rather than a unit: enthalpy (h), but time (s) and force (N)."""
    is_unit = read_whole_unit(aside["name"])
    return aside["word"].lower() in _PROPERTIES if is_unit else len(aside["name"]) < 20
