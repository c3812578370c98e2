"""Repair of wrongly decoded text by ftfy, each change recorded, and text that is beyond repair.

What optical character recognition misread is not guessed at: a text with such faults has a reference solution
that does not fit it, or goes to a reviewer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ansatz.eval.curation.candidates import Candidate, Repair

_UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff]")
_GARBAGE_SHARE = 0.02


def repair(candidate: Candidate) -> Candidate:
    """The candidate with its texts decoded rightly and every change recorded; a sound one as it is."""
    repairs: list[Repair] = []
    fields = {name: _repaired(value, name, repairs) for name, value in candidate.fields.items()}
    if not repairs:
        return candidate
    return replace(candidate, fields=fields, repairs=(*candidate.repairs, *repairs))


def garbage(text: str) -> str | None:
    """Why a text is beyond repair, or None: too many characters that stand for no letter."""
    unreadable = unreadable_signs(text)
    if unreadable > _GARBAGE_SHARE * len(text):
        return f"{unreadable} of {len(text)} characters are unreadable"
    return None


def unreadable_signs(text: str) -> int:
    """How many characters of a text were lost (replacement characters and private-use ones)."""
    return len(_UNREADABLE.findall(text))


def _repaired(value: Any, field: str, repairs: list[Repair]) -> Any:
    """A field of any shape with each text in it repaired; ids stay."""
    if isinstance(value, str):
        return value if field in ("id", "family") else _decoded(value, field, repairs)
    if isinstance(value, Mapping):
        return {name: _repaired(part, f"{field}.{name}", repairs) for name, part in value.items()}
    if isinstance(value, list):
        return [_repaired(part, f"{field}[{index}]", repairs) for index, part in enumerate(value)]
    return value


def _decoded(text: str, field: str, repairs: list[Repair]) -> str:
    """Mojibake, ligatures and control characters; quotes, Chinese punctuation and letters stay."""
    import ftfy

    config = ftfy.TextFixerConfig(
        unescape_html=False, uncurl_quotes=False, fix_character_width=False, normalization=None
    )
    changed = ftfy.fix_text(text, config)
    if changed != text:
        repairs.append(Repair("encoding", field, *_difference(text, changed)))
    return changed


def _difference(before: str, after: str) -> tuple[str, str]:
    """The stretch in which two texts differ, with up to 12 characters of what surrounds it."""
    shorter = min(len(before), len(after))
    start = next((place for place in range(shorter) if before[place] != after[place]), shorter)
    same = next(
        (place for place in range(shorter - start) if before[-1 - place] != after[-1 - place]),
        shorter - start,
    )
    low, tail = max(0, start - 12), max(0, same - 12)
    return before[low : len(before) - tail], after[low : len(after) - tail]
