"""What surrounds a statement: reasoning blocks, headings that name a state or a part, split names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ansatz.eval.extract import Statement

_TAGS = "think|thinking|thought|reasoning|scratchpad|analysis|reflection"
_BLOCK = re.compile(rf"<({_TAGS})>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_LEFT_OPEN = re.compile(rf"\A(.*?)</(?:{_TAGS})>", re.DOTALL | re.IGNORECASE)
_PART = re.compile(
    r"([sSxX]_(?:gen|dest))(?:, ?| ?[(\[])([A-Za-z]\w*(?: \w+)?)[)\]]?(?=\s*[*_`]{0,3}\s*[=≈:|])"
)
_STATE = re.compile(r"^(?:\W|\d{1,2}[.)])*(?:at )?(?:state|point|station) ?#?\(?(\d{1,2}s?)\b", re.IGNORECASE)
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
