"""Parse expressions in plain notation (see `markup.to_plain_text`) to a tree, without executing anything.

One recursive descent (sum, product, power, operand) reads `0.5 rho V^2`, `0.5*1.2 kg/m^3*(340 m/s)^2`,
`V_E^2 sin gamma_E/(2eH)` and `5 sqrt 6 m/s`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Literal as OneOf

from ansatz.errors import Unreadable
from ansatz.quantities.letters import GREEK_NAMES
from ansatz.quantities.notation import read_number, read_unit
from ansatz.quantities.scales import find_written_scale
from ansatz.quantities.terms import normalize_symbol
from ansatz.quantities.tree import INVERSES, Formula, Name, Node, Numeral, Tree, evaluate_tree

Products = OneOf["loose", "glued", "spaced"]
"""Which factors without an operator belong to the divisor before them.

For `a/2b c`, "loose" reads (a/2) b c, "glued" a/(2 b) c, and "spaced" a/(2 b c).
"""

_PRODUCTS: tuple[Products, ...] = ("loose", "glued", "spaced")
_LONGEST, _DEEPEST = 600, 20  # characters and nested brackets of an expression that is read
_LARGEST_POWER = 50.0  # of numbers alone: exact arithmetic with larger powers could be very slow
_NAME = re.compile(r"(?:(?:math|np|numpy|sp|sympy)\.)?([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*)'*")
_CROSS = re.compile(r"(?<=[\d)\]%A-Za-z]) ?[xX] (?=[\d(.]|(?:sin|cos|tan|sqrt|exp|ln)\b)")
_POWER = re.compile(r" ?(?:\*\*|\^) ?")
_CHARGE = re.compile(rf"{_POWER.pattern}[234](?![\d.])")  # powers that the elementary charge e has
_BEHIND = re.compile(r"(?:(?<=\d)|(?<=[)\]]) ?)([A-Za-z]\w*)")  # letters that continue a product, or a unit
_OPEN, _CLOSED = "([{", ")]}"
_RECIPROCALS = {"cot": "tan", "sec": "cos", "csc": "sin", "coth": "tanh"}
_FUNCTIONS = {
    **{
        name: name
        for name in ("sqrt", "exp", "log", "log10", "erf", "erfc", "erfcx", "abs", "min", "max", *INVERSES)
    },
    **{inverse: inverse for inverse in INVERSES.values()},
    **{f"arc{name}": inverse for name, inverse in INVERSES.items()},
    **{name: name for name in _RECIPROCALS},
    **{"ln": "log", "lg": "log10", "arsinh": "asinh", "arcosh": "acosh", "artanh": "atanh"},
    **{"Min": "min", "Max": "max", "pow": "**", "power": "**"},
}
_PI, _EULER = Node("pi", ()), Node("exp", (Numeral(1.0, 1),))


def parse_formula(
    text: str, symbols: Iterable[str] | None = None, *, products: Products = "loose"
) -> Formula:
    """Parse plain `text` that consists of one expression.

    Parameters:
        symbols: The only names that are accepted; letters written together are split into them. With None,
            any name is a symbol.
        products: How far a product without a sign extends the divisor before it; see `Products`.

    Raises Unreadable.

    Example:
        >>> parse_formula("V^2/2g", ["V", "g"], products="glued").value({"V": 2, "g": 1})
        2.0
    """
    return Formula(text.strip(), _parse_tree(text, symbols, units=False, products=products))


def read_formula(text: str, symbols: Collection[str] = ()) -> Formula | None:
    """Parse text that consists of one expression, with any symbols; return None for other text.

    Letters after numbers are units if the text has no other names; otherwise they are symbols. `symbols` are
    the normalized symbols in use around the text. The A of 4A/pi and the m of (3 - 2) m are symbols if these
    include them, and units in the formula's other readings.
    """
    units = _try_parse(text, units=True)
    if units and units.names and units.has_units:
        units = None
    in_use = (
        any(normalize_symbol(found[1]) in symbols for found in _BEHIND.finditer(text)) if symbols else False
    )
    if units and not in_use:
        return units
    names = _try_parse(text, units=False)
    if names and units:
        return Formula(names.text, names.tree, (*names.others, units.tree, *units.others))
    return names or units


def _try_parse(text: str, units: bool) -> Formula | None:
    """Parse the whole text under every rule for products; None if it is not an expression."""
    found: dict[Tree, None] = {}
    for products in _PRODUCTS:
        try:
            found[_parse_tree(text, None, units, products)] = None
        except Unreadable:
            break
    tree, *others = found or (None,)
    return Formula(text.strip(), tree, tuple(others)) if tree else None


def _parse_tree(text: str, symbols: Iterable[str] | None, units: bool, products: Products) -> Tree:
    prepared = _CROSS.sub(" * ", text.strip()).rstrip(".,:; ")
    if not prepared or len(prepared) > _LONGEST:
        raise Unreadable(f"an expression has 1 to {_LONGEST} characters")
    return _Parser(prepared, symbols, units, products).read()


class _Parser:
    """One pass over an expression."""

    def __init__(self, text: str, symbols: Iterable[str] | None, units: bool, products: Products) -> None:
        self._text, self._units, self._products = text, units, products
        self._at, self._depth = 0, 0
        self._word = False  # whether the last operand is a word; its factors need a written operator
        self._word_end = 0  # the end of the last run of letters that was split into several symbols
        self._any = symbols is None
        listed = list(symbols or ())
        self._known = {
            normalize_symbol(re.sub("^eps(?![a-z])", "epsilon", each)): Name(each) for each in listed
        }
        self._known |= {normalize_symbol(each): Name(each) for each in listed}
        constants = {"pi": _PI, "Pi": _PI} | ({} if self._any else {"e": _EULER, "E": _EULER})
        self._leaves: Mapping[str, Tree] = {**constants, **self._known}

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
        fraction = isinstance(tree, Numeral)  # whether there are only numbers so far, as in 1/2 x
        while (following := self._next()) and following not in "+-,;" and following not in _CLOSED:
            written = following in "/*"
            self._at += written
            word = self._word
            factor = self._signed(self._power) if written else self._power()
            if not written and (word or self._word):
                raise Unreadable("words are no product")
            is_number = isinstance(factor, Numeral) and factor.unit is None
            is_closed = self._text[self._at - 1 : self._at] in _CLOSED
            if (
                following == "/"
                and self._products != "loose"
                and not is_closed
                and not (fraction and is_number)
            ):
                # Factors without an operator belong to the divisor: the 2eH of a/2eH.
                while self._starts_operand(over_space=self._products == "spaced"):
                    factor = Node("*", (factor, self._power()))
            fraction = fraction and is_number
            tree = Node("/" if following == "/" else "*", (tree, factor))
        return tree

    def _power(self) -> Tree:
        tree = self._operand()
        if self._skip_power_sign():
            tree = _raise_to_power(tree, self._signed(self._power))
        if not self._units or isinstance(tree, Name) or (isinstance(tree, Numeral) and tree.unit):
            return tree
        unit, end = read_unit(self._text, self._at)  # behind the operand; a name has none
        known = find_written_scale(unit)
        if known is None:
            return tree
        self._at = end
        if isinstance(tree, Numeral):
            return Numeral(tree.value, tree.digits, known)
        return Node("unit", (tree, Numeral(1.0, 1, known)))

    def _operand(self) -> Tree:
        self._word = False
        following = self._next()
        number = read_number(self._text, self._at) if following.isdigit() or following == "." else None
        if number:
            self._at = number.end
            return Numeral(number.value, number.digits)
        if following and following in _OPEN:
            inside, *others = self._bracketed()
            if others:
                raise self._unexpected()
            self._word = False
            return inside
        name = _NAME.match(self._text, self._at)
        if name is None:
            raise self._unexpected()
        self._at = name.end()
        word = name[1]
        if normalize_symbol(word) not in self._known:
            if word in _FUNCTIONS and (_FUNCTIONS[word] != "**" or self._here() == "("):
                return self._function(_FUNCTIONS[word])
            if self._any and word == "e" and _POWER.match(self._text, self._at):
                if _CHARGE.match(self._text, self._at):
                    return Name("e")
                self._skip_power_sign()
                return Node("exp", (self._signed(self._power),))
        return self._symbol(word, name.start(1))

    def _bracketed(self) -> list[Tree]:
        """Read the comma-separated expressions in brackets."""
        if not self._next() or self._next() not in _OPEN:
            raise self._unexpected()
        self._enter_nesting()
        parts: list[Tree] = []
        while not parts or self._next() in (",", ";"):
            self._at += 1
            parts.append(self._sum())
        if not self._next() or self._next() not in _CLOSED:
            raise Unreadable("a bracket is not closed")
        self._at += 1
        self._depth -= 1
        return parts

    def _enter_nesting(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Unreadable("too many nested brackets")

    def _function(self, name: str) -> Tree:
        """Read the argument of a function, with or without brackets: sin 2 x cos x is sin(2 x) cos(x)."""
        if name in ("min", "max", "**"):
            parts = self._bracketed()
            if len(parts) < 2 or (name == "**" and len(parts) > 2):
                raise Unreadable(f"{len(parts)} arguments")
            return _raise_to_power(*parts) if name == "**" else Node(name, tuple(parts))
        power = self._signed(self._operand) if self._skip_power_sign() else None
        if power == Node("neg", (Numeral(1.0, 1),)) and name in INVERSES:
            name, power = INVERSES[name], None
        self._enter_nesting()
        argument = self._operand() if self._next() and self._next() in _OPEN else self._bare_argument()
        self._depth -= 1
        inverted = _RECIPROCALS.get(name)
        tree: Tree = Node(inverted or name, (argument,))
        tree = Node("/", (Numeral(1.0, 1), tree)) if inverted else tree
        return tree if power is None else _raise_to_power(tree, power)

    def _bare_argument(self) -> Tree:
        argument = self._signed(self._power)
        if isinstance(argument, Numeral) and argument.unit is None and self._starts_operand():
            name = _NAME.match(self._text, self._at)
            if not (name and name[1] in _FUNCTIONS and normalize_symbol(name[1]) not in self._known):
                argument = Node("*", (argument, self._power()))
        while self._at < self._word_end:  # sin ab is the sine of the product
            argument = Node("*", (argument, self._power()))
        return argument

    def _symbol(self, word: str, start: int) -> Tree:
        """Return the leaf of a symbol. Of several symbols written together, read only the first."""
        for spelling in (normalize_symbol(word), normalize_symbol(word.replace("_dot", ""))):
            if spelling in self._leaves:
                return self._leaves[spelling]
        if self._any:
            cased = word.islower() or word.istitle() or word.isupper()  # dTdx is a symbol
            self._word = len(word) > 3 and word.isalpha() and cased and word not in GREEK_NAMES
            return Name(word)
        first = self._first_of_several(normalize_symbol(word))
        if first is None:
            raise Unreadable(f"{word!r} is not among the symbols")
        self._word_end = max(self._at, self._word_end)
        self._at = next(
            at for at in range(start + 1, self._at + 1) if normalize_symbol(self._text[start:at]) == first
        )
        return self._leaves[first]

    def _first_of_several(self, letters: str) -> str | None:
        """Return the first known symbol, as long as possible, of a run of letters that are all symbols."""
        whole = {len(letters)}  # offsets from which all letters are symbols, found from the end
        longest = 0
        for start in range(len(letters) - 1, -1, -1):
            ends = [end for end in whole if letters[start:end] in self._leaves]
            if ends:
                whole.add(start)
                longest = max(ends)
        return letters[:longest] if 0 in whole and letters else None

    def _skip_power_sign(self) -> bool:
        """Move past a sign of a power here; return whether there is one."""
        found = _POWER.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return found is not None

    def _next(self) -> str:
        """Skip spaces and return the next character; "" at the end."""
        while self._here() == " ":
            self._at += 1
        return self._here()

    def _here(self) -> str:
        return self._text[self._at : self._at + 1]

    def _starts_operand(self, over_space: bool = True) -> bool:
        """Whether an operand follows without an operator."""
        following = self._next() if over_space else self._here()
        return following.isalnum() or (bool(following) and following in "([{.")


def _raise_to_power(base: Tree, exponent: Tree) -> Node:
    value = evaluate_tree(exponent)
    if value is not None and abs(value) > _LARGEST_POWER:
        raise Unreadable(f"a power of {value:g}")
    return Node("**", (base, exponent))
