"""Expressions as people write them, in plain notation (see `markup.plain`), parsed to a tree and evaluated.

`0.5 rho V^2`, `0.5*1.2 kg/m^3*(340 m/s)^2`, `V_E^2 sin gamma_E/(2eH)` and `5 sqrt 6 m/s` are read by one
recursive descent: sum, product, power, operand. Nothing is ever executed. Where notation leaves a choice
(a/2 b, log, angles without a unit), `Formula.readings` gives every value that the text may stand for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal as OneOf

from ansatz.errors import AnsatzError
from ansatz.quantities.letters import GREEK_NAMES
from ansatz.quantities.notation import read_number, read_unit
from ansatz.quantities.scales import Scale, scale
from ansatz.quantities.terms import argument_ends, spelled

Products = OneOf["loose", "glued", "spaced"]
"""How far a product without a sign lengthens the divisor before it: in a/2b c/2 d not at all, as far as no
space stands, or over spaces too."""

_LONGEST, _DEEPEST = 600, 20  # characters and nested brackets of an expression that is read
_LARGEST_POWER = 50.0  # of numbers alone: beyond it exact arithmetic could take for ever
_FEWEST_ROUNDED = 3  # significant digits from which a number may have been rounded
_NAME = re.compile(r"(?:(?:math|np|numpy|sp|sympy)\.)?([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*)'*")
_CROSS = re.compile(r"(?<=[\d)\]%A-Za-z]) ?[xX] (?=[\d(.]|(?:sin|cos|tan|sqrt|exp|ln)\b)")
_POWER = re.compile(r" ?(?:\*\*|\^) ?")
_OPEN, _CLOSED = "([{", ")]}"
_INVERSES = {name: f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")}
_RECIPROCALS = {"cot": "tan", "sec": "cos", "csc": "sin", "coth": "tanh"}
_OF_ANGLES = ("sin", "cos", "tan")
_FUNCTIONS = {
    **{
        name: name for name in ("sqrt", "exp", "log", "log10", "erf", "erfc", "abs", "min", "max", *_INVERSES)
    },
    **{inverse: inverse for inverse in _INVERSES.values()},
    **{f"arc{name}": inverse for name, inverse in _INVERSES.items()},
    **{name: name for name in _RECIPROCALS},
    **{"ln": "log", "lg": "log10", "arsinh": "asinh", "arcosh": "acosh", "artanh": "atanh"},
    **{"Min": "min", "Max": "max"},
}
_COMPUTES: Mapping[str, Callable[..., float]] = {
    name: getattr(math, name) for name in _FUNCTIONS.values() if hasattr(math, name)
} | {"abs": abs, "min": min, "max": max}
_CONSTANTS = {"pi": math.pi, "Pi": math.pi}


class Unreadable(AnsatzError, ValueError):
    """The text is no expression; the message says why."""


@dataclass(frozen=True)
class Number:
    """A literal: its value, significant digits, and the unit written behind it."""

    value: float
    digits: int
    unit: Scale | None = None

    @property
    def is_factor(self) -> bool:
        """Whether it is a number that formulas hold without a unit, such as 2 or 0.5."""
        return (self.value.is_integer() and abs(self.value) < 20) or self.value in (0.5, 0.25, 1.5, 2.5)


@dataclass(frozen=True)
class Name:
    """A symbol, as it is written."""

    name: str


@dataclass(frozen=True)
class Node:
    """An operator + - * / ** or a function, and what it is applied to."""

    operator: str
    parts: tuple[Tree, ...]


Tree = Number | Name | Node
Value = tuple[float, tuple[float, ...] | None]
"""A value in SI and its dimension; None where a number without a unit leaves it open."""


@dataclass(frozen=True)
class Convention:
    """What notation leaves open: units applied or read past, angles in degrees, log to the base of ten."""

    si: bool = False
    degrees: bool = False
    log10: bool = False


@dataclass(frozen=True)
class Formula:
    """An expression that was read. `others` are its readings under other rules for products."""

    text: str
    tree: Tree
    others: tuple[Tree, ...] = field(default=(), compare=False)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Its symbols, each once, in order."""
        return tuple(dict.fromkeys(node.name for node in _walk(self.tree) if isinstance(node, Name)))

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        return tuple(node for node in _walk(self.tree) if isinstance(node, Number))

    @cached_property
    def operations(self) -> int:
        """Operators and functions; a unit set behind brackets is none."""
        nodes = (node for node in _walk(self.tree) if isinstance(node, Node) and node.operator != "unit")
        return sum(node.operator != "neg" for node in nodes)

    @cached_property
    def has_units(self) -> bool:
        return any(number.unit is not None for number in self.numbers)

    @cached_property
    def is_complete(self) -> bool:
        """Whether every number has a unit or is one that formulas hold without."""
        return all(number.unit is not None or number.is_factor for number in self.numbers)

    def value(
        self, numbers: Mapping[str, float] | None = None, convention: Convention | None = None
    ) -> float | None:
        """The value at `numbers`, by name; None where there is none."""
        return _evaluated(self.tree, numbers or {}, convention or Convention())

    def readings(self, numbers: Mapping[str, float] | None = None) -> list[float]:
        """Every value the text may stand for, units read past or applied, each once."""
        conventions = [Convention()]
        calls = {node.operator for node in _walk(self.tree) if isinstance(node, Node)}
        if self.has_units:
            conventions.append(Convention(si=True))
        if calls & {*_OF_ANGLES, *_INVERSES.values()}:
            conventions.append(Convention(degrees=True))
            conventions += [Convention(si=True, degrees=True)] if self.has_units else []
        if "log" in calls and re.search(r"log(?!10)", self.text):
            conventions.append(Convention(log10=True))
        found = [
            _evaluated(tree, numbers or {}, convention)
            for tree in (self.tree, *self.others)
            for convention in conventions
        ]
        return list(dict.fromkeys(value for value in found if value is not None))

    def spread(self, exact: Callable[[float], bool] = lambda _: False) -> float:
        """How far the value of a numeric expression may be off because its numbers were rounded.

        Numbers that are `exact`, whole or of one or two digits count as they stand.
        """
        value, spread = self.value(), 0.0
        for number in self.numbers:
            rounded = number.digits >= _FEWEST_ROUNDED and not number.value.is_integer()
            if value is None or not rounded or exact(number.value):
                continue
            half = 0.5 * 10.0 ** (math.floor(math.log10(abs(number.value))) - number.digits + 1)
            moved = Number(number.value + half, number.digits, number.unit)
            other = _evaluated(_exchanged(self.tree, number, moved), {}, Convention())
            spread += abs(other - value) if other is not None else 0.0
        return spread

    def dimension(self, of: Mapping[str, tuple[float, ...]] | None = None) -> tuple[float, ...] | None:
        """The dimension (exponents of `scales.BASE`), with that of symbols in `of`; None where it is open.

        Raises DimensionError where terms that are added differ.
        """
        return _dimension(self.tree, of or {})

    def python(self) -> str:
        """The same in Python's operators, with brackets round every operation."""
        return _python(self.tree)


