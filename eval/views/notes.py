"""What a chapter says below its tables: `notes.yaml` beside it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml


@cache
def notes(module: str) -> Mapping[str, str]:
    """The notes of the package that a module is in, by name."""
    text = files(module.rpartition(".")[0]).joinpath("notes.yaml").read_text(encoding="utf-8")
    return {name: " ".join(note.split()) for name, note in yaml.load(text, Loader=yaml.CSafeLoader).items()}
