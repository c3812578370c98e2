"""The phrase that the end of an answer sets in bold, which most models do with their result."""

from __future__ import annotations

import re

from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import NUMBER, resolve_decimal_commas
from ansatz.quantities.statements import Statement
from ansatz.quantities.terms import read_quantity, read_value

_BOLD = re.compile(r"(?<![*\\])\*\*(?=[^\s*])([^*\n]{1,80}?)(?<=[^\s*])\*\*(?!\*)")
_END = 500  # characters of an answer in which its result is


def find_emphasized(answer: str) -> str | None:
    """Return the only phrase in bold at the end of an answer as plain text; None for none or several.

    A heading such as "**Result:**" is none.

    Example: `find_emphasized("So the safety factor is **2.64**.")` is "2.64".
    """
    phrases = {to_plain_text(each).strip() for each in _BOLD.findall(answer[-_END:])}
    stated = [each for each in phrases if each and not each.endswith(":")]
    return stated[0] if len(stated) == 1 else None


def list_quantities(phrase: str, text: str, with_unit: bool) -> list[Statement]:
    """Return the quantities of a phrase at its last place in a plain text, all or only those with a unit."""
    phrase = resolve_decimal_commas(phrase)
    start = text.rfind(phrase)
    found = []
    for number in NUMBER.finditer(phrase) if start >= 0 else ():
        rest, place = phrase[number.start() :], start + number.start()
        read = read_value(rest)
        if read and (read.unit or not with_unit):
            _, length = read_quantity(rest) or (read, len(number.group()))
            span = (place, place + length)
            found.append(Statement("", read.value, read.unit, phrase, place, read.digits, "", span))
    return found