class DimensionError(AnsatzError, ValueError):
    """Terms of different dimensions are added."""


def parse(
    text: str, symbols: Iterable[str] | None = None, *, units: bool = False, products: Products = "loose"
) -> Formula:
    """The expression that plain `text` wholly is.

    With `symbols` other names are not read, and letters written together are split into the symbols that
    they consist of. With `units`, letters behind a number or a bracket are read as a unit where they are
    one. Raises Unreadable. Example: `parse("V^2/2g", ["V", "g"], products="glued").value({"V": 2, "g": 1})`
    is 2.0.
    """
    return Formula(text.strip(), _Parser(_prepared(text), symbols, units, products).read())


def read_formula(text: str) -> Formula | None:
    """The expression that `text` wholly is, in whatever symbols; None for anything else.

    Letters behind numbers are units where the text has no other names, and symbols where it has.
    """
    for units in (True, False):
        found: dict[Tree, None] = {}
        for products in ("loose", "glued", "spaced"):
            try:
                found[_Parser(_prepared(text), None, units, products).read()] = None
            except Unreadable:
                break
        if found:
            tree, *others = found
            formula = Formula(text.strip(), tree, tuple(others))
            if not (units and formula.names and formula.has_units):
                return formula
    return None


def _prepared(text: str) -> str:
    text = _CROSS.sub(" * ", text.strip()).rstrip(".,:; ")
    if not text or len(text) > _LONGEST:
        raise Unreadable(f"an expression has 1 to {_LONGEST} characters")
    return text


