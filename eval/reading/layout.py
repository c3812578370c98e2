"""What surrounds a statement: reasoning blocks, and headings that name a state or a part."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from ansatz.quantities.statements import Statement
from ansatz.quantities.terms import spelled

_TAGS = "think|thinking|thought|reasoning|scratchpad|analysis|reflection"
_BLOCK = re.compile(rf"<({_TAGS})>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_LEFT_OPEN = re.compile(rf"\A(.*?)</(?:{_TAGS})>", re.DOTALL | re.IGNORECASE)
_STATE = re.compile(r"^(?:\W|\d{1,2}[.)])*(?:at )?(?:state|point|station) ?#?\(?(\d{1,2}s?)\b", re.IGNORECASE)
_FORM = re.compile(r"\W*[A-Za-z][\w ,.'()*/^-]{0,40}?[=≈:|].{1,70}")
_PROSE = re.compile(r"[A-Za-z]{4,}")
_COVERED = 0.6  # share of the targets that a block states if it is the answer
_WORDS = {"enthalpy": "h", "entropy": "s", "temperature": "T", "pressure": "P", "e_f": "ef"}
_TITLE = re.compile(r"\W{0,6}[A-Za-z][A-Za-z -]{2,40}(?: \([^()]{1,30}\))?:?\W{0,3}")
_LEADING_WORDS = re.compile(r"\W{0,6}([A-Za-z][A-Za-z -]{2,30}?) ?(?:[:(]|$)")
_REACH = 8  # lines with something on them that a heading governs


def without_reasoning(answer: str) -> tuple[str, str]:
    """The answer proper and what stands in reasoning blocks; a block that is never closed runs to the end."""
    if "<" not in answer:
        return answer, ""
    thought = [block[2] for block in _BLOCK.finditer(answer)]
    said = _BLOCK.sub("", answer)
    left_open = _LEFT_OPEN.match(said)
    if left_open:
        thought.append(left_open[1])
        said = said[left_open.end() :]
    return said, "\n".join(thought)


class Layout:
    """The lines of a plain text: which heading governs a place, and where the block that answers ends."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._starts = list(accumulate((len(line) + 1 for line in self._lines), initial=0))
        self._forms = [_is_form(line) for line in self._lines]
        self._headings = _headings(self._lines)

    def in_context(self, found: Sequence[Statement], asked: Collection[str]) -> list[Statement]:
        """Bare symbols with the index that their heading gives them, of which some is asked for.

        "State 1: h = 192" states h_1, and "Compressor: s_gen = 0.02" states s_gen_Compressor.
        """
        stems = {spelled(name.rpartition("_")[0]) for name in asked if "_" in name}
        placed = []
        for statement in found:
            heading = self._headings[self._line(statement)]
            state = _STATE.match(heading)
            symbol = _WORDS.get(statement.symbol, statement.symbol)
            if state and re.fullmatch("[A-Za-z]{1,2}", symbol):
                placed.append(replace(statement, symbol=f"{symbol}_{state[1]}"))
            elif spelled(statement.symbol) in stems:
                words = _LEADING_WORDS.match(statement.label) or _LEADING_WORDS.match(heading)
                part = re.sub("[ -]", "_", words[1]) if words else ""
                placed.append(replace(statement, symbol=f"{statement.symbol}_{part}"))
        return placed

    def without_afterthoughts(self, found: Sequence[Statement], asked: Collection[str]) -> list[Statement]:
        """The statements but for those made in passing after the last block of lines that answers.

        Such a block states most of what is asked, one quantity a line, as questions request it. What prose
        after it says explains and answers nothing. One line is a block only where the text opens with it.
        """
        end = self._end_of_answer(found, asked)
        return [each for each in found if (line := self._line(each)) < end or self._forms[line] or not end]

    def _end_of_answer(self, found: Sequence[Statement], asked: Collection[str]) -> int:
        """The line after the last block that answers; 0 for none."""
        wanted = {spelled(name) for name in asked}
        stated: dict[int, set[str]] = {}
        for each in found:
            stated.setdefault(self._line(each), set()).add(spelled(each.symbol))
        last = 0
        for start, end in self._blocks():
            names = wanted & set().union(*(stated.get(line, set()) for line in range(start, end)))
            opens = sum(len(_PROSE.findall(line)) for line in self._lines[: min(start, _REACH)]) <= 3
            if len(names) >= _COVERED * len(wanted) and (len(names) > 1 or (opens and start < _REACH)):
                last = end
        return last

    def _blocks(self) -> Iterator[tuple[int, int]]:
        """Runs of lines that hold one quantity each, blank lines aside: the first line and the one after."""
        start, end = -1, 0
        for index, line in enumerate(self._lines):
            if self._forms[index]:
                start, end = (index if start < 0 else start), index + 1
            elif line.strip() and start >= 0:
                yield start, end
                start = -1
        if start >= 0:
            yield start, end

    def _line(self, statement: Statement) -> int:
        return min(bisect_right(self._starts, statement.position) - 1, len(self._lines) - 1)


def _headings(lines: Sequence[str]) -> list[str]:
    """For each line the heading that governs it, "" for none; a heading governs itself."""
    governing = []
    title, reach = "", 0
    for line in lines:
        if _STATE.match(line) or _TITLE.fullmatch(line):
            title, reach = line, 0
        elif reach > _REACH:
            title = ""
        reach += bool(line.strip())
        governing.append(title)
    return governing


def _is_form(line: str) -> bool:
    """Whether a line is a row of a table or holds one quantity and hardly a word."""
    return line.count("|") > 1 or (bool(_FORM.fullmatch(line)) and len(_PROSE.findall(line)) <= 3)
