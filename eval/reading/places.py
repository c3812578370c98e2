"""Where what was read stands in the answer as it was written."""

from __future__ import annotations

import re

from ansatz.quantities.markup import plain
from ansatz.quantities.statements import Statement

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ALONE = re.compile(r"(?<![\d.])\d+(?:\.\d+)?(?!\.?\d)")
_TIMES_TEN = re.compile(r"[eE]|\s*[*×x]\s*10")
_POWER = re.compile(r"[eE][+-]?\d+")


def place(answer: str, statement: Statement) -> tuple[int, int] | None:
    """The first and last offset of a statement's number in the answer; None where that is not sure.

    Statements are found in the plain text, which keeps the order of numbers: where digits stand in both texts
    equally often, the k-th in one is the k-th in the other.
    Digits that are markup, such as those of a fraction, leave doubt.
    """
    text = plain(answer)
    end = text.find("\n", statement.position)
    said = list(_NUMBER.finditer(text, statement.position, len(text) if end < 0 else end))
    value = abs(statement.value)
    whole = [each for each in said if float(each[0]) == value]
    raised = [each for each in said if _TIMES_TEN.match(text, each.end()) and _alike(each[0], value)]
    if not whole and not raised:
        return None
    number = (whole or raised)[0]
    before = [each.start() for each in _ALONE.finditer(text) if each[0] == number[0]]
    there = [each for each in _ALONE.finditer(answer) if each[0] == number[0]]
    if len(before) != len(there) or number.start() not in before:
        return None
    found = there[before.index(number.start())]
    power = _POWER.match(answer, found.end())
    return found.start(), power.end() if power else found.end()


def _alike(mantissa: str, value: float) -> bool:
    """Whether the digits that count are the same, whatever the power of ten."""
    digits = [text.partition("e")[0].replace(".", "").strip("0") for text in (mantissa, f"{value:.12g}")]
    return digits[0] == digits[1]
