"""Cut passages from a text by their first and last words, which a model has copied more or less exactly."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SHOWN = 60


def passages(text: str, ends: Sequence[tuple[str, str]]) -> list[str]:
    """One passage for each (first words, last words), in the order of the text and without overlap.

    Spaces and line breaks need not agree. Raises ValueError that names the words that are not there.
    """
    found = []
    start = 0
    for first, last in ends:
        begin = _find(text, first, start)
        end = _find(text, last, begin.start())
        found.append(text[begin.start() : end.end()].strip())
        start = end.end()
    return found


def _find(text: str, words: str, start: int) -> re.Match[str]:
    """The first place of the words at or after `start`."""
    pattern = r"\s+".join(re.escape(word) for word in words.split())
    match = re.compile(pattern).search(text, start)
    if match is None:
        where = "after the passage before it" if start and re.search(pattern, text) else "in the text"
        raise ValueError(f"the words {words[:_SHOWN]!r} are not {where}; copy them exactly")
    return match