class _Parser:
    """One pass over an expression."""

    def __init__(self, text: str, symbols: Iterable[str] | None, units: bool, products: Products) -> None:
        self._text, self._units, self._products = text, units, products
        self._at, self._depth = 0, 0
        self._word = False  # whether the last operand is a word, which only a written operator may join
        self._word_end = 0  # where the last run of letters that was several symbols ends
        self._any = symbols is None
        listed = list(symbols or ())
        self._known = {spelled(re.sub("^eps(?![a-z])", "epsilon", symbol)): symbol for symbol in listed}
        self._known |= {spelled(symbol): symbol for symbol in listed}
        self._names = {**({} if self._any else {"e": "e", "E": "e"}), "pi": "pi", "Pi": "pi"} | self._known

    def read(self) -> Tree:
        tree = self._sum()
        if self._at < len(self._text):
            raise self._unexpected()
        return tree

    def _unexpected(self) -> Unreadable:
        return Unreadable(f"{self._text[self._at : self._at + 12]!r} is not expected")

    def _sum(self) -> Tree:
        tree = self._signed(self._product)
        while (sign := self._next()) in ("+", "-"):
            self._at += 1
            tree = Node(sign, (tree, self._signed(self._product)))
        return tree

    def _signed(self, read: Callable[[], Tree]) -> Tree:
        minus = False
        while (sign := self._next()) in ("+", "-"):
            self._at += 1
            minus ^= sign == "-"
        tree = read()
        return Node("neg", (tree,)) if minus else tree

    def _product(self) -> Tree:
        tree = self._power()
        fraction = isinstance(tree, Number)  # whether all so far is a number, as the 1 of 1/2 x
        while (following := self._next()) and following not in "+-,;" and following not in _CLOSED:
            written = following in "/*"
            self._at += written
            word = self._word
            factor = self._signed(self._power) if written else self._power()
            if not written and (word or self._word):
                raise Unreadable("words are no product")
            is_number = isinstance(factor, Number) and factor.unit is None
            if following == "/" and not (fraction and is_number):
                factor = self._divisor(factor)
            fraction = fraction and is_number
            tree = Node("/" if following == "/" else "*", (tree, factor))
        return tree

    def _divisor(self, factor: Tree) -> Tree:
        """A divisor with what follows it without a sign: the 2eH of a/2eH."""
        if self._products == "loose" or self._text[self._at - 1 : self._at] in _CLOSED:
            return factor
        while self._starts_operand(over_space=self._products == "spaced"):
            factor = Node("*", (factor, self._power()))
        return factor

    def _power(self) -> Tree:
        tree = self._operand()
        found = _POWER.match(self._text, self._at)
        if found:
            self._at = found.end()
            exponent = self._signed(self._power)
            _check_power(exponent)
            tree = Node("**", (tree, exponent))
        return self._with_unit(tree)

    def _with_unit(self, tree: Tree) -> Tree:
        """The operand with a unit that stands behind it; a name has none."""
        if not self._units or isinstance(tree, Name) or (isinstance(tree, Number) and tree.unit):
            return tree
        unit, end = read_unit(self._text, self._at)
        known = scale(unit) if unit not in ("", "-") else None
        if known is None:
            return tree
        self._at = end
        if isinstance(tree, Number):
            return Number(tree.value, tree.digits, known)
        return Node("unit", (tree, Number(1.0, 1, known)))

    def _operand(self) -> Tree:
        self._word = False
        following = self._next()
        number = read_number(self._text, self._at) if following.isdigit() or following == "." else None
        if number:
            self._at = number.end
            return Number(number.value, number.digits)
        if following and following in _OPEN:
            return self._bracket()
        name = _NAME.match(self._text, self._at)
        if name is None:
            raise self._unexpected()
        self._at = name.end()
        word = name[1]
        if spelled(word) not in self._known:
            if word in ("pow", "power") and self._here() == "(":
                return self._call("**")
            if word in _FUNCTIONS:
                return self._function(word)
            if self._any and word == "e" and _POWER.match(self._text, self._at):
                return self._exponential()
        return self._symbol(word, name.start(1))

    def _exponential(self) -> Tree:
        """e^x, unless its power is one as of the elementary charge."""
        found = _POWER.match(self._text, self._at)
        assert found is not None
        if re.compile(r"[234](?![\d.])").match(self._text, found.end()):
            return Name("e")
        self._at = found.end()
        return Node("exp", (self._signed(self._power),))

    def _bracket(self) -> Tree:
        self._deeper()
        self._at += 1
        inside = self._sum()
        if not self._next() or self._next() not in _CLOSED:
            raise Unreadable("a bracket is not closed")
        self._at += 1
        self._depth -= 1
        self._word = False
        return inside

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Unreadable("too many nested brackets")

    def _call(self, operator: str) -> Tree:
        """Several arguments in brackets, with commas that are none of a number."""
        whole, parts = self._text, []
        self._deeper()
        for end in argument_ends(whole, self._at):
            self._text, self._at = whole[:end], self._at + 1
            parts.append(self._sum())
            if self._next():
                raise self._unexpected()
            self._at = end
        self._text, self._at = whole, self._at + 1
        self._depth -= 1
        if len(parts) < 2 or (operator == "**" and len(parts) > 2):
            raise Unreadable(f"{len(parts)} arguments")
        if operator == "**":
            _check_power(parts[1])
        return Node(operator, tuple(parts))

    def _function(self, word: str) -> Tree:
        """A function of a bracket, or of what stands next to it: sin 2 x cos x is sin(2 x) cos(x)."""
        name, power = _FUNCTIONS[word], None
        if name in ("min", "max"):
            return self._call(name)
        found = _POWER.match(self._text, self._at)
        if found:
            self._at = found.end()
            power = self._signed(self._operand)
            _check_power(power)
            if power == Node("neg", (Number(1.0, 1),)) and name in _INVERSES:
                name, power = _INVERSES[name], None
        self._deeper()
        argument = self._operand() if self._next() and self._next() in _OPEN else self._bare_argument()
        self._depth -= 1
        inverted = _RECIPROCALS.get(name)
        tree: Tree = Node(inverted or name, (argument,))
        tree = Node("/", (Number(1.0, 1), tree)) if inverted else tree
        return Node("**", (tree, power)) if power is not None else tree

    def _bare_argument(self) -> Tree:
        argument = self._signed(self._power)
        is_number = isinstance(argument, Number) and argument.unit is None
        if is_number and self._starts_operand() and not self._starts_function():
            argument = Node("*", (argument, self._power()))
        while self._at < self._word_end:  # sin ab is the sine of the product
            argument = Node("*", (argument, self._power()))
        return argument

    def _symbol(self, word: str, start: int) -> Tree:
        """A symbol, however it is spelled; of several written together the first, the rest to come."""
        for spelling in (spelled(word), spelled(word.replace("_dot", ""))):
            if spelling in self._names:
                return _constant(self._names[spelling], self._known)
        if self._any:
            cased = word.islower() or word.istitle() or word.isupper()  # dTdx is a symbol
            self._word = len(word) > 3 and word.isalpha() and cased and word not in GREEK_NAMES
            return Name(word)
        first = self._first_of_several(spelled(word))
        if first is None:
            raise Unreadable(f"{word!r} is not among the symbols")
        self._word_end = max(self._at, self._word_end)
        self._at = next(at for at in range(start + 1, self._at + 1) if spelled(self._text[start:at]) == first)
        return _constant(self._names[first], self._known)

    def _first_of_several(self, letters: str) -> str | None:
        """The first, as long as may be, of the known symbols that make up a run of letters."""
        whole = {len(letters)}  # offsets from which on all letters are symbols; found from the end
        longest = 0
        for start in range(len(letters) - 1, -1, -1):
            ends = [end for end in whole if letters[start:end] in self._names]
            if ends:
                whole.add(start)
                longest = max(ends)
        return letters[:longest] if 0 in whole and letters else None

    def _next(self) -> str:
        """The next character that is not a space; "" at the end."""
        while self._here() == " ":
            self._at += 1
        return self._here()

    def _here(self) -> str:
        return self._text[self._at : self._at + 1]

    def _starts_operand(self, over_space: bool = True) -> bool:
        """Whether an operand follows that no sign parts from what was read."""
        following = self._next() if over_space else self._here()
        return following.isalnum() or (bool(following) and following in "([{.")

    def _starts_function(self) -> bool:
        name = _NAME.match(self._text, self._at)
        return bool(name and name[1] in _FUNCTIONS and spelled(name[1]) not in self._known)


