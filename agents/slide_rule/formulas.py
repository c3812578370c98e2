"""Known formulas: those in memory, and those on reference sheets in the prompt."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

from ansatz.agents.slide_rule.quantity_names import (
    find_acronyms,
    find_any_fluid,
    find_fluid,
    load_yaml,
    stem_words,
)
from ansatz.agents.slide_rule.question import KnownQuantity, Symbol, find_kind
from ansatz.errors import Unreadable
from ansatz.quantities.notation import read_number
from ansatz.quantities.parser import parse_formula
from ansatz.quantities.tree import Tree

_ENTRY = re.compile(r"^\[E\d+\][ \t]*(?P<title>.+)\n(?P<lines>(?:[ \t]+\S.*\n?)*)", re.MULTILINE)
_GASES = re.compile(r"applies when:[^\n]*?\bgas in \{([^}]*)\}")
_EXCLUDED = re.compile(r"^excluded:.*\((?P<id>[\w.]+)\)", re.MULTILINE)
_ID = re.compile(r"\s*\((?P<id>[\w]+\.[\w.]+)\)\s*$")
_SYMBOL = re.compile(r"(?P<name>\w+) \[(?P<unit>[^\]]*)\] ?(?P<about>.*)")
_NOT_LIQUID = ("steam", "vapor", "vapour", "saturated", "boiling", "quality", "ice")
_CONSTANT = re.compile(r"(?P<name>\w+) = (?P<value>\S+) ?(?P<unit>\S*)")


@dataclass(frozen=True)
class KnownFormula:
    """A formula `output = text`, with numbers in the units of its symbols."""

    title: str
    output: Symbol
    text: str
    inputs: tuple[Symbol, ...]
    constants: dict[str, KnownQuantity]
    tree: Tree | None
    """None if the equation is implicit in its output, so that only a tool can solve it."""
    id: str = ""
    """The id in the equation base; empty for a remembered formula."""
    conditions: str = ""
    """The conditions that the sheet states."""
    from_sheet: bool = False
    is_definition: bool = False
    """Whether it only states what a word means, such as a pressure ratio."""
    is_one_way: bool = False
    """Whether it is never solved for an input."""
    solved_for: str = ""
    """The input for which the formula was solved; empty if it is as written."""

    @cached_property
    def words(self) -> frozenset[str]:
        return stem_words(self.title) | self.output.words

    @cached_property
    def names(self) -> frozenset[str]:
        """The words that name the output, with acronyms such as COP for coefficient of performance.

        What follows "at" is a condition: an efficiency at maximum power is no maximum efficiency.
        """
        names = [re.split(r"\bat\b", text)[0] for text in (self.title, self.output.about)]
        return frozenset[str]().union(*map(stem_words, names), *map(find_acronyms, names))

    def suits(self, fluid: str | None) -> bool:
        """Whether its conditions leave open a fluid, or name it: a formula for steam gives no ammonia."""
        found = _GASES.search(self.conditions)
        named = [find_any_fluid(gas) for gas in found[1].split(",")] if found else []
        return fluid is None or not named or None in named or fluid in named

    @property
    def citation(self) -> str:
        return f"{self.title} ({self.id})" if self.id else self.title[:1].upper() + self.title[1:]


@cache
def load_remembered() -> tuple[KnownFormula, ...]:
    """Load the formulas in memory, the most familiar first."""
    return _load_memory("formulas")


@cache
def load_definitions() -> tuple[KnownFormula, ...]:
    """Load the relations of lengths, areas and ratios that follow from what the words mean."""
    one_way = {entry["name"] for entry in load_yaml("memory.yaml")["definitions"] if entry.get("one_way")}
    return tuple(
        replace(each, is_definition=True, is_one_way=each.title in one_way)
        for each in _load_memory("definitions")
    )


@cache
def load_process_formulas() -> dict[str, KnownFormula]:
    """Load the formulas of devices between two states, by id in the equation base."""
    entries = load_yaml("memory.yaml")["processes"]
    found = {}
    for id, entry in entries.items():
        named = re.fullmatch(r"(?P<id>\w+\.[\w.]+)", id)
        formula = parse_equation(entry["name"], entry["formula"], entry["where"], named)
        assert formula is not None, id
        found[id] = replace(formula, from_sheet=False)
    return found


def _load_memory(part: str) -> tuple[KnownFormula, ...]:
    entries = load_yaml("memory.yaml")[part]
    formulas = (parse_equation(entry["name"], entry["formula"], entry["where"]) for entry in entries)
    return tuple(filter(None, formulas))


@lru_cache(maxsize=512)
def load_assumptions(text: str = "") -> tuple[KnownQuantity, ...]:
    """Load the values that an engineer assumes without a statement in a text, each with the reason."""
    words = set(re.findall(r"[a-z]+", text.lower()))
    excluded = {"the gas is air"} if find_fluid(text) not in (None, "air") else set()
    if not words.isdisjoint(_NOT_LIQUID):
        excluded.add("the liquid is water")
    return tuple(
        KnownQuantity(**{key: value for key, value in entry.items() if key != "named"})
        for entry in load_yaml("memory.yaml")["assumed"]
        if entry["reason"] not in excluded and words >= set(entry.get("named", "").split())
    )


def is_sheet_entry(text: str) -> bool:
    return bool(_ENTRY.match(text) or _EXCLUDED.match(text))


@lru_cache(maxsize=512)
def parse_sheets(text: str) -> tuple[KnownFormula, ...]:
    """Parse the readable entries of all reference sheets in a text, without duplicates and excluded ones."""
    excluded = {entry["id"] for entry in _EXCLUDED.finditer(text)}
    formulas = {}
    for entry in _ENTRY.finditer(text):
        lines = [line.strip() for line in entry["lines"].splitlines()]
        identifier = _ID.search(entry["title"])
        conditions = "; ".join(line for line in lines if line.startswith(("applies when", "do not use when")))
        where = next((line.removeprefix("where ") for line in lines if line.startswith("where ")), "")
        formula = parse_equation(
            _ID.sub("", entry["title"]), lines[0] if lines else "", where, identifier, conditions
        )
        if formula and formula.id not in excluded:
            formulas[formula.id or formula.text] = formula
    return tuple(formulas.values())


def parse_equation(
    title: str, equation: str, where: str, identifier: re.Match[str] | None = None, conditions: str = ""
) -> KnownFormula | None:
    """Parse `output = term` with its symbols `name [unit] description` and constants; None if unreadable."""
    symbols: dict[str, Symbol] = {}
    constants: dict[str, KnownQuantity] = {}
    for item in map(str.strip, where.split(";")):
        if described := _SYMBOL.fullmatch(item):
            name, unit, about = described.groups()
            symbols[name] = Symbol(name, unit, stem_words(about), find_kind(unit), about)
        elif (fixed := _CONSTANT.match(item)) and (value := read_number(fixed["value"])):
            unit = fixed["unit"].rstrip(".,") or "-"
            constants[fixed["name"]] = KnownQuantity(fixed["name"], value.value, unit)
    name, _, text = equation.partition(" = ")
    text, implicit, unknown = text.partition(", solved for ")
    output = symbols.pop(unknown.strip() if implicit else name.strip(), None)
    if output is None or None in (output.kind, *(symbol.kind for symbol in symbols.values())):
        return None
    try:
        parsed = parse_formula(text, [*symbols, *constants, output.name])
    except Unreadable:
        return None
    return KnownFormula(
        title=title.strip(),
        output=output,
        text=f"{text} = {name}" if implicit else text,
        inputs=tuple(symbol for symbol in symbols.values() if symbol.name in parsed.names),
        constants={key: constant for key, constant in constants.items() if key in parsed.names},
        tree=None if implicit else parsed.tree,
        id=identifier["id"] if identifier else "",
        conditions=conditions,
        from_sheet=identifier is not None or bool(conditions),
    )
