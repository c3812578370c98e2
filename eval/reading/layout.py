"""The layout of an answer: reasoning blocks, the block of lines with the results, offsets of numbers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from itertools import accumulate, groupby

from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import NUMBER, read_number
from ansatz.quantities.statements import Statement
from ansatz.quantities.terms import normalize_symbol

_TAGS = "think|thinking|thought|reasoning|scratchpad|analysis|reflection"
_BLOCK = re.compile(rf"<({_TAGS})>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_BEFORE = re.compile(rf"\A.*?</(?:{_TAGS})>", re.DOTALL | re.IGNORECASE)
_FORM = re.compile(r"\W*[A-Za-z][\w ,.'()*/^-]{0,40}?[=≈:|].{1,70}")
_PROSE = re.compile(r"[A-Za-z]{4,}")
_POWER = re.compile(r"[eE][+-]?\d+")
LONGEST = 200_000
"""The most characters of an answer that are read, from its end."""
_OPENING = 8  # lines that count as the opening of a text
_COVERED = 0.6  # least share of the targets that a block of results states


def remove_reasoning(answer: str) -> str:
    """Return the answer without reasoning blocks; an unclosed block runs to the end.

    If the opening tag is missing because the model's template wrote it, the block starts at the beginning.
    """
    return _BEFORE.sub("", _BLOCK.sub("", answer)) if "<" in answer else answer


def select_readable_part(answer: str) -> str:
    """Return the answer without reasoning blocks, at most its last 200,000 characters."""
    return remove_reasoning(answer)[-LONGEST:]


def remove_afterthoughts(text: str, found: Sequence[Statement], asked: Collection[str]) -> list[Statement]:
    """Remove the statements in prose after the last block of results: they only explain the answer.

    A block of results states most of the `asked` quantities, one per line; blank lines in between are
    allowed. A single line is a block only if the text opens with it.
    """
    lines = text.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    forms = [_is_form(line) for line in lines]
    placed = [(min(bisect_right(starts, each.position) - 1, len(lines) - 1), each) for each in found]
    wanted = {normalize_symbol(name) for name in asked}
    stated: dict[int, set[str]] = {}
    for line, each in placed:
        stated.setdefault(line, set()).add(normalize_symbol(each.symbol))
    end = 0
    filled = [index for index, line in enumerate(lines) if line.strip()]
    for is_form, block in groupby(filled, key=forms.__getitem__):
        if not is_form:
            continue
        first, *_ = within = list(block)
        names = wanted & set().union(*(stated.get(line, set()) for line in within))
        opens = sum(len(_PROSE.findall(line)) for line in lines[: min(first, _OPENING)]) <= 3
        enough = len(names) > 1 or (opens and first < _OPENING)
        if enough and len(names) >= _COVERED * len(wanted):
            end = within[-1] + 1
    return [each for line, each in placed if line < end or forms[line] or not end]


def _is_form(line: str) -> bool:
    """Whether a line is a row of a table, or a quantity with at most three words."""
    return line.count("|") > 1 or (bool(_FORM.fullmatch(line)) and len(_PROSE.findall(line)) <= 3)


def locate_number(answer: str, statement: Statement) -> tuple[int, int] | None:
    """Return the start and end of a statement's number in the answer; None if they are not certain.

    Statements have offsets in the plain text, which preserves the order of numbers. If the same digits occur
    equally often in both texts, the k-th occurrence in one is the k-th in the other. Otherwise some digits
    belong to markup, such as a fraction.
    """
    text = to_plain_text(answer)
    end = text.find("\n", statement.span[0])
    for number in NUMBER.finditer(text, statement.span[0], len(text) if end < 0 else end):
        start = number.start("mantissa")
        read = read_number(text, start)
        if read and read.value == abs(statement.value):
            break
    else:
        return None
    figures = re.compile(rf"(?<![\d.])(?<!\d[,']){re.escape(number['mantissa'].rstrip('.'))}(?!\d|[.,]\d)")
    before = [each.start() for each in figures.finditer(text)]
    there = list(figures.finditer(answer))
    if len(before) != len(there) or start not in before:
        return None
    found = there[before.index(start)]
    power = _POWER.match(answer, found.end())
    return found.start(), power.end() if power else found.end()