def _constant(name: str, known: Mapping[str, str]) -> Tree:
    if name not in known.values():
        if name == "pi":
            return Node("pi", ())
        if name == "e":
            return Node("exp", (Number(1.0, 1),))
    return Name(name)


def _check_power(exponent: Tree) -> None:
    value = _evaluated(exponent, {}, Convention())
    if value is not None and abs(value) > _LARGEST_POWER:
        raise Unreadable(f"a power of {value:g}")


def _walk(tree: Tree) -> Iterator[Tree]:
    yield tree
    if isinstance(tree, Node):
        for part in tree.parts:
            yield from _walk(part)


def _exchanged(tree: Tree, old: Number, new: Number) -> Tree:
    if tree is old:
        return new
    return (
        Node(tree.operator, tuple(_exchanged(each, old, new) for each in tree.parts))
        if isinstance(tree, Node)
        else tree
    )


def _evaluated(tree: Tree, numbers: Mapping[str, float], convention: Convention) -> float | None:
    try:
        value = _value(tree, numbers, convention)
    except (ArithmeticError, ValueError, TypeError, KeyError):
        return None
    return value if isinstance(value, float) and math.isfinite(value) else None


def _value(tree: Tree, numbers: Mapping[str, float], convention: Convention) -> float:
    if isinstance(tree, Number):
        return tree.value * tree.unit.factor + tree.unit.offset if convention.si and tree.unit else tree.value
    if isinstance(tree, Name):
        return numbers[tree.name]
    parts = [_value(part, numbers, convention) for part in tree.parts]
    match tree.operator:
        case "pi":
            return math.pi
        case "+":
            return parts[0] + parts[1]
        case "-":
            return parts[0] - parts[1]
        case "*" | "unit":
            return parts[0] * parts[1] if tree.operator == "*" or convention.si else parts[0]
        case "/":
            return parts[0] / parts[1]
        case "**":
            return float(parts[0] ** parts[1])
        case "neg":
            return -parts[0]
        case "log" if convention.log10:
            return math.log10(parts[0])
        case "sin" | "cos" | "tan" if convention.degrees and not _has_unit(tree.parts[0], convention):
            return _COMPUTES[tree.operator](math.radians(parts[0]))
        case "asin" | "acos" | "atan" if convention.degrees:
            return math.degrees(_COMPUTES[tree.operator](parts[0]))
    return float(_COMPUTES[tree.operator](*parts))


