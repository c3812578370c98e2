"""Reference sheets: formulas with their symbols and, on better sheets, when each applies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ansatz.agents.slide_rule.arithmetic import NotCalculable, names_in
from ansatz.agents.slide_rule.formula import Constant, Formula, Symbol
from ansatz.agents.slide_rule.units import ONE, parse_unit
from ansatz.agents.slide_rule.words import content_words

_ENTRY = re.compile(r"^\[E\d+\][ \t]*(?P<name>.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_EXCLUDED = re.compile(
    r"^excluded:\s*(?P<name>.+?)\s*\((?P<id>[\w.]+)\)\s*[—–-]+\s*(?P<reason>.+)$", re.MULTILINE
)
_LABELS = ("where", "applies when:", "best for:", "do not use when:")
_ID = re.compile(r"\(([\w.]+\.[\w.]+)\)\s*$")
_SYMBOL = re.compile(r"^(?P<name>\w+)\s*\[(?P<unit>[^\]]*)\]\s*(?P<description>.*)$")
_CONSTANT = re.compile(r"^(?P<name>\w+)\s*=\s*(?P<value>[-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(?P<unit>\S*)")


@dataclass(frozen=True)
class Exclusion:
    """A formula the sheet warns against for this question."""

    name: str
    id: str
    reason: str


@dataclass(frozen=True)
class Sheet:
    formulas: tuple[Formula, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()


def holds_sheet(text: str) -> bool:
    return bool(_ENTRY.search(text) or _EXCLUDED.search(text))


@lru_cache(maxsize=512)
def read_sheet(text: str, trusted: bool = True) -> Sheet:
    """Every entry in the text that can be read; an entry that cannot is left out.

    `trusted` marks the formulas as coming from a sheet in the conversation, not from memory.
    """
    formulas = [_entry(found.group("name"), trusted) for found in _ENTRY.finditer(text)]
    exclusions = [Exclusion(**found.groupdict()) for found in _EXCLUDED.finditer(text)]
    unique = {(formula.name, formula.expression): formula for formula in formulas if formula}
    return Sheet(tuple(unique.values()), tuple(exclusions))


def _entry(block: str, trusted: bool) -> Formula | None:
    header, *lines = [line.strip() for line in block.splitlines() if line.strip()]
    identifier = _ID.search(header)
    parts: dict[str, str] = {}
    for line in lines:
        label = next((x for x in _LABELS if line.startswith(x)), "formula")
        parts.setdefault(label, line.removeprefix(label).strip())
    output_name, _, expression = parts.get("formula", "").partition("=")
    symbols, constants = _symbols(parts.get("where", ""))
    output = symbols.pop(output_name.strip(), None)
    expression = expression.strip()
    if output is None or not _solvable(expression, symbols, constants):
        return None
    requires, _, preferred = parts.get("applies when:", "").partition("best for:")
    best_for = f"{preferred};{parts.get('best for:', '')}"
    name = _ID.sub("", header).strip()
    return Formula(
        name=name,
        output=output,
        expression=expression,
        inputs=tuple(symbol for symbol in symbols.values() if symbol.name in names_in(expression)),
        constants=tuple(constants.values()),
        id=identifier.group(1) if identifier and trusted else None,
        from_sheet=trusted,
        requires=_clauses(requires),
        best_for=_clauses(best_for),
        avoid=_clauses(parts.get("do not use when:", "")),
        words=content_words(name) | output.words,
    )


def _symbols(where: str) -> tuple[dict[str, Symbol], dict[str, Constant]]:
    symbols: dict[str, Symbol] = {}
    constants: dict[str, Constant] = {}
    for item in map(str.strip, where.split(";")):
        if (found := _SYMBOL.match(item)) and (unit := parse_unit(found["unit"])):
            description = found["description"]
            words, *others = map(content_words, description.split(" | "))
            symbols[found["name"]] = Symbol(
                found["name"], unit, found["unit"], words, description, tuple(others)
            )
        elif found := _CONSTANT.match(item):
            unit = parse_unit(found["unit"].rstrip(".,")) or ONE
            constants[found["name"]] = Constant(found["name"], unit.to_si(float(found["value"])), unit)
    return symbols, constants


def _solvable(expression: str, symbols: dict[str, Symbol], constants: dict[str, Constant]) -> bool:
    try:
        return bool(expression) and names_in(expression) <= symbols.keys() | constants.keys()
    except NotCalculable:
        return False


def _clauses(text: str) -> tuple[str, ...]:
    """Conditions without the remarks in parentheses; `;` separates them, also inside remarks."""
    while (plain := re.sub(r"\([^()]*\)", "", text)) != text:
        text = plain
    return tuple(filter(None, (clause.strip(" .") for clause in text.split(";"))))
