"""The rubric as a judge reads it: one section of rubric.md for each dimension."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files

from ansatz.eval.verifier.kpi import WEIGHTS

DIMENSIONS: tuple[str, ...] = tuple(WEIGHTS)


@cache
def text(name: str) -> str:
    """A prompt file of this folder."""
    return files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()


@cache
def sections() -> dict[str, str]:
    """The text on each dimension, with its anchors for 0, 1 and 2 points."""
    parts = re.split(r"^(?=## )", text("rubric"), flags=re.MULTILINE)
    found = {part[3:5]: part.strip() for part in parts if part.strip()}
    if tuple(found) != DIMENSIONS:
        raise ValueError(f"rubric.md describes {', '.join(found)}; it must describe {', '.join(DIMENSIONS)}")
    return found


def prompt_hash() -> str:
    """SHA-256 of every prompt that a judge may see, for the manifest of a run."""
    whole = "\n".join(text(name) for name in ("instructions", "rubric", "findings"))
    return hashlib.sha256(whole.encode()).hexdigest()
