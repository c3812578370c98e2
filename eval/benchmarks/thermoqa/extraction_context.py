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


def named_parts_joined(answer: str) -> str:
    """s_gen,pump and x_dest (total) written as one symbol, which is how the questions mean them."""
    return _PART.sub(lambda part: f"{part[1]}_{part[2].replace(' ', '_')}", answer)


def in_context(text: str, found: Sequence[Statement]) -> list[Statement]:
    """Bare symbols with the index that their heading gives them.

    "State 1: h = 192" states h_1, and "Compressor: s_gen = 0.02" states s_gen_Compressor.
    """
    headings = _headings(text)
    placed = []
    for statement in found:
        heading = next((name for start, end, name in headings if start <= statement.position < end), "")
        state = _STATE.match(heading)
        if statement.symbol in _BARE and state:
            placed.append(replace(statement, symbol=f"{_BARE[statement.symbol]}_{state[1]}"))
        elif spelled(statement.symbol) in ("sgen", "xdest"):
            words = _LEADING_WORDS.match(statement.label) or _LEADING_WORDS.match(heading)
            part = words[1].replace(" ", "_").replace("-", "_") if words else ""
            placed.append(replace(statement, symbol=f"{statement.symbol}_{part}"))
    return placed


def _headings(text: str) -> list[tuple[int, int, str]]:
    """Where the lines that a heading governs begin and end, and the heading."""
    headings: list[tuple[int, int, str]] = []
    start, lines, title, position = 0, 0, "", 0
    for line in text.split("\n"):
        opens = bool(_STATE.match(line) or _TITLE.fullmatch(line))
        if opens or lines > _REACH:
            headings += [(start, position, title)] if title else []
            start, lines, title = position, 0, line if opens else ""
        lines += bool(line.strip())
        position += len(line) + 1
    return headings + ([(start, position, title)] if title else [])


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
