"""The stories and retellings of tests/eval/variants, read from their files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ansatz.eval.benchmarks.physbench.variants.invariance import check_texts

FOLDER = Path(__file__).parent / "variants"


@dataclass(frozen=True)
class Edit:
    """Words of a retelling and what they are exchanged for, so that the problem is another one."""

    kind: str
    old: str
    new: str


@dataclass(frozen=True)
class Story:
    """`faithful` are retellings; each of `edits` spoils the first of them."""

    name: str
    original: str
    faithful: tuple[str, ...]
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Retelling:
    """A text, a free retelling of it, and what was planted in that; None where it is faithful."""

    original: str
    variant: str
    corruption: str | None


def stories(half: str) -> tuple[Story, ...]:
    """The stories of first_half or second_half."""
    return tuple(
        Story(
            name=row["name"],
            original=row["original"],
            faithful=tuple(row["faithful"]),
            edits=tuple(Edit(**edit) for edit in row["edits"]),
        )
        for row in _file()[half]
    )


def paraphrases() -> tuple[tuple[str, str], ...]:
    """Originals with a further faithful retelling of each."""
    return tuple((row["original"], row["faithful"]) for row in _file()["paraphrases"])


def retellings(part: str) -> tuple[Retelling, ...]:
    """The retellings of a part, a file such as rewritten_first or retellings_tuned."""
    lines = (FOLDER / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return tuple(Retelling(row["original"], row["variant"], row["corruption"]) for row in rows)


def rates(part: str) -> tuple[int, int, int, int]:
    """Of a part: faithful retellings rejected and all of them, corrupted ones caught and all of them."""
    found = [(each.corruption, bool(check_texts(each.original, each.variant))) for each in retellings(part)]
    faithful = [changed for corruption, changed in found if corruption is None]
    corrupted = [changed for corruption, changed in found if corruption is not None]
    return sum(faithful), len(faithful), sum(corrupted), len(corrupted)


@cache
def _file() -> dict[str, Any]:
    found: dict[str, Any] = yaml.load(
        (FOLDER / "stories.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
    )
    return found