def _has_unit(tree: Tree, convention: Convention) -> bool:
    return convention.si and any(isinstance(node, Number) and node.unit for node in _walk(tree))


def _dimension(tree: Tree, of: Mapping[str, tuple[float, ...]]) -> tuple[float, ...] | None:
    none = (0.0,) * 7
    if isinstance(tree, Number):
        return tree.unit.dimension if tree.unit else none
    if isinstance(tree, Name):
        return of.get(tree.name)
    parts = [_dimension(part, of) for part in tree.parts]
    match tree.operator:
        case "+" | "-" | "min" | "max":
            known = [part for part in parts if part is not None]
            if any(part != known[0] for part in known):
                raise DimensionError("terms of different dimensions are added")
            return known[0] if len(known) == len(parts) else None
        case "*" | "unit":
            return tuple(a + b for a, b in zip(*parts, strict=True)) if None not in parts else None
        case "/":
            return tuple(a - b for a, b in zip(*parts, strict=True)) if None not in parts else None
        case "**":
            exponent = _evaluated(tree.parts[1], {}, Convention())
            if parts[0] is None or exponent is None:
                return none if parts[0] == none else None
            return tuple(round(a * exponent, 9) for a in parts[0])
        case "sqrt":
            return None if parts[0] is None else tuple(a / 2 for a in parts[0])
        case "neg" | "abs":
            return parts[0]
    return none


def _python(tree: Tree) -> str:
    if isinstance(tree, Number):
        value = tree.value * tree.unit.factor if tree.unit else tree.value
        return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(tree, Name):
        return tree.name
    parts = [_python(part) for part in tree.parts]
    if tree.operator == "pi":
        return "pi"
    if tree.operator == "neg":
        return f"(-{parts[0]})"
    if tree.operator in ("+", "-", "*", "/", "**", "unit"):
        return f"({parts[0]}{'*' if tree.operator == 'unit' else tree.operator}{parts[1]})"
    return f"{tree.operator}({', '.join(parts)})"
