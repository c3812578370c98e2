"""What surrounds a statement: reasoning blocks, headings that name a state or a part, split names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ansatz.eval.extract import Statement, spelled

_TAGS = "think|thinking|thought|reasoning|scratchpad|analysis|reflection"
_BLOCK = re.compile(rf"<({_TAGS})>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_LEFT_OPEN = re.compile(rf"\A(.*?)</(?:{_TAGS})>", re.DOTALL | re.IGNORECASE)
_PART = re.compile(
    r"([sSxX]_(?:gen|dest))(?:, ?| ?[(\[])([A-Za-z]\w*(?: \w+)?)[)\]]?(?=\s*[*_`]{0,3}\s*[=≈:|])"
)
_STATE = re.compile(r"^(?:\W|\d{1,2}[.)])*(?:at )?(?:state|point|station) ?#?\(?(\d{1,2}s?)\b", re.IGNORECASE)
_FORM = re.compile(r"\W*[A-Za-z][\w ,.'()*/^-]{0,40}?[=≈:|].{1,70}")
_PROSE = re.compile(r"[A-Za-z]{4,}")
_COVERED = 0.6  # share of the targets that a block states if it is the answer
_BARE = {"h": "h", "s": "s", "T": "T", "x": "x", "ef": "ef", "e_f": "ef", "enthalpy": "h", "entropy": "s"}
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


def named_parts_joined(answer: str) -> str:
    """s_gen,pump and x_dest (total) written as one symbol, which is how the questions mean them."""
    return _PART.sub(lambda part: f"{part[1]}_{part[2].replace(' ', '_')}", answer)


def in_context(text: str, found: Sequence[Statement]) -> list[Statement]:
    """Bare symbols under a heading that names a state, given its index: "State 1: h = 192" states h_1."""
    headings = _headings(text)
    placed = []
    for statement in found:
        symbol = _BARE.get(statement.symbol)
        state = next((state for start, end, state in headings if start <= statement.position < end), None)
        if symbol and state:
            placed.append(replace(statement, symbol=f"{symbol}_{state}"))
    return placed


def _headings(text: str) -> list[tuple[int, int, str]]:
    """Where each state's lines begin and end."""
    headings: list[tuple[int, int, str]] = []
    start, lines, state, position = 0, 0, "", 0
    for line in text.split("\n"):
        heading = _STATE.match(line)
        if heading or lines > _REACH:
            headings += [(start, position, state)] if state else []
            start, lines, state = position, 0, heading[1] if heading else ""
        lines += bool(line.strip())
        position += len(line) + 1
    return headings + ([(start, position, state)] if state else [])


def answer_block(text: str, found: Sequence[Statement], asked: Collection[str]) -> tuple[int, int]:
    """Where the last block of lines that answers the question begins and ends; (0, 0) for none.

    Such a block states most of what is asked, one quantity a line, as questions request it. What prose
    after it says in passing explains and answers nothing. One line alone is a block only where the text
    opens with it.
    """
    best = (0, 0)
    wanted = {spelled(name) for name in asked}
    for start, end, first in _form_runs(text):
        stated = {spelled(each.symbol) for each in found if start <= each.position < end} & wanted
        if len(stated) >= _COVERED * len(wanted) and (len(stated) > 1 or first):
            best = start, end
    return best


def after_block(text: str, statement: Statement, block: tuple[int, int]) -> bool:
    """Whether a statement is made in passing after the block that answers."""
    return statement.position >= block[1] > 0 and not _is_form(_line_at(text, statement.position))


def _form_runs(text: str) -> Iterator[tuple[int, int, bool]]:
    """Runs of lines that hold one quantity each: start, end, and whether the text opens with the run."""
    start, end, position, opening, prose = -1, 0, 0, False, False
    for line in text.split("\n"):
        if _is_form(line):
            if start < 0:
                start, opening = position, not prose
            end = position + len(line) + 1
        elif line.strip():
            if start >= 0:
                yield start, end, opening
            start = -1
            prose = prose or len(_PROSE.findall(line)) > 3
        position += len(line) + 1
    if start >= 0:
        yield start, end, opening


def _is_form(line: str) -> bool:
    """Whether a line is a row of a table or holds one quantity and hardly a word."""
    return line.count("|") > 1 or (bool(_FORM.fullmatch(line)) and len(_PROSE.findall(line)) <= 3)


def _line_at(text: str, position: int) -> str:
    return text[text.rfind("\n", 0, position) + 1 :].partition("\n")[0]
