"""Read the values that an answer states in the requested form: a line `symbol = value unit` per target."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from ansatz.agents import Transcript
from ansatz.agents.answer_form import SUBMIT, format_closing_line
from ansatz.eval.problem import Target
from ansatz.eval.reading.layout import LONGEST
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.terms import normalize_symbol

_LINE = re.compile(r"\W*(.{1,80}?) ?[=≈:] ?\S.*")
_FENCE = re.compile(r"\W*(?:json|text|plaintext)?\W*")
_MOST_STARTS = 100  # JSON objects that are tried, from the end
_LONGEST_OBJECT = 10_000  # characters of an object that is not strictly JSON
_NO_JSON = re.compile(  # comments, and a comma after the last member, but not inside strings
    r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/|,(?=(?:\s|//[^\n]*)*+[}\]])', re.DOTALL
)
_OBJECT = re.compile(r'\{(?=\s*["/])')


def read_closing_lines(transcript: Transcript, targets: Sequence[Target]) -> dict[str, str]:
    """Return, by target, the line that states it in the requested form.

    The form `free` has no such lines. At most the last 200,000 characters are read.
    """
    answer = transcript.answer[-LONGEST:]
    if transcript.form == "json":
        return _read_object(answer, targets)
    is_submitted = any(call.name == SUBMIT and call.ok for call in transcript.tool_calls[-1:])
    if transcript.form == "block" or (transcript.form == "tool" and is_submitted):
        return _read_block(answer, targets)
    return {}


def _read_block(answer: str, targets: Sequence[Target]) -> dict[str, str]:
    """Read the lines at the end of a text that state something."""
    find_target = _make_target_finder(targets)
    found: dict[str, str] = {}
    for line in reversed(to_plain_text(answer).splitlines()):
        if _FENCE.fullmatch(line):
            continue
        stated = _LINE.fullmatch(line)
        if stated is None:
            break
        if name := find_target(stated[1]):
            found.setdefault(name, line.strip())
    return found


def _read_object(answer: str, targets: Sequence[Target]) -> dict[str, str]:
    """Read the last JSON object of a text that has a target as a key."""
    find_target = _make_target_finder(targets)
    starts = [brace.start() for brace in _OBJECT.finditer(answer)]
    for start in reversed(starts[-_MOST_STARTS:]):
        content = _parse_object(answer, start)
        stated = {name: value for key, value in content.items() if (name := find_target(key))}
        if stated:
            return {
                name: format_closing_line(name, value) for name, value in stated.items() if value is not None
            }
    return {}


def _parse_object(text: str, start: int) -> dict[str, Any]:
    """Parse the object at `start`, as JSON or with comments and trailing commas; empty if there is none."""
    decoder = json.JSONDecoder(strict=False)
    try:
        content, _ = decoder.raw_decode(text, start)
    except (json.JSONDecodeError, RecursionError):
        try:
            content, _ = decoder.raw_decode(_NO_JSON.sub(r"\1", text[start : start + _LONGEST_OBJECT]))
        except (json.JSONDecodeError, RecursionError):
            return {}
    return content if isinstance(content, dict) else {}


def _make_target_finder(targets: Sequence[Target]) -> Callable[[str], str | None]:
    """Return a function that finds the target of a symbol. Case matters only if two targets differ by it."""
    exact = {_normalize_symbol(target.name): target.name for target in targets}
    counts = Counter(symbol.casefold() for symbol in exact)
    folded = {symbol.casefold(): name for symbol, name in exact.items() if counts[symbol.casefold()] == 1}
    return lambda text: exact.get(_normalize_symbol(text)) or folded.get(_normalize_symbol(text).casefold())


def _normalize_symbol(text: str) -> str:
    return normalize_symbol(to_plain_text(text))
