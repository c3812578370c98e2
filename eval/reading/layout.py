"""Where statements stand: behind reasoning, in the block of lines that answers, in the answer as written."""

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
"""Characters of an answer that are read; of a longer one the beginning is left out."""
_OPENING = 8  # lines within which a text opens
_COVERED = 0.6  # share of the targets that a block states if it is the answer


def remove_reasoning(answer: str) -> str:
    """The answer without its reasoning blocks; one that is never closed runs to the end.

    What stands before the end of a block that the model's template has opened is part of that block.
    """
    return _BEFORE.sub("", _BLOCK.sub("", answer)) if "<" in answer else answer


def select_readable_part(answer: str) -> str:
    """The answer without its reasoning blocks, or the last 200,000 characters of a longer one."""
    return remove_reasoning(answer)[-LONGEST:]


def remove_afterthoughts(text: str, found: Sequence[Statement], asked: Collection[str]) -> list[Statement]:
    """The statements of a plain text but for those in passing after the last block of lines that answers.

    Such a block states most of what is asked, one quantity a line, blank lines aside, as questions request
    it. What prose after it says explains and answers nothing. One line is a block only where the text opens
    with it.
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
    """Whether a line is a row of a table or holds one quantity and hardly a word."""
    return line.count("|") > 1 or (bool(_FORM.fullmatch(line)) and len(_PROSE.findall(line)) <= 3)


def locate_number(answer: str, statement: Statement) -> tuple[int, int] | None:
    """The first and last offset of a statement's number in the answer; None where that is not sure.

    Statements are found in the plain text, which keeps the order of numbers: where the same figures stand
    equally often in both texts, the k-th in one is the k-th in the other. Digits that are markup, such as
    those of a fraction, leave doubt.
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
