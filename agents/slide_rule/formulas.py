"""Formulas at hand: those remembered, and those that a reference sheet lays before the question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from ansatz.agents.slide_rule.comprehension import Known, Symbol, kind_of
from ansatz.agents.slide_rule.naming import content_words, stored
from ansatz.errors import Unreadable
from ansatz.quantities.notation import read_number
from ansatz.quantities.parser import parse_formula
from ansatz.quantities.tree import Tree

_ENTRY = re.compile(r"^\[E\d+\][ \t]*(?P<title>.+)\n(?P<lines>(?:[ \t]+\S.*\n?)*)", re.MULTILINE)
_EXCLUDED = re.compile(r"^excluded:.*\((?P<id>[\w.]+)\)", re.MULTILINE)
_ID = re.compile(r"\s*\((?P<id>[\w]+\.[\w.]+)\)\s*$")
_SYMBOL = re.compile(r"(?P<name>\w+) \[(?P<unit>[^\]]*)\] ?(?P<about>.*)")
_CONSTANT = re.compile(r"(?P<name>\w+) = (?P<value>\S+) ?(?P<unit>\S*)")


@dataclass(frozen=True)
class KnownFormula:
    """`output = text`, with numbers in the units of its symbols.

    `tree` is None where the equation has to be solved for its output, which only a tool does. `id` names an
    entry of the equation base, and is empty for what is remembered; `conditions` are those the sheet states.
    """

    title: str
    output: Symbol
    text: str
    inputs: tuple[Symbol, ...]
    constants: dict[str, Known]
    tree: Tree | None
    id: str = ""
    conditions: str = ""
    from_sheet: bool = False

    @cached_property
    def words(self) -> frozenset[str]:
        return content_words(self.title) | self.output.words

    @property
    def cited(self) -> str:
        return f"{self.title} ({self.id})" if self.id else self.title[:1].upper() + self.title[1:]


@cache
def remembered() -> tuple[KnownFormula, ...]:
    """Every formula in memory, in the order in which they come to mind."""
    entries = stored("memory.yaml")["formulas"]
    return tuple(filter(None, (_formula(each["name"], each["formula"], each["where"]) for each in entries)))


@cache
def assumed(fluid: str | None = None) -> tuple[Known, ...]:
    """Values that an engineer supplies without a statement, each with the reason.

    Those of air are left out if the question names another `fluid`.
    """
    found = (Known(**each) for each in stored("memory.yaml")["assumed"])
    return tuple(each for each in found if fluid in (None, "air") or each.because != "the gas is air")


def is_entry(text: str) -> bool:
    return bool(_ENTRY.match(text) or _EXCLUDED.match(text))


@lru_cache(maxsize=512)
def on_sheet(text: str) -> tuple[KnownFormula, ...]:
    """The entries of every reference sheet in a text, each once; those that cannot be read are left out."""
    warned = {found["id"] for found in _EXCLUDED.finditer(text)}
    found = {}
    for entry in _ENTRY.finditer(text):
        lines = [line.strip() for line in entry["lines"].splitlines()]
        identifier = _ID.search(entry["title"])
        conditions = "; ".join(line for line in lines if line.startswith(("applies when", "do not use when")))
        where = next((line.removeprefix("where ") for line in lines if line.startswith("where ")), "")
        formula = _formula(
            _ID.sub("", entry["title"]), lines[0] if lines else "", where, identifier, conditions
        )
        if formula and formula.id not in warned:
            found[formula.id or formula.text] = formula
    return tuple(found.values())


def _formula(
    title: str, equation: str, where: str, identifier: re.Match[str] | None = None, conditions: str = ""
) -> KnownFormula | None:
    symbols: dict[str, Symbol] = {}
    constants: dict[str, Known] = {}
    for item in map(str.strip, where.split(";")):
        if named := _SYMBOL.fullmatch(item):
            name, unit, about = named.groups()
            symbols[name] = Symbol(name, unit, content_words(about), kind_of(unit), about)
        elif (fixed := _CONSTANT.match(item)) and (value := read_number(fixed["value"])):
            constants[fixed["name"]] = Known(fixed["name"], value.value, fixed["unit"].rstrip(".,") or "-")
    name, _, text = equation.partition(" = ")
    text, implicit, unknown = text.partition(", solved for ")
    output = symbols.pop(unknown.strip() if implicit else name.strip(), None)
    if output is None or None in (output.kind, *(symbol.kind for symbol in symbols.values())):
        return None
    try:
        read = parse_formula(text, [*symbols, *constants, output.name])
    except Unreadable:
        return None
    used = tuple(symbol for symbol in symbols.values() if symbol.name in read.names)
    return KnownFormula(
        title.strip(),
        output,
        f"{text} = {name}" if implicit else text,
        used,
        {each: value for each, value in constants.items() if each in read.names},
        None if implicit else read.tree,
        identifier["id"] if identifier else "",
        conditions,
        identifier is not None or bool(conditions),
    )
