"""Closed forms as people write them, LaTeX already rendered plain, in symbols that are known beforehand.

`V_E^2 sin gamma_E/(2eH)` is read with the symbols V_E, gamma_E and H, so that `eH` is Euler's number times
H. What is read is put together in the restricted grammar of `knowledge_base.expression`: nothing is executed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ansatz.eval.extract import spelled
from ansatz.eval.notation import read_number
from ansatz.knowledge_base.expression import Expression, ExpressionError

_LONGEST, _DEEPEST = 600, 20  # characters and nested brackets of a form that is read
_LARGEST_POWER = 50.0  # of numbers alone: beyond it exact arithmetic could take for ever
_NAME = re.compile(r"(?:(?:math|np|numpy|sp|sympy)\.)?([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*)'*")
_INVERSES = {name: f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")}
_RECIPROCALS = {"cot": "tan", "sec": "cos", "csc": "sin", "coth": "tanh"}
_FUNCTIONS = {
    **{name: name for name in ("sqrt", "exp", "log", "log10", "erf", "erfc", "abs", *_INVERSES)},
    **{inverse: inverse for inverse in _INVERSES.values()},
    **{f"arc{name}": inverse for name, inverse in _INVERSES.items()},
    **{name: name for name in _RECIPROCALS},
    **{"ln": "log", "lg": "log10", "arsinh": "asinh", "arcosh": "acosh", "artanh": "atanh"},
}
_CONSTANTS = {"e": "exp(1)", "E": "exp(1)", "pi": "pi", "Pi": "pi"}
_OPEN, _CLOSED = "([{", ")]}"
_POWER = re.compile(r" ?(?:\*\*|\^) ?")


class Unreadable(ValueError):
    """The text is no closed form in the known symbols; the message says why."""


def read_closed_form(text: str, symbols: Iterable[str], spaced: bool = False) -> Expression:
    """The formula that plain `text` wholly is (see `markup.plain`).

    A product without a sign binds tighter than a division when it is written without a space, as in
    a/2b, but not after a fraction of numbers, as in 1/2 b. People write a / 2 b for both; with `spaced` it
    is a/(2 b). Raises Unreadable.
    """
    text = text.strip().rstrip(".,:;")
    if not text or len(text) > _LONGEST:
        raise Unreadable(f"a closed form has 1 to {_LONGEST} characters")
    written = _Reader(text, symbols, spaced).read()
    try:
        return Expression.parse(written)
    except ExpressionError as error:
        raise Unreadable(str(error)) from None


class _Reader:
    """One pass over a formula by recursive descent: sum, product, division, power, operand."""

    def __init__(self, text: str, symbols: Iterable[str], spaced: bool) -> None:
        self._spaced = spaced
        self._text, self._at, self._depth = text, 0, 0
        self._word_end = 0  # where the last run of letters that was several symbols ends
        symbols = list(symbols)
        self._known = {spelled(re.sub("^eps(?![a-z])", "epsilon", symbol)): symbol for symbol in symbols}
        self._known |= {spelled(symbol): symbol for symbol in symbols}
        constants = {name: value for name, value in _CONSTANTS.items() if name not in self._known}
        self._words = {**constants, **self._known}

    def read(self) -> str:
        written = self._sum()
        if self._at < len(self._text):
            raise Unreadable(f"{self._text[self._at : self._at + 12]!r} is not expected")
        return written

    def _sum(self) -> str:
        parts = [self._sign() + self._product()]
        while (sign := self._next()) in ("+", "-"):
            self._at += 1
            parts += [sign, self._sign() + self._product()]
        return "".join(parts)

    def _sign(self) -> str:
        minus = False
        while (sign := self._next()) in ("+", "-"):
            self._at += 1
            minus ^= sign == "-"
        return "-" if minus else ""

    def _product(self) -> str:
        written = self._power()
        fraction = _is_number(written)  # whether all so far is a number, as the 1 of 1/2 x
        while (following := self._next()) and following not in "+-," and following not in _CLOSED:
            divides = following == "/"
            if divides or following == "*":
                self._at += 1
            sign = self._sign() if divides or following == "*" else ""
            factor = self._power()
            if divides and not (fraction and _is_number(factor)):
                factor = self._glued(factor)
            fraction = fraction and _is_number(factor)
            written += ("/" if divides else "*") + (f"({sign}{factor})" if sign else factor)
        return written

    def _glued(self, factor: str) -> str:
        """A denominator with what follows it without a sign or a space: the 2eH of a/2eH."""
        factors = [factor]
        while not factors[0].startswith("(") and self._starts_operand(self._spaced):
            factors.append(self._power())
        return factors[0] if len(factors) == 1 else f"({'*'.join(factors)})"

    def _power(self) -> str:
        base = self._operand()
        found = _POWER.match(self._text, self._at)
        if found is None:
            return base
        self._at = found.end()
        exponent = self._sign() + self._power()
        _check_power(exponent)
        return f"({base})**({exponent})"

    def _operand(self) -> str:
        following = self._next()
        number = read_number(self._text, self._at) if following.isdigit() or following == "." else None
        if number:
            self._at = number.end
            return repr(int(number.value)) if number.value.is_integer() else repr(number.value)
        if following and following in _OPEN:
            return self._bracket()
        name = _NAME.match(self._text, self._at)
        if name is None:
            raise Unreadable(f"{self._text[self._at : self._at + 12]!r} is not expected")
        self._at = name.end()
        word = name[1]
        if word in ("pow", "power") and self._here() == "(":
            return self._bracket(comma="**")
        if word in _FUNCTIONS and spelled(word) not in self._known:
            return self._function(word)
        return self._symbol(word, name.start(1))

    def _bracket(self, comma: str = "") -> str:
        """What brackets hold; with `comma`, two sums that it stands between."""
        self._depth += 1
        self._at += 1
        if self._depth > _DEEPEST:
            raise Unreadable("too many nested brackets")
        inside = self._sum()
        if comma and self._next() == ",":
            self._at += 1
            exponent = self._sum()
            _check_power(exponent)
            inside = f"({inside}){comma}({exponent})"
        if self._next() not in _CLOSED or not self._next():
            raise Unreadable("a bracket is not closed")
        self._at += 1
        self._depth -= 1
        return f"({inside})"

    def _function(self, word: str) -> str:
        """A function of a bracket, or of what stands next to it: sin 2 x cos x is sin(2 x) cos(x)."""
        name, power = _FUNCTIONS[word], ""
        found = _POWER.match(self._text, self._at)
        if found:
            self._at = found.end()
            power = (self._sign() + self._operand()).strip("()")
            _check_power(power)
            if power == "-1" and name in _INVERSES:
                name, power = _INVERSES[name], ""
        if self._next() and self._next() in _OPEN:
            argument = self._operand()
        else:
            argument = self._sign() + self._power()
            if _is_number(argument) and self._starts_operand() and not self._starts_function():
                argument += f"*{self._power()}"
            while self._at < self._word_end:  # sin ab is the sine of the product
                argument += f"*{self._power()}"
        inverted = _RECIPROCALS.get(name)
        written = f"(1/{inverted}({argument}))" if inverted else f"{name}({argument})"
        return f"({written})**({power})" if power else written

    def _symbol(self, word: str, start: int) -> str:
        """A known symbol, however it is spelled; of several written together the first, the rest to come."""
        for spelling in (spelled(word), spelled(word.replace("_dot", ""))):
            if spelling in self._words:
                return self._words[spelling]
        first = self._first_of_several(spelled(word))
        if first is None:
            raise Unreadable(f"{word!r} is not among the symbols")
        self._word_end = max(self._at, self._word_end)
        self._at = next(at for at in range(start + 1, self._at + 1) if spelled(self._text[start:at]) == first)
        return self._words[first]

    def _first_of_several(self, letters: str) -> str | None:
        """The first, as long as may be, of the known symbols that make up a run of letters."""
        whole = {len(letters)}  # offsets from which on all letters are symbols; found from the end
        longest = 0
        for start in range(len(letters) - 1, -1, -1):
            ends = [end for end in whole if letters[start:end] in self._words]
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

    def _starts_operand(self, spaced: bool = False) -> bool:
        if spaced:
            self._next()
        return bool(re.match(r"[A-Za-z0-9.(\[{]", self._here() or " "))

    def _starts_function(self) -> bool:
        name = _NAME.match(self._text, self._at)
        return bool(name and name[1] in _FUNCTIONS)


def _is_number(written: str) -> bool:
    return re.fullmatch(r"-?[\d.]+(?:e[-+]?\d+)?", written) is not None


def _check_power(exponent: str) -> None:
    """Raise Unreadable for a power of numbers alone that is out of proportion."""
    try:
        expression = Expression.parse(exponent)
        if not expression.names and abs(expression({})) > _LARGEST_POWER:
            raise Unreadable(f"a power of {exponent} is not read")
    except ExpressionError as error:
        raise Unreadable(str(error)) from None
