"""What an answer states in the form that was asked for: a line `symbol = value unit` for each target."""

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
_MOST_STARTS = 100  # of JSON objects, from the end
_LONGEST_OBJECT = 10_000  # characters of one that is not strictly JSON
_NO_JSON = re.compile(  # comments, and a comma behind the last member; strings are kept
    r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/|,(?=(?:\s|//[^\n]*)*+[}\]])', re.DOTALL
)
_OBJECT = re.compile(r'\{(?=\s*["/])')


def read_closing_lines(transcript: Transcript, targets: Sequence[Target]) -> dict[str, str]:
    """By target, the line in which an attempt states it as it was asked to; without those it does not.

    Of the form `free` there are none. At most its last 200,000 characters are read.
    """
    answer = transcript.answer[-LONGEST:]
    if transcript.form == "json":
        return _read_object(answer, targets)
    handed_in = any(call.name == SUBMIT and call.ok for call in transcript.tool_calls[-1:])
    if transcript.form == "block" or (transcript.form == "tool" and handed_in):
        return _read_block(answer, targets)
    return {}


def _read_block(answer: str, targets: Sequence[Target]) -> dict[str, str]:
    """The last lines of a text, as long as they state something."""
    called = _make_target_finder(targets)
    found: dict[str, str] = {}
    for line in reversed(to_plain_text(answer).splitlines()):
        if _FENCE.fullmatch(line):
            continue
        stated = _LINE.fullmatch(line)
        if stated is None:
            break
        if name := called(stated[1]):
            found.setdefault(name, line.strip())
    return found


def _read_object(answer: str, targets: Sequence[Target]) -> dict[str, str]:
    """The last JSON object of a text that has a target for a key."""
    called = _make_target_finder(targets)
    starts = [brace.start() for brace in _OBJECT.finditer(answer)]
    for start in reversed(starts[-_MOST_STARTS:]):
        content = _parse_object(answer, start)
        stated = {name: each for key, each in content.items() if (name := called(key))}
        if stated:
            return {
                name: format_closing_line(name, each) for name, each in stated.items() if each is not None
            }
    return {}


def _parse_object(text: str, start: int) -> dict[str, Any]:
    """The object that starts there, as JSON or as models write it; empty for none."""
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
    """Which target a symbol in a text is; case counts where two differ in nothing else."""
    exact = {_normalize_symbol(target.name): target.name for target in targets}
    alike = Counter(symbol.casefold() for symbol in exact)
    folded = {each.casefold(): name for each, name in exact.items() if alike[each.casefold()] == 1}
    return lambda text: exact.get(_normalize_symbol(text)) or folded.get(_normalize_symbol(text).casefold())


def _normalize_symbol(text: str) -> str:
    return normalize_symbol(to_plain_text(text))
